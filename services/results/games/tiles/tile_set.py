"""A set of tiles: how many there are of each letter, and what they are worth."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.results.games.tiles.letters import LETTERS, tiles_of
from services.results.games.verdict import unfit

BLANK = "?"
RACK = 7


@dataclass(frozen=True, kw_only=True, slots=True)
class TileSet:
    id: str
    title: str
    blanks: int
    values: Mapping[str, int]
    counts: Mapping[str, int]

    @property
    def size(self) -> int:
        return self.blanks + sum(self.counts.values())

    @property
    def points(self) -> int:
        return sum(count * self.values[letter] for letter, count in self.counts.items())

    def value(self, tile: str) -> int:
        return 0 if tile == BLANK else self.values[tile]

    def may_be_blank(self, letter: str) -> bool:
        """A blank is one tile, so it never stands for CH, DZ or DŽ."""
        return letter in LETTERS

    def blanks_for(self, word: str) -> int | None:
        """How many blanks the word takes at least when laid with this set; none where it cannot be laid."""
        letters = Counter(tiles_of(word))
        if not letters.keys() <= LETTERS:
            return None
        wanted = sum(max(0, count - self.counts.get(letter, 0)) for letter, count in letters.items())
        return wanted if wanted <= self.blanks else None

    def rack_value(self, rack: Iterable[str], pointer: str = "/rack") -> int:
        """What is left on a rack; a blank is written as ?."""
        tiles = list(rack)
        self.require(tiles, pointer)
        return sum(self.value(tile) for tile in tiles)

    def require(self, tiles: list[str], pointer: str) -> None:
        if len(tiles) > RACK:
            raise unfit(pointer, f"has {len(tiles)} tiles: a rack has at most {RACK}")
        for tile, count in Counter(tiles).items():
            there = self.blanks if tile == BLANK else self.counts.get(tile, 0)
            if count > there:
                raise unfit(pointer, f"has {count} of {tile}, of which the set {self.id} has {there}")
