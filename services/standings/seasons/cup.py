"""The cup: the best results fill slots, each times its coefficient."""

from collections.abc import Iterator
from fractions import Fraction

from services.standings.seasons.places import Earned, Earnings, best
from shared.rulesets.season import Season
from shared.values import Value


class Filled(Value):
    """A result in its slot."""

    earned: Earned
    coefficient: Fraction

    @property
    def points(self) -> Fraction:
        return self.earned.points * self.coefficient


class CupRow(Value):
    place: int
    player: str
    slots: tuple[Filled, ...]

    @property
    def points(self) -> Fraction:
        return sum((filled.points for filled in self.slots), Fraction(0))


def cup(season: Season, earned: Earnings) -> tuple[CupRow, ...]:
    """Who took part in anything that a slot counts, best first; equal sums share a place."""
    counted = {kind for slot in season.slots for kind in slot.kinds}
    sums = [
        CupRow(place=0, player=player, slots=tuple(filled(season, results)))
        for player, results in earned.items()
        if any(one.tournament.kind in counted for one in results)
    ]
    sums.sort(key=lambda row: (-row.points, row.player))
    better = {points: index for index, points in reversed([*enumerate(row.points for row in sums)])}
    return tuple(CupRow(place=better[row.points] + 1, player=row.player, slots=row.slots) for row in sums)


def filled(season: Season, results: tuple[Earned, ...]) -> Iterator[Filled]:
    """What brings no points fills nothing."""
    for slot in season.slots:
        for one in best(results, slot.kinds)[: slot.best]:
            if one.points:
                yield Filled(earned=one, coefficient=slot.coefficient)
