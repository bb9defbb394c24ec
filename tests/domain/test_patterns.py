"""Patterns that end with `$`: to `match` it means also before a last line break, which no id may have."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest

from deploy import SERVICES
from deploy.documents import DOCS
from shared.faults import in_words

ENDING = re.compile(r"""^(\w+) = re\.compile\(\w*["'].*\$["']""", re.MULTILINE)
FROM_PROGRAMS = {r"^[0-9A-Za-z_-]{1,64}\.(B[2-7]|dictionary)\.[0-9A-Za-z_-]{1,32}$"}
SOURCES = sorted(path for folder in ("shared", "services", "deploy") for path in Path(folder).rglob("*.py"))


def test_what_has_to_end_is_matched_as_a_whole() -> None:
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for name in [*ENDING.findall(source), "SUBJECTS", "POSITIONS"]:
            assert not re.search(rf"\b{name}\.(match|search)\(", source), f"{path}: use {name}.fullmatch"


def patterns(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        members = cast("dict[str, Any]", part)
        if isinstance(pattern := members.get("pattern"), str):
            yield pattern
        yield from chain.from_iterable(map(patterns, members.values()))
    elif isinstance(part, list):
        yield from chain.from_iterable(map(patterns, cast("list[Any]", part)))


@pytest.mark.parametrize("service", SERVICES)
def test_what_people_type_into_a_form_is_refused_in_words_and_not_by_an_expression(service: str) -> None:
    """Of what a program has been handed out and hands back, such as the place in a list, the expression says more."""
    schemas = json.loads((DOCS / "openapi" / f"{service}.json").read_text())["components"]["schemas"]
    for pattern in {*patterns(schemas)} - FROM_PROGRAMS:
        said = in_words("string_pattern_mismatch", f"String should match pattern '{pattern}'")
        assert "pattern" not in said, pattern


@pytest.mark.parametrize("line", ['ID = re.compile(r"^a$")', "ID = re.compile(rb'^a+$')"])
def test_such_a_pattern_is_found(line: str) -> None:
    assert ENDING.findall(line) == ["ID"]
