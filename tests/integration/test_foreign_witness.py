"""Foreign code reads what ours writes: `aics-tlog` walks our tiles and checks our proofs, and `aics-witness` signs what a log
of ours asks it to sign, remembers it, and refuses a history that was made anew."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import aics_tlog as foreign
import pytest
from aics_witness import LogConfig, Witness, WitnessError, WitnessStore
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.proof import continuity
from shared.proof.findings import Malformed, ProofFailure
from shared.proof.keys import KeyKind, Signer, VerifierKey
from shared.proof.notes import Checkpoint, Note, open_checkpoint
from shared.proof.receipts import WitnessRequest
from shared.proof.tiles import Tiles, edge_at, entry_bundle, nodes, tile_path
from shared.proof.tree import beside, between, leaf_hash
from tests.proofs import StoredTree, all_tiles, entry_at, hashes, leaves, stored, vectors

SIZE = 70_000  # leaves: three levels of tiles
LOG = Signer(name="roundlog.example/results/1", kind=KeyKind.LOG, seed=bytes(range(32)))
NOW = 1_763_812_800
# What only we refuse: nobody can sign under these for others, but verifiers disagree about them, or no signature ever holds.
SOUND_ENOUGH = {
    "a sound point with a part of order 8 added",
    "a sound point with a part of order 2 added",
    "no point of the curve",
}


def signed(size: int, tiles: Tiles) -> bytes:
    text = Checkpoint(origin=LOG.key.name, size=size, root=edge_at(size, tiles).root).text
    return bytes(Note(text=text, signatures=()).signed_by(LOG))


def served(size: int) -> dict[str, bytes]:
    """All that a service would serve of a tree of this size: tiles, and the entries below them."""
    tree = stored(SIZE).tiles
    tiles = {
        tile_path(level, number, width): tree[level, number][: 32 * width] for level, number, width in all_tiles(size)
    }
    bundles = {
        tile_path("entries", number, width): entry_bundle(map(entry_at, range(256 * number, 256 * number + width)))
        for level, number, width in all_tiles(size)
        if level == 0
    }
    return tiles | bundles


@pytest.mark.parametrize("size", [1, 256, 257, 3000])
def test_a_foreign_reader_walks_the_whole_tree(size: int) -> None:
    reader, root = foreign.MemoryTileReader(served(size)), edge_at(size, stored(SIZE).tiles).root
    found = foreign.audit_tiles(reader, size, root)
    assert (found.tiles, found.bundles) == (len(list(all_tiles(size))), -(-size // 256))
    assert foreign.MerkleTree([entry_at(index) for index in range(size)]).root() == root


def test_a_foreign_reader_finds_a_changed_bit_of_any_tile() -> None:
    paths = served(700)
    root = edge_at(700, stored(SIZE).tiles).root
    for path, content in paths.items():
        changed = paths | {path: content[:40] + bytes([content[40] ^ 1]) + content[41:]}
        if len(content) > 40:
            with pytest.raises((foreign.TileVerificationError, foreign.TileMissingError)):
                foreign.audit_tiles(foreign.MemoryTileReader(changed), 700, root)


def test_a_foreign_reader_says_of_proofs_what_we_say() -> None:
    known, wrong = vectors(), vectors()["refused"]
    for said, cases in ((True, known["inclusion"]), (False, wrong["inclusion"])):
        assert {included(case) for case in cases} == {said}
    for said, cases in ((True, known["consistency"]), (False, wrong["consistency"])):
        assert {continued(case) for case in cases} == {said}
    for index, size in ((0, 1), (69_999, SIZE), (65_535, 65_537), (300, 511)):
        proof = nodes(beside(index, size), stored(SIZE).tiles)
        assert proof == foreign.inclusion_proof_from_tiles(foreign.MemoryTileReader(served(size)), index, size)


def included(case: dict[str, Any]) -> bool:
    leaf, root = hashes([case["leaf"], case["root"]])
    return foreign.verify_inclusion(leaf, case["index"], case["size"], hashes(case["proof"]), root)


def continued(case: dict[str, Any]) -> bool:
    old_root, root = hashes([case["old_root"], case["root"]])
    return foreign.verify_consistency(case["old"], case["size"], old_root, root, hashes(case["proof"]))


def test_a_foreign_reader_refuses_the_keys_that_we_refuse() -> None:
    refused = vectors()["refused"]
    taken = {case["why"] for case in refused["weak_keys"] if is_taken(case["key"])}
    assert taken == SOUND_ENOUGH
    assert [case for case in vectors()["notes"] for key in case["keys"] if not is_taken(key)] == []


def is_taken(vkey: str) -> bool:
    try:
        foreign.parse_vkey(vkey)
    except ValueError:
        return False
    return True


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    with WitnessStore(tmp_path / "witness.db", create=True) as store:
        key = Ed25519PrivateKey.from_private_bytes(sha256(b"witness").digest())
        logs = [LogConfig.from_strings(LOG.key.name, [LOG.key.vkey])]
        yield Witness("witness.example/1", key, store, logs, clock=lambda: NOW)


def asked(old: int, size: int, tiles: Tiles) -> bytes:
    proof = tuple(nodes(between(old, size), tiles))
    return bytes(WitnessRequest(old=old, proof=proof, checkpoint=signed(size, tiles)))


def test_a_foreign_witness_signs_what_grows_and_nothing_else(witness: Witness) -> None:
    tiles = stored(SIZE).tiles
    key = VerifierKey.parse(witness.vkey_text)
    for old, size in ((0, 260), (260, 260), (260, 512), (512, 65_537), (65_537, SIZE)):
        content = signed(size, tiles) + witness.add_checkpoint(asked(old, size, tiles))
        found = open_checkpoint(content, [LOG.key, key])
        assert found.signers == {LOG.key: None, key: NOW}
        theirs = foreign.parse_note(content)
        counted = foreign.verify_checkpoint(theirs, foreign.parse_vkey(LOG.key.vkey), [witness.vkey], 1)
        assert (counted.ok, counted.size) == (True, size)
    with pytest.raises(WitnessError) as behind:
        witness.add_checkpoint(asked(260, SIZE, tiles))
    assert (behind.value.status, behind.value.body) == (409, f"{SIZE}\n".encode())


def test_a_foreign_witness_refuses_a_history_made_anew(witness: Witness) -> None:
    """By whoever has all rights, and the key of the log: only somebody who remembers can tell."""
    witness.add_checkpoint(asked(0, 260, stored(SIZE).tiles))
    anew = StoredTree()
    anew.take([*leaves(SIZE)[:100], leaf_hash(b"another result"), *leaves(SIZE)[101:300]])
    for old, size in ((260, 300), (260, 260)):
        with pytest.raises(WitnessError) as refused:
            witness.add_checkpoint(asked(old, size, anew.tiles))
        assert refused.value.status == 422


def test_a_foreign_witness_answers_what_ours_would(witness: Witness) -> None:
    """Step by step: what both have signed, what neither signs, and the status that the norm has for it."""
    tiles, anew, last = stored(SIZE).tiles, StoredTree(), None
    anew.take([*leaves(SIZE)[:100], leaf_hash(b"another result"), *leaves(SIZE)[101:300]])
    good = asked(260, 300, tiles)
    steps = [asked(5, 260, tiles), asked(0, 260, tiles), asked(0, 260, tiles), asked(260, 300, anew.tiles)]
    steps += [asked(260, 260, anew.tiles), good.replace(b"old 260", b"old 301"), good.replace(b"\n300\n", b"\n299\n")]
    steps += [good.replace(LOG.key.name.encode(), b"roundlog.example/results/2"), good.replace(b"\n\n", b"\n", 1)]
    steps += [bytes([*good[:at], good[at] ^ 1, *good[at + 1 :]]) for at in range(0, len(good), 5)]
    for step in [*steps, good, good, asked(300, 4000, tiles)]:
        ours, last = answered(step, last)
        assert (ours, step) == (theirs(witness, step), step)
    assert last
    assert last.size == 4000


def theirs(witness: Witness, content: bytes) -> int:
    try:
        witness.add_checkpoint(content)
    except WitnessError as refused:
        return refused.status
    return 200


def answered(content: bytes, last: Checkpoint | None) -> tuple[int, Checkpoint | None]:
    try:
        request, found = continuity.asked(content, {LOG.key.name: [LOG.key]})
        continuity.require_continued(last, found.checkpoint, old=request.old, proof=request.proof)
    except ProofFailure as failure:
        return STATUS[type(failure)], last
    return 200, found.checkpoint


STATUS: dict[type[ProofFailure], int] = {
    Malformed: 400,
    continuity.NotTheLogs: 403,
    continuity.OriginUnknown: 404,
    continuity.AnotherSize: 409,
    continuity.NotContinued: 422,
}
