"""Faults on the way between two services, drawn by chance: whatever happens, the same is heard, once and in order."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from deploy.local import nats
from shared import channel
from shared.broker import Broker, Post
from shared.channel import LOG, NUMBER
from shared.event_store import Unavailable
from shared.postgres import PostgresStore
from shared.relay import Relay, said
from tests.neighbours import SOURCE, Listener, assert_heard_once, say, speaker

HEARD_WITHIN = 60.0


@dataclass(kw_only=True)
class Way:
    """A speaker, a listener that comes and goes, and the broker between them."""

    speaking: str
    listening: str
    broker: nats.Server
    chance: random.Random
    tell: Callable[[str], None]
    said: int = 0
    store: PostgresStore = field(init=False)
    hand: Broker = field(init=False)  # an intruder on the same broker
    listeners: list[AsyncExitStack] = field(default_factory=list[AsyncExitStack])

    async def run(self, faults: int) -> None:
        async with speaker(self.speaking, self.broker.url) as self.store, self._reaching_in():
            await self._another_listener()
            for number in range(1, faults + 1):
                saying = asyncio.create_task(self._say(self.chance.randint(20, 120)))
                fault = self.chance.choice(self._faults)
                self.tell(f"{number:3} {fault.__name__.strip('_').replace('_', ' ')}")
                await fault()
                await saying
            if not self.listeners:
                await self._another_listener()
            await self._all_is_heard()
            while self.listeners:
                await self._one_listener_less()

    @property
    def _faults(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self._kill_the_broker,
            self._delete_the_stream,
            self._purge_the_stream,
            self._republish,
            self._repeat_out_of_order,
            self._another_listener,
            self._one_listener_less,
            self._nothing,
        ]

    @asynccontextmanager
    async def _reaching_in(self) -> AsyncGenerator[None]:
        self.hand = Broker(self.broker.url, name="intruder")
        async with self.hand.running():
            yield

    async def _say(self, events: int) -> None:
        await say(self.store, events)
        self.said += events

    async def _all_is_heard(self) -> None:
        watching = Listener(self.listening, self.broker.url)
        async with watching.store.running():
            await watching.has_noted(self.said, within=HEARD_WITHIN)
            await asyncio.sleep(1)  # for anything that would come twice
            assert_heard_once(await watching.notes(), self.said)

    async def _kill_the_broker(self) -> None:
        await self.broker.kill()
        await asyncio.sleep(self.chance.uniform(0, 0.5))
        await self.broker.start()

    async def _delete_the_stream(self) -> None:
        await self._try(self.hand.delete)

    async def _purge_the_stream(self) -> None:
        await self._try(self.hand.purge)

    async def _try(self, damage: Callable[[str], Awaitable[None]]) -> None:
        """The stream may be gone already."""
        try:
            await damage(channel.stream(SOURCE))
        except Unavailable as error:
            self.tell(f"    ({error})")

    async def _republish(self) -> None:
        relay = Relay(service=SOURCE, store=self.store, broker=self.hand, database=self.speaking)
        try:
            await relay.republish()
        except Unavailable as error:
            self.tell(f"    ({error})")

    async def _repeat_out_of_order(self) -> None:
        """What was said already, again and shuffled."""
        start = self.chance.randint(0, max(0, self.said - 50))
        events = [said(recorded) for recorded in await self.store.read_public(after=start, limit=50)]
        self.chance.shuffle(events)
        log = str(await self.store.incarnation())
        posts = [
            Post(
                subject=channel.subject(SOURCE, event.scope, event.type),
                body=event.message,
                headers={NUMBER: str(event.number), LOG: log},
            )
            for event in events
        ]
        try:
            await self.hand.post(posts)
        except Unavailable as error:
            self.tell(f"    ({error})")

    async def _another_listener(self) -> None:
        stack = AsyncExitStack()
        await stack.enter_async_context(Listener(self.listening, self.broker.url).running())
        self.listeners.append(stack)

    async def _one_listener_less(self) -> None:
        if self.listeners:
            await self.listeners.pop(self.chance.randrange(len(self.listeners))).aclose()

    async def _nothing(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.5))
