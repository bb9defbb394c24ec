"""The table of a stage as it is kept: without names, which can be erased, and with exact numbers.

It follows from facts alone. Raise `MAKING` when it would come out differently from the same facts, so that the tables
that are kept are made anew.
"""

from collections.abc import Mapping, Sequence

import msgspec

from services.standings.domain.ranking import Tie
from shared.numbers import Number, stored
from shared.refusals import NotFound
from shared.rulesets.stages import Everybody
from shared.tournament.completion import not_closed, order_of, tables_without_result, unfinished
from shared.tournament.facts import Facts, StageOrder
from shared.tournament.ordering import RankingCache
from shared.tournament.progression import opening, qualified
from shared.tournament.ranking import Row, Table, final, rank
from shared.tournament.stages import require_stage
from shared.values import Value

MAKING = 9

type Persons = Mapping[str, tuple[str, ...]]  # by entrant: opaque ids


class RoundUnknown(NotFound):
    """The stage has no such round."""


class RankedRow(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    place: int
    shared: bool
    entrant: str
    persons: tuple[str, ...]
    values: tuple[Number | None, ...]  # one for each criterion; none where there was nothing to separate
    separated_by: str | None  # the criterion that puts it above the next one
    group: str | None = None  # where the places are those of a group
    beside: tuple[Number, ...] = ()  # one for each that is shown beside


class RankedTie(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    entrants: tuple[str, ...]
    needs: str


class Ranked(Value):
    round: int  # the last one in it; 0 before the first
    complete: bool  # whether every game of that round has its result
    criteria: tuple[str, ...]
    standings: tuple[RankedRow, ...]
    unresolved: tuple[RankedTie, ...]
    shown: tuple[str, ...] = ()  # criteria that decide nothing
    corrected: int = 0  # games in it of which another result stood before

    @property
    def ties(self) -> tuple[Tie, ...]:
        return tuple(
            Tie(entrants=one.entrants, needs="lot" if one.needs == "lot" else "duel") for one in self.unresolved
        )

    @property
    def order(self) -> StageOrder:
        return order_of(self.standings)


class TableCache:
    """What was worked out of the tables of a tournament when they were made last: most rows are the same in the next."""

    def __init__(self) -> None:
        self.ranking = RankingCache()
        self.rankings: dict[str, Table] = {}  # by stage, as it was ranked last
        self._rows: dict[str, tuple[Row, Sequence[str], RankedRow]] = {}

    def standing(self, row: Row, criteria: Sequence[str], persons: Persons) -> RankedRow:
        """A row that is the same one as before looks as it did before, to the same persons."""
        known, of = self._rows.get(row.entrant), persons.get(row.entrant, ())
        if known is not None and known[0] is row and known[1] == of:
            return known[2]
        values = known[2].values if known is not None and known[0].values is row.values else None
        made = standing(row, criteria, of, values=values)
        self._rows[row.entrant] = row, of, made
        return made


def ranked(
    facts: Facts,
    persons: Persons,
    stage: str,
    *,
    through: int | None = None,
    among: str | None = None,
    cache: TableCache | None = None,
) -> Ranked:
    require_stage(facts, stage)
    cache = cache or TableCache()
    last = last_round(facts, stage, through)
    table = cache.rankings[stage] = rank(facts, stage, through=through, among=among, cache=cache.ranking)
    return Ranked(
        round=last,
        complete=not last or not tables_without_result(facts, facts.rounds[stage, last]),
        criteria=table.criteria,
        standings=tuple([cache.standing(row, table.criteria, persons) for row in table.rows]),
        unresolved=tuple(RankedTie(entrants=one.entrants, needs=one.needs) for one in table.unresolved),
        shown=tuple(table.rows[0].beside) if table.rows else (),
        corrected=sum(
            game.id in facts.corrected
            for (of, number), one in (facts.rounds.items() if facts.corrected else ())
            if of == stage and number <= last
            for game in one.games
        ),
    )


def standing(
    row: Row, criteria: Sequence[str], persons: tuple[str, ...], *, values: tuple[Number | None, ...] | None = None
) -> RankedRow:
    """`values` of whoever has written them already."""
    own = row.values
    return RankedRow(
        place=row.place,
        shared=row.shared,
        entrant=row.entrant,
        persons=persons,
        values=values or tuple([stored(own[name]) if name in own else None for name in criteria]),
        separated_by=row.separated_by,
        group=row.group,
        beside=tuple([stored(value) for value in row.beside.values()]),
    )


def tables(facts: Facts, persons: Persons, cache: TableCache) -> Mapping[str, Ranked]:
    """The tables of every stage that has begun."""
    return {stage: ranked(facts, persons, stage, cache=cache) for stage in begun(facts)}


def begun(facts: Facts) -> list[str]:
    """The first stage begins with the tournament."""
    there = {facts.ruleset.stages[0].id, *facts.fields, *(stage for stage, _ in facts.rounds)}
    return [stage.id for stage in facts.ruleset.stages if stage.id in there]


def last_round(facts: Facts, stage: str, through: int | None) -> int:
    rounds = [number for of, number in facts.rounds if of == stage]
    if through is None:
        return max(rounds, default=0)
    if through not in rounds:
        there = f"There are {', '.join(map(str, sorted(rounds)))}." if rounds else "None is published yet."
        raise RoundUnknown(f"Stage {stage!r} has no round {through}. {there}")
    return through


def ties_about_going_on(facts: Facts, stage: str, *, is_over: bool = False) -> tuple[Tie, ...]:
    """Those with the same place of whom only some go on, though the table itself asks for no lot: one says who.

    What a later stage will decide is left to it, unless the tournament is over without it.
    """
    later = [
        one.id for one in facts.ruleset.stages if not isinstance(one.field, Everybody) and one.field.stage == stage
    ]
    table, event = rank(facts, stage), final(facts)
    edge = qualified(facts).awaits if is_over else event.unresolved
    awaited = [*edge, *(tie for name in later for tie in opening(facts, name).awaits)]
    there = {row.entrant for row in event.rows if row.stage == stage}
    found = dict.fromkeys(tie.entrants for tie in awaited if tie.needs == "lot" and there.issuperset(tie.entrants))
    known = [set(tie.entrants) for tie in table.unresolved]
    return tuple(Tie(entrants=one, needs="lot") for one in found if not any(tie.issuperset(one) for tie in known))


def obstacles(facts: Facts, stage: str, table: Ranked) -> tuple[str, ...]:
    """Everything that keeps a stage from being closed."""
    if stage not in begun(facts) and (why := not_closed(facts, stage) or opening(facts, stage).not_held):
        return (why,)
    played = tuple(unfinished(facts, stage))
    return played or tuple(
        f"{', '.join(tie.entrants)} are equal and wait for a {tie.needs}." for tie in table.unresolved
    )
