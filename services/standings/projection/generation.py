"""One generation of all tables, from the inbox and the log: span after span of tournaments, in one process or several."""

import asyncio
import multiprocessing
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from itertools import pairwise
from signal import SIG_BLOCK, SIG_DFL, SIG_UNBLOCK, SIGINT, pthread_sigmask, signal
from threading import Thread

import asyncpg

from services.standings.projection.fold_cache import TournamentFold, UnreadableMessage
from services.standings.projection.tables import COLUMNS, Made
from shared.garbage import collect_seldom
from shared.log.connection import Connection
from shared.refusals import Unavailable
from shared.values import UNREADABLE, Value

PAGE = 5000  # messages
SPANS = 16  # of tournaments
BEFORE_ALL = ""
BEHIND_ALL = "zzz", 0  # a source, and a number, behind those of all messages of a tournament, however words are sorted
# Pages are planned for where they begin: a plan for any of them takes twice as long to read one.
SETTINGS = {"enable_seqscan": "off", "enable_bitmapscan": "off", "plan_cache_mode": "force_custom_plan"}

# Every so many-th tournament, the last one at the end. Those that appear meanwhile are made by the service itself.
BOUNDARIES = "select percentile_disc($1::float8[]) within group (order by scope) from inbox.scopes"
# What a source has said of a tournament comes as one row, the messages in it one after another: to read each as a row of its
# own costs as much as to decode it.
FROM_THERE = """
  select scope, source, max(number) as number, count(*) as messages, string_agg(message, ',' order by number) as said from (
    select scope, source, number, message from inbox.events
    where (scope, source, number) > ($1, $2, $3) and scope <= $4 and lost is null and state <> 'skipped'
    order by scope, source, number limit $5
  ) page group by scope, source order by scope, source
"""
OWN = """
  select scope, $1::text as source, max(public) as number, string_agg(message, ',' order by public) as said from log.log
  where scope = any($2) and public is not null group by scope
"""

type Page = Sequence[asyncpg.Record]
type TakePage = Callable[["PageFold", Page, Page], Awaitable[list[Made]]]


class Progress(Value):
    messages: int
    spans: int
    of: int


class Generation(Value):
    database: str
    service: str
    number: int

    async def build(self, say: Callable[[Progress], None], *, processes: int) -> int:
        """How many messages that took; `say` is told after each span."""
        spans = await self._spans()
        messages = 0
        if processes == 1:
            for number, span in enumerate(spans, start=1):
                messages += await span.build(partial(asyncio.to_thread, PageFold.take))
                say(Progress(messages=messages, spans=number, of=len(spans)))
            return messages
        loop = asyncio.get_running_loop()
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, spawn, initializer=begin_process) as pool:
            with uninterrupted():
                building = [loop.run_in_executor(pool, build_span, span) for span in spans]
            try:
                for number, built in enumerate(asyncio.as_completed(building), start=1):
                    messages += await built
                    say(Progress(messages=messages, spans=number, of=len(spans)))
            except BrokenProcessPool as error:
                raise Unavailable("a process that made them was killed, or had too little memory") from error
            finally:
                for one in building:
                    one.cancel()  # whoever waits for a failure does not wait for the spans that nobody has begun
                await asyncio.gather(*building, return_exceptions=True)
        return messages

    async def _spans(self) -> list["TournamentSpan"]:
        async with connected(self.database) as connection:
            ends: list[str] | None = await connection.fetchval(BOUNDARIES, [n / SPANS for n in range(1, SPANS + 1)])
        bounds = pairwise([BEFORE_ALL, *dict.fromkeys(ends or ())])
        return [TournamentSpan(generation=self, behind=behind, end=end) for behind, end in bounds]


@asynccontextmanager
async def connected(database: str) -> AsyncGenerator[Connection]:
    connection = await asyncpg.connect(database, connection_class=Connection, timeout=10, server_settings=SETTINGS)
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def uninterrupted() -> Generator[None]:
    """Ctrl-C waits until the end of the block. A process that is started in it hears none before `begin_process`: it would
    print where it stood while it loaded its code."""
    pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_UNBLOCK, {SIGINT})


def begin_process() -> None:
    """It ends with its parent: whoever goes on alone would write into the generation that the next rebuild makes."""
    collect_seldom()
    signal(SIGINT, SIG_DFL)  # Ctrl-C ends it too, and the parent says so
    pthread_sigmask(SIG_UNBLOCK, {SIGINT})
    Thread(target=wait_for_parent, daemon=True).start()


def wait_for_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def build_span(span: "TournamentSpan") -> int:
    """What a process of its own runs."""
    return asyncio.run(span.build(take_here))


async def take_here(folds: "PageFold", page: Page, own: Page) -> list[Made]:
    """Where nobody else waits, a thread would only take turns with the reading of the next page, which is asked for first."""
    await asyncio.sleep(0)
    return folds.take(page, own)


class TournamentSpan(Value):
    """The tables of some tournaments, page by page: one is read while the one before is folded and written."""

    generation: Generation
    behind: str  # it begins behind one tournament, and goes up to another one
    end: str

    async def build(self, take: TakePage) -> int:
        folds, messages = PageFold(), 0
        async with AsyncExitStack() as stack:
            reader, writer = [await stack.enter_async_context(connected(self.generation.database)) for _ in range(2)]
            writing: asyncio.Task[None] | None = None
            async for page, own in self._pages(reader):
                made = await take(folds, page, own)
                if writing is not None:
                    await writing
                writing = asyncio.create_task(self._copy(writer, made))
                messages += sum([said["messages"] for said in page])
            if writing is not None:
                await writing
            await self._copy(writer, folds.end())
        return messages

    async def _pages(self, reader: Connection) -> AsyncGenerator[tuple[Page, Page]]:
        reading = asyncio.create_task(self._page(reader, self.behind, *BEHIND_ALL))
        try:
            while (found := await reading)[0]:
                last = found[0][-1]
                reading = asyncio.create_task(self._page(reader, last["scope"], last["source"], last["number"]))
                yield found
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _page(self, reader: Connection, scope: str, source: str, number: int) -> tuple[Page, Page]:
        """What neighbours said next, and everything that was said here of the same tournaments."""
        page = await reader.fetch(FROM_THERE, scope, source, number, self.end, PAGE)
        scopes = list(dict.fromkeys(said["scope"] for said in page))
        return page, await reader.fetch(OWN, self.generation.service, scopes) if scopes else []

    async def _copy(self, writer: Connection, made: Iterable[Made]) -> None:
        number = self.generation.number
        rows = [(number, one.tournament, one.stage, one.inputs, one.body) for one in made]
        if rows:
            await writer.copy_records_to_table("tables", schema_name="views", records=rows, columns=COLUMNS)


class PageFold:
    """Tournament after tournament; the last one of a page may go on in the next."""

    def __init__(self) -> None:
        self._scope: str | None = None
        self._fold = TournamentFold()

    def take(self, page: Page, own: Page) -> list[Made]:
        """The tables of those that are complete with this page."""
        return list(self._take(page, {said["scope"]: said for said in own}))

    def _take(self, page: Page, own: Mapping[str, asyncpg.Record]) -> Iterator[Made]:
        for said in page:
            if (scope := said["scope"]) != self._scope:
                yield from self.end()
                self._scope, self._fold = scope, TournamentFold()
                if (before := own.get(scope)) is not None:
                    self._hear(before)
            self._hear(said)

    def _hear(self, said: asyncpg.Record) -> None:
        try:
            self._fold.take_several(said["source"], said["number"], said["said"])
        except UNREADABLE as error:
            raise UnreadableMessage(said["scope"], f"something that {said['source']} has said") from error

    def end(self) -> list[Made]:
        return [] if self._scope is None else self._fold.made(self._scope)
