"""What a place is worth, what each player has got, and the cup: the best results fill slots, each times its coefficient."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from services.standings.seasons.file import Placed, SeasonFile, Tournament
from shared.rulesets.season import Kinds, Season
from shared.values import Value


class Earned(Value):
    """The points that somebody got in one tournament."""

    tournament: Tournament
    points: Fraction
    bonus: bool = False  # for organising it


type Earnings = Mapping[str, tuple[Earned, ...]]  # by player, in the order of the tournaments


def worth(season: Season, placed: Placed) -> Fraction:
    """A place below the last that brings points brings none; the points of the expelled go to nobody."""
    counts = not placed.expelled and placed.place <= len(season.places)
    return season.places[placed.place - 1] if counts else Fraction(0)


def earnings(season: Season, file: SeasonFile) -> Earnings:
    found: dict[str, list[Earned]] = {player.id: [] for player in file.players}
    for tournament in file.tournaments:
        for placed in tournament.places:
            found[placed.player].append(Earned(tournament=tournament, points=worth(season, placed)))
    played = {player: tuple(results) for player, results in found.items()}
    return {player: (*results, *bonuses(season, file, player, results)) for player, results in played.items()}


def bonuses(season: Season, file: SeasonFile, player: str, results: tuple[Earned, ...]) -> Iterator[Earned]:
    for tournament in file.tournaments:
        for bonus in season.bonuses:
            if player in tournament.organisers and tournament.kind in bonus.kinds:
                elsewhere = best(results, bonus.of)[bonus.as_result - 1 : bonus.as_result]
                if elsewhere:
                    yield Earned(tournament=tournament, points=elsewhere[0].points, bonus=True)


def best(results: tuple[Earned, ...], kinds: Kinds) -> list[Earned]:
    """The results of these kinds, the best first; among equals the earlier."""
    return sorted((one for one in results if one.tournament.kind in kinds), key=lambda one: -one.points)


class FilledSlot(Value):
    """A result in its slot."""

    earned: Earned
    coefficient: Fraction

    @property
    def points(self) -> Fraction:
        return self.earned.points * self.coefficient


class CupSum(Value):
    place: int
    player: str
    slots: tuple[FilledSlot, ...]

    @property
    def points(self) -> Fraction:
        return sum((filled.points for filled in self.slots), Fraction(0))


def cup(season: Season, earned: Earnings) -> tuple[CupSum, ...]:
    """Who took part in anything that a slot counts, best first; equal sums share a place."""
    counted = {kind for slot in season.slots for kind in slot.kinds}
    sums = [
        CupSum(place=0, player=player, slots=tuple(filled(season, results)))
        for player, results in earned.items()
        if any(one.tournament.kind in counted for one in results)
    ]
    sums.sort(key=lambda row: (-row.points, row.player))
    better = {points: index for index, points in reversed([*enumerate(row.points for row in sums)])}
    return tuple(CupSum(place=better[row.points] + 1, player=row.player, slots=row.slots) for row in sums)


def filled(season: Season, results: tuple[Earned, ...]) -> Iterator[FilledSlot]:
    """What brings no points fills nothing. A contest counts once, with the better of a place in it and of its bonuses."""
    for slot in season.slots:
        each: dict[str, Earned] = {}
        for one in best(results, slot.kinds):
            each.setdefault(one.tournament.id, one)
        for one in [*each.values()][: slot.best]:
            if one.points:
                yield FilledSlot(earned=one, coefficient=slot.coefficient)
