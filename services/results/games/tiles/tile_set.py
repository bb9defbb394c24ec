"""A set of tiles: how many there are of each letter, and what they are worth."""

from collections import Counter
from collections.abc import Iterable, Mapping

from services.results.games.verdict import unfit
from shared.values import Value

BLANK = "?"
RACK = 7


class TileSet(Value):
    id: str
    title: str
    blanks: int
    values: Mapping[str, int]
    counts: Mapping[str, int]

    def value(self, tile: str) -> int:
        return 0 if tile == BLANK else self.values[tile]

    def rack_value(self, rack: Iterable[str]) -> int:
        """What is left on a rack; a blank is written as ?."""
        return sum(self.value(tile) for tile in rack)

    def require(self, tiles: Iterable[str], pointer: str) -> None:
        """That so many of each are there."""
        for tile, count in Counter(tiles).items():
            there = self.blanks if tile == BLANK else self.counts.get(tile, 0)
            if count > there:
                raise unfit(pointer, f"have {count} of {tile}, of which there are {there}: {self.title}")
