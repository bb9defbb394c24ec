"""How many tables of four and of three a round has: threes only where the number of players demands them."""

from collections.abc import Sequence

FOUR, THREE = 4, 3

type Sizes = tuple[int, ...]  # of the tables, fours first


def sizes(players: int) -> Sizes | None:
    """As few threes as possible. One, two and five cannot be seated."""
    threes = -players % FOUR
    fours, left = divmod(players - THREE * threes, FOUR)
    return None if fours < 0 or left or players < THREE else (FOUR,) * fours + (THREE,) * threes


def are_right(seats: Sequence[int]) -> bool:
    """Whether these are the sizes for so many players, in whatever order."""
    return tuple(sorted(seats, reverse=True)) == sizes(sum(seats))
