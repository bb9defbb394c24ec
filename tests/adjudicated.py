"""The examples of games that were adjudicated: data in tests/vectors, for each family of rulesets."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"
FAMILIES = ("pisqworky", "gomoku-cfp", "scrabble", "carcassonne", "othello")


def examples(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each with its family: those that `gives` something, or those that are `refused`."""
    for family in FAMILIES:
        for one in json.loads((FOLDER / family / "adjudicate.json").read_text()):
            if kind in one:
                yield family, one


def table_of(example: dict[str, Any]) -> dict[str, Any]:
    """What is handed in."""
    return {name: example[name] for name in ("ruleset", "stage", "options", "game") if name in example}
