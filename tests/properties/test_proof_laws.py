"""Laws of every tree: whatever its size and however it grew, the same root stands over it; what holds is proved, and no bit
of a proof can be another one."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.proof.findings import ProofFailure
from shared.proof.keys import KeyKind, Signer
from shared.proof.notes import Checkpoint, Note, open_checkpoint
from shared.proof.receipts import Receipt, WitnessRequest
from shared.proof.tiles import (
    RightEdge,
    Tiles,
    edge_at,
    entries_of,
    entry_bundle,
    grow,
    nodes,
    parse_tile_path,
    sought,
    tile_path,
)
from shared.proof.tree import (
    EMPTY,
    around,
    beside,
    between,
    leaf_hash,
    node_hash,
    root_over,
    verify_consistency,
    verify_inclusion,
    verify_many,
)
from tests.exploring import tries
from tests.proofs import StoredTree, all_tiles, leaves, stored

MOST = 70_000  # leaves of the trees here: three levels of tiles
SIZES = st.integers(0, 600) | st.integers(0, MOST) | st.sampled_from([255, 256, 257, 511, 512, 65_535, 65_536, 65_537])
GROWN = SIZES.filter(bool)


def kept() -> Tiles:
    return stored(MOST).tiles


def pairs(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(sizes, sizes).map(lambda pair: (min(pair), max(pair)))


def as_defined(of: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, word by word."""
    if not of:
        return EMPTY
    if len(of) == 1:
        return of[0]
    half = 1
    while half * 2 < len(of):
        half *= 2
    return node_hash(as_defined(of[:half]), as_defined(of[half:]))


def root(size: int) -> bytes:
    return edge_at(size, kept()).root


def other_bits(content: bytes, seed: int) -> Iterator[bytes]:
    """The same with one bit changed: each bit of a few bytes, wherever these are."""
    for nr in range(3):
        at = (seed * 7919 + nr * 104_729) % len(content) if content else 0
        for bit in range(8 if content else 0):
            yield content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def refused(check: Callable[[], object]) -> bool:
    try:
        check()
    except ProofFailure:
        return True
    return False


@given(st.lists(st.binary(max_size=40), max_size=80))
@settings(max_examples=tries(150), deadline=None)
def test_a_root_is_as_rfc_6962_defines_it(entries: list[bytes]) -> None:
    of = list(map(leaf_hash, entries))
    assert root_over(of) == grow(RightEdge(), of)[0].root == as_defined(of)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 255, 256, 257, 1000, 65_536, 65_793])
def test_a_tree_of_any_size_is_as_rfc_6962_defines_it(size: int) -> None:
    assert root(size) == root_over(leaves(MOST)[:size]) == as_defined(leaves(MOST)[:size])


@given(st.lists(st.integers(0, 700), max_size=8))
@settings(max_examples=tries(60), deadline=None)
def test_however_a_tree_grew_it_is_the_same(steps: list[int]) -> None:
    tree, size = StoredTree(), 0
    for step in steps:
        changed = tree.take(leaves(MOST)[size : size + step])
        size += step
        assert tree.edge == edge_at(size, tree.tiles) == edge_at(size, kept())
        assert len(changed) <= step // 256 + 4  # what is stored again is the right edge only
    whole = {(level, number): kept()[level, number][: 32 * width] for level, number, width in all_tiles(size)}
    assert tree.tiles == whole


@given(GROWN.flatmap(lambda size: st.tuples(st.integers(0, size - 1), st.just(size))))
@settings(max_examples=tries(300), deadline=None)
def test_every_leaf_is_proved_and_no_bit_can_be_another(drawn: tuple[int, int]) -> None:
    index, size = drawn
    leaf, proof, over = leaves(MOST)[index], nodes(beside(index, size), kept()), root(size)
    check = partial(verify_inclusion, index=index, size=size)
    check(leaf=leaf, proof=proof, root=over)
    for other in other_bits(leaf, index):
        assert refused(lambda leaf=other: check(leaf=leaf, proof=proof, root=over))
    for other in other_bits(over, index):
        assert refused(lambda root=other: check(leaf=leaf, proof=proof, root=root))
    for other in other_bits(b"".join(proof), index):
        changed = [other[at : at + 32] for at in range(0, len(other), 32)]
        assert refused(lambda proof=changed: check(leaf=leaf, proof=proof, root=over))
    for proofs in (proof[:-1], [*proof, over]):
        assert proofs == proof or refused(lambda proof=proofs: check(leaf=leaf, proof=proof, root=over))
    for elsewhere in {index ^ 1, (index + 1) % size, size // 2, 0} - {index}:
        assert refused(lambda at=elsewhere: verify_inclusion(leaf=leaf, index=at, size=size, proof=proof, root=over))


@given(pairs(SIZES))
@settings(max_examples=tries(300), deadline=None)
def test_every_growth_is_proved_and_no_bit_can_be_another(sizes: tuple[int, int]) -> None:
    old, size = sizes
    proof, before, after = nodes(between(old, size), kept()), root(old), root(size)
    check = partial(verify_consistency, old=old, size=size)
    check(old_root=before, root=after, proof=proof)
    for other in other_bits(before, size):
        assert refused(lambda old_root=other: check(old_root=old_root, root=after, proof=proof))
    for other in other_bits(after, size) if old else ():  # every tree continues one without leaves
        assert refused(lambda root=other: check(old_root=before, root=root, proof=proof))
    for other in other_bits(b"".join(proof), size):
        changed = [other[at : at + 32] for at in range(0, len(other), 32)]
        assert refused(lambda proof=changed: check(old_root=before, root=after, proof=proof))
    for proofs in (proof[:-1], [*proof, after]):
        assert proofs == proof or refused(lambda proof=proofs: check(old_root=before, root=after, proof=proof))


@given(pairs(GROWN), st.data())
@settings(max_examples=tries(100), deadline=None)
def test_a_tree_in_which_something_older_was_changed_continues_nothing(
    sizes: tuple[int, int], data: st.DataObject
) -> None:
    old, size = (min(one, 3000) for one in sizes)
    at = data.draw(st.integers(0, old - 1))
    rewritten = StoredTree()
    rewritten.take([leaf_hash(b"another") if nr == at else leaf for nr, leaf in enumerate(leaves(MOST)[:size])])
    proof = nodes(between(old, size), rewritten.tiles)
    check = partial(verify_consistency, old=old, old_root=root(old), size=size, proof=proof)
    assert refused(lambda: check(root=rewritten.edge.root))


@given(GROWN.flatmap(lambda size: st.tuples(st.just(size), st.sets(st.integers(0, size - 1), max_size=12))))
@settings(max_examples=tries(200), deadline=None)
def test_any_leaves_are_proved_together_and_no_bit_can_be_another(drawn: tuple[int, set[int]]) -> None:
    size, indexes = drawn[0], sorted(drawn[1])
    proof, over = nodes(around(indexes, size), kept()), root(size)
    shown = [(index, leaves(MOST)[index]) for index in indexes]
    check = partial(verify_many, size=size, root=over)
    check(leaves=shown, proof=proof)
    for other in other_bits(b"".join(proof), size):
        changed = [other[at : at + 32] for at in range(0, len(other), 32)]
        assert refused(lambda proof=changed: check(leaves=shown, proof=proof))
    for nr, (index, leaf) in enumerate(shown[:3]):
        other = (index, next(other_bits(leaf, index)))
        assert refused(lambda leaves=[*shown[:nr], other, *shown[nr + 1 :]]: check(leaves=leaves, proof=proof))
        assert refused(lambda leaves=shown[:nr] + shown[nr + 1 :]: check(leaves=leaves, proof=proof))


@given(pairs(GROWN))
@settings(max_examples=tries(100), deadline=None)
def test_a_proof_is_made_of_few_tiles_that_are_named_beforehand(sizes: tuple[int, int]) -> None:
    old, size = sizes
    for spans in (beside(old - 1, size), between(old, size)):
        few = {one: kept()[one] for one in sought(spans)}
        assert nodes(spans, few) == nodes(spans, kept())
        assert len(few) <= 6


LOG = Signer(name="log.example/a", kind=KeyKind.LOG, seed=bytes(32))
WITNESS = Signer(name="witness.example", kind=KeyKind.WITNESS, seed=bytes([1]) * 32)
NOTE = Note(text=Checkpoint(origin=LOG.key.name, size=0, root=EMPTY).text, signatures=()).signed_by(LOG)


def signed(size: int) -> bytes:
    text = Checkpoint(origin=LOG.key.name, size=size, root=root(size)).text
    return bytes(Note(text=text, signatures=()).signed_by(LOG).signed_by(WITNESS, at=1_763_812_800))


@given(GROWN, st.integers(0, 2**32))
@settings(max_examples=tries(100), deadline=None)
def test_no_bit_of_a_receipt_can_be_another(size: int, seed: int) -> None:
    index = seed % size
    content = bytes(Receipt(index=index, proof=tuple(nodes(beside(index, size), kept())), checkpoint=signed(size)))
    keys, leaf = [LOG.key, WITNESS.key], leaves(MOST)[index]
    assert Receipt.parse(content).verify(leaf, keys).checkpoint.size == size
    for other in other_bits(content, seed):
        try:
            found = Receipt.parse(other).verify(leaf, keys)
        except ProofFailure:
            continue
        assert WITNESS.key not in found.signers  # the line became that of a stranger: nobody counts it any more
        assert (found.checkpoint.size, found.checkpoint.root) == (size, root(size))


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode), st.integers(0, 2**32))
@settings(max_examples=tries(150), deadline=None)
def test_whatever_is_handed_in_is_read_or_refused(content: bytes, seed: int) -> None:
    right = bytes(NOTE)
    at = seed % len(right)
    for given_in in (content, right[:at] + content + right[at:]):
        for check in (Note.parse, Receipt.parse, WitnessRequest.parse, partial(open_checkpoint, keys=[LOG.key])):
            refused(partial(check, given_in))  # any other exception than a refusal fails here
        assert refused(partial(parse_tile_path, given_in.decode(errors="replace")))


@given(st.integers(0, 63) | st.just("entries"), st.integers(0, 10**15), st.integers(1, 256))
@settings(max_examples=tries(200), deadline=None)
def test_every_tile_has_one_path(level: int | str, number: int, width: int) -> None:
    assert parse_tile_path(tile_path(level, number, width)) == (level, number, width)


@given(st.lists(st.binary(max_size=70), max_size=256))
@settings(max_examples=tries(100), deadline=None)
def test_entries_are_read_as_they_are_served(entries: list[bytes]) -> None:
    assert entries_of(entry_bundle(entries)) == entries
