"""The tables of this service, as a part of it that runs."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import NoReturn

import asyncpg
import msgspec

from services.standings.domain.table import MAKING
from services.standings.projection import schema, tables
from services.standings.projection.rebuild import rebuild
from services.standings.projection.refresh import Refreshing
from services.standings.projection.tables import Stored
from services.standings.projection.waking import Waking
from services.standings.seasons.counted import Counted
from shared.background import Work
from shared.log.lease import hold
from shared.log.postgres import PASSING, Connection, Pool, as_it_is
from shared.refusals import Unavailable

CONNECTIONS = 4
PATIENCE = 5.0  # seconds
PAUSE = 1.0  # seconds before the next try to make them ready

OLD = "select making < $1 from views.generation"

COUNTED = msgspec.json.Decoder(Counted)

logger = logging.getLogger(__name__)


class Tables:
    """What is kept. `waking` wakes those who listen, in all copies of the service."""

    def __init__(self, database: str, *, service: str) -> None:
        self.waking = Waking(database)
        self._database = database
        self._service = service
        self._refreshing = Refreshing(service=service)
        self.is_past = self._refreshing.is_past
        self._pool: Pool | None = None
        self._ready = asyncio.Event()
        self._keeping = Work("keeping of tables", self._work)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with (
            asyncpg.create_pool(
                self._database,
                min_size=0,
                max_size=CONNECTIONS,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                reset=as_it_is,
            ) as self._pool,
            self.waking.running(),
            self._keeping.running(),
        ):
            yield
        self._pool = None

    async def check(self) -> None:
        await self._keeping.check()
        await self.waking.check()

    async def of(self, tournament: str, stage: str) -> Stored | None:
        """The table of a stage as it is now, unless there is none yet."""
        await self._require_ready()
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            return tables.shown(await self._pool.fetchrow(tables.READ, tournament, stage))
        except PASSING as error:
            raise Unavailable("the database does not answer") from error

    async def of_season(self, season: str) -> dict[str, Counted]:
        """What its tournaments give to a season, as far as they have started."""
        await self._require_ready()
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            rows = await self._pool.fetch(tables.OF_SEASON, tables.of_season(season))
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        return {row["tournament"]: COUNTED.decode(row["body"]) for row in rows}

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> None:
        """Let the tables of these tournaments follow, within the transaction that is open."""
        await self._require_ready()
        wanted = set(scopes)
        await self._refreshing.refresh(connection, wanted)
        self.waking.note(wanted)

    async def _require_ready(self) -> None:
        try:
            await asyncio.wait_for(self._ready.wait(), PATIENCE)
        except TimeoutError as error:
            raise Unavailable("the tables are being made") from error

    async def _work(self) -> NoReturn:
        while not self._ready.is_set():
            try:
                await self._prepare()
            except (*PASSING, Unavailable) as error:
                logger.warning("keeping tables: %r", error)
                await asyncio.sleep(PAUSE)
        await hold(self._database, "making of tables", self._make_anew)

    async def _prepare(self) -> None:
        connection = await asyncpg.connect(self._database, timeout=PATIENCE)
        try:
            await schema.prepare(connection)
        finally:
            await connection.close()
        self._ready.set()

    async def _make_anew(self) -> None:
        """What one copy does for all, when another version has made what there is: readers see that meanwhile."""
        if self._pool is None:
            raise Unavailable("the service is not running")
        if await self._pool.fetchval(OLD, MAKING):
            result = await rebuild(self._database, service=self._service)
            logger.info("the tables were made anew", extra={"facts": {"tables": result.tables}})
        await asyncio.Event().wait()
