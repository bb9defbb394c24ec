"""The log in PostgreSQL: `migrations/log.sql` keeps it, this module writes it in groups, reads it and follows it.

All appends of a process wait in one queue. A single writer takes what has gathered there while the last commit was
under way and sends it in one call of `log.append`, which admits or refuses each append by itself. So everybody who
waits shares the price of one commit, and no caller ever holds a lock.

When a call ends without an answer, nobody knows whether it was committed. The writer then sends the same batch
again: events that are there already are recognised by their ids, and their append counts as admitted.

Reads of single streams that come at the same time share one question (`StreamReads`). Whoever follows the log waits for
a bell and is then handed what this process has committed (`Recent`). The database is read for what came before and for
what others have written. A ring may be lost, so once a heartbeat the store looks for all of them whether the log is longer.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import NoReturn
from uuid import UUID

import asyncpg
from asyncpg import Record

from shared.log.connection import Connection
from shared.log.notify import HEARTBEAT, Bell, close
from shared.log.queue import MOST_BYTES, Batches, QueuedAppend, fail, succeed
from shared.log.rows import APPEND, CAME_THROUGH, LOG, PUBLIC, SCOPE, columns, recorded
from shared.log.store import PAGE, Answer, Append, Appended, Head, IdTaken, KeyTaken, Recorded, VersionConflict
from shared.refusals import Unavailable
from shared.values import Value

MOST = 100  # streams of one question
STREAMS = """
  select wanted.nr, found.* from unnest($1::text[], $2::int[], $3::int[]) with ordinality wanted(name, after, most, nr)
  cross join lateral (
    select position, public, id, stream, version, type, scope, record, message from log.log
    where stream = wanted.name and version > wanted.after order by version limit wanted.most
  ) found
  order by wanted.nr, found.version
"""

type Fetch = Callable[[str, list[str], list[int], list[int]], Awaitable[Sequence[Record]]]


class StreamRequest(Value):
    stream: str
    after: int
    limit: int
    answer: "asyncio.Future[list[Record]]"


class StreamReads:
    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._waiting: list[StreamRequest] = []
        self._asking: asyncio.Task[None] | None = None

    async def read(self, stream: str, *, after: int, limit: int) -> list[Record]:
        """The rows of the next events of a stream; the number of the question stands before their columns."""
        answer: asyncio.Future[list[Record]] = asyncio.get_running_loop().create_future()
        self._waiting.append(StreamRequest(stream=stream, after=after, limit=limit, answer=answer))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name="reads of streams")
        return await answer

    async def _ask(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            try:
                await self._answer(batch)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is for those who wait for this batch
                for wanted in batch:
                    if not wanted.answer.done():
                        wanted.answer.set_exception(error)

    async def _answer(self, batch: list[StreamRequest]) -> None:
        streams = [wanted.stream for wanted in batch]
        rows = await self._fetch(
            STREAMS, streams, [wanted.after for wanted in batch], [wanted.limit for wanted in batch]
        )
        found: dict[int, list[Record]] = defaultdict(list)
        for row in rows:
            found[row[0]].append(row)
        for number, wanted in enumerate(batch, start=1):
            if not wanted.answer.done():
                wanted.answer.set_result(found[number])


class Stretch:
    """Some events in a row, from a number on and without a gap."""

    def __init__(self) -> None:
        self.last = 0
        self._events: list[Recorded] = []

    def behind(self, number: int) -> list[Recorded]:
        """What follows a number at once; nothing where that lies before the stretch."""
        first = self.last - len(self._events)
        return self._events[number - first : number - first + PAGE] if first <= number < self.last else []

    def begin(self, number: int) -> None:
        """Behind a number, with nothing in it."""
        self.last = number
        self._events = []

    def put(self, event: Recorded) -> None:
        self._events.append(event)
        self.last += 1


class Recent:
    """What this process has committed last, for those who follow the log: a stretch of all, and one of what is public.

    It begins anew wherever somebody else has written, and when it is too heavy. Of several transactions of this process
    one that was committed earlier may be put later: it is refused, and has to be read.
    """

    def __init__(self) -> None:
        self.all = Stretch()
        self.public = Stretch()
        self._size = 0

    def put(self, written: Appended) -> bool:
        """What is committed; says whether it was put there."""
        before = written.before
        if before.position < self.all.last:
            return False
        if before.position > self.all.last or self._size > MOST_BYTES:
            self.all.begin(before.position)
            self.public.begin(before.public)
            self._size = 0
        for append in written.appends:
            self._size += append.size
            for event in append.events:
                public = None if event.message is None else self.public.last + 1
                one = Recorded(position=self.all.last + 1, public=public, event=event)
                self.all.put(one)
                if public is not None:
                    self.public.put(one)
        return True


type Pool = asyncpg.Pool[asyncpg.Record]

logger = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds that an append waits for a database that does not answer
READERS = 10  # connections of a process, besides that of its writer
ANSWER_RETENTION = timedelta(days=7)
FORGET_EVERY = 600.0  # seconds
DRAIN = 10.0  # seconds that a closing store gives to what is still waiting

PASSING = (  # errors that say nothing about what was sent: the connection is made anew
    OSError,  # it was cut, refused or too slow
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server starts, stops or has crashed
    asyncpg.InsufficientResourcesError,  # its disk or its connections are used up
    asyncpg.ReadOnlySQLTransactionError,  # its disk is nearly so, or another server takes over from it
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver lost count when the connection broke
)
UNSTORABLE = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, ValueError)


def passes(error: Exception) -> bool:
    """Whether it may be gone in a moment, with nothing changed but the time."""
    return isinstance(error, (*PASSING, Unavailable)) and not isinstance(error, UNSTORABLE)


class PostgresStore:
    """Made without touching the database; it works inside `async with store.running():`."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._pool: Pool | None = None
        self._writer: Connection | None = None
        self._batches = Batches()
        self._bell = Bell(database, "log")
        self._streams = StreamReads(self._fetch)
        self._recent = Recent()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Writes and reads until the block ends, and then writes what still waits."""
        async with asyncpg.create_pool(
            self._database,
            connection_class=Connection,
            min_size=0,
            max_size=READERS,
            timeout=PATIENCE,
            command_timeout=PATIENCE,
            reset=as_it_is,
        ) as self._pool:
            writing = asyncio.create_task(self._write_all(), name="log writer")
            forgetting = asyncio.create_task(self._forget(), name="log answers")
            looking = asyncio.create_task(self._look(), name="log head")
            try:
                async with self._bell.running():
                    yield
            finally:
                self._batches.close()
                await asyncio.wait({writing}, timeout=DRAIN)
                for working in (writing, forgetting, looking):
                    working.cancel()
                await asyncio.gather(writing, forgetting, looking, return_exceptions=True)
                if self._writer is not None:
                    await close(self._writer)
                self._pool = None

    async def append(self, append: Append) -> Head:
        return await self._batches.put(append).outcome

    def committed(self, several: Sequence[Appended]) -> None:
        """Hand it to those who follow the log, also when it was appended within another transaction of this process."""
        for written in several:
            if any(append.events for append in written.appends):
                self._bell.ring(is_at_hand=self._recent.put(written))

    async def _write_all(self) -> None:
        try:
            while batch := await self._batches.next():
                try:
                    await self._write(batch)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is for those who wait for this batch
                    self._disconnect()
                    fail(batch, error)
                finally:
                    fail(batch, Unavailable("the service stopped while it was writing"))
        finally:
            self._batches.close()
            fail(self._batches.take_all(), Unavailable("the service has stopped writing"))

    async def _write(self, batch: list[QueuedAppend]) -> None:
        """Send the batch until the database has answered, or for too long has not."""
        deadline = time.monotonic() + PATIENCE
        pause = 0.05
        while True:
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await self._send(batch)
            except UNSTORABLE as error:
                if len(batch) == 1:
                    fail(batch, error)
                    return
                for waiting in batch:  # one of them cannot be stored: let each get its own answer
                    await self._write([waiting])
                return
            except (*PASSING, Unavailable) as error:
                self._disconnect()
                if time.monotonic() + pause > deadline:
                    logger.warning("the database does not answer: %r", error)
                    fail(batch + self._batches.take_all(), Unavailable("the database does not answer"))
                    return
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
            else:
                return

    async def _send(self, batch: list[QueuedAppend]) -> None:
        if self._writer is None or self._writer.is_closed():
            self._writer = await asyncpg.connect(self._database, connection_class=Connection)
        row = await self._writer.fetchrow(APPEND, *columns([waiting.append for waiting in batch]))
        if row is None:
            raise ValueError("log.append answers with one row")
        refused: dict[int, str] = dict(zip(row["refused"] or (), row["reasons"] or (), strict=True))
        position, public = row["position_before"], row["public_before"]
        admitted = tuple(waiting.append for number, waiting in enumerate(batch) if number not in refused)
        self.committed([Appended(before=Head(position=position, public=public), appends=admitted)])
        if refused:
            self._bell.ring()  # what came through before may have been rung for by nobody
        for number, waiting in enumerate(batch):
            match refused.get(number):
                case None:
                    position += len(waiting.append.events)
                    public += sum(event.message is not None for event in waiting.append.events)
                    succeed(waiting, Head(position=position, public=public))
                case "id":
                    await self._recognise(waiting)
                case "key":
                    await self._answer_again(waiting)
                case _:
                    fail([waiting], VersionConflict(", ".join(waiting.append.expected)))

    async def _recognise(self, waiting: QueuedAppend) -> None:
        """If these very events are in the log, the append came through when it was first sent."""
        events = waiting.append.events
        (row,) = await self._fetch(CAME_THROUGH, [event.id for event in events], [event.record for event in events])
        if row["events"] == len(events):
            succeed(waiting, Head(position=row["position"], public=row["public"]))
        else:
            fail([waiting], IdTaken("another event bears one of these ids"))

    async def _answer_again(self, waiting: QueuedAppend) -> None:
        answer = waiting.append.answer and await self.answer(waiting.append.answer.key)
        # Old answers are forgotten: one that went in this very moment is as good as none.
        fail([waiting], KeyTaken(answer) if answer else Unavailable("an old answer was just forgotten"))

    def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.terminate()
            self._writer = None

    async def _forget(self) -> NoReturn:
        """Answers are promised for a week; what is older goes, a little at a time."""
        while True:
            await asyncio.sleep(FORGET_EVERY)
            with suppress(Unavailable):
                await self._fetch("select log.forget_answers($1)", ANSWER_RETENTION)

    async def _look(self) -> NoReturn:
        """What others have written and nobody rang for: once a heartbeat, for all who follow."""
        seen = 0
        while True:
            with suppress(Exception):  # whoever reads says what fails, and here the next look is never far
                head = await self.head()
                if head.position < seen or head.position > max(seen, self._recent.all.last):
                    self._bell.wake()
                seen = head.position
            await asyncio.sleep(HEARTBEAT)

    async def answer(self, key: bytes) -> Answer | None:
        rows = await self._fetch("select key, request, response from log.answers where key = $1", key)
        return Answer(**rows[0]) if rows else None

    async def head(self) -> Head:
        (row,) = await self._fetch("select position, public from log.head")
        return Head(**row)

    async def incarnation(self) -> UUID:
        (row,) = await self._fetch("select incarnation from log.head")
        return row["incarnation"]

    async def read(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return await self._page(LOG, after, limit)

    async def read_public(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return await self._page(PUBLIC, after, limit)

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return [recorded(row[1:]) for row in await self._streams.read(stream, after=after, limit=limit)]

    async def read_scope(self, scope: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return await self._page(SCOPE, after, limit, scope)

    async def follow(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        async for page in self._follow(LOG, self._recent.all, after):
            yield page

    async def follow_public(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        async for page in self._follow(PUBLIC, self._recent.public, after):
            yield page

    async def _follow(self, query: str, recent: Stretch, after: int) -> AsyncIterator[list[Recorded]]:
        """Numbers of a log have no gap, neither the positions nor the public ones."""
        looked: int | None = None  # how often the bell had been rung for what is not at hand, when all was read
        while True:
            ring, unseen = self._bell.next_ring(), self._bell.unseen
            page = recent.behind(after)
            if not page and (unseen != looked or recent.last > after):
                page = await self._read_patiently(query, after)
                looked = looked if page else unseen
            if page:
                yield page
                after += len(page)
            else:
                await ring.wait()

    async def _read_patiently(self, query: str, after: int) -> list[Recorded]:
        while True:
            try:
                return await self._page(query, after, PAGE)
            except Unavailable as error:
                logger.warning("following the log: %s", error)
                await asyncio.sleep(HEARTBEAT)

    async def _page(self, query: str, *arguments: int | str) -> list[Recorded]:
        return [recorded(row) for row in await self._fetch(query, *arguments)]

    async def _fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            return await self._pool.fetch(query, *arguments)
        except UNSTORABLE:
            raise
        except PASSING as error:
            raise Unavailable("the database does not answer") from error


async def as_it_is(_: object) -> None:
    """Locks and settings end with their transaction here, so the question that would clean up a connection is spared."""
