"""The table of a stage, of a list or of the whole event, and why it is as it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from shared.decider import NotFound
from shared.tournament.availability import require_available
from shared.tournament.explaining import Explanation, explained
from shared.tournament.facts import Facts
from shared.tournament.ledger import ledger_of
from shared.tournament.ordering import Ordering, Row, Table, Unresolved, separating
from shared.tournament.stages import require_list, require_stage

__all__ = ["Explanation", "NotInTable", "Row", "Table", "Unresolved", "explain", "explain_table", "final", "rank"]


class NotInTable(NotFound):
    """The table has no such entrant, or the ranking no such criterion."""


def rank(facts: Facts, stage: str, *, through: int | None = None, among: str | None = None) -> Table:
    """The table of a stage; after the rounds up to a number, or only of a list, where that is asked for."""
    require_stage(facts, stage)
    require_available(facts, stage)
    ledger = ledger_of(facts, stage, through=through)
    if among is not None:
        require_list(facts, among)
    entrants = [one for one in ledger.entrants.values() if among is None or among in one.lists]
    in_start_order = [one.id for one in sorted(entrants, key=lambda one: (one.number, one.id))]
    return Ordering(ledger).of(in_start_order)


def final(facts: Facts, *, among: str | None = None) -> Table:
    """The ranking of the whole event: stage by stage as the ruleset says, each with those who are not placed yet."""
    rows: list[Row] = []
    unresolved: list[Unresolved] = []
    criteria: dict[str, None] = {}
    for stage in facts.ruleset.final.stages or (facts.ruleset.stages[-1].id,):
        table = rank(facts, stage, among=among)
        placed = {row.entrant for row in rows}
        rows += below(rows, [row for row in table.rows if row.entrant not in placed])
        for one in table.unresolved:
            left = tuple(entrant for entrant in one.entrants if entrant not in placed)
            unresolved += [replace(one, entrants=left)] if len(left) > 1 else []
        criteria |= dict.fromkeys(table.criteria)
    return Table(rows=tuple(rows), unresolved=tuple(unresolved), criteria=tuple(criteria))


def below(above: Sequence[Row], rows: Sequence[Row]) -> Iterator[Row]:
    """The places of those who come after others. Who shared a place still does, with whoever is left of them."""
    place = len(above) + 1
    for _, several in groupby(rows, lambda row: row.place):
        equal = list(several)
        for row in equal:
            number = rows.index(row)
            following = rows[number + 1].values if number + 1 < len(rows) else None
            yield replace(
                row,
                place=place,
                shared=len(equal) > 1,
                separated_by=None if following is None else separating(row.values, following),
            )
        place += len(equal)


def explain(
    facts: Facts, stage: str, entrant: str, criterion: str, *, through: int | None = None, among: str | None = None
) -> Explanation:
    """One value of one entrant."""
    found = explain_table(facts, rank(facts, stage, through=through, among=among), through=through)
    if (entrant, criterion) not in found:
        raise NotInTable(f"The table of stage {stage!r} has no entrant {entrant!r} with a criterion {criterion!r}.")
    return found[entrant, criterion]


def explain_table(facts: Facts, table: Table, *, through: int | None = None) -> Mapping[tuple[str, str], Explanation]:
    """Every value of a table, by entrant and criterion."""
    ledgers = {stage: ledger_of(facts, stage, through=through) for stage in {row.stage for row in table.rows}}
    return {
        (row.entrant, name): explained(ledgers[row.stage], row, name)
        for row in table.rows
        for name in ledgers[row.stage].settings.standings.criteria
    }
