"""How names travel: a stream of the broker that keeps the latest of each, and nothing of what it was before.

Registration's table is the truth and the stream only carries it, like all streams here. So whoever tells keeps no
book: it asks the stream how far it is, goes on from there, and tells everything anew when the stream lost something.
Whoever hears reads all that the stream has when they start, which is one message for each name, and then what comes.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import NoReturn
from uuid import UUID

import asyncpg
from nats.aio.msg import Msg

from shared.background import Work
from shared.log.connection import Connection
from shared.log.lease import hold
from shared.log.notify import Bell, wait
from shared.log.postgres import PASSING, Pool
from shared.log.store import EventStore
from shared.messaging import subjects
from shared.messaging.broker import Broker, Post
from shared.messaging.subjects import LOG, NAMES, placed
from shared.refusals import Unavailable

REVISION = "Roundlog-Revision"  # header: the place of this change among all
ERASED = b""
PAGE = 500
PAUSE = 1.0  # seconds
LOOKS = 30  # for news, between two looks whether the stream and the places of its readers are there

STATE = "select names, revision from names.head"
AFTER = "select id, name, revision from names.names where revision > $1 order by revision limit $2"
LOCK = "select from names.head for update"
RAISE = "update names.head set revision = greatest(revision, $1)"
RENUMBER = """
  with ordered as (select id, row_number() over (order by revision) as nth from names.names), moved as (
    update names.names set revision = head.revision + nth from ordered, names.head where names.id = ordered.id
  )
  update names.head set revision = revision + (select count(*) from ordered)
"""
SOURCE = "select log from names.head for update"
CHANGE_SOURCE = "update names.head set log = $1"
TAKE = """
  insert into names.names (id, name, revision) select * from unnest($1::text[], $2::text[], $3::bigint[])
  on conflict (id) do update set name = excluded.name, revision = excluded.revision
  where names.revision < excluded.revision
"""

logger = logging.getLogger(__name__)


class Teller:
    """Of registration: tells every name that changes, and all of them to a stream that has lost them."""

    def __init__(self, *, store: EventStore, broker: Broker, database: str) -> None:
        self._store = store
        self._broker = broker
        self._database = database
        self._bell = Bell(database, "names")
        self._telling = Work("telling of names", lambda: hold(database, "names", self._tell, once=broker.connected))
        self.check = self._telling.check

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._telling.running(), self._bell.running():
            yield

    async def _tell(self) -> NoReturn:
        """What one copy of the service does for all."""
        while True:
            try:
                readers = [subjects.reader(service) for service in subjects.readers(subjects.NAMING)]
                await self._broker.make_stream(NAMES, subjects=[subjects.name("*")], latest=True, readers=readers)
                async with asyncpg.create_pool(
                    self._database, connection_class=Connection, min_size=0, max_size=1
                ) as database:
                    for _ in range(LOOKS):
                        ring = self._bell.next_ring()
                        await self._tell_news(database)
                        await wait(ring)
            except (*PASSING, Unavailable) as error:
                logger.warning("telling names: %r", error)
                await asyncio.sleep(PAUSE)

    async def _tell_news(self, database: Pool) -> None:
        log = await self._store.incarnation()
        told = await self._last_told(database, log)
        while rows := await database.fetch(AFTER, told, PAGE):
            await self._broker.post([post(row, log) for row in rows])
            told = rows[-1]["revision"]

    async def _last_told(self, database: Pool, log: UUID) -> int:
        """The revision up to which the stream has everything; 0 when it has to be filled anew."""
        headers = await self._broker.last_headers(NAMES)
        state = await database.fetchrow(STATE)
        if headers is None or state is None:
            return 0
        if (last := placed(headers, REVISION)) is None:  # somebody else has written there
            await self._broker.purge(NAMES)
            return 0
        source, told = last
        if source != log or told > state["revision"]:  # our own database was restored from a backup
            await self._renumber(database, told)
            await self._broker.purge(NAMES)
            return 0
        if told < state["revision"] or (kept := await self._broker.count(NAMES)) == state["names"]:
            return told
        if kept > state["names"]:
            await self._broker.purge(NAMES)
        return 0

    async def _renumber(self, database: Pool, told: int) -> None:
        """All names are news again to whoever has heard others under these revisions."""
        async with database.acquire() as connection, connection.transaction():
            await connection.execute(LOCK)
            await connection.execute(RAISE, told)
            await connection.execute(RENUMBER)


class NameListener:
    """Of the other services: keeps a copy of the names."""

    def __init__(self, *, service: str, broker: Broker, database: str) -> None:
        self._service = service
        self._broker = broker
        self._database = database
        listening = Work("listening for names", lambda: hold(database, "names", self._listen, once=broker.connected))
        self.running, self.check = listening.running, listening.check

    async def _listen(self) -> NoReturn:
        """What one copy of the service does for all."""
        while True:
            try:
                async with asyncpg.create_pool(
                    self._database, connection_class=Connection, min_size=0, max_size=1
                ) as database:
                    reader = subjects.reader(self._service)
                    async for batch in self._broker.take(NAMES, reader=reader, at_most=PAGE, anew=True):
                        if batch:
                            await self._take(database, batch)
                            await batch[-1].ack()
            except (*PASSING, Unavailable) as error:
                logger.warning("listening for names: %r", error)
            await asyncio.sleep(PAUSE)

    async def _take(self, database: Pool, batch: Sequence[Msg]) -> None:
        """In the order of the stream; names of another log, which registration had before, are none any more."""
        heard = [(message, place) for message in batch if (place := placed(message.headers, REVISION)) is not None]
        if len(heard) < len(batch):
            logger.warning("names that cannot be read were passed over")
        if not heard:
            return
        *_, (_, (newest, _)) = heard
        latest = {
            message.subject.rpartition(".")[2]: (message.data.decode(errors="replace") or None, revision)
            for message, (source, revision) in heard
            if source == newest
        }
        async with database.acquire() as connection, connection.transaction():
            if await connection.fetchval(SOURCE) != newest:
                await connection.execute("delete from names.names")
                await connection.execute(CHANGE_SOURCE, newest)
            names, revisions = zip(*latest.values(), strict=True)
            await connection.execute(TAKE, list(latest), names, revisions)


def post(row: asyncpg.Record, log: UUID) -> Post:
    body = ERASED if row["name"] is None else row["name"].encode()
    return Post(subject=subjects.name(row["id"]), body=body, headers={REVISION: str(row["revision"]), LOG: str(log)})
