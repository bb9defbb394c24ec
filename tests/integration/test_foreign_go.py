"""Foreign code says the same as ours: Go's, which has checked every download of a Go module since 2019."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from shared.proof.findings import ProofFailure
from shared.proof.keys import KeyKind, Signer, VerifierKey
from shared.proof.notes import Checkpoint, Note
from shared.proof.tiles import edge_at, nodes, tile_path
from shared.proof.tree import beside, between
from tests.foreign.golang import asked
from tests.proofs import all_tiles, entry_at, leaves, stored, vectors

SIZE = 600  # leaves: two levels of tiles, neither of them full
LOG = Signer(name="roundlog.example/results/1", kind=KeyKind.LOG, seed=bytes(range(32)))
WITNESS = Signer(name="witness.example", kind=KeyKind.WITNESS, seed=bytes(32))
# x/mod looks at the first signature of a key only, so a false second one passes there.
PASSES_IN_GO = {"a known key's second line is false"}

type Question = Sequence[object]

ENTRIES: list[Question] = [("entry", entry_at(index), index) for index in range(SIZE)]


def about_tree(questions: Sequence[Question]) -> list[str]:
    return asked([*ENTRIES, *questions])[SIZE:]


def inclusion(case: dict[str, Any]) -> Question:
    return "inclusion", case["leaf"], case["index"], case["size"], case["root"], case["proof"]


def consistency(case: dict[str, Any]) -> Question:
    return "consistency", case["old"], case["old_root"], case["size"], case["root"], case["proof"]


def note(case: dict[str, Any]) -> Question:
    return "note", case["note"].encode(), [key.encode() for key in case["keys"]]


def key(case: dict[str, Any]) -> Question:
    return "key", case["key"].encode()


def test_go_builds_the_same_tree_tile_by_tile() -> None:
    tree, sizes = stored(SIZE), [0, 1, 2, 3, 255, 256, 257, 512, SIZE]
    tiles = list(all_tiles(SIZE))
    found = about_tree([("root", size) for size in sizes] + [("tile", *tile) for tile in tiles])
    assert found[: len(sizes)] == [edge_at(size, tree.tiles).root.hex() for size in sizes]
    served = [f"{tile_path(*tile)} {tree.tiles[tile[:2]].hex()}" for tile in tiles]
    assert found[len(sizes) :] == served


def test_go_makes_the_same_proofs() -> None:
    tree = stored(SIZE).tiles
    leaf_of = [(index, size) for size in (1, 2, 7, 256, 257, SIZE) for index in {0, size // 3, size - 1}]
    growth = [(old, size) for size in (1, 2, 7, 256, 257, SIZE) for old in {1, size // 2 or 1, size - 1 or 1, size}]
    spans = [beside(*one) for one in leaf_of] + [between(*one) for one in growth]
    questions: list[Question] = [("beside", *one) for one in leaf_of]
    questions += [("between", *one) for one in growth]
    assert about_tree(questions) == [",".join(node.hex() for node in nodes(one, tree)) or "-" for one in spans]


def test_go_takes_what_we_take_and_refuses_what_we_refuse() -> None:
    """All of the vectors: Go knows no growth from nothing, and does not ask whether a key is sound."""
    known, wrong = vectors(), vectors()["refused"]
    right = [*map(inclusion, known["inclusion"]), *map(note, known["notes"])]
    right += [consistency(case) for case in known["consistency"] if case["old"]]
    assert "no" not in asked(right)
    refused = [(case["why"], inclusion(case)) for case in wrong["inclusion"]]
    refused += [(case["why"], consistency(case)) for case in wrong["consistency"]]
    refused += [(case["why"], note(case)) for case in wrong["notes"]]
    refused += [(case["why"], key(case)) for case in wrong["keys"]]
    passed = {why for (why, _), said in zip(refused, asked([one for _, one in refused]), strict=True) if said != "no"}
    assert passed == PASSES_IN_GO


def test_go_opens_our_notes_and_we_open_those_of_go() -> None:
    text = Checkpoint(origin=LOG.key.name, size=SIZE, root=stored(SIZE).edge.root).text
    ours = Note(text=text, signatures=()).signed_by(LOG).signed_by(WITNESS, at=1_763_812_800)
    keys = [LOG.key.vkey.encode(), WITNESS.key.vkey.encode()]
    by_go, opened = asked(
        [("sign", LOG.key.name.encode(), bytes(range(32)), text.encode()), ("note", bytes(ours), keys)]
    )
    assert Note.parse(bytes.fromhex(by_go)).signers([LOG.key]) == {LOG.key: None}
    assert bytes.fromhex(by_go) == bytes(Note(text=text, signatures=()).signed_by(LOG))
    assert opened == f"2 {text.encode().hex()}"


def test_go_says_the_same_of_notes_that_are_broken_anywhere() -> None:
    """One bit of each byte of a note and of its key."""
    content = bytes(Note(text="round 4\n", signatures=()).signed_by(LOG))
    vkey = LOG.key.vkey.encode()
    broken = [content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :] for at in range(len(content))]
    broken += [content[:at] + b"\n" + content[at:] for at in range(len(content))]
    other_keys = [vkey[:at] + bytes([vkey[at] ^ 1]) + vkey[at + 1 :] for at in range(len(vkey))]
    questions: list[Question] = []
    questions += [("note", one, [vkey]) for one in broken]
    questions += [("note", content, [one]) for one in other_keys]
    ours = [partial(read, one, vkey) for one in broken] + [partial(read, content, one) for one in other_keys]
    assert [said != "no" for said in asked(questions)] == [is_read() for is_read in ours]


def read(content: bytes, vkey: bytes) -> bool:
    try:
        Note.parse(content).signers([VerifierKey.parse(vkey.decode())])
    except ProofFailure:
        return False
    return True


def test_go_holds_our_proofs_to_be_true() -> None:
    tree = stored(SIZE).tiles
    roots = [edge_at(size, tree).root for size in range(SIZE + 1)]
    questions: list[Question] = []
    for size in (1, 6, 256, SIZE):
        proved = ((index, nodes(beside(index, size), tree)) for index in range(size))
        questions += [("inclusion", leaves(SIZE)[index], index, size, roots[size], proof) for index, proof in proved]
        grown = ((old, nodes(between(old, size), tree)) for old in range(1, size + 1))
        questions += [("consistency", old, roots[old], size, roots[size], proof) for old, proof in grown]
    assert set(asked(questions)) == {"ok"}
