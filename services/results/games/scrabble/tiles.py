"""The tiles of Scrabble: how many there are of each letter, what they are worth, and how a word is laid with them.

There is one file for each set, named by the id that rulesets give it. CH, DZ and DŽ are two tiles each, so a word has as
many tiles as it has characters.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from services.results.games.verdict import unfit
from shared.rulesets.play import Contest
from shared.values import Value

BLANK = "?"
RACK = 7


class TileSet(Value):
    id: str
    title: str
    to_be_confirmed: frozenset[str]  # letters whose values the federation has yet to confirm
    blanks: int
    values: Mapping[str, int]
    counts: Mapping[str, int]
    variant: str | None = None  # that is played with it

    def rack_value(self, rack: Iterable[str]) -> int:
        """What is left on a rack; blanks are worth nothing."""
        return sum(self.values[tile] for tile in rack if tile != BLANK)

    def require(self, tiles: Iterable[str], pointer: str) -> None:
        """That so many of each are there."""
        for tile, count in Counter(tiles).items():
            there = self.blanks if tile == BLANK else self.counts.get(tile, 0)
            if count > there:
                raise unfit(pointer, f"have {count} of {tile}, of which there are {there}: {self.title}")


FOLDER = Path(__file__).parent / "tile_sets"


@cache
def ids() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def load(tiles: str) -> TileSet:
    """One of these ids."""
    written: dict[str, Any] = from_json((FOLDER / f"{tiles}.json").read_bytes())
    return TileSet(
        id=written["id"],
        title=written["title"],
        to_be_confirmed=frozenset(written["to_be_confirmed"]),
        blanks=written["blanks"],
        values={letter: int(value) for value, letters in written["letters"].items() for letter in letters},
        counts={letter: count for letters in written["letters"].values() for letter, count in letters.items()},
        variant=written.get("variant"),
    )


def played_with(contest: Contest) -> TileSet | None:
    """The tiles of the variant that was announced, where it has its own, and otherwise those of the ruleset (SK.X-9)."""
    own = (tiles for tiles in map(load, ids()) if tiles.variant is not None and tiles.variant == contest.variant)
    return next(own, load(contest.tiles) if contest.tiles in ids() else None)


SLOVAK = frozenset("AÁÄBCČDĎEÉFGHIÍJKLĹĽMNŇOÓÔPRŔSŠTŤUÚVXYÝZŽ")
FOREIGN = frozenset("WQÖÜĚŘ")  # of words that are valid all the same; by a blank, some by a tile
LETTERS = SLOVAK | FOREIGN
DOUBLE = ("CH", "DZ", "DŽ")

CAPITALS = {letter.lower(): letter for letter in LETTERS}


def tiles_of(word: str) -> tuple[str, ...]:
    """In capitals, and each letter one character however its marks were typed. Foreign signs stay what they are."""
    return tuple(CAPITALS.get(sign, sign) for sign in unicodedata.normalize("NFC", word))


def spelled(word: str) -> str:
    return "".join(tiles_of(word))
