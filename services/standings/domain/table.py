"""The table of a stage as it is kept: without names, which can be erased, and with exact numbers.

It follows from facts alone. Raise `MAKING` when it would come out differently from the same facts, so that the tables
that are kept are made anew.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.standings.domain.ranking import Order, Tie
from shared.decider import NotFound
from shared.exact import Number, stored
from shared.tournament.facts import Facts, Round
from shared.tournament.ranking import Row, rank
from shared.tournament.stages import require_stage, settings_of

MAKING = 1

type Persons = Mapping[str, tuple[str, ...]]  # by entrant: opaque ids


class RoundUnknown(NotFound):
    """The stage has no such round."""


class Standing(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    place: int
    shared: bool
    entrant: str
    persons: tuple[str, ...]
    values: tuple[Number | None, ...]  # one for each criterion; none where there was nothing to separate
    separated_by: str | None  # the criterion that puts it above the next one
    group: str | None = None  # where the places are those of a group


class Awaited(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    entrants: tuple[str, ...]
    needs: str


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    round: int  # the last one in it; 0 before the first
    complete: bool  # whether every game of that round has its result
    criteria: tuple[str, ...]
    standings: tuple[Standing, ...]
    unresolved: tuple[Awaited, ...]

    @property
    def ties(self) -> tuple[Tie, ...]:
        return tuple(
            Tie(entrants=one.entrants, needs="lot" if one.needs == "lot" else "duel") for one in self.unresolved
        )

    @property
    def order(self) -> Order:
        """Place by place, and group by group where there are groups."""
        places: dict[tuple[str | None, int], list[str]] = {}
        for standing in self.standings:
            places.setdefault((standing.group, standing.place), []).append(standing.entrant)
        return tuple(tuple(entrants) for entrants in places.values())


def ranked(
    facts: Facts, persons: Persons, stage: str, *, through: int | None = None, among: str | None = None
) -> Ranked:
    require_stage(facts, stage)
    last = last_round(facts, stage, through)
    table = rank(facts, stage, through=through, among=among)
    return Ranked(
        round=last,
        complete=not last or not unfinished_tables(facts, facts.rounds[stage, last]),
        criteria=table.criteria,
        standings=tuple(standing(row, table.criteria, persons) for row in table.rows),
        unresolved=tuple(Awaited(entrants=one.entrants, needs=one.needs) for one in table.unresolved),
    )


def standing(row: Row, criteria: Sequence[str], persons: Persons) -> Standing:
    values = row.values
    return Standing(
        place=row.place,
        shared=row.shared,
        entrant=row.entrant,
        persons=persons.get(row.entrant, ()),
        values=tuple([stored(values[name]) if name in values else None for name in criteria]),
        separated_by=row.separated_by,
        group=row.group,
    )


def tables(facts: Facts, persons: Persons) -> Mapping[str, Ranked]:
    """Of every stage that has begun."""
    return {stage: ranked(facts, persons, stage) for stage in begun(facts)}


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


def unfinished_tables(facts: Facts, one: Round) -> list[int]:
    """Where a result is missing."""
    return sorted({game.table for game in one.games if game.id not in facts.results and game.id not in facts.voided})


def unfinished(facts: Facts, stage: str) -> Iterator[str]:
    """Why a stage is not played yet, round by round."""
    rounds = {number: one for (of, number), one in facts.rounds.items() if of == stage}
    wanted = settings_of(facts, stage).rounds
    for number in range(1, max(wanted or 0, *rounds, 1) + 1):
        if number not in rounds:
            yield f"Round {number} is not published."
        elif missing := unfinished_tables(facts, rounds[number]):
            tables = ", ".join(map(str, missing))
            yield f"Round {number} has no result yet at table{'s' if len(missing) > 1 else ''} {tables}."


def obstacles(facts: Facts, stage: str, table: Ranked) -> tuple[str, ...]:
    """Everything that keeps a stage from being closed."""
    played = tuple(unfinished(facts, stage))
    return played or tuple(
        f"{', '.join(tie.entrants)} are equal and wait for a {tie.needs}." for tie in table.unresolved
    )
