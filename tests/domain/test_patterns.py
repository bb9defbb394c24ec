"""Patterns that end with `$`: to `match` it means also before a last line break, which no id may have."""

import re
from pathlib import Path

import pytest

ENDING = re.compile(r"""^(\w+) = re\.compile\(\w*["'].*\$["']""", re.MULTILINE)
SOURCES = sorted(path for folder in ("shared", "services", "deploy") for path in Path(folder).rglob("*.py"))


def test_what_has_to_end_is_matched_as_a_whole() -> None:
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for name in [*ENDING.findall(source), "SUBJECTS", "POSITIONS"]:
            assert not re.search(rf"\b{name}\.(match|search)\(", source), f"{path}: use {name}.fullmatch"


@pytest.mark.parametrize("line", ['ID = re.compile(r"^a$")', "ID = re.compile(rb'^a+$')"])
def test_such_a_pattern_is_found(line: str) -> None:
    assert ENDING.findall(line) == ["ID"]
