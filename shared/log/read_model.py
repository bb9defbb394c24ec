"""Tables that answer queries, kept up from the log and made anew from it whenever their making changes.

A read model may be thrown away at any time: nothing is in it that is not in the log.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from typing import cast, override

import asyncpg
from sqlalchemy import AdaptedConnection, MetaData, event
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.schema import CreateIndex, CreateTable, DDLElement, DropTable
from sqlmodel.ext.asyncio.session import AsyncSession

from shared.log import postgres
from shared.log.connection import Connection
from shared.log.follower import ADVANCE, BEGIN, HOW_FAR, LOCK, PATIENCE, PROGRESS, LogFollower
from shared.log.store import EventStore, Recorded
from shared.refusals import Unavailable

# Classes of SQLSTATE that say nothing about what was asked: the connection broke, the transaction has to be repeated,
# room or connections are used up, an operator stepped in, the system failed; and that nothing can be written for now.
PASSING = ("08", "40", "53", "57", "58", "25006")


class ReadModel(LogFollower):
    """A set of tables of one service. Raise `version` when the tables or `apply` change.

    Whoever reads sees at least all that was in the log when they began: nobody misses what they have just written, at
    whichever copy of the service.
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
    ) -> None:
        super().__init__(name=name, version=version, store=store)
        self._tables = tables
        self._apply = apply
        self._engine = create_async_engine(
            database.replace("postgresql://", "postgresql+asyncpg://", 1),
            connect_args={"connection_class": Connection},
        )
        event.listen(self._engine.sync_engine, "checkout", require_open)

    @override
    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        try:
            async with super().running():
                yield
        finally:
            await self._engine.dispose()

    @asynccontextmanager
    async def session(self, *, current: bool = True) -> AsyncGenerator[AsyncSession]:
        """For reading what is in the log by now; or, where the next move brings the rest, what is shown already."""
        if self._following and not self._following.done() and not self._begun.is_set():
            try:
                await asyncio.wait_for(self._begun.wait(), PATIENCE)
            except TimeoutError as error:
                raise Unavailable("the tables to answer from are being made") from error
        if current:
            await self.caught_up()
        with unavailable():
            async with AsyncSession(self._engine) as session:
                yield session

    @override
    async def _begin(self) -> int:
        with unavailable():
            async with self._engine.begin() as connection:
                await connection.exec_driver_sql(LOCK)
                await connection.exec_driver_sql(PROGRESS)
                progress = (await connection.exec_driver_sql(HOW_FAR, (self._name,))).one_or_none()
                if progress and self._is_kept(progress.version):
                    return progress.position
                await self._make_anew(connection)
                return 0

    async def _make_anew(self, connection: AsyncConnection) -> None:
        raw = await connection.get_raw_connection()
        await cast("Connection", raw.driver_connection).execute(make_anew(self._tables))
        await connection.exec_driver_sql(BEGIN, (self._name, self._version))

    @override
    async def _take(self, page: Sequence[Recorded]) -> None:
        with unavailable():
            async with AsyncSession(self._engine) as session, session.begin():
                connection = await session.connection()
                progress = (await connection.exec_driver_sql(HOW_FAR, (self._name,))).one()
                self._require_kept(progress.version)
                if new := [recorded for recorded in page if recorded.position > progress.position]:
                    await self._apply(session, new)
                    await (await session.connection()).exec_driver_sql(ADVANCE, (self._name, new[-1].position))


@cache
def make_anew(tables: MetaData) -> str:
    """Said in one breath: to ask about each table first whether it is there takes longer than to make it."""
    dialect = postgresql.dialect()
    several: list[DDLElement] = [DropTable(table, if_exists=True) for table in reversed(tables.sorted_tables)]
    for table in tables.sorted_tables:
        several += [CreateTable(table), *(CreateIndex(index) for index in table.indexes)]
    return ";".join(str(one.compile(dialect=dialect)) for one in several)


def require_open(connection: AdaptedConnection, *_: object) -> None:
    """The pool makes a connection anew that was cut. To ask each one first would be a question more for every reader;
    who is the first to notice a cut is turned away once."""
    if cast("Connection", connection.driver_connection).is_closed():
        raise DisconnectionError


@contextmanager
def unavailable() -> Generator[None]:
    try:
        yield
    except (DBAPIError, *postgres.PASSING) as error:  # of the driver alone, where its own connection was used
        if not passes(error):
            raise
        raise Unavailable("the database does not answer") from error


async def raw_connection(session: AsyncSession) -> Connection:
    """The driver's own connection, inside the same transaction."""
    raw = await (await session.connection()).get_raw_connection()
    return cast("Connection", raw.driver_connection)


def passes(error: Exception) -> bool:
    """Whether the database is only away, rather than telling us that we are wrong."""
    if not isinstance(error, DBAPIError):
        return postgres.passes(error)
    if error.connection_invalidated:
        return True
    if error.orig is not None and isinstance(error.orig.__cause__, asyncpg.InternalClientError):
        return True  # the driver lost count when the connection broke
    return (getattr(error.orig, "sqlstate", None) or "").startswith(PASSING)
