"""What follows from what neighbours have said: each event takes effect once, in the order of its scope.

The effect, the mark that it is done and, as a rule, the receipt of the event are one transaction
(`shared/migrations/receiving.sql`), or one statement where a service has worked out the effect before (`ReceiveAtOnce`).
What cannot take effect when it comes waits in the inbox: because something of its scope waits already, because another
copy of the service works on the scope, or because something went wrong. Copies share what waits: each locks the scopes it
works on, the others pass over them. An event that cannot be handled is tried again, later each time, and in the end parks
its own scope: the rest goes on, and an operator sees it and decides.

What is appended to the log waits for the disk (`shared/log/rows.py`), and so does what registration has said, which is
about who may do what. Nothing else does: a database that crashes may forget the last things that it has received, with
all that followed from them in its own tables; the lease of the receiver ends then, and the next one asks the neighbour
for them. Nothing on the disk rests on what is not, since what is committed later is written later.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn
from uuid import UUID

import asyncpg
import msgspec

from shared.background import Work
from shared.commands.handler import SERVICE, Handler, Origin
from shared.commands.transactional import Within, noting_appends
from shared.log.connection import Connection
from shared.log.envelope import MESSAGES
from shared.log.notify import Bell, wait
from shared.log.postgres import PASSING, Pool, as_it_is, passes
from shared.log.store import Appended, VersionConflict
from shared.messaging.subjects import PublicEvent
from shared.refusals import Unavailable
from shared.values import Value

BATCH = 500
ATTEMPTS = 6  # then a scope is parked
FIRST_DELAY = timedelta(seconds=0.5)  # doubled with each attempt
CONNECTIONS = 3
SETTINGS = {
    "idle_in_transaction_session_timeout": "5s",  # a paused process must not hold its locks for longer
    "synchronous_commit": "off",
}

# Who may do what, and what is shown of names: what was taken from somebody does not come back for a moment.
ON_DISK = frozenset({"registration"})

RECEIVE = """
  select arrivals, free, set_config('synchronous_commit', $9, true) from inbox.receive($1, $2, $3, $4, $5, $6, $7, $8)
"""

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


class Batch(Value):
    """What a neighbour has said behind a number."""

    source: str
    log: UUID
    behind: int
    said: Sequence[PublicEvent]

    @property
    def arguments(self) -> Sequence[object]:
        """As `inbox.receive` takes it: where the cursor is, and one list a column."""
        columns = map(list, zip(*map(msgspec.structs.astuple, self.said), strict=True))
        return self.source, self.log, self.behind, *columns


class ReceivedAtOnce(Value):
    """That it was received, and had its effect in those scopes of which nothing else had to be done first."""

    free: Collection[str]
    committed: "Committed"


type Committed = Callable[[], None]  # what is to be done once the transaction is committed
type Effect = Callable[[Connection, Sequence[Received]], Awaitable[Committed | None]]
# Receives with an effect that was worked out before, in one statement that is its own transaction. Nothing where it is not
# so simple, and then nothing has happened.
type ReceiveAtOnce = Callable[[Connection, Batch], Awaitable[ReceivedAtOnce | None]]


class Reactions:
    """`effect` does what follows from events, in order, on a connection whose transaction marks them done.

    `appended` is told what was appended to the log when that is committed, for whoever follows it. `at_once` is tried
    first with what comes.
    """

    def __init__(
        self,
        *,
        database: str,
        effect: Effect,
        bell: Bell,
        at_once: ReceiveAtOnce | None = None,
        appended: Callable[[Sequence[Appended]], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._effect = effect
        self._at_once = at_once
        self._bell = bell
        self._appended = appended
        self._pool: Pool | None = None
        self._one_at_a_time = asyncio.Lock()  # what is remembered between effects is of one transaction after the other
        self._goes_well = True
        self._working = Work("work on the inbox", self._work)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with (
            asyncpg.create_pool(
                self._database,
                connection_class=Connection,
                min_size=0,
                max_size=CONNECTIONS,
                timeout=10,
                command_timeout=30,
                server_settings=SETTINGS,
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

    async def receive(self, source: str, log: UUID, behind: int, said: Sequence[PublicEvent]) -> bool:
        """Keep what a neighbour has said behind a number, and let it take effect; whether it was received up to there.

        After a failure nothing takes effect at once until all that waits was looked at: one by one, if need be.
        """
        batch = Batch(source=source, log=log, behind=behind, said=said)
        if self._goes_well:
            try:
                return await self._receive_in_one_statement(batch) or await self._receive_with_effect(batch)
            except Exception as error:  # noqa: BLE001 - whatever it is, it comes again where it is dealt with
                logger.warning("not at once: %r", error)
                self._goes_well = False
        async with self._connection() as connection:
            arrivals, _ = await self._keep(connection, batch, at_once=False)
        self._bell.ring()
        return arrivals is not None

    async def _receive_in_one_statement(self, batch: Batch) -> bool:
        if self._at_once is None or batch.source in ON_DISK:
            return False
        async with self._one_at_a_time, self._connection() as connection:
            received = await self._at_once(connection, batch)
            if received is not None:
                received.committed()
        if received is not None and any(one.scope not in received.free for one in batch.said):
            self._bell.ring()
        return received is not None

    async def _receive_with_effect(self, batch: Batch) -> bool:
        async with self._transaction() as (connection, after):
            arrivals, free = await self._keep(connection, batch, at_once=True)
            if arrivals is None:
                return False
            events = [
                Received(
                    arrival=arrival,
                    source=batch.source,
                    number=one.number,
                    scope=one.scope,
                    type=one.type,
                    message=one.message,
                )
                for arrival, one in zip(arrivals, batch.said, strict=True)
                if one.scope in free
            ]
            if events and (committed := await self._effect(connection, events)):
                after.append(committed)
        if len(events) < len(batch.said):
            self._bell.ring()
        return True

    async def _keep(
        self, connection: Connection, batch: Batch, *, at_once: bool
    ) -> tuple[Sequence[int] | None, Collection[str]]:
        """Where they lie in the inbox, unless the cursor is elsewhere; and the scopes that take effect at once."""
        commit = "on" if batch.source in ON_DISK else "off"
        row = await connection.fetchrow(RECEIVE, *batch.arguments, at_once, commit)
        return (row["arrivals"], frozenset(row["free"] or ())) if row else (None, ())

    async def _work(self) -> NoReturn:
        while True:
            ring = self._bell.next_ring()
            try:
                while await self._react():
                    pass
                self._goes_well = True
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
        async with self._transaction() as (connection, after):
            locked = [row["scope"] for row in await connection.fetch(LOCK, scopes)]
            events = [Received(**row) for row in await connection.fetch(LOAD, locked, limit)]
            if events:
                if committed := await self._effect(connection, events):
                    after.append(committed)
                await connection.execute(DONE, [event.arrival for event in events])
                await connection.execute(FORGIVE, locked)
        return len(events)

    @asynccontextmanager
    async def _transaction(self) -> AsyncGenerator[tuple[Connection, list[Committed]]]:
        """One after the other; with what is to be done once it is committed."""
        after: list[Committed] = []
        async with self._one_at_a_time, self._connection() as connection:
            with noting_appends() as written:
                async with connection.transaction():
                    yield connection, after
            self._appended(written)
            for committed in after:
                committed()

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
    return Origin(
        actor=event.source, role=SERVICE, operation=event.type, causation=str(message.id), trace=message.trace
    )
