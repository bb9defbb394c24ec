"""The tiles of Scrabble: one file for each set, named by the id that rulesets give it."""

from functools import cache
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from services.results.games.tiles.tile_set import TileSet

FOLDER = Path(__file__).parent


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
        blanks=written["blanks"],
        values={letter: int(value) for value, letters in written["letters"].items() for letter in letters},
        counts={letter: count for letters in written["letters"].values() for letter, count in letters.items()},
    )
