"""Answers with the tables that are kept. What many ask for is put together once, and stays in memory."""

from services.standings.api.responses import Tagged
from services.standings.api.tables.views import WrittenRows, table_answer
from services.standings.domain.table import Ranked
from services.standings.projection.table_store import TableStore
from services.standings.projection.tables import Made, Stored, TableAtHand, is_among
from services.standings.tournaments import KnownTournament, Tournaments
from shared.cache import LruCache
from shared.http.answer_cache import LOOKED_UP
from shared.log.follower import LogFollower
from shared.personal.shown_names import NamesToShow
from shared.values import Value

MOST = 500  # answers in memory


class TableAnswer(Value):
    """An answer, and of what it was put together."""

    kept: Stored
    table: Ranked
    told: NamesToShow
    answer: Tagged
    rows: WrittenRows  # as they stand in it


class TableAnswers:
    def __init__(self, tables: TableStore, tournaments: Tournaments, *, own: LogFollower) -> None:
        self._tables = tables
        self._own = own
        self._tournaments = tournaments
        self._recent: LruCache[tuple[str, str, str], TableAnswer] = LruCache(MOST)

    async def now(self, tournament: str, stage: str) -> Tagged | None:
        """The table as it is kept; none where none is."""
        kept: Stored | None = self.looked_up(tournament, stage)
        if kept is None:
            await self._own.caught_up()  # what was decided here is in it
            kept = await self._tables.of(tournament, stage)
        return None if kept is None else self._answer(tournament, stage, kept, await self._tournaments.told(tournament))

    def looked_up(self, tournament: str, stage: str) -> TableAtHand | None:
        """The same without reading it, where it was made here: what was looked up after the request came says that this
        one is kept, and all that was decided here is in it."""
        kept, found = self._tables.at_hand(tournament, stage), LOOKED_UP.get()
        if kept is None or found is None or found.tournament != tournament or not self._own.has_reached(found.position):
            return None
        return kept if is_among(found.also, kept) else None

    async def as_made(self, tournament: str, stage: str) -> Tagged | None:
        """The same for who hears of each change afterwards: as it was made here last, where it is at hand."""
        kept = self._tables.at_hand(tournament, stage)
        if kept is None:
            return await self.now(tournament, stage)
        return await self._as_known(tournament, stage, kept)

    async def foreseen(self, made: Made) -> Tagged | None:
        """The same of a table that is about to be kept: whoever asks for it then finds it put together. Not where it knows
        more of registration, since names are remembered by that, and it may not be kept."""
        kept, before = made.stored, self._tables.at_hand(made.tournament, made.stage)
        if before is None or before.registration != kept.registration:
            return None
        return await self._as_known(made.tournament, made.stage, kept)

    async def seen_by(self, tournament: str, stage: str, *, as_made: bool) -> str:
        """The same for all who are shown the same of it."""
        kept = self._tables.at_hand(tournament, stage) if as_made else None
        return await self._tournaments.seen_by(tournament, reached=None if kept is None else kept.registration)

    async def _as_known(self, tournament: str, stage: str, kept: Stored) -> Tagged:
        """With names as they are known with the table, which spares a look at what was decided."""
        told = await self._tournaments.told(tournament, reached=kept.registration)
        return self._answer(tournament, stage, kept, told)

    def _answer(self, tournament: str, stage: str, kept: Stored, told: NamesToShow) -> Tagged:
        key = tournament, stage, told.seen_by
        before = self._recent.get(key)
        is_same = before is not None and before.kept.is_same(kept)
        if before is not None and is_same and before.told == told:
            return before.answer
        table = before.table if before is not None and is_same else kept.ranked
        rows = before.rows if before is not None else WrittenRows()
        answer = table_answer(tournament, stage, kept.inputs, table, told, rows=rows)
        self._recent.put(key, TableAnswer(kept=kept, table=table, told=told, answer=answer, rows=rows))
        return answer

    async def of(self, known: KnownTournament, stage: str, *, through: int | None, among: str | None) -> Tagged:
        """The table of another moment, round or list."""
        table = await known.table(stage, through=through, among=among)
        told = await self._tournaments.told(known.tournament)
        return table_answer(known.tournament, stage, str(known.inputs), table, told, among)
