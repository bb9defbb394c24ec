"""A stage up to a round, ready to be measured: who is in it, and what each entrant has done."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm

import msgspec

from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.facts import Entrant, Facts, Penalty, Round
from shared.tournament.stages import field_of, settings_of
from shared.tournament.turns import Finer, Turn, Turns


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """A stage up to a round, ready to be measured. `unit` units make one point; scores have the same unit."""

    facts: Facts
    stage: str
    settings: Settings
    entrants: Mapping[str, Entrant]
    rounds: tuple[int, ...]  # the numbers of those that count
    unit: int
    turns: Mapping[str, tuple[Turn, ...]]
    penalties: tuple[Penalty, ...]
    left: frozenset[str] = frozenset()  # who had left by the last of these rounds

    def exact(self, units: int, *, square: bool = False) -> Fraction:
        """In points. Products of two numbers are in square units."""
        return Fraction(units, self.unit**2 if square else self.unit)

    @cached_property
    def played_points(self) -> Mapping[str, int]:
        """What somebody has from the rounds and brought along, as it counts for opponents."""
        return {
            one: self.units(entrant.carried) + sum([turn.points for turn in self.turns[one]])
            for one, entrant in self.entrants.items()
        }

    @cached_property
    def own_points(self) -> Mapping[str, int]:
        """The same with penalties, which only count for who has them."""
        points = dict(self.played_points)
        for penalty in self.penalties:
            points[penalty.entrant] += self.units(penalty.points)
        return points

    @cached_property
    def win_units(self) -> int:
        """What whoever wins gets at least."""
        scoring = self.settings.scoring
        return self.units(scoring.placement[0] if scoring.placement else scoring.win)

    def units(self, number: Fraction) -> int:
        return number.numerator * (self.unit // number.denominator)


def ledger_of(facts: Facts, stage: str, *, through: int | None = None) -> Ledger:
    """Of the rounds up to a number, or of all that stand."""
    settings = settings_of(facts, stage)
    entrants = bringing_points(facts, stage, settings)
    rounds = [
        facts.rounds[place]
        for place in sorted(place for place in facts.rounds if place[0] == stage)
        if through is None or place[1] <= through
    ]
    penalties = [
        penalty
        for penalty in facts.penalties.values()
        if penalty.stage == stage and penalty.entrant in entrants and (through is None or penalty.round <= through)
    ]
    numbers = chain(
        settings.scoring.bye_scores,
        (settings.scoring.win, settings.scoring.draw, settings.scoring.loss, *(settings.scoring.placement or ())),
        (penalty.points for penalty in penalties),
        (entrant.carried for entrant in entrants.values()),
    )
    unit, turns = written(facts, settings, rounds, entrants, lcm(*{number.denominator for number in numbers}))
    return Ledger(
        facts=facts,
        stage=stage,
        settings=settings,
        entrants=entrants,
        rounds=tuple(one.number for one in rounds),
        unit=unit,
        turns=turns,
        penalties=tuple(penalties),
        left=frozenset(gone(facts, stage, through)),
    )


def written(
    facts: Facts, settings: Settings, rounds: Sequence[Round], entrants: Collection[str], unit: int
) -> tuple[int, Mapping[str, tuple[Turn, ...]]]:
    """In this unit, or in one as fine as a result asks for, which is rare."""
    while True:
        try:
            return unit, Turns(facts, settings, unit).of(rounds, entrants)
        except Finer as finer:
            unit = lcm(unit, finer.denominator)


def gone(facts: Facts, stage: str, through: int | None) -> Iterable[str]:
    """Who left in this stage, as far as the table goes, or before it."""
    ids = [one.id for one in facts.ruleset.stages]
    for entrant, left in facts.left.items():
        is_earlier = ids.index(left.stage) < ids.index(stage)
        if is_earlier or (left.stage == stage and (through is None or left.after_round <= through)):
            yield entrant


def bringing_points(facts: Facts, stage: str, settings: Settings) -> Mapping[str, Entrant]:
    """Who goes on from a stage to one where its points count brings them along; for others they were told."""
    entrants = field_of(facts, stage)
    field = stage_of(facts.ruleset, stage).field
    if not settings.scoring.carry or isinstance(field, Everybody):
        return entrants
    earlier = ledger_of(facts, field.stage)
    if not earlier.rounds:
        return entrants
    return {
        one: entrant
        if one not in earlier.entrants
        else msgspec.structs.replace(entrant, carried=earlier.exact(earlier.own_points[one]))
        for one, entrant in entrants.items()
    }
