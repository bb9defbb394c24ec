"""The tree over a log as RFC 6962 (2.1) has it: its hashes, which subtrees make a proof, and whether a proof holds.

Which subtrees a proof is made of (`beside`, `between`, `around`) follows from halving the tree, as RFC 6962 defines it.
Whether one holds follows from the bits of indexes and sizes, step by step as RFC 9162 (2.1.3.2 and 2.1.4.2) writes it. The
two share nothing, so a mistake in one does not hide behind the same mistake in the other.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise

from shared.proof.findings import Malformed, Refuted

HASH = 32  # bytes
EMPTY = sha256(b"").digest()  # the root of a tree without leaves
LARGEST = (1 << 63) - 1  # leaves of a tree

type Span = tuple[int, int]  # the leaves of a subtree: from this index up to that one, without it


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def fold(hashes: bytes) -> bytes:
    """The root over hashes that follow each other. The one without a neighbour goes up as it is."""
    while len(hashes) > HASH:
        pairs = range(0, len(hashes) - HASH, 2 * HASH)
        alone = hashes[len(pairs) * 2 * HASH :]
        hashes = b"".join([sha256(b"\x01" + hashes[at : at + 2 * HASH]).digest() for at in pairs]) + alone
    return hashes


def root_over(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes that are all at hand."""
    return fold(b"".join(leaves)) or EMPTY


def split(size: int) -> int:
    """How many of two or more leaves stand on the left: the largest power of two below their number."""
    return 1 << (size - 1).bit_length() - 1


def beside(index: int, size: int) -> list[Span]:
    """What proves that a leaf is in a tree: the subtrees beside the way to it, from the leaf up."""
    if not 0 <= index < size <= LARGEST:
        raise Malformed(f"a tree of {size} leaves has none with the index {index}")
    (start, end), spans = (0, size), list[Span]()
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    return spans[::-1]


def between(old: int, size: int) -> list[Span]:
    """What proves that a tree continues an older one: subtrees of both, then those that stand behind the older one."""
    if not 0 <= old <= size <= LARGEST:
        raise Malformed(f"a tree of {size} leaves does not continue one of {old}")
    if old in (0, size):
        return []
    (start, end), spans = (0, size), list[Span]()
    while end != old:
        middle = start + split(end - start)
        if old <= middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    return [*([(start, end)] if start else []), *spans[::-1]]


def around(indexes: Sequence[int], size: int) -> list[Span]:
    """What proves many leaves at once: from left to right, the largest subtrees that hold none of them."""
    if not is_order(indexes, size):
        raise Malformed(f"these are not indexes of a tree of {size} leaves, each once and in order")
    return list(gaps(indexes, 0, size)) if size else []


def gaps(indexes: Sequence[int], start: int, end: int) -> Iterator[Span]:
    if not indexes:
        yield start, end
    elif end - start > 1:
        middle = start + split(end - start)
        cut = bisect_left(indexes, middle)
        yield from gaps(indexes[:cut], start, middle)
        yield from gaps(indexes[cut:], middle, end)


def is_order(indexes: Sequence[int], size: int) -> bool:
    following = all(one < another for one, another in pairwise(indexes))
    return 0 <= size <= LARGEST and following and (not indexes or (indexes[0] >= 0 and indexes[-1] < size))


def verify_inclusion(*, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """RFC 9162, 2.1.3.2. `leaf` is the leaf's hash."""
    require_hashes(leaf, *proof, root)
    if not 0 <= index < size <= LARGEST:
        raise Refuted(f"a tree of {size} leaves has none with the index {index}")
    found = leaf
    for node, is_left in climbed(index, size - 1, proof):
        found = node_hash(node, found) if is_left else node_hash(found, node)
    if found != root:
        raise Refuted("the leaf is not under this root")


def verify_consistency(*, old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """RFC 9162, 2.1.4.2; what it leaves open, trees without leaves and trees of the same size, takes no proof."""
    require_hashes(old_root, *proof, root)
    if not 0 <= old <= size <= LARGEST:
        raise Refuted(f"a tree of {size} leaves does not continue one of {old}")
    if (old == 0) != (old_root == EMPTY) or (size == 0) != (root == EMPTY):
        raise Refuted("a tree without leaves has the root of nothing, and no other has")
    if old == size and old_root != root:
        raise Refuted("two trees of the same size have other roots: one of them was made anew")
    if old in (0, size):
        if proof:
            raise Refuted("the proof is too long")
        return
    first, *rest = [old_root, *proof] if old & old - 1 == 0 else proof or [b""]
    way, last = old - 1, size - 1
    while way & 1:
        way, last = way >> 1, last >> 1
    before = after = first
    for node, is_left in climbed(way, last, rest):
        before = node_hash(node, before) if is_left else before
        after = node_hash(node, after) if is_left else node_hash(after, node)
    if (before, after) != (old_root, root):
        raise Refuted("the tree does not continue the older one: something older was changed")


def climbed(way: int, last: int, proof: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each node of a proof, and whether it stands to the left of what is below: told by the bits of the way up.

    `way` and `last` are where the way and the right edge of the tree are on the level reached.
    """
    for node in proof:
        if last == 0:
            raise Refuted("the proof is too long")
        is_left = way & 1 == 1 or way == last
        yield node, is_left
        while is_left and way and not way & 1:
            way, last = way >> 1, last >> 1
        way, last = way >> 1, last >> 1
    if last:
        raise Refuted("the proof is too short")


def verify_many(*, leaves: Sequence[tuple[int, bytes]], size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Leaf hashes with their indexes, in order: the way is that of the subtrees in `around`, from left to right."""
    require_hashes(*(leaf for _, leaf in leaves), *proof, root)
    indexes = [index for index, _ in leaves]
    if not is_order(indexes, size):
        raise Refuted(f"these are not leaves of a tree of {size}, each once and in order")
    rest = iter(proof)

    def over(first: int, behind: int, start: int, end: int) -> bytes:
        if first == behind:
            node = next(rest, None)
            if node is None:
                raise Refuted("the proof is too short")
            return node
        if end - start == 1:
            return leaves[first][1]
        middle = start + split(end - start)
        cut = bisect_left(indexes, middle, first, behind)
        return node_hash(over(first, cut, start, middle), over(cut, behind, middle, end))

    if (over(0, len(leaves), 0, size) if size else EMPTY) != root:
        raise Refuted("the leaves are not under this root")
    if next(rest, None) is not None:
        raise Refuted("the proof is too long")


def require_hashes(*hashes: bytes) -> None:
    if any(len(one) != HASH for one in hashes):
        raise Malformed(f"a hash has {HASH} bytes")
