"""A table as it is answered: with names, and numbers that JSON knows."""

from collections.abc import Mapping

import msgspec

from services.standings.api.tags import Shown, in_brief
from services.standings.domain.table import Ranked
from services.standings.projection.table_store import TableStore
from services.standings.projection.tables import Stored
from services.standings.tournaments import EntrantNames, KnownTournament, Tournaments
from shared.numbers import Number, exact, shown
from shared.values import Value

MOST = 500  # answers that are kept in memory


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    place: int
    shared: bool
    entrant: str
    name: str | None
    group: str | None
    values: Mapping[str, int | float]
    separated_by: str | None
    beside: Mapping[str, int | float]


class Tie(Value):
    entrants: tuple[str, ...]
    needs: str


class Table(Value):
    """The `Table` of the document, made in a hurry."""

    tournament: str
    stage: str
    round: int
    complete: bool
    inputs: str
    among: str | None
    criteria: tuple[str, ...]
    standings: tuple[Row, ...]
    unresolved: tuple[Tie, ...]


class Answered(Value):
    """An answer, and of what it was put together."""

    kept: Stored
    table: Ranked
    names: EntrantNames
    shown: Shown


class Showing:
    """Answers with the tables that are kept. What many ask for is put together once."""

    def __init__(self, tables: TableStore, situations: Tournaments) -> None:
        self._tables = tables
        self._situations = situations
        self._answered: dict[tuple[str, str, str], Answered] = {}

    async def now(self, tournament: str, stage: str) -> Shown | None:
        """The table as it is kept; none where none is."""
        kept = await self._tables.of(tournament, stage)
        if kept is None:
            return None
        told = await self._situations.told(tournament)
        asked = tournament, stage, told.seen_by
        before = self._answered.pop(asked, None)
        table = before.table if before and before.kept == kept else kept.ranked
        names = told.names
        if before is None or before.kept != kept or before.names != names:
            shown = shown_table(tournament, stage, kept.inputs, table, names)
            before = Answered(kept=kept, table=table, names=names, shown=shown)
        self._answered[asked] = before
        while len(self._answered) > MOST:
            del self._answered[next(iter(self._answered))]
        return before.shown

    async def of(self, situation: KnownTournament, stage: str, *, through: int | None, among: str | None) -> Shown:
        """The table of another moment, round or list."""
        table = await situation.table(stage, through=through, among=among)
        names = await self._situations.names(situation.tournament)
        return shown_table(situation.tournament, stage, str(situation.inputs), table, names, among)


def shown_table(
    tournament: str, stage: str, inputs: str, table: Ranked, names: EntrantNames, among: str | None = None
) -> Shown:
    answer = Table(
        tournament=tournament,
        stage=stage,
        round=table.round,
        complete=table.complete,
        inputs=inputs,
        among=among,
        criteria=table.criteria,
        standings=tuple(
            Row(
                place=row.place,
                shared=row.shared,
                entrant=row.entrant,
                name=names.get(row.entrant),
                group=row.group,
                values={
                    name: displayed(value)
                    for name, value in zip(table.criteria, row.values, strict=True)
                    if value is not None
                },
                separated_by=row.separated_by,
                beside={name: displayed(value) for name, value in zip(table.shown, row.beside, strict=True)},
            )
            for row in table.standings
        ),
        unresolved=tuple(Tie(entrants=tie.entrants, needs=tie.needs) for tie in table.unresolved),
    )
    called = in_brief(row.name for row in answer.standings)
    return Shown(inputs=inputs, content=msgspec.json.encode(answer), names=called)


def displayed(number: Number) -> int | float:
    return number if isinstance(number, int) else shown(exact(number))
