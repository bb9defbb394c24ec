"""Trees to test with: the leaves that the vectors are made of, and the examples themselves."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shared.proof.keys import VerifierKey
from shared.proof.leaves import entry, log_leaf
from shared.proof.tiles import WIDTH, RightEdge, Tile, TileId, edge_tiles, grow

VECTORS = Path(__file__).parent / "vectors" / "proof" / "vectors.json"


@cache
def vectors() -> dict[str, Any]:
    return json.loads(VECTORS.read_text(encoding="utf-8"))


def record(index: int) -> bytes:
    return b'{"n":%d}' % index


def message(index: int) -> bytes | None:
    return b'{"said":%d}' % index if index % 3 else None


def entry_at(index: int) -> bytes:
    return entry(record(index), message(index))


@cache
def leaves(size: int) -> list[bytes]:
    return [log_leaf(record(index), message(index)) for index in range(size)]


class StoredTree:
    """Keeps the newest form of each tile, as a service does, and grows by as many leaves as come at a time."""

    def __init__(self) -> None:
        self.edge = RightEdge()
        self.tiles: dict[TileId, bytes] = {}

    def take(self, new: Sequence[bytes]) -> list[Tile]:
        self.edge, changed = grow(self.edge, new)
        self.tiles |= {(tile.level, tile.number): tile.hashes for tile in changed}
        return changed


@cache
def stored(size: int) -> StoredTree:
    tree = StoredTree()
    tree.take(leaves(size))
    return tree


def all_tiles(size: int) -> Iterator[tuple[int, int, int]]:
    """Level, number and width of each tile of a tree."""
    for level, last, width in edge_tiles(size):
        yield from ((level, number, WIDTH) for number in range(last))
        if width:
            yield level, last, width


def hashes(written: Sequence[str]) -> list[bytes]:
    return [bytes.fromhex(one) for one in written]


def keys(written: Sequence[str]) -> list[VerifierKey]:
    return [VerifierKey.parse(one) for one in written]
