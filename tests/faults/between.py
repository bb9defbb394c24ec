"""Faults on the way between two services, drawn by chance: whatever happens, the same is heard, once and in order."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from deploy.local import nats, postgres
from shared.log.postgres import PostgresStore
from shared.log.trees import Trees
from shared.messaging import subjects
from shared.messaging.broker import Broker, Post
from shared.messaging.relay import Relay, said
from shared.messaging.subjects import LOG, NUMBER
from shared.refusals import Unavailable
from shared.values import Value
from tests.databases import fresh_database, make_template
from tests.neighbours import SOURCE, Listener, assert_heard_once, say, speaker

type Fault = Callable[[], Awaitable[None]]


class Side(Value):
    """A database on a server of its own, which may die."""

    server: postgres.PostgresServer
    database: str

    def backends(self) -> list[psutil.Process]:
        """Its processes, one a connection and a few of its own; the death of one makes all of them begin anew."""
        return psutil.Process(self.server.pid).children()


@asynccontextmanager
async def side(folder: Path, settings: Mapping[str, str] | None = None) -> AsyncGenerator[Side]:
    async with postgres.running(folder, settings=settings) as server:
        await make_template(server.url)
        yield Side(server=server, database=await fresh_database(server.url))


@dataclass(kw_only=True)
class Way:
    """A speaker, a listener that comes and goes, and the broker between them."""

    speaking: Side
    listening: Side
    broker: nats.NatsServer
    chance: random.Random
    tell: Callable[[str], None]
    said: int = 0
    store: PostgresStore = field(init=False)
    hand: Broker = field(init=False)  # an intruder who knows the password of the speaker
    listeners: list[AsyncExitStack] = field(default_factory=list[AsyncExitStack])

    async def run(self, faults: int) -> None:
        async with speaker(self.speaking.database, self.broker.urls) as self.store, self._reaching_in():
            await self._another_listener()
            for number, fault in enumerate(self._drawn(faults), start=1):
                saying = asyncio.create_task(self._say(self.chance.randint(20, 120)))
                self.tell(f"{number:3} {fault.__name__.strip('_').replace('_', ' ')}")
                try:
                    await fault()
                except Unavailable as error:  # what it wanted to damage was not there
                    self.tell(f"    ({error})")
                await saying
            if not self.listeners:
                await self._another_listener()
            await self._all_is_heard()
            while self.listeners:
                await self._one_listener_less()

    def _drawn(self, faults: int) -> list[Fault]:
        """Each kind once before one comes again."""
        drawn: list[Fault] = []
        while len(drawn) < faults:
            drawn += self.chance.sample(self._faults, len(self._faults))
        return drawn[:faults]

    @property
    def _faults(self) -> list[Fault]:
        return [
            self._kill_the_broker,
            self._kill_the_database_of_the_speaker,
            self._kill_the_database_of_the_listener,
            self._kill_a_backend_of_the_speaker,
            self._kill_a_backend_of_the_listener,
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
        self.hand = Broker(self.broker.urls[SOURCE], name="intruder")
        async with self.hand.running():
            yield

    async def _say(self, events: int) -> None:
        await say(self.store, events)
        self.said += events

    async def _all_is_heard(self) -> None:
        watching = Listener(self.listening.database, self.broker.urls)
        async with watching.store.running():
            await watching.has_noted(self.said)
            await asyncio.sleep(1)  # for anything that would come twice
            assert_heard_once(await watching.notes(), self.said)

    async def _kill_the_broker(self) -> None:
        await self.broker.kill()
        await asyncio.sleep(self.chance.uniform(0, 0.5))
        await self.broker.start()

    async def _kill_the_database_of_the_speaker(self) -> None:
        await self._kill_the_database(self.speaking)

    async def _kill_the_database_of_the_listener(self) -> None:
        await self._kill_the_database(self.listening)

    async def _kill_the_database(self, side: Side) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.2))
        await side.server.kill()
        await asyncio.sleep(self.chance.uniform(0, 0.5))
        await side.server.start()

    async def _kill_a_backend_of_the_speaker(self) -> None:
        await self._kill_a_backend(self.speaking)

    async def _kill_a_backend_of_the_listener(self) -> None:
        await self._kill_a_backend(self.listening)

    async def _kill_a_backend(self, side: Side) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.2))
        with suppress(psutil.NoSuchProcess):
            self.chance.choice(side.backends()).kill()
        await asyncio.sleep(self.chance.uniform(0.1, 0.5))
        while not await postgres.answers(side.server.url):
            await asyncio.sleep(0.05)

    async def _delete_the_stream(self) -> None:
        await self.hand.delete(subjects.stream(SOURCE))

    async def _purge_the_stream(self) -> None:
        await self.hand.purge(subjects.stream(SOURCE))

    async def _republish(self) -> None:
        database = self.speaking.database
        relay = Relay(service=SOURCE, store=self.store, broker=self.hand, trees=Trees(database), database=database)
        await relay.republish()

    async def _repeat_out_of_order(self) -> None:
        """What was said already, again and shuffled."""
        start = self.chance.randint(0, max(0, self.said - 50))
        events = [said(recorded) for recorded in await self.store.read_public(after=start, limit=50)]
        self.chance.shuffle(events)
        log = str(await self.store.incarnation())
        posts = [
            Post(
                subject=subjects.subject(SOURCE, event.scope, event.type),
                body=event.message,
                headers={NUMBER: str(event.number), LOG: log},
            )
            for event in events
        ]
        await self.hand.post(posts)

    async def _another_listener(self) -> None:
        stack = AsyncExitStack()
        await stack.enter_async_context(Listener(self.listening.database, self.broker.urls).running())
        self.listeners.append(stack)

    async def _one_listener_less(self) -> None:
        if self.listeners:
            await self.listeners.pop(self.chance.randrange(len(self.listeners))).aclose()

    async def _nothing(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.5))
