"""Brackets: those with equal points. Whom to compare in a field that is too large to compare everybody."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from services.pairing.engines.field import Player
from services.pairing.engines.matching import Link


def in_brackets(players: Sequence[Player]) -> list[Player]:
    """Everybody with the place among those with equal points."""
    brackets = [list(equal) for _, equal in groupby(players, lambda player: player.points)]
    return [
        replace(player, bracket_place=place, bracket_size=len(bracket))
        for bracket in brackets
        for place, player in enumerate(bracket)
    ]


def neighbourhoods(players: Sequence[Player], reach: int, everywhere: frozenset[str] = frozenset()) -> Iterator[Link]:
    """Who is near the opponent whom half against half would give, or below the edge that touches one's own bracket.

    Those who are `everywhere` are near to all, and so is the dummy.
    """
    size = len(players)
    for number, player in enumerate(players):
        if player.id in everywhere or player.is_bye:
            yield from ((min(number, other), max(number, other)) for other in range(size) if other != number)
            continue
        end = number - player.bracket_place + player.bracket_size  # where the next bracket begins
        counterpart = number + player.bracket_size // 2
        for other in range(max(counterpart - reach, number + 1), min(counterpart + reach + 1, end)):
            yield number, other
        if end - number <= reach:
            for other in range(end, min(end + reach, size)):
                yield number, other
