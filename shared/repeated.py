"""Members that stand twice in one object of a JSON text: every reader would take another one of them, and say nothing."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

type Steps = tuple[str | int, ...]


class Members(list[tuple[str, Any]]):
    """An object as it was written."""


class Looking:
    """Keeps an object only where a repeated member was found before its end: whatever ended earlier has none in it."""

    def __init__(self) -> None:
        self.has_found = False

    def __call__(self, members: list[tuple[str, Any]]) -> Members | None:
        self.has_found = self.has_found or has_twice(members)
        return Members(members) if self.has_found else None


def repeated(content: bytes) -> Iterator[Steps]:
    """The ways to them, decoded as the reader of bodies decodes. What is no JSON is left to that reader, who says so."""
    looking = Looking()
    try:
        text = content.removeprefix(BOM_UTF8).decode("utf-8", "surrogatepass")
        found = json.JSONDecoder(object_pairs_hook=looking).decode(text)
    except ValueError:
        return
    if looking.has_found:
        yield from ways(found)


def has_twice(members: list[tuple[str, Any]]) -> bool:
    return len({name for name, _ in members}) != len(members)


def ways(value: object, *steps: str | int) -> Iterator[Steps]:
    if isinstance(value, Members):
        if has_twice(value):
            times = Counter(name for name, _ in value)
            yield from ((*steps, name) for name, count in times.items() if count > 1)
        for name, member in value:
            yield from ways(member, *steps, name)
    elif isinstance(value, list):
        for number, one in enumerate(cast("list[object]", value)):
            yield from ways(one, *steps, number)
