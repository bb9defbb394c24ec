"""The board of 15 by 15 points, and the lines on it. Lines do not wrap around."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

SIZE = 15
CENTRE = SIZE // 2
FIVE = 5
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows, columns and both diagonals


@dataclass(frozen=True, slots=True)
class Point:
    row: int
    column: int

    def __str__(self) -> str:
        return f"({self.row}, {self.column})"

    @property
    def from_centre(self) -> int:
        """In steps of a king."""
        return max(abs(self.row - CENTRE), abs(self.column - CENTRE))

    def onwards(self, direction: tuple[int, int]) -> "Point":
        return Point(self.row + direction[0], self.column + direction[1])

    def backwards(self, direction: tuple[int, int]) -> "Point":
        return Point(self.row - direction[0], self.column - direction[1])


POINTS = tuple(Point(row, column) for row in range(SIZE) for column in range(SIZE))
ALL = frozenset(POINTS)


def lines(stones: AbstractSet[Point]) -> Iterator[int]:
    """How long each unbroken line is, in every direction."""
    for direction in DIRECTIONS:
        for stone in stones:
            if stone.backwards(direction) not in stones:
                yield length(stones, stone, direction)


def length(stones: AbstractSet[Point], start: Point, direction: tuple[int, int]) -> int:
    count = 0
    while start in stones:
        start = start.onwards(direction)
        count += 1
    return count


def has_five(stones: AbstractSet[Point], *, longer: bool) -> bool:
    """Whether some line of exactly five, or where longer ones win as well of five or more, stands there."""
    return any(count == FIVE or (longer and count > FIVE) for count in lines(stones))
