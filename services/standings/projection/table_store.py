"""The tables that are kept: read by all who ask, made to follow what is heard, and made anew by one copy of the service
when another version has made those that there are.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import batched
from typing import NoReturn

import msgspec

from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.fold_cache import FoldCache, by_scope, take_all
from services.standings.projection.generation import connected
from services.standings.projection.notification import TableNotification
from services.standings.projection.rebuild import rebuild
from services.standings.projection.tables import Stored
from services.standings.seasons.contribution import SeasonContribution
from shared.background import Work
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.lease import hold
from shared.log.postgres import PASSING
from shared.messaging import history
from shared.refusals import Unavailable
from shared.values import Value

CONNECTIONS = 4
AT_ONCE = 20  # tournaments that are read together
PATIENCE = 5.0  # seconds
PAUSE = 1.0  # seconds before the next try to make them ready

OLD = "select making < $1 from views.generation"

CONTRIBUTION = msgspec.json.Decoder(SeasonContribution)

logger = logging.getLogger(__name__)


class TableStore:
    """A part of the service that runs. `notification` wakes those who listen, in all copies of the service."""

    def __init__(self, url: str, *, service: str) -> None:
        self.notification = TableNotification(url)
        self._url = url
        self._database = Database(url, connections=CONNECTIONS)
        self._service = service
        self._refresh = TableRefresh(service=service)
        self.is_past = self._refresh.is_past
        self._ready = asyncio.Event()
        self._keeping = Work("keeping of tables", self._work)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._database.running(), self.notification.running(), self._keeping.running():
            yield

    async def check(self) -> None:
        await self._keeping.check()
        await self.notification.check()

    async def of(self, tournament: str, stage: str) -> Stored | None:
        """The table of a stage as it is now, unless there is none yet."""
        await self._require_ready()
        rows = await self._database.fetch(tables.READ, tournament, stage)
        return tables.stored_table(rows[0]) if rows else None

    async def of_season(self, season: str) -> dict[str, SeasonContribution]:
        """What its tournaments give to a season, as far as they have started."""
        await self._require_ready()
        rows = await self._database.fetch(tables.OF_SEASON, tables.of_season(season))
        return {row["tournament"]: CONTRIBUTION.decode(row["body"]) for row in rows}

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> None:
        """Let the tables of these tournaments follow, within the transaction that is open."""
        await self._require_ready()
        wanted = set(scopes)
        await self._refresh.refresh(connection, wanted)
        self.notification.note(wanted)

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
        await hold(self._url, "making of tables", self._make_anew)

    async def _prepare(self) -> None:
        async with connected(self._url) as connection:
            await tables.prepare(connection)
        self._ready.set()

    async def _make_anew(self) -> None:
        """One copy does it for all, when another version has made what there is: readers see that meanwhile."""
        async with connected(self._url) as connection:
            is_old = await connection.fetchval(OLD, MAKING)
        if is_old:
            result = await rebuild(self._url, service=self._service)
            logger.info("the tables were made anew", extra={"facts": {"tables": result.tables}})
        await asyncio.Event().wait()


class TableRefresh:
    """Tables follow what is heard: made within the transaction that lets it take effect.

    What is remembered of a tournament may be ahead of a transaction that is rolled back. That does no harm: it follows
    from what lies in the inbox and in the log, and that stays.
    """

    def __init__(self, *, service: str) -> None:
        self._service = service
        self._folds = FoldCache()
        self.is_past = self._folds.is_past

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> None:
        """Make the tables of these tournaments follow all that is known of them."""
        wanted = sorted(set(scopes))
        age = await tables.take(connection, wanted)
        self._folds.at(age)
        kept = KeptInputs(generation=age.generation, inputs=await tables.stored(connection, age.generation, wanted))
        try:
            for some in batched(await self._behind(connection, wanted, kept), AT_ONCE):
                await self._make(connection, some, kept)
        except BaseException:
            self._folds.forget(wanted)
            raise

    async def _behind(self, connection: Connection, scopes: Sequence[str], kept: "KeptInputs") -> list[str]:
        """Those that are left to be made: of one that is not remembered here another copy may have made all already."""
        others = [scope for scope in scopes if scope in kept.inputs and scope not in self._folds]
        reached = await history.reached(connection, self._service, others) if others else {}
        done = {scope for scope, inputs in reached.items() if kept.rests_on(scope, str(inputs))}
        return [scope for scope in scopes if scope not in done]

    async def _make(self, connection: Connection, scopes: Sequence[str], kept: "KeptInputs") -> None:
        folds = {scope: self._folds.of(scope) for scope in scopes}
        reached = {scope: one.inputs for scope, one in folds.items()}
        news = by_scope(await history.behind(connection, self._service, reached))
        for scope, one in folds.items():
            take_all(one, news.get(scope, ()))
        behind = [scope for scope, one in folds.items() if not kept.rests_on(scope, str(one.inputs))]
        made = [await asyncio.to_thread(folds[scope].made, scope) for scope in behind]
        if behind:
            await tables.keep(connection, kept.generation, behind, [table for several in made for table in several])


class KeptInputs(Value):
    """What the tables that are kept rest on."""

    generation: int
    inputs: Mapping[str, set[str]]

    def rests_on(self, tournament: str, inputs: str) -> bool:
        return self.inputs.get(tournament) == {inputs}
