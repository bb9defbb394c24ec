"""The tree in tiles (C2SP tlog-tiles): how it grows at its right edge, where a tile is served, and proofs made of tiles.

A tile holds 256 hashes that follow each other; one that is full is a single hash of the level above. An unfinished tile is
the beginning of the full one, so whoever keeps the newest form of each has those of every earlier size as well.

    edge, changed = grow(edge, leaves)              the changed tiles are stored together with the new size
    proof = nodes(beside(index, size), stored)      `sought` says beforehand which tiles that takes
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shared.proof.findings import Malformed
from shared.proof.tree import EMPTY, HASH, LARGEST, Span, fold
from shared.values import Value

WIDTH = 256  # hashes in a full tile
HEIGHT = 8  # levels of the tree in one level of tiles
FULL = WIDTH * HASH  # bytes
ENTRIES = "entries"  # in place of a level: the entries themselves
PATH = re.compile(
    rf"tile/({ENTRIES}|[1-5]?[0-9]|6[0-3])/((?:x[0-9]{{3}}/){{0,6}}[0-9]{{3}})(?:\.p/([1-9][0-9]{{0,2}}))?", re.ASCII
)

type TileId = tuple[int, int]  # level and number of a tile
type Tiles = Mapping[TileId, bytes]  # their hashes, one after the other; as many as there are by now


class Tile(Value):
    level: int
    number: int
    hashes: bytes


class RightEdge(Value):
    """All that a tree needs to go on: how many leaves it has, and its unfinished tiles, from the leaves up."""

    size: int = 0
    unfinished: tuple[bytes, ...] = ()

    @property
    def root(self) -> bytes:
        """What stands to the right of a level is an unfinished subtree, and so the last, lone hash of that level."""
        found = b""
        for hashes in self.unfinished:
            found = fold(hashes + found)
        return found or EMPTY


def grow(edge: RightEdge, leaves: Sequence[bytes]) -> tuple[RightEdge, list[Tile]]:
    """The tree with these leaf hashes behind its own, and the tiles that are new or longer than before."""
    new = b"".join(leaves)
    unfinished, changed = list[bytes](), list[Tile]()
    level = 0
    while new or level < len(edge.unfinished):
        before = edge.unfinished[level] if level < len(edge.unfinished) else b""
        hashes = before + new
        whole = len(hashes) // FULL * FULL
        if new:
            first = edge.size >> HEIGHT * (level + 1)
            cuts = range(0, len(hashes), FULL)
            changed += [
                Tile(level=level, number=first + nr, hashes=hashes[at : at + FULL]) for nr, at in enumerate(cuts)
            ]
        unfinished.append(hashes[whole:])
        new = b"".join([fold(hashes[at : at + FULL]) for at in range(0, whole, FULL)])
        level += 1
    return RightEdge(size=edge.size + len(leaves), unfinished=tuple(unfinished)), changed


def edge_at(size: int, tiles: Tiles) -> RightEdge:
    """The edge that a tree had at a size, from its tiles at that size or any later one."""
    unfinished = [hashes_of(tiles, level, number, 0, width) for level, number, width in edge_tiles(size)]
    return RightEdge(size=size, unfinished=tuple(unfinished))


def edge_tiles(size: int) -> list[tuple[int, int, int]]:
    """Level, number and width of the unfinished tile of each level; the width is 0 where a level has none."""
    if not 0 <= size <= LARGEST:
        raise Malformed(f"no tree has {size} leaves")
    levels = -(-size.bit_length() // HEIGHT)
    return [(level, size >> HEIGHT * (level + 1), (size >> HEIGHT * level) % WIDTH) for level in range(levels)]


# Proofs


def pieces(span: Span) -> Iterator[tuple[int, int, int, int]]:
    """The whole subtrees that a subtree consists of, each as level and number of a tile and the hashes in it below which it stands."""
    start, end = span
    while start < end:
        height = (end - start).bit_length() - 1
        level, above = divmod(height, HEIGHT)
        number, first = divmod(start >> HEIGHT * level, WIDTH)
        yield level, number, first, first + (1 << above)
        start += 1 << height


def sought(spans: Iterable[Span]) -> set[TileId]:
    """Which tiles hold the roots of these subtrees."""
    return {(level, number) for span in spans for level, number, _, _ in pieces(span)}


def nodes(spans: Iterable[Span], tiles: Tiles) -> list[bytes]:
    """The roots of these subtrees: a proof, where `beside`, `between` or `around` has named them."""
    return [root_below(span, tiles) for span in spans]


def root_below(span: Span, tiles: Tiles) -> bytes:
    found = b""
    for level, number, first, behind in reversed(list(pieces(span))):
        found = fold(fold(hashes_of(tiles, level, number, first, behind)) + found)
    return found or EMPTY


def hashes_of(tiles: Tiles, level: int, number: int, first: int, behind: int) -> bytes:
    found = tiles.get((level, number), b"")[first * HASH : behind * HASH]
    if len(found) != (behind - first) * HASH:
        raise Malformed(f"{tile_path(level, number)} has no {behind} hashes")
    return found


# As they are served


def tile_path(level: int | str, number: int, width: int = WIDTH) -> str:
    """Where a tile is served, behind the prefix of its log. Entries are served in the same way, at the level `entries`."""
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    *above, last = (digits[at : at + 3] for at in range(0, len(digits), 3))
    path = "/".join(["tile", str(level), *(f"x{part}" for part in above), last])
    return path if width == WIDTH else f"{path}.p/{width}"


def parse_tile_path(path: str) -> tuple[int | str, int, int]:
    """Level, number and width that a path asks for; every tile has one path only."""
    if found := PATH.fullmatch(path):
        level = found[1] if found[1] == ENTRIES else int(found[1])
        number, width = int(re.sub("[x/]", "", found[2])), int(found[3] or WIDTH)
        if tile_path(level, number, width) == path:
            return level, number, width
    raise Malformed(f"no tile is served at {path!r}")


def entry_bundle(entries: Iterable[bytes]) -> bytes:
    """How the entries of up to 256 leaves are served: each behind its length in two bytes."""
    return b"".join([len(entry).to_bytes(2, "big") + entry for entry in entries])


def entries_of(bundle: bytes) -> list[bytes]:
    found, at = list[bytes](), 0
    while at < len(bundle):
        length = int.from_bytes(bundle[at : at + 2], "big")
        found.append(bundle[at + 2 : at + 2 + length])
        at += 2 + length
    if at != len(bundle) or len(found) > WIDTH:
        raise Malformed("this is no bundle of entries")
    return found
