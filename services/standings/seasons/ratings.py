"""Ratings: what was scored against what was expected, tournament by tournament, and what idleness costs.

The expectation is a power with a broken exponent. It is computed in decimals of a fixed precision, so that every machine
finds the same.
"""

from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction

from msgspec.structs import replace

from services.standings.seasons.file import Player, SeasonFile, Tournament
from shared.rulesets.season import Rating, Season, Step
from shared.values import Value

EXACTLY = Context(prec=28)
SPREAD = Decimal(400)  # so many points more make ten times the chance


class Rated(Value):
    player: str
    list: str
    before: Decimal
    after: Decimal
    games: int


def ratings(season: Season, file: SeasonFile, *, is_over: bool = True) -> tuple[Rated, ...]:
    """List by list, the best first. Idleness costs something only when the season is over."""
    return tuple(row for rating in season.ratings for row in rating_list(season, rating, file, is_over=is_over))


def rating_list(season: Season, rating: Rating, file: SeasonFile, *, is_over: bool) -> list[Rated]:
    rows = {player.id: at_first(rating, player) for player in file.players}
    for tournament in file.tournaments:
        if list_of(season, tournament) == rating.id:
            rows |= after_tournament(rating, rows, tournament)
    active = active_players(rating, file) if is_over else rows.keys()
    last = [row if row.player in active else replace(row, after=decayed(rating, row.after)) for row in rows.values()]
    return sorted(last, key=lambda row: (-row.after, row.player))


def at_first(rating: Rating, player: Player) -> Rated:
    known, games = (player.rating, player.games) if rating.id == "live" else (player.online_rating, player.online_games)
    before = Decimal(rating.start) if known is None else decimal(known)
    return Rated(player=player.id, list=rating.id, before=before, after=before, games=games)


def list_of(season: Season, tournament: Tournament) -> str | None:
    """The list that a tournament moves. Where its kind can move several, it says which; otherwise that is the first."""
    return tournament.list or next((one.id for one in season.ratings if tournament.kind in one.kinds), None)


def active_players(rating: Rating, file: SeasonFile) -> frozenset[str]:
    kept_by = [tournament for tournament in file.tournaments if tournament.kind in rating.kept_by]
    return frozenset(player.id for player in file.players if player.played_this_season).union(
        (placed.player for tournament in kept_by for placed in tournament.places),
        (player for tournament in kept_by for game in tournament.games for player in game.players),
    )


def after_tournament(rating: Rating, rows: Mapping[str, Rated], tournament: Tournament) -> dict[str, Rated]:
    """All games are held against the ratings from before the tournament."""
    surplus: dict[str, list[Decimal]] = {}
    for game in tournament.games:
        one, other = game.players
        chance = expected(rows[one].after, rows[other].after)
        surplus.setdefault(one, []).append(EXACTLY.subtract(decimal(game.points[0]), chance))
        surplus.setdefault(other, []).append(
            EXACTLY.subtract(decimal(game.points[1]), EXACTLY.subtract(Decimal(1), chance))
        )
    return {player: rated_anew(rating, rows[player], found) for player, found in surplus.items()}


def expected(own: Decimal, opponent: Decimal) -> Decimal:
    exponent = EXACTLY.divide(EXACTLY.subtract(opponent, own), SPREAD)
    return EXACTLY.divide(Decimal(1), EXACTLY.add(Decimal(1), EXACTLY.power(Decimal(10), exponent)))


def rated_anew(rating: Rating, row: Rated, surplus: Sequence[Decimal]) -> Rated:
    few = row.games <= rating.few_games
    after = moved(rating.steps, row.after, sum(surplus, Decimal(0)), few=few)
    if few and rating.surplus_per_game is not None:
        ordinary = decimal(rating.surplus_per_game) * len(surplus)
        after += max(after - row.after - ordinary, Decimal(0))
    return replace(row, after=after, games=row.games + len(surplus))


def moved(steps: Sequence[Step], rating: Decimal, surplus: Decimal, *, few: bool) -> Decimal:
    """Each part of a change has the factor of the step that it lies in."""
    bounds = [None, *(step.below for step in steps)]
    spans = [
        (decimal(step.up_to_games if few else step.above_games), lower, step.below)
        for step, lower in zip(steps, bounds, strict=False)
    ]
    up = surplus > 0
    for factor, lower, upper in spans if up else reversed(spans):
        bound = upper if up else lower
        if bound is not None and (rating >= bound if up else rating <= bound):
            continue
        change = EXACTLY.multiply(surplus, factor)
        if bound is None or abs(change) <= abs(bound - rating):
            return EXACTLY.add(rating, change)
        surplus = EXACTLY.subtract(surplus, EXACTLY.divide(bound - rating, factor))
        rating = Decimal(bound)
    return rating


def decayed(rating: Rating, value: Decimal) -> Decimal:
    """It never falls below the floor by this; who is there or below stays."""
    return value if value <= rating.floor else max(value - rating.decay, Decimal(rating.floor))


def decimal(value: Fraction) -> Decimal:
    return EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))
