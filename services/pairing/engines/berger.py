"""Berger's tables: who of n seats meets whom in which round, so that everybody meets everybody once.

Who is named first depends on the two seats only, so it stays balanced in whatever order the rounds are played.
"""

from collections.abc import Sequence

type Seats = tuple[int, int]  # from 1; the one who is named first, then the other


def table(seats: int) -> list[list[Seats]]:
    """Round by round, as few as possible. In an odd field the seat that is missing in a round rests."""
    even = seats + seats % 2
    return [
        [named(one, other, even) for one, other in meeting(even, number) if max(one, other) <= seats]
        for number in range(1, even)
    ]


def meeting(even: int, number: int) -> Sequence[Seats]:
    """The seats whose numbers add up to the round and one more; the last seat meets who would meet itself."""
    others = even - 1
    pairs: list[Seats] = []
    for one in range(1, even):
        other = (number + 1 - one) % others or others
        if one == other:
            pairs.append((one, even))
        elif one < other:
            pairs.append((one, other))
    return pairs


def named(one: int, other: int, even: int) -> Seats:
    """The smaller seat first where the sum is odd, else the larger; against the last seat the lower half is first."""
    smaller, larger = min(one, other), max(one, other)
    is_smaller_first = smaller <= even // 2 if larger == even else (smaller + larger) % 2 == 1
    return (smaller, larger) if is_smaller_first else (larger, smaller)
