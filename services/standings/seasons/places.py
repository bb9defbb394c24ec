"""What a place is worth, and what each player has got in the tournaments of some kinds."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from services.standings.seasons.year import Placed, SeasonFile, Tournament
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


def earnings(season: Season, year: SeasonFile) -> Earnings:
    found: dict[str, list[Earned]] = {player.id: [] for player in year.players}
    for tournament in year.tournaments:
        for placed in tournament.places:
            found[placed.player].append(Earned(tournament=tournament, points=worth(season, placed)))
    played = {player: tuple(results) for player, results in found.items()}
    return {player: (*results, *bonuses(season, year, player, results)) for player, results in played.items()}


def bonuses(season: Season, year: SeasonFile, player: str, results: tuple[Earned, ...]) -> Iterator[Earned]:
    for tournament in year.tournaments:
        for bonus in season.bonuses:
            if player in tournament.organisers and tournament.kind in bonus.kinds:
                elsewhere = best(results, bonus.of)[bonus.as_result - 1 : bonus.as_result]
                if elsewhere:
                    yield Earned(tournament=tournament, points=elsewhere[0].points, bonus=True)


def best(results: tuple[Earned, ...], kinds: Kinds) -> list[Earned]:
    """Of these kinds, the best first; among equals the earlier."""
    return sorted((one for one in results if one.tournament.kind in kinds), key=lambda one: -one.points)
