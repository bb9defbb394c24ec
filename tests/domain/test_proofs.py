"""Proofs as everybody may check them: `tests/vectors/proof` says what holds and what is refused."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest

from shared.proof import keys as keys_of
from shared.proof.findings import Malformed, ProofFailure, Refuted
from shared.proof.keys import KeyKind, Signer, VerifierKey
from shared.proof.leaves import leaves_of, message_leaf
from shared.proof.notes import Checkpoint, Note, open_checkpoint
from shared.proof.receipts import Receipt, WitnessRequest
from shared.proof.tiles import (
    RightEdge,
    edge_at,
    entries_of,
    entry_bundle,
    grow,
    nodes,
    parse_tile_path,
    tile_path,
)
from shared.proof.tree import (
    EMPTY,
    around,
    beside,
    between,
    root_over,
    verify_consistency,
    verify_inclusion,
    verify_many,
)
from tests.proofs import all_tiles, entry_at, hashes, keys, leaves, message, record, stored, vectors

ORIGIN = "roundlog.example/results/0b7c8d0e-52f1-4c0e-9d55-6f2f3a1e8c11"


def included(case: dict[str, Any]) -> None:
    leaf, root = hashes([case["leaf"], case["root"]])
    verify_inclusion(leaf=leaf, index=case["index"], size=case["size"], proof=hashes(case["proof"]), root=root)


def continued(case: dict[str, Any]) -> None:
    old_root, root = hashes([case["old_root"], case["root"]])
    proof = hashes(case["proof"])
    verify_consistency(old=case["old"], old_root=old_root, size=case["size"], root=root, proof=proof)


def opened(case: dict[str, Any]) -> None:
    signers = Note.parse(case["note"].encode()).signers(keys(case["keys"]))
    assert {key.vkey: at or 0 for key, at in signers.items()} == case["signers"]


def received(case: dict[str, Any]) -> None:
    Receipt.parse(case["receipt"].encode()).verify(bytes.fromhex(case["leaf"]), keys(case["keys"]))


WAYS: dict[str, Callable[[dict[str, Any]], object]] = {
    "inclusion": included,
    "consistency": continued,
    "notes": opened,
    "receipts": received,
    "keys": lambda case: VerifierKey.parse(case["key"]),
    "weak_keys": lambda case: VerifierKey.parse(case["key"]),
    "checkpoints": lambda case: Checkpoint.parse(case["text"]),
    "paths": lambda case: parse_tile_path(case["path"]),
}


def refused() -> Iterator[Any]:
    for kind, cases in vectors()["refused"].items():
        yield from (pytest.param(kind, case, id=f"{kind}: {case['why']}") for case in cases)


def holding() -> Iterator[Any]:
    for kind in ("inclusion", "consistency", "notes", "receipts", "paths"):
        yield from (pytest.param(kind, case, id=f"{kind} {nr}") for nr, case in enumerate(vectors()[kind]))


@pytest.mark.parametrize(("kind", "case"), list(holding()))
def test_what_holds_is_found_to_hold(kind: str, case: dict[str, Any]) -> None:
    WAYS[kind](case)


@pytest.mark.parametrize(("kind", "case"), list(refused()))
def test_what_does_not_hold_is_refused(kind: str, case: dict[str, Any]) -> None:
    with pytest.raises(ProofFailure):
        WAYS[kind](case)


def test_leaves_and_roots_are_those_of_the_vectors() -> None:
    known = vectors()
    size = len(known["leaves"])
    assert entry_at(0).hex() == known["entry_0"]
    assert leaves(size) == hashes(known["leaves"])
    assert hashes(known["roots"]) == [edge_at(n, stored(size).tiles).root for n in range(size + 1)]
    said = [message_leaf(one) for index in range(size) if (one := message(index))]
    assert root_over(said).hex() == known["messages_root"]


def test_an_event_has_both_leaves_at_once() -> None:
    for index, said in ((0, None), (1, b'{"said":1}')):
        assert message(index) == said
        both = leaves(2)[index], None if said is None else message_leaf(said)
        assert leaves_of(record(index), said) == both


def test_tiles_are_those_of_the_vectors() -> None:
    large = vectors()["large"]
    tree = stored(large["size"])
    assert tree.edge.root.hex() == large["root"]
    widths = {
        tile_path(level, number, width): (level, number, width) for level, number, width in all_tiles(tree.edge.size)
    }
    for path, tile in large["tiles"].items():
        level, number, width = widths[path]
        served = tree.tiles[level, number][: width * 32]
        assert (len(served), sha256(served).hexdigest()) == (tile["bytes"], tile["sha256"])


def test_a_tree_has_no_tile_without_hashes() -> None:
    assert list(all_tiles(255)) == [(0, 0, 255)]
    assert list(all_tiles(256)) == [(0, 0, 256), (1, 0, 1)]
    assert list(all_tiles(0)) == []


def test_entries_are_served_as_in_the_vectors() -> None:
    entries, size = vectors()["entries"], len(vectors()["leaves"])
    bundle = entry_bundle(entry_at(index) for index in range(256, size))
    assert (tile_path("entries", 1, size - 256), sha256(bundle).hexdigest()) == (entries["path"], entries["sha256"])
    assert entries_of(bundle) == [entry_at(index) for index in range(256, size)]
    for broken in (bundle[:-1], bundle + b"\0", entry_bundle([b"x"] * 257)):
        with pytest.raises(Malformed):
            entries_of(broken)


def test_proofs_are_made_as_in_the_vectors() -> None:
    tiles = stored(vectors()["large"]["size"]).tiles
    for case in vectors()["inclusion"]:
        assert nodes(beside(case["index"], case["size"]), tiles) == hashes(case["proof"])
    for case in vectors()["consistency"]:
        assert nodes(between(case["old"], case["size"]), tiles) == hashes(case["proof"])
    many = vectors()["many"]
    assert nodes(around(many["indexes"], many["size"]), tiles) == hashes(many["proof"])


def test_many_leaves_are_proved_at_once() -> None:
    many = vectors()["many"]
    size, proof, root = many["size"], hashes(many["proof"]), bytes.fromhex(many["root"])
    indexes: list[int] = many["indexes"]
    right = [(index, leaves(size)[index]) for index in indexes]
    verify_many(leaves=right, size=size, proof=proof, root=root)
    wrong: list[tuple[list[tuple[int, bytes]], list[bytes]]] = [
        (right, proof[:-1]),
        (right, [*proof, proof[0]]),
        (right[1:], proof),
        ([right[1], right[0], *right[2:]], proof),
        ([*right, right[-1]], proof),
        ([*right[:-1], (size, right[-1][1])], proof),
        ([(0, right[1][1]), *right[1:]], proof),
    ]
    for shown, given in wrong:
        with pytest.raises(Refuted):
            verify_many(leaves=shown, size=size, proof=given, root=root)


def test_nothing_at_all_has_a_root_and_a_proof() -> None:
    assert RightEdge().root == EMPTY == root_over([])
    verify_many(leaves=[], size=0, proof=[], root=EMPTY)
    verify_consistency(old=0, old_root=EMPTY, size=0, root=EMPTY, proof=[])
    with pytest.raises(Refuted):
        verify_consistency(old=0, old_root=EMPTY, size=0, root=bytes(32), proof=[])


def test_a_proof_of_what_cannot_be_is_not_made() -> None:
    for spans in (lambda: beside(5, 5), lambda: between(6, 5), lambda: around([3, 3], 5), lambda: around([5], 5)):
        with pytest.raises(Malformed):
            spans()
    with pytest.raises(Malformed):
        nodes(beside(0, 300), stored(260).tiles)
    with pytest.raises(Malformed):
        edge_at(300, stored(260).tiles)
    with pytest.raises(Malformed):
        edge_at(-1, {})


def test_what_a_log_asks_of_its_witness_is_read_as_written() -> None:
    roots = hashes(vectors()["roots"])
    for case in vectors()["requests"]:
        request = WitnessRequest.parse(case["request"].encode())
        assert bytes(request).decode() == case["request"]
        assert request.old == case["old"]
        old, size = int(case["old"]), int(case["size"])
        verify_consistency(old=old, old_root=roots[old], size=size, root=roots[size], proof=request.proof)
    asked = vectors()["requests"][0]["request"]
    for broken in (
        asked.replace("old ", "old  "),
        asked.replace("old 2", "old ٢"),
        asked.replace("\n", "\n" + "A" * 43 + "=\n" * 70, 1),
        asked.replace("\n\n", "\n", 1).replace("\n\n", "\n"),
        asked.replace("old", "älter"),
        asked.replace("\n", "\nAAAA\n", 1),
    ):
        with pytest.raises(Malformed):
            WitnessRequest.parse(broken.encode())


def a_signer(name: str = ORIGIN, kind: KeyKind = KeyKind.LOG) -> Signer:
    return Signer(name=name, kind=kind, seed=sha256(name.encode()).digest())


LOG, ONE, TWO = a_signer(), a_signer("one.example", KeyKind.WITNESS), a_signer("two.example", KeyKind.WITNESS)
CHECKPOINT = Checkpoint(origin=ORIGIN, size=260, root=stored(260).edge.root)
UNSIGNED = Note(text=CHECKPOINT.text, signatures=())


def test_a_checkpoint_is_opened_with_who_signed_it_and_when() -> None:
    note = UNSIGNED.signed_by(LOG).signed_by(ONE, at=1_763_812_800).signed_by(TWO, at=1_763_812_807)
    found = open_checkpoint(bytes(note), [LOG.key, ONE.key])
    assert (found.checkpoint, found.note) == (CHECKPOINT, note)
    assert found.signers == {LOG.key: None, ONE.key: 1_763_812_800}


def test_a_checkpoint_counts_only_if_its_own_log_signed_it() -> None:
    other = a_signer("roundlog.example/pairing/1")
    namesake = Signer(name=ORIGIN, kind=KeyKind.WITNESS, seed=bytes(32))
    for signed in (UNSIGNED.signed_by(ONE, at=1), UNSIGNED.signed_by(other), UNSIGNED.signed_by(namesake, at=1)):
        with pytest.raises(Refuted, match="itself did not sign"):
            open_checkpoint(bytes(signed), [LOG.key, ONE.key, other.key, namesake.key])


def test_a_witness_counts_once_whatever_it_is_called_and_from_the_first_time() -> None:
    again = Signer(name="another.example", kind=KeyKind.WITNESS, seed=sha256(b"one.example").digest())
    note = UNSIGNED.signed_by(LOG).signed_by(ONE, at=9).signed_by(ONE, at=7).signed_by(again, at=8)
    found = open_checkpoint(bytes(note), [LOG.key, ONE.key, again.key])
    assert found.witnesses == {ONE.key.public: 7}


def test_a_signature_is_given_only_in_the_form_of_its_kind() -> None:
    for signer, at in ((LOG, 5), (ONE, None), (ONE, -1), (ONE, 1 << 63)):
        with pytest.raises(Malformed):
            signer.sign("text\n", at=at)
    with pytest.raises(Malformed):
        Signer(name=ORIGIN, kind=KeyKind.LOG, seed=bytes(31))
    with pytest.raises(Malformed):
        Signer(name="a b", kind=KeyKind.LOG, seed=bytes(32))


def test_a_note_is_refused_before_it_is_read_when_it_is_too_long() -> None:
    long = bytes(Note(text="x" * 1_000_000 + "\n", signatures=()).signed_by(LOG))
    many = bytes(UNSIGNED.signed_by(*[LOG] * 101))
    for content in (long, many, bytes(UNSIGNED.signed_by(LOG)) + b"\xff\n"):
        with pytest.raises(Malformed):
            Note.parse(content)
    assert Note.parse(bytes(UNSIGNED.signed_by(*[LOG] * 100))).signers([LOG.key]) == {LOG.key: None}


def test_a_secret_is_not_shown() -> None:
    seed = sha256(ORIGIN.encode()).digest()
    assert seed.hex() not in repr(vars(LOG))
    assert repr(seed) not in repr(vars(LOG))


def test_only_multiples_of_the_base_point_are_keys() -> None:
    """Under each of the others somebody may sign without the secret, or two verifiers disagree."""
    assert keys_of.is_sound(LOG.key.public)
    assert not keys_of.is_sound(LOG.key.public[:-1])
    assert not keys_of.is_sound(bytes(32))


def test_growing_by_nothing_changes_nothing() -> None:
    edge = stored(260).edge
    assert grow(edge, []) == (edge, [])
