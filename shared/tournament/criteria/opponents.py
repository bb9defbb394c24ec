"""Criteria that look at how well the opponents did. Rounds without a game count as the regime of the ruleset says.

- buchholz: Σ opponents' points, without their penalties (SK.STA-1). Opponents with 3, 2 and 1½: 6½.
- median_buchholz: the same without the highest and the lowest; 0 of fewer than three (PQ.STA-3, SK.STA-1). 2.
- buchholz_cut1: the same without the lowest, of rounds that were skipped if there are any (FIDE's tie-breaks). 5.
- sonneborn_berger: Σ opponent's points * points got against them (SK.STA-2). Beat 3 and drew with 2: 3 + 1 = 4.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from shared.numbers import in_words
from shared.tournament.criteria.criterion import Addend, Measured, per_product
from shared.tournament.criteria.own_results import is_won_in, opponent_of
from shared.tournament.criteria.unplayed import OpponentPoints, Regime, regime_of, was_skipped
from shared.tournament.ledger import Ledger, RoundTurn
from shared.values import Value

LEAST_FOR_MEDIAN = 3
HIGHEST_TOO = "fewer than three opponents leave nothing"

type Measure = Callable[[Ledger, Iterable[str]], Mapping[str, int]]


class Contribution(Value):
    """What a round adds: the opponent's points, or what the ruleset makes of a round without a game."""

    units: int
    turn: RoundTurn
    is_played: bool


@dataclass(frozen=True, eq=False)
class Contributions:
    """What every round of everybody adds, under the regime of the ruleset."""

    ledger: Ledger
    only_beaten: bool = False

    @classmethod
    def counted(cls, ledger: Ledger) -> Self:
        """The contributions of those opponents that the ruleset counts."""
        return cls(ledger, only_beaten=ledger.settings.standings.buchholz_opponents == "beaten")

    @cached_property
    def regime(self) -> Regime:
        return regime_of(self.ledger)

    @cached_property
    def points(self) -> OpponentPoints:
        return self.regime.opponents_of(self.ledger)

    def turns(self, entrant: str) -> Sequence[RoundTurn]:
        turns = self.ledger.turns[entrant]
        return list(filter(is_won_in(self.ledger), turns)) if self.only_beaten else turns

    def units(self, entrant: str, turn: RoundTurn) -> int:
        if not self.regime.is_played(turn):
            return self.regime.own(self.ledger, entrant, turn, self.points)
        return sum([self.points[opponent] for opponent in turn.opponents])

    def of_several(self, several: Iterable[str]) -> Mapping[str, Sequence[int]]:
        """What each of several has of every round; of a game against one opponent, as mostly, in fewer steps."""
        points, forfeits_too = self.points, self.regime.forfeits_are_played
        return {
            one: [
                points[turn.opponents[0]]
                if turn.kind == "game" and len(turn.opponents) == 1 and (forfeits_too or not turn.was_forfeit)
                else self.units(one, turn)
                for turn in self.turns(one)
            ]
            for one in several
        }

    def of(self, entrant: str) -> list[Contribution]:
        return [
            Contribution(units=self.units(entrant, turn), turn=turn, is_played=self.regime.is_played(turn))
            for turn in self.turns(entrant)
        ]

    def is_skipped(self, entrant: str, turn: RoundTurn) -> bool:
        return not self.regime.is_played(turn) and was_skipped(self.ledger, entrant, turn)

    def without_one(self, entrant: str) -> int:
        """Without the lowest, of rounds that were skipped if there are any."""
        units = {turn: self.units(entrant, turn) for turn in self.turns(entrant)}
        skipped = [units[turn] for turn in units if self.is_skipped(entrant, turn)]
        return sum(units.values()) - min(skipped or units.values(), default=0)


def median(values: Sequence[int]) -> int:
    """Without the best and the worst opponent; nothing is left of fewer than three."""
    return sum(values) - max(values) - min(values) if len(values) >= LEAST_FOR_MEDIAN else 0


def over_opponents(total: Callable[[Sequence[int]], int]) -> Measure:
    def measure(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
        units = units_of(ledger)
        return {one: total(units[one]) for one in several}

    return measure


def units_of(ledger: Ledger) -> Mapping[str, Sequence[int]]:
    """What counts of the opponents of everybody, worked out once for all criteria of a table."""
    return ledger.measured("units of opponents", Contributions.counted(ledger).of_several, "opponents")


def cut_one(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
    found = Contributions.counted(ledger)
    return {one: found.without_one(one) for one in several}


def sonneborn_berger(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
    """What the opponents have, each times what was got against them; of all opponents."""
    found = Contributions(ledger)
    return {
        one: sum([found.units(one, turn) * turn.points for turn in ledger.turns[one] if turn.points]) for one in several
    }


def none_cut(_: Contributions, __: str) -> Mapping[int, str]:
    return {}


def lowest_cut(found: Contributions, entrant: str) -> Mapping[int, str]:
    several = found.of(entrant)
    skipped = [number for number, one in enumerate(several) if found.is_skipped(entrant, one.turn)]
    why = "a round that was skipped is left out first" if skipped else "the lowest is left out"
    number = min(skipped or range(len(several)), key=lambda number: several[number].units, default=None)
    return {} if number is None else {number: why}


def both_cut(found: Contributions, entrant: str) -> Mapping[int, str]:
    several = found.of(entrant)
    by_value = sorted(range(len(several)), key=lambda number: several[number].units)
    if len(several) < LEAST_FOR_MEDIAN:
        return dict.fromkeys(by_value, HIGHEST_TOO)
    return {by_value[0]: "the lowest is left out", by_value[-1]: "the highest is left out"}


def addends_without(
    cut: Callable[[Contributions, str], Mapping[int, str]],
) -> Callable[[Ledger, str], tuple[Addend, ...]]:
    """Each opponent's addend; of those that are cut, why."""

    def addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
        found = Contributions.counted(ledger)
        why = cut(found, entrant)
        return tuple(
            Addend(
                value=ledger.exact(one.units),
                what=one.turn.kind,
                round=one.turn.round,
                opponent=opponent_of(one.turn),
                counted=number not in why,
                why=why.get(number) or why_unplayed(found, one),
            )
            for number, one in enumerate(found.of(entrant))
        )

    return addends


def why_unplayed(found: Contributions, one: Contribution) -> str | None:
    return None if one.is_played else found.regime.sentence


def sonneborn_berger_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    found = Contributions(ledger)
    return tuple(
        Addend(
            value=ledger.exact(one.units * one.turn.points, square=True),
            what=one.turn.kind,
            round=one.turn.round,
            opponent=opponent_of(one.turn),
            why=why_unplayed(found, one)
            or f"{in_words(ledger.exact(one.turn.points))} × {in_words(ledger.exact(one.units))}",
        )
        for one in found.of(entrant)
    )


OPPONENTS = (
    Measured(
        name="median_buchholz",
        title="median Buchholz",
        reach="opponents",
        measure=over_opponents(median),
        addends=addends_without(both_cut),
    ),
    Measured(
        name="buchholz",
        title="Buchholz",
        reach="opponents",
        measure=over_opponents(sum),
        addends=addends_without(none_cut),
    ),
    Measured(
        name="buchholz_cut1",
        title="Buchholz without the lowest",
        reach="opponents",
        measure=cut_one,
        addends=addends_without(lowest_cut),
    ),
    Measured(
        name="sonneborn_berger",
        title="Sonneborn–Berger",
        per=per_product,
        reach="opponents",
        measure=sonneborn_berger,
        addends=sonneborn_berger_addends,
    ),
)
