"""Whoever signs for a log signs one history of it."""

import pytest

from shared.proof.continuity import (
    AnotherSize,
    NotContinued,
    NotTheLogs,
    OriginUnknown,
    asked,
    cosigned,
    require_continued,
    signed_next,
)
from shared.proof.findings import Malformed, ProofFailure
from shared.proof.keys import KeyKind, Signer
from shared.proof.notes import Checkpoint, Note
from shared.proof.receipts import WitnessRequest
from shared.proof.tiles import edge_at, nodes
from shared.proof.tree import EMPTY, between, leaf_hash
from tests.proofs import StoredTree, leaves, stored

ORIGIN = "roundlog.example/results/1"
LOG, NEXT = (Signer(name=ORIGIN, kind=KeyKind.LOG, seed=bytes([nr]) * 32) for nr in (1, 2))
WITNESS = Signer(name="witness.example", kind=KeyKind.WITNESS, seed=bytes(32))
TREE = stored(300)


def checkpoint(size: int, tree: StoredTree = TREE, origin: str = ORIGIN) -> Checkpoint:
    return Checkpoint(origin=origin, size=size, root=edge_at(size, tree.tiles).root)


def proof(old: int, size: int, tree: StoredTree = TREE) -> list[bytes]:
    return nodes(between(old, size), tree.tiles)


def anew() -> StoredTree:
    """The same log, with another event in the middle."""
    tree = StoredTree()
    tree.take([*leaves(300)[:100], leaf_hash(b"another"), *leaves(300)[101:]])
    return tree


def request(old: int, new: Checkpoint, tree: StoredTree = TREE, signer: Signer = LOG) -> bytes:
    note = Note(text=new.text, signatures=()).signed_by(signer)
    return bytes(WitnessRequest(old=old, proof=tuple(proof(old, new.size, tree)), checkpoint=bytes(note)))


def test_a_log_signs_what_continues_what_it_signed() -> None:
    first = signed_next(None, checkpoint(0), proof=[], signers=[LOG])
    assert Checkpoint.parse(first.text) == Checkpoint(origin=ORIGIN, size=0, root=EMPTY)
    for old, size in ((0, 200), (200, 200), (200, 300)):
        note = signed_next(checkpoint(old), checkpoint(size), proof=proof(old, size), signers=[LOG, NEXT])
        assert note.signers([LOG.key, NEXT.key]) == {LOG.key: None, NEXT.key: None}


ANEW = anew()
NOT_SIGNED: dict[str, tuple[Checkpoint, list[bytes]]] = {
    "a history made anew": (checkpoint(300, ANEW), proof(200, 300, ANEW)),
    "the same size with another root": (checkpoint(200, ANEW), []),
    "fewer events": (checkpoint(150), []),
    "a proof of something else": (checkpoint(300), proof(100, 300)),
    "no proof": (checkpoint(300), []),
    "another log": (checkpoint(300, origin="roundlog.example/pairing/1"), proof(200, 300)),
}


@pytest.mark.parametrize("why", NOT_SIGNED)
def test_a_log_signs_no_other_history(why: str) -> None:
    new, shown = NOT_SIGNED[why]
    with pytest.raises(NotContinued):
        signed_next(checkpoint(200), new, proof=shown, signers=[LOG])


def test_a_log_is_signed_by_its_own_keys() -> None:
    for signers in ([], [Signer(name="other.example", kind=KeyKind.LOG, seed=bytes(32))]):
        with pytest.raises(Malformed):
            signed_next(None, checkpoint(5), proof=[], signers=signers)


def test_a_witness_signs_what_it_is_asked_and_says_when() -> None:
    found, signed = asked(request(200, checkpoint(300)), {ORIGIN: [LOG.key]})
    require_continued(checkpoint(200), signed.checkpoint, old=found.old, proof=found.proof)
    line = cosigned(signed, WITNESS, at=1_763_812_800)
    note = Note(text=signed.note.text, signatures=(line,))
    assert note.signers([WITNESS.key]) == {WITNESS.key: 1_763_812_800}


ASKED: dict[str, tuple[bytes, type[ProofFailure]]] = {
    "a log that nobody named": (request(0, checkpoint(5, origin="other.example")), OriginUnknown),
    "a key that nobody named": (request(0, checkpoint(5), signer=NEXT), NotTheLogs),
    "a false signature": (request(0, checkpoint(5)).replace(b"\n5\n", b"\n6\n"), NotTheLogs),
    "a proof that begins too late": (request(0, checkpoint(5)).replace(b"old 0", b"old 6"), Malformed),
    "no checkpoint": (b"old 0\n\nhello\n", Malformed),
}


@pytest.mark.parametrize("why", ASKED)
def test_a_witness_is_asked_by_the_log_itself(why: str) -> None:
    content, refusal = ASKED[why]
    with pytest.raises(refusal):
        asked(content, {ORIGIN: [LOG.key]})


def test_a_witness_says_from_where_it_wants_the_proof() -> None:
    with pytest.raises(AnotherSize) as refused:
        require_continued(checkpoint(200), checkpoint(300), old=100, proof=proof(100, 300))
    assert refused.value.size == 200
    with pytest.raises(AnotherSize) as first:
        require_continued(None, checkpoint(300), old=100, proof=proof(100, 300))
    assert first.value.size == 0
