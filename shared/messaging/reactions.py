"""What follows from what neighbours have said: each waiting event takes effect once, in the order of its scope.

The effect and the mark that it is done are one transaction. Copies of a service share the work: each locks the scopes
it works on, the others pass over them. An event that cannot be handled is tried again, later each time, and in the
end parks its own scope: the rest goes on, and an operator sees it and decides.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn

import asyncpg

from shared.background import Work
from shared.commands.handler import Handler, Origin
from shared.commands.transactional import Within
from shared.log.connection import Connection
from shared.log.envelope import MESSAGES
from shared.log.notify import Bell, wait
from shared.log.postgres import PASSING, Pool, as_it_is, passes
from shared.log.store import VersionConflict
from shared.refusals import Unavailable
from shared.values import Value

BATCH = 500
ATTEMPTS = 6  # then a scope is parked
FIRST_DELAY = timedelta(seconds=0.5)  # doubled with each attempt
STALL = "5s"  # a paused process must not hold its locks for longer

READY = """
  select distinct scope from (
    select scope from inbox.events join inbox.scopes using (scope)
    where state = 'waiting' and parked is null and due <= now() order by arrival limit $1
  ) first
"""
LOCK = "select scope, attempts from inbox.scopes where scope = any($1) and parked is null for update skip locked"
LOAD = """
  select arrival, source, number, scope, type, message from inbox.events
  where state = 'waiting' and scope = any($1) order by arrival limit $2
"""
DONE = "update inbox.events set state = 'done' where arrival = any($1)"
FORGIVE = "update inbox.scopes set attempts = 0, problem = null where scope = any($1) and attempts > 0"
FAILED = """
  update inbox.scopes set attempts = attempts + 1, problem = $2, due = now() + $3::interval * 2 ^ attempts,
    parked = case when attempts + 1 >= $4 then now() end
  where scope = $1 returning parked
"""
PARKED = "select scope, problem from inbox.scopes where parked is not null order by parked"

logger = logging.getLogger(__name__)


class Received(Value):
    """A public event of a neighbour, as it lies in the inbox."""

    arrival: int
    source: str
    number: int
    scope: str
    type: str
    message: bytes


type Committed = Callable[[], None]  # what is to be done once an effect is committed
type Effect = Callable[[Connection, Sequence[Received]], Awaitable[Committed | None]]


class Reactions:
    """`effect` does what follows from events, in order, on a connection whose transaction marks them done.

    `done` is called when effects are committed: it rings for whoever follows the log that they were written to.
    """

    def __init__(self, *, database: str, effect: Effect, bell: Bell, done: Callable[[], None] = lambda: None) -> None:
        self._database = database
        self._effect = effect
        self._bell = bell
        self._done = done
        self._pool: Pool | None = None
        self._working = Work("work on the inbox", self._work)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        settings = {"idle_in_transaction_session_timeout": STALL}
        async with (
            asyncpg.create_pool(
                self._database,
                connection_class=Connection,
                min_size=0,
                max_size=2,
                timeout=10,
                command_timeout=30,
                server_settings=settings,
                reset=as_it_is,
            ) as self._pool,
            self._working.running(),
        ):
            yield

    async def check(self) -> None:
        await self._working.check()
        if self._pool is None:
            return
        try:
            parked = await self._pool.fetch(PARKED)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        if parked:
            raise Unavailable(f"{len(parked)} parked, first {parked[0]['scope']}: {parked[0]['problem']}")

    async def _work(self) -> NoReturn:
        while True:
            ring = self._bell.next_ring()
            try:
                while await self._react():
                    pass
            except (*PASSING, Unavailable) as error:
                logger.warning("reactions: %r", error)
            await wait(ring)

    async def _react(self) -> bool:
        """Work on what is waiting; says whether there was anything."""
        async with self._connection() as connection:
            scopes = [row["scope"] for row in await connection.fetch(READY, BATCH)]
        if not scopes:
            return False
        try:
            return await self._take_effect(scopes, BATCH) > 0
        except VersionConflict:
            return True  # a stream has moved meanwhile: once more
        except Exception as error:
            if passes(error):
                raise
            # One of the scopes has an event that cannot be handled: each goes alone.
            return any([await self._react_to_scope(scope) for scope in scopes])

    async def _react_to_scope(self, scope: str) -> bool:
        """Event by event, as far as it goes."""
        try:
            while await self._take_effect([scope], 1):
                pass
        except VersionConflict:
            return True
        except Exception as error:
            if passes(error):
                raise
            await self._put_off(scope, error)
        return False

    async def _take_effect(self, scopes: Sequence[str], limit: int) -> int:
        async with self._connection() as connection, connection.transaction():
            locked = [row["scope"] for row in await connection.fetch(LOCK, scopes)]
            events = [Received(**row) for row in await connection.fetch(LOAD, locked, limit)]
            committed = None
            if events:
                committed = await self._effect(connection, events)
                await connection.execute(DONE, [event.arrival for event in events])
                await connection.execute(FORGIVE, locked)
        if committed:
            committed()
        if events:
            self._done()
        return len(events)

    async def _put_off(self, scope: str, error: Exception) -> None:
        async with self._connection() as connection:
            parked = await connection.fetchval(FAILED, scope, f"{error!r}"[:2000], FIRST_DELAY, ATTEMPTS)
        logger.error("%s: %s %r", scope, "parked:" if parked else "tried again later:", error, exc_info=error)

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Connection]:
        if self._pool is None:
            raise Unavailable("the service is not running")
        async with self._pool.acquire() as connection:
            yield connection  # pyright: ignore[reportReturnType] - the pool's proxy behaves as the connection


async def follow[State, Command, Event](
    handler: Handler[State, Command, Event],
    connection: Connection,
    event: Received,
    identity: str,
    command: Command,
    *,
    scope: str,
) -> None:
    """Let a command follow from what a neighbour has said."""
    await replace(handler, store=Within(connection)).handle(
        identity, command, scope=scope, origin=origin(event), respond=lambda _state, _version: b""
    )


def origin(event: Received) -> Origin:
    """The neighbour has led to it, and whoever has led to what the neighbour said."""
    message = MESSAGES.decode(event.message)
    return Origin(actor=event.source, causation=str(message.id), trace=message.trace)
