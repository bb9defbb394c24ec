"""What a service hears of its neighbours: a receiver for each, one inbox, and the reactions to it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg

from shared.log.notify import Bell
from shared.log.postgres import PASSING, Pool, as_it_is
from shared.log.store import Head
from shared.messaging.broker import Broker
from shared.messaging.inbox import Receiver
from shared.messaging.positions import Reached
from shared.messaging.reactions import Effect, Reactions

GLANCE = 0.02  # seconds between two looks at how far the reactions are

FAR_ENOUGH = """
  select exists (select from inbox.sources where source = $1 and number >= $2)
    and not exists (select from inbox.events where source = $1 and number <= $2 and state = 'waiting')
"""


class Neighbours:
    def __init__(
        self,
        *,
        service: str,
        sources: Sequence[str],
        database: str,
        broker: Broker,
        effect: Effect,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        bell = Bell(database, "inbox")
        self._database = database
        self._pool: Pool | None = None
        self._receivers = {
            source: Receiver(service=service, source=source, database=database, broker=broker, bell=bell)
            for source in sources
        }
        self._reactions = Reactions(database=database, effect=effect, bell=bell, done=done)
        self._parts = (
            bell.running,
            *(receiver.running for receiver in self._receivers.values()),
            self._reactions.running,
        )

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            self._pool = await stack.enter_async_context(
                asyncpg.create_pool(
                    self._database, min_size=0, max_size=2, timeout=10, command_timeout=10, reset=as_it_is
                )
            )
            for part in self._parts:
                await stack.enter_async_context(part())
            yield
        self._pool = None

    async def check(self) -> None:
        """Raise when a receiver has stopped or something is parked: both wait for an operator."""
        for receiver in self._receivers.values():
            await receiver.check()
        await self._reactions.check()

    def reached(self) -> Mapping[str, Reached]:
        """For each neighbour, how to wait until everything it has said up to a number has taken effect here."""
        return {source: lambda head, source=source: self._wait(source, head) for source in self._receivers}

    async def _wait(self, source: str, head: Head) -> None:
        while head.public and not await self._is_far_enough(source, head.public):  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)

    async def _is_far_enough(self, source: str, number: int) -> bool:
        if self._pool is None:
            return False
        try:
            return bool(await self._pool.fetchval(FAR_ENOUGH, source, number))
        except PASSING:
            return False
