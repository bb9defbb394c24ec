"""All tables made anew from the inbox and the log, beside those that are shown, compared with them, and then shown.

The service goes on meanwhile: what it hears goes into the tables that are shown, and what has moved is made once more
in the end, while it waits for a moment. A table that rests on the same and comes out differently is a fault of ours:
it is reported, and the new one is shown, since it follows from what was heard.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import asyncpg

from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.folded import Folded, take_all
from services.standings.projection.refresh import by_scope
from services.standings.projection.tables import COLUMNS, Made
from services.standings.projection.waking import CHANNEL, EVERYBODY, TELL
from shared import heard
from shared.event_store import Unavailable
from shared.heard import NOTHING
from shared.postgres import Connection

PAGE = 5000  # messages
AT_ONCE = 20  # tournaments that are made once more together
FEW = 50  # tables that may have to be made once more while the service waits
TRIES = 5
OLD_ROWS = 2000  # that are deleted together
SETTINGS = {"enable_seqscan": "off", "enable_bitmapscan": "off"}

BEGIN = "select pg_try_advisory_lock(hashtextextended('rebuild', 0))"
NOW = "select current, making from views.generation"
FROM_THERE = """
  select scope, source, number, type, message from inbox.events
  where (scope, source, number) > ($1, $2, $3) and lost is null and state <> 'skipped'
  order by scope, source, number limit $4
"""
OWN = """
  select scope, $1::text, public, convert_from(message, 'UTF8')::json ->> 'type', message from log.log
  where scope = any($2) and public is not null order by scope, public
"""
PAIRS = """
  from (select * from views.tables where generation = $1) shown
  full join (select * from views.tables where generation = $2) made using (tournament, stage)
"""
MOVED = (
    f"select distinct tournament {PAIRS} where shown.inputs is distinct from made.inputs and shown.inputs is not null"
)
DIFFERENT = f"""
  select tournament, stage, shown.inputs {PAIRS}
  where shown.inputs = made.inputs and shown.body <> made.body or made.inputs is null order by 1, 2
"""
COMPARED = f"select count(*) {PAIRS} where shown.inputs = made.inputs"
SWITCH = "update views.generation set current = $1, making = $2"
DROP = """
  delete from views.tables where generation = $1
    and ctid = any(array(select ctid from views.tables where generation = $1 limit $2))
"""


class UnderWay(Exception):
    """Somebody else is at it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Different:
    """A table that came out differently from the same inputs."""

    tournament: str
    stage: str
    inputs: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuilt:
    messages: int
    tables: int
    compared: int  # how many rest on the same as before
    different: tuple[Different, ...]


async def rebuild(database: str, *, service: str, say: Callable[[int], None] = lambda _: None) -> Rebuilt:
    """`say` is told now and then how many messages were read."""
    async with AsyncExitStack() as stack:
        reader, writer = [await stack.enter_async_context(connected(database)) for _ in range(2)]
        if not await writer.fetchval(BEGIN):
            raise UnderWay("The tables are being made anew already.")
        await tables.prepare(writer)
        shown, making = await require_now(writer)
        for left in (shown - 1, shown + 1):  # by a rebuild that was cut off
            await drop(writer, left)
        building = Building(reader=reader, writer=writer, service=service, generation=shown + 1, say=say)
        await building.everything()
        for _ in range(TRIES):
            if len(moved := await building.moved(shown)) <= FEW:
                break
            await building.once_more(moved)
        async with writer.transaction():
            await writer.execute(tables.ALONE)
            await building.once_more(await building.moved(shown))
            compared = await writer.fetchval(COMPARED, shown, shown + 1)
            rows = await writer.fetch(DIFFERENT, shown, shown + 1) if making == MAKING else []
            await writer.execute(SWITCH, shown + 1, MAKING)
        await writer.execute(TELL, CHANNEL, EVERYBODY)
        await drop(writer, shown)
        count = await writer.fetchval("select count(*) from views.tables where generation = $1", shown + 1)
        different = tuple(Different(tournament=t, stage=stage, inputs=inputs) for t, stage, inputs in rows)
        return Rebuilt(messages=building.messages, tables=count, compared=compared, different=different)


@asynccontextmanager
async def connected(database: str) -> AsyncGenerator[Connection]:
    connection = await asyncpg.connect(database, timeout=10, server_settings=SETTINGS)
    try:
        yield connection
    finally:
        await connection.close()


async def require_now(connection: Connection) -> tuple[int, int]:
    row = await connection.fetchrow(NOW)
    if row is None or row["making"] > MAKING:
        raise Unavailable("a newer version of the service keeps the tables")
    return row["current"], row["making"]


async def drop(connection: Connection, generation: int) -> None:
    """A little at a time, so that nobody waits for it."""
    while await connection.execute(DROP, generation, OLD_ROWS) != "DELETE 0":
        pass


class Building:
    """One generation of all tables."""

    def __init__(
        self, *, reader: Connection, writer: Connection, service: str, generation: int, say: Callable[[int], None]
    ) -> None:
        self.messages = 0
        self._reader = reader
        self._writer = writer
        self._service = service
        self._generation = generation
        self._say = say

    async def everything(self) -> None:
        """Page by page: one is read while the one before is folded, and the tables of that are written."""
        folding = Folding()
        writing: asyncio.Task[None] | None = None
        async for page, own in self._pages():
            made = await asyncio.to_thread(folding.take, page, own)
            if writing is not None:
                await writing
            writing = asyncio.create_task(self._copy(made))
            self.messages += len(page)
            self._say(self.messages)
        if writing is not None:
            await writing
        await self._copy(folding.end())

    async def moved(self, shown: int) -> list[str]:
        """Tournaments whose tables rest on something else than those that are shown."""
        return [row["tournament"] for row in await self._writer.fetch(MOVED, shown, self._generation)]

    async def once_more(self, tournaments: Sequence[str]) -> None:
        for start in range(0, len(tournaments), AT_ONCE):
            some = tournaments[start : start + AT_ONCE]
            news = by_scope(await heard.behind(self._writer, self._service, dict.fromkeys(some, NOTHING)))
            made: list[Made] = []
            for tournament in some:
                folded = Folded()
                take_all(folded, news.get(tournament, ()))
                made += await asyncio.to_thread(folded.made, tournament)
            await tables.keep(self._writer, self._generation, some, made)

    async def _pages(self) -> AsyncGenerator[tuple[list[asyncpg.Record], list[asyncpg.Record]]]:
        reading = asyncio.create_task(self._page("", "", 0))
        try:
            while (found := await reading)[0]:
                scope, source, number, *_ = found[0][-1]
                reading = asyncio.create_task(self._page(scope, source, number))
                yield found
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _page(self, scope: str, source: str, number: int) -> tuple[list[asyncpg.Record], list[asyncpg.Record]]:
        """What neighbours said next, and everything that was said here of the same tournaments."""
        page = await self._reader.fetch(FROM_THERE, scope, source, number, PAGE)
        scopes = list(dict.fromkeys(row[0] for row in page))
        return page, await self._reader.fetch(OWN, self._service, scopes) if scopes else []

    async def _copy(self, made: Iterable[Made]) -> None:
        rows = [tables.row(self._generation, one) for one in made]
        if rows:
            await self._writer.copy_records_to_table("tables", schema_name="views", records=rows, columns=COLUMNS)


class Folding:
    """Tournament after tournament; the last one of a page may go on in the next."""

    def __init__(self) -> None:
        self._scope: str | None = None
        self._folded = Folded()

    def take(self, page: Sequence[asyncpg.Record], own: Sequence[asyncpg.Record]) -> list[Made]:
        """The tables of those that are complete with this page."""
        return list(self._take(page, {scope: list(said) for scope, said in groupby(own, itemgetter(0))}))

    def _take(self, page: Sequence[asyncpg.Record], own: dict[str, list[asyncpg.Record]]) -> Iterator[Made]:
        for scope, said in groupby(page, itemgetter(0)):
            if scope != self._scope:
                yield from self.end()
                self._scope, self._folded = scope, Folded()
                for _, source, number, kind, message in own.get(scope, ()):
                    self._folded.take(source, number, kind, message)
            for _, source, number, kind, message in said:
                self._folded.take(source, number, kind, message)

    def end(self) -> list[Made]:
        return [] if self._scope is None else self._folded.made(self._scope)
