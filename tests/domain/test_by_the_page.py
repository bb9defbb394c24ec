"""The page is enough: a verifier that was written by it says of every vector what ours says."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.foreign import by_the_page
from tests.proofs import hashes, message, record, vectors

PAGE = Path(__file__).parents[2] / "docs" / "proof-format.md"


def opened(case: dict[str, Any]) -> None:
    _, signers = by_the_page.note(case["note"].encode(), case["keys"])
    assert signers == case["signers"]


def included(case: dict[str, Any]) -> None:
    leaf, root = hashes([case["leaf"], case["root"]])
    by_the_page.included(leaf, case["index"], case["size"], hashes(case["proof"]), root)


def continued(case: dict[str, Any]) -> None:
    old_root, root = hashes([case["old_root"], case["root"]])
    by_the_page.continued(case["old"], old_root, case["size"], root, hashes(case["proof"]))


WAYS: dict[str, Callable[[dict[str, Any]], object]] = {
    "inclusion": included,
    "consistency": continued,
    "notes": opened,
    "receipts": lambda case: by_the_page.receipt(case["receipt"].encode(), bytes.fromhex(case["leaf"]), case["keys"]),
    "keys": lambda case: by_the_page.key(case["key"]),
    "weak_keys": lambda case: by_the_page.key(case["key"]),
    "checkpoints": lambda case: by_the_page.checkpoint(case["text"]),
}


@pytest.mark.parametrize("kind", WAYS)
def test_what_the_page_says_is_what_the_vectors_say(kind: str) -> None:
    for case in vectors().get(kind, ()):
        WAYS[kind](case)
    taken: list[str] = []
    for case in vectors()["refused"][kind]:
        try:
            WAYS[kind](case)
        except by_the_page.No:
            continue
        taken.append(case["why"])
    assert taken == []


def test_leaves_roots_and_a_proof_of_many_are_as_the_page_says() -> None:
    known = vectors()
    leaves = [by_the_page.leaf(record(index), message(index)) for index in range(len(known["leaves"]))]
    assert leaves == hashes(known["leaves"])
    for size in (0, 1, 2, 3, 7, 200, 256, 257, 260):
        assert by_the_page.root(leaves[:size]).hex() == known["roots"][size]
    many = known["many"]
    indexes: list[int] = many["indexes"]
    shown = {index: leaves[index] for index in indexes}
    by_the_page.all_included(shown, many["size"], hashes(many["proof"]), bytes.fromhex(many["root"]))


def test_the_page_says_what_each_member_of_the_vectors_is() -> None:
    _, _, table = PAGE.read_text(encoding="utf-8").partition("## The vectors\n")
    said = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for cell in said for name in re.findall("`([a-z_0-9]+)`", cell)} == vectors().keys()
