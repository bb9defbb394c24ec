"""Tables that answer queries, kept up from the log and made anew from it whenever their making changes.

A read model may be thrown away at any time: nothing is in it that is not in the log.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import cast

from sqlalchemy import MetaData, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from shared.log.connection import Connection
from shared.log.store import PAGE, EventStore, Head, Recorded
from shared.refusals import Unavailable

PATIENCE = 2.0  # seconds
PAUSE = 1.0  # seconds before a read model goes on after its database failed
BREATH = 0.02  # seconds in which events gather when much happens: a page of many costs little more than one of few

PROGRESS = """
  create table if not exists views.progress (
    name text primary key, version int not null, position bigint not null)
"""
HOW_FAR = text("select version, position from views.progress where name = :name for update")
BEGIN = text("""
  insert into views.progress values (:name, :version, 0)
  on conflict (name) do update set version = excluded.version, position = 0
""")
ADVANCE = text("update views.progress set position = :position where name = :name")

# Classes of SQLSTATE that say nothing about what was asked: the connection broke, the transaction has to be repeated,
# room or connections are used up, an operator stepped in, the system failed.
PASSING = ("08", "40", "53", "57", "58")

logger = logging.getLogger(__name__)


class MadeByNewerVersion(Exception):
    """A newer version of the service keeps these tables: this one must not write them."""


class ReadModel:
    """A set of tables of one service. Raise `version` when the tables or `apply` change.

    `done` is called when something that was applied is committed.
    """

    def __init__(
        self,
        *,
        name: str,
        version: int,
        tables: MetaData,
        apply: Callable[[AsyncSession, Sequence[Recorded]], Awaitable[None]],
        store: EventStore,
        database: str,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        self._name = name
        self._version = version
        self._tables = tables
        self._apply = apply
        self._store = store
        self._done = done
        self._engine = create_async_engine(
            database.replace("postgresql://", "postgresql+asyncpg://", 1),
            connect_args={"connection_class": Connection},
            pool_pre_ping=True,
        )
        self._following: asyncio.Task[None] | None = None
        self._position = 0
        self._moved = asyncio.Event()
        self._begun = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        self._following = asyncio.create_task(self._follow(), name=f"read model {self._name}")
        self._following.add_done_callback(self._report)
        try:
            yield
        finally:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
            await self._engine.dispose()

    async def check(self) -> None:
        """Raise when it follows the log no more: what it shows grows old, and only a person can mend that."""
        if self._following and self._following.done():
            raise Unavailable(f"the read model {self._name} has stopped: {self._following.exception()!r}")

    async def reached(self, head: Head) -> None:
        """Wait until it shows everything up to a position."""
        while self._position < head.position:
            await self._moved.wait()

    async def caught_up(self) -> None:
        """Wait, but not for long, until it shows what is in the log by now."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.reached(await self._store.head())
        except TimeoutError as error:
            raise Unavailable("what was written last is not shown yet") from error

    def next_move(self) -> asyncio.Event:
        """Taken before looking, so that whatever is shown from then on has set it."""
        return self._moved

    def _move(self, position: int) -> None:
        self._position = position
        self._begun.set()
        self._moved.set()
        self._moved = asyncio.Event()

    def _report(self, following: asyncio.Task[None]) -> None:
        if not following.cancelled() and (error := following.exception()):
            logger.critical("the read model %s has stopped", self._name, exc_info=error)

    @asynccontextmanager
    async def session(self) -> AsyncGenerator[AsyncSession]:
        """For reading."""
        if self._following and not self._following.done() and not self._begun.is_set():
            try:
                await asyncio.wait_for(self._begun.wait(), PATIENCE)
            except TimeoutError as error:
                raise Unavailable("the tables to answer from are being made") from error
        try:
            async with AsyncSession(self._engine) as session:
                yield session
        except (OSError, DBAPIError) as error:
            if not passes(error):
                raise
            raise Unavailable("the database does not answer") from error

    async def _follow(self) -> None:
        while True:
            try:
                self._move(await self._begin())
                last = 0.0
                async for page in self._store.follow(after=self._position):
                    await self._take(page)
                    self._move(page[-1].position)
                    self._done()
                    if time.monotonic() - last < BREATH and len(page) < PAGE:
                        await asyncio.sleep(BREATH)
                    last = time.monotonic()
            except (OSError, DBAPIError) as error:
                if not passes(error):
                    raise
                logger.warning("read model %s: %r", self._name, error)
                await asyncio.sleep(PAUSE)

    async def _begin(self) -> int:
        """Where to go on; from the start, with empty tables, when they were made another way."""
        async with self._engine.begin() as connection:
            await connection.execute(text("select pg_advisory_xact_lock(hashtext('views'))"))
            await connection.execute(text(PROGRESS))
            progress = (await connection.execute(HOW_FAR, {"name": self._name})).one_or_none()
            if progress and progress.version > self._version:
                raise MadeByNewerVersion(f"a newer service keeps it, in version {progress.version}")
            if progress and progress.version == self._version:
                return progress.position
            await self._make_anew(connection)
            return 0

    async def _make_anew(self, connection: AsyncConnection) -> None:
        await connection.run_sync(self._tables.drop_all)
        await connection.run_sync(self._tables.create_all)
        await connection.execute(BEGIN, {"name": self._name, "version": self._version})

    async def _take(self, page: Sequence[Recorded]) -> None:
        """Apply what is new of a page; another copy of the service may have been faster."""
        async with AsyncSession(self._engine) as session, session.begin():
            connection = await session.connection()
            progress = (await connection.execute(HOW_FAR, {"name": self._name})).one()
            if progress.version != self._version:
                raise MadeByNewerVersion(f"a newer service keeps it, in version {progress.version}")
            if new := [recorded for recorded in page if recorded.position > progress.position]:
                await self._apply(session, new)
                await (await session.connection()).execute(ADVANCE, {"name": self._name, "position": new[-1].position})


async def raw_connection(session: AsyncSession) -> Connection:
    """The driver's own connection, inside the same transaction."""
    raw = await (await session.connection()).get_raw_connection()
    return cast("Connection", raw.driver_connection)


def passes(error: OSError | DBAPIError) -> bool:
    """Whether the database is only away, rather than telling us that we are wrong."""
    if isinstance(error, OSError) or error.connection_invalidated:
        return True
    return (getattr(error.orig, "sqlstate", None) or "").startswith(PASSING)
