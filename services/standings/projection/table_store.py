"""The tables that are kept: read by all who ask, made to follow what is heard, and made anew by one copy of the service
when another version has made those that there are.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import batched

import msgspec

from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.fold_cache import FoldCache, TournamentFold, by_scope, take_all
from services.standings.projection.generation import connected
from services.standings.projection.notification import TableNotification
from services.standings.projection.rebuild import rebuild
from services.standings.projection.tables import LockedTables, Made, Stored, TableAtHand, WrittenTables
from services.standings.seasons.contribution import SeasonContribution
from shared.background import Work, meanwhile
from shared.cache import LruCache
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.lease import hold
from shared.log.postgres import PASSING
from shared.messaging import history
from shared.messaging.history import NOTHING, InboxMessage
from shared.messaging.reactions import Batch, ReceivedAtOnce
from shared.refusals import Unavailable

AT_HAND = 50  # tournaments whose tables are in memory as they were made last
AT_ONCE = 20  # tournaments that are read together
LARGE = 150  # entrants
PATIENCE = 5.0  # seconds
PAUSE = 1.0  # seconds before the next try to make them ready

OLD = "select making < $1 from views.generation"
NEWER = "select making > $1 from views.generation"

CONTRIBUTION = msgspec.json.Decoder(SeasonContribution)

logger = logging.getLogger(__name__)

type Foresee = Callable[[Sequence[Made]], Coroutine[object, object, None]]


async def nobody_waits(_: Sequence[Made]) -> None:
    pass


class TableStore:
    """A part of the service that runs. `notification` wakes those who listen, in all copies of the service."""

    def __init__(self, url: str, *, service: str) -> None:
        self._at_hand: LruCache[str, Mapping[str, TableAtHand]] = LruCache(AT_HAND)
        self.notification = TableNotification(url, others=self._forget)
        self._url = url
        self._database = Database(url)
        self._service = service
        self._refresh = TableRefresh(service=service)
        self.is_past = self._refresh.is_past
        self._ready = asyncio.Event()
        self._is_old = False  # what there is was made by another version
        self._keeping = Work("keeping of tables", self._work)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._database.running(), self.notification.running(), self._keeping.running():
            yield

    def tell_beforehand(self, foresee: Foresee) -> None:
        """Who hears of tables while the database still keeps them."""
        self._refresh.foresee = foresee

    async def check(self) -> None:
        await self._keeping.check()
        await self.notification.check()
        if self._ready.is_set() and await self._database.fetchval(NEWER, MAKING):
            raise Unavailable(tables.KEPT_BY_NEWER)

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

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> Callable[[], None]:
        """Let the tables of these tournaments follow, within the transaction that is open; answers what is to be done
        once it is committed."""
        await self._require_ready()
        wanted = set(scopes)
        return partial(self._committed, wanted, await self._refresh.refresh(connection, wanted))

    async def receive(self, connection: Connection, batch: Batch) -> ReceivedAtOnce | None:
        """Receive what moves nothing but tables, with the tables that follow, where they are remembered here."""
        await self._require_ready()
        written = await self._refresh.receive(connection, batch)
        if written is None:
            return None
        return ReceivedAtOnce(free=written.keys(), committed=partial(self._committed, written.keys(), written))

    def at_hand(self, tournament: str, stage: str) -> TableAtHand | None:
        """The table as it was made here last, as long as nobody else has said that there is another one."""
        return (self._at_hand.get(tournament) or {}).get(stage)

    def _committed(self, tournaments: Iterable[str], written: WrittenTables) -> None:
        for tournament, several in written.items():
            self._at_hand.put(tournament, several)
        self.notification.have_changed(tournaments)

    def _forget(self, tournament: str | None) -> None:
        if tournament is None:
            self._at_hand.clear()
        else:
            self._at_hand.pop(tournament)

    async def _require_ready(self) -> None:
        try:
            await asyncio.wait_for(self._ready.wait(), PATIENCE)
        except TimeoutError as error:
            raise Unavailable("the tables are being made") from error

    async def _work(self) -> None:
        while not self._ready.is_set():
            try:
                await self._prepare()
            except (*PASSING, Unavailable) as error:
                logger.warning("keeping tables: %r", error)
                await asyncio.sleep(PAUSE)
        if self._is_old:
            await hold(self._url, "making of tables", self._make_anew)
        await asyncio.Event().wait()

    async def _prepare(self) -> None:
        async with connected(self._url) as connection:
            await tables.prepare(connection)
            self._is_old = await connection.fetchval(OLD, MAKING)
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

    What is remembered of a tournament may be ahead of a transaction that was taken back, with what it had received. That
    shows, since nothing here can then be known up to there (`LockedTables.knows`); it is forgotten, and read anew.
    """

    def __init__(self, *, service: str) -> None:
        self.foresee: Foresee = nobody_waits
        self._service = service
        self._folds = FoldCache()
        self.is_past = self._folds.is_past
        self._one_at_a_time = asyncio.Lock()  # what has come and what was said here may move the same folds

    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> WrittenTables:
        """Make the tables of these tournaments follow all that is known of them; answers those that were made."""
        async with self._one_at_a_time:
            return await self._refresh(connection, scopes)

    async def receive(self, connection: Connection, batch: Batch) -> WrittenTables | None:
        """The same of what comes: ranked before anything is asked, and received and kept in one statement.

        A fold that has taken it although something else comes first, or has come between, is forgotten.
        """
        async with self._one_at_a_time:
            scopes = {said.scope for said in batch.said}
            before = self._folds.inputs(scopes)
            if self._folds.age is None or before.keys() != scopes:
                return None
            folds = {scope: self._folds.of(scope) for scope in scopes}
            try:
                for said in batch.said:
                    folds[said.scope].take(batch.source, said.number, said.type, said.message)
                made = {scope: await made_of(scope, one) for scope, one in folds.items()}
                async with meanwhile(self.foresee([one for several in made.values() for one in several])):
                    written = await tables.receive(connection, batch, self._folds.age, before, made)
            except BaseException:
                self._folds.forget(scopes)
                raise
            self._folds.forget(scopes.difference(written or ()))
        return written

    async def _refresh(self, connection: Connection, scopes: Iterable[str]) -> WrittenTables:
        wanted = sorted(set(scopes))
        known = self._folds.inputs(wanted)
        look = await tables.look(connection, self._service, wanted, known)
        self._folds.at(look.age)
        self._folds.forget(scope for scope, inputs in known.items() if not look.knows(inputs))
        remembered = [scope for scope in known if scope in self._folds]
        try:
            made = await self._make(connection, remembered, look, by_scope(look.said))
            others = await self._behind(connection, [scope for scope in wanted if scope not in known], look)
            others += [scope for scope in known if scope not in remembered]
            for some in batched(others, AT_ONCE):
                news = await history.behind(connection, self._service, dict.fromkeys(some, NOTHING))
                made |= await self._make(connection, some, look, by_scope(news))
        except BaseException:
            self._folds.forget(wanted)
            raise
        return tables.written(made, look.writer)

    async def _behind(self, connection: Connection, scopes: Sequence[str], look: LockedTables) -> list[str]:
        """Of those that are not remembered here, the ones that another copy has not made already."""
        others = [scope for scope in scopes if scope in look.kept]
        reached = await history.reached(connection, self._service, others) if others else {}
        done = {scope for scope, inputs in reached.items() if look.rests_on(scope, inputs)}
        return [scope for scope in scopes if scope not in done]

    async def _make(
        self,
        connection: Connection,
        scopes: Sequence[str],
        look: LockedTables,
        news: Mapping[str, Sequence[InboxMessage]],
    ) -> dict[str, Sequence[Made]]:
        folds = {scope: self._folds.of(scope) for scope in scopes}
        for scope, one in folds.items():
            take_all(one, news.get(scope, ()))
        behind = [scope for scope, one in folds.items() if not look.rests_on(scope, one.inputs)]
        made: dict[str, Sequence[Made]] = {scope: await made_of(scope, folds[scope]) for scope in behind}
        if behind:
            every = [table for several in made.values() for table in several]
            await tables.keep(connection, look.age.generation, behind, every)
        return made


async def made_of(tournament: str, fold: TournamentFold) -> Sequence[Made]:
    """A large field is ranked in a thread, so that nobody else waits for it; a small one sooner than a thread begins."""
    return fold.made(tournament) if fold.entrants < LARGE else await asyncio.to_thread(fold.made, tournament)
