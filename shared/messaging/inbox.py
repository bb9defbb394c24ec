"""The way in: what neighbours say, copied into the service's own database, each event once and none missing.

For each neighbour one copy of the service receives. It takes what comes with the next number, passes over what it
knows, and when a number is missing asks the neighbour for it. Events and the cursor move in one transaction, so a
receiver that is killed goes on where it was.

A neighbour whose log goes less far than what was received, or is another log, was restored from a backup: what
follows would contradict what is here already. The receiver then stops and says so, until an operator decides.
Neither does it go on when the tree over what lies in the inbox is not the neighbour's own over what it has said: then
something was changed here, or there. Only the neighbour itself, asked anew, can prove that: an announcement may be older than what has come meanwhile. The
receiver goes on asking after it has stopped, and goes on receiving when the neighbour has again what was received.

`Neighbours` is all of it for one service: a receiver for each neighbour, the reactions to what has come, and how a
request waits until what a neighbour has said up to some number has taken effect.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from operator import attrgetter
from typing import NoReturn
from uuid import UUID

import asyncpg
import msgspec
from nats.aio.msg import Msg

from shared.background import Work
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.lease import hold
from shared.log.notify import Bell
from shared.log.postgres import PASSING, Pool, as_it_is
from shared.log.store import Appended, Head
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.inbox_tree import HEARD, InboxTree, is_filed_rightly
from shared.messaging.positions import WaitUntilReached
from shared.messaging.reactions import Effect, Reactions, ReceiveAtOnce
from shared.messaging.subjects import NUMBER, Announcement, PublicEvent, Replay, ReplayRequest, TreeHead, placed
from shared.refusals import Unavailable
from shared.values import UNREADABLE, Value

BATCH = 500
NUMBER_OF = attrgetter("number")
QUIET = 0.5  # seconds in which nothing moves, although something is missing
PAUSE = 1.0  # seconds before a receiver tries again
LOOK_AGAIN = 30.0  # seconds before an inbox that was found changed is read again

CURSOR = "select incarnation, number, stopped from inbox.sources where source = $1"
MEET = "insert into inbox.sources (source, incarnation, number) values ($1, $2, 0) on conflict do nothing"
# A cursor that has moved meanwhile was moved by somebody who knew more: another copy, or an operator.
STOP = "update inbox.sources set stopped = $4 where (source, incarnation, number) = ($1, $2, $3)"
GO_ON = "update inbox.sources set stopped = null where (source, incarnation, number) = ($1, $2, $3)"
LAST = "select message from inbox.events where (source, number) = ($1, $2) and lost is null"

logger = logging.getLogger(__name__)


class SourceChanged(Exception):
    """The neighbour's log is not the one that was received so far."""


class Cursor(Value):
    log: UUID
    number: int


class Receiver:
    """One neighbour's way into one service's inbox."""

    def __init__(self, *, service: str, source: str, database: str, broker: Broker, reactions: Reactions) -> None:
        self._service = service
        self._source = source
        self._database = database
        self._broker = broker
        self._reactions = reactions
        self._cursor: Cursor | None = None
        self._one_at_a_time = asyncio.Lock()
        self._stopped: str | None = None
        self._tree = InboxTree(source)
        self._announced: TreeHead | None = None
        self._compared: TreeHead | None = None
        self._grown = asyncio.Event()
        self._looked = 0.0  # when the tree was last compared while it has stopped
        self._work = Work(
            f"receiver from {source}",
            lambda: hold(database, f"inbox {source}", self._receive, once=broker.connected),
        )
        self.running = self._work.running

    async def check(self) -> None:
        await self._work.check()
        if self._stopped:
            raise Unavailable(self._stopped)

    @property
    def is_compared(self) -> bool:
        """Whether what lies here was held against all that the neighbour has announced of its tree by now."""
        return self._announced is not None and self._compared == self._announced

    async def _receive(self) -> NoReturn:
        """What one copy of the service does for all."""
        while True:
            try:
                async with asyncpg.create_pool(
                    self._database, connection_class=Connection, min_size=0, max_size=1, reset=as_it_is
                ) as database:
                    await self._load(database)
                    await self._begin(database)
                    async with asyncio.TaskGroup() as group:
                        group.create_task(self._take(database))
                        group.create_task(self._watch(database))
                        group.create_task(self._compare(database))
            except* SourceChanged as changed:
                self._stop(str(changed.exceptions[0]))
            except* (*PASSING, Unavailable) as passing:
                logger.warning("receiving from %s: %r", self._source, passing.exceptions[0])
            await asyncio.sleep(PAUSE)

    async def _begin(self, database: Pool) -> None:
        try:
            await self._catch_up(database)
        except Unavailable:  # the neighbour may be down while its stream still holds something
            if self._stopped:
                raise

    async def _take(self, database: Pool) -> None:
        """What comes over the stream."""
        stream = subjects.stream(self._source)
        async for batch in self._broker.take(stream, reader=subjects.reader(self._service), at_most=BATCH):
            if batch:
                async with self._one_at_a_time:
                    await self._hear(database, batch)
                await batch[-1].ack()

    async def _watch(self, database: Pool) -> None:
        """What should have come: when something is missing and nothing has moved for a while, ask for it.

        Announcements that have waited here are read at once, and their number says nothing of how long that was.
        """
        missing: tuple[int, float] | None = None  # behind which number, since when
        async for message in self._broker.listen(subjects.head(self._source)):
            try:
                head = msgspec.json.decode(message.data, type=Announcement)
            except UNREADABLE as error:
                logger.warning("%s announced what cannot be read: %r", self._source, error)
                continue
            if head.tree and self._cursor and head.log == self._cursor.log:
                self._announced = head.tree
                self._grown.set()
            async with self._one_at_a_time:
                if head.number <= self._number:
                    missing = None
                elif missing is None or missing[0] != self._number:
                    missing = (self._number, time.monotonic())
                if self._is_odd(head) or (missing and time.monotonic() > missing[1] + QUIET):
                    await self._catch_up(database)
                    missing = None

    async def _compare(self, database: Pool) -> None:
        """What lies here against what the neighbour says that it has said, as far as all of that has come."""
        while True:
            await self._grown.wait()
            self._grown.clear()
            head, known = self._announced, self._cursor
            if head is None or known is None or head.size > known.number:
                continue
            if not await self._tree.agrees(database, known.log, head):
                why = await self._difference(database, head)
                await database.execute(STOP, self._source, known.log, self._number, why)
                self._looked = time.monotonic()
                raise SourceChanged(why)
            self._compared = head

    async def _difference(self, database: Pool, head: TreeHead) -> str:
        """Which message is not what the neighbour has said; it is asked for all of them."""
        after = 0
        while after < head.size:
            replay = await self._ask(after=after)
            said = [event for event in replay.events if event.number <= head.size]
            rows = await database.fetch(HEARD, self._source, after, head.size, len(said)) if said else []
            heard = {row["number"]: row["message"] for row in rows if is_filed_rightly(row)}
            if differs := next((event.number for event in said if heard.get(event.number) != event.message), None):
                return f"what lies here as number {differs} of {self._source} is not what {self._source} has said"
            if not said:
                break
            after = said[-1].number
        return f"{self._source} has another tree than follows from what it has said: its log or its tree was changed"

    def _is_odd(self, head: Announcement) -> bool:
        """Whether a neighbour announces something else than what is known of it. It may be late news, or a stranger's."""
        return self._cursor is None or head.log != self._cursor.log or head.number < self._cursor.number

    @property
    def _number(self) -> int:
        return self._cursor.number if self._cursor else 0

    async def _hear(self, database: Pool, batch: Sequence[Msg]) -> None:
        heard = [received(message) for message in batch]
        if self._cursor and all(one is not None and one.log == self._cursor.log for one in heard):
            await self._accept(database, [one.said for one in heard if one is not None])
            return
        # Either the neighbour has another log now, or this is left of a former one, or cannot be read: only itself can tell.
        if None in heard:
            logger.warning("%s sent what cannot be read", self._source)
        await self._catch_up(database)

    async def _accept(self, database: Pool, events: Sequence[PublicEvent]) -> None:
        """Store what follows the cursor; what is known is passed over, what is missing is asked for."""
        new = sorted((event for event in events if event.number > self._number), key=NUMBER_OF)
        if new and new[0].number == self._number + 1 and new[-1].number == self._number + len(new):
            await self._store(new)
        elif new:
            await self._catch_up(database)

    async def _catch_up(self, database: Pool) -> None:
        """Ask for everything behind the cursor, out of the neighbour's own log."""
        known = await self._recognise(database)
        while True:
            replay = await self._ask(after=self._number)
            if replay.log != known.log or replay.head < self._number:
                raise Unavailable(f"{self._source} became another log while it was asked")
            if not replay.events:
                return
            await self._store(replay.events)

    async def _recognise(self, database: Pool) -> Cursor:
        """Get to know a neighbour, and refuse to mix two histories of it. It has to say itself that it has another one."""
        known = self._cursor
        replay = await self._ask(after=max(self._number - 1, 0), most=1)
        if known is None:
            await database.execute(MEET, self._source, replay.log)
            known = await self._load(database)
        if known is None:
            raise Unavailable(f"{self._source} was met and forgotten")
        cursor = self._source, known.log, known.number
        if why := await self._contradiction(database, known, replay):
            if not self._stopped:
                await database.execute(STOP, *cursor, why)
            raise SourceChanged(self._stopped or why)
        if self._stopped:
            await database.execute(GO_ON, *cursor)
            logger.warning("the inbox goes on, since %s has everything that was received of it", self._source)
            self._stopped = None
        return known

    async def _contradiction(self, database: Pool, known: Cursor, replay: Replay) -> str | None:
        """Why this is not the log that was received up to the cursor."""
        if replay.log != known.log:
            return f"{self._source} has another log than before: it was restored from a backup"
        if replay.head < known.number:
            said = f"{self._source} has said {replay.head} things, of which {known.number} are known here"
            return f"{said}: it was restored from an older backup"
        if known.number and replay.events[0].message != await database.fetchval(LAST, self._source, known.number):
            return await self._other_end(database, known, replay)
        if self._stopped and (head := replay.tree) and head.size <= known.number:
            return await self._still_different(database, known, head)
        return None

    async def _other_end(self, database: Pool, known: Cursor, replay: Replay) -> str:
        """Where both begin to differ is looked for once: the neighbour is asked for all that it has said."""
        if self._stopped:
            return self._stopped
        said = f"{self._source} says something else now as number {known.number} than what is known here"
        differs = await self._difference(database, TreeHead(size=min(known.number, replay.head), root=""))
        return f"{said}: it was restored from an older backup, or the inbox was changed, since {differs}"

    async def _still_different(self, database: Pool, known: Cursor, head: TreeHead) -> str | None:
        """Whoever has stopped goes on when all of the inbox is again what the neighbour has said."""
        if self._looked and time.monotonic() < self._looked + LOOK_AGAIN:
            return self._stopped
        self._looked = time.monotonic()
        self._tree.begin_anew()
        if await self._tree.agrees(database, known.log, head):
            self._looked = 0.0
            return None
        return await self._difference(database, head)

    async def _ask(self, *, after: int, most: int | None = None) -> Replay:
        wanted = msgspec.json.encode(ReplayRequest(after=after, most=most))
        answer = await self._broker.ask(subjects.replay(self._source), wanted)
        try:
            return msgspec.msgpack.decode(answer, type=Replay)
        except UNREADABLE as error:
            raise Unavailable(f"what {self._source} answers cannot be read: {error!r}") from error

    async def _store(self, events: Sequence[PublicEvent]) -> None:
        if (known := self._cursor) is None:
            raise Unavailable(f"{self._source} has not announced itself yet")
        if not await self._reactions.receive(self._source, known.log, known.number, events):
            raise Unavailable(f"what comes from {self._source} was received by somebody else")
        self._cursor = Cursor(log=known.log, number=events[-1].number)

    async def _load(self, database: Pool) -> Cursor | None:
        self._tree.begin_anew()  # an operator may have decided that some of it is lost
        row = await database.fetchrow(CURSOR, self._source)
        self._cursor = Cursor(log=row["incarnation"], number=row["number"]) if row else None
        if row and row["stopped"]:
            self._stop(row["stopped"])
        else:
            self._stopped = None
        return self._cursor

    def _stop(self, why: str) -> None:
        if why != self._stopped:
            logger.warning("the inbox has stopped: %s", why)
        self._stopped = why


class Delivered(Value):
    log: UUID
    said: PublicEvent


def received(message: Msg) -> Delivered | None:
    """Nothing where it cannot be read."""
    if (place := placed(message.headers, NUMBER)) is None:
        return None
    log, number = place
    *_, scope, name = message.subject.split(".")
    return Delivered(log=log, said=PublicEvent(number=number, scope=scope, type=name, message=message.data))


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
        at_once: ReceiveAtOnce | None = None,
        appended: Callable[[Sequence[Appended]], None] = lambda _: None,
    ) -> None:
        bell = Bell(database, "inbox")
        self._database = Database(database, connections=2)
        self._reactions = Reactions(database=database, effect=effect, at_once=at_once, bell=bell, appended=appended)
        self._receivers = {
            source: Receiver(
                service=service, source=source, database=database, broker=broker, reactions=self._reactions
            )
            for source in sources
        }
        self._parts = (
            self._database.running,
            bell.running,
            self._reactions.running,
            *(receiver.running for receiver in self._receivers.values()),
        )

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for part in self._parts:
                await stack.enter_async_context(part())
            yield

    async def check(self) -> None:
        """Raise when a receiver has stopped or something is parked: both wait for an operator."""
        for receiver in self._receivers.values():
            await receiver.check()
        await self._reactions.check()

    def reached(self) -> Mapping[str, WaitUntilReached]:
        """For each neighbour, how to wait until everything it has said up to a number has taken effect here."""
        return {source: lambda head, source=source: self._wait(source, head) for source in self._receivers}

    async def _wait(self, source: str, head: Head) -> None:
        while head.public and not await self._is_far_enough(source, head.public):  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)

    async def _is_far_enough(self, source: str, number: int) -> bool:
        try:
            return await self._database.fetchval(FAR_ENOUGH, source, number)
        except Unavailable:
            return False
