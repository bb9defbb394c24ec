"""Members that stand twice in one object of a JSON text: every reader would take another one of them, and say nothing."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

MOST_NAMED = 100

type Steps = tuple[str | int, ...]


class Members(list[tuple[str, Any]]):
    """An object as it was written."""


class Twice(Exception):
    """There is one."""


def unlike(members: list[tuple[str, Any]]) -> None:
    """Keeps nothing of an object: it is read once more by whoever wants to know what it says."""
    if len({name for name, _ in members}) != len(members):
        raise Twice


LOOKING = json.JSONDecoder(object_pairs_hook=unlike)
KEEPING = json.JSONDecoder(object_pairs_hook=Members)


def repeated(content: bytes) -> list[Steps]:
    """The ways to them, decoded as the reader of bodies decodes. What is no JSON is left to that reader, who says so."""
    text = ""
    try:
        text = content.removeprefix(BOM_UTF8).decode("utf-8", "surrogatepass")
        LOOKING.decode(text)
    except Twice:
        return list(islice(ways(KEEPING.decode(text)), MOST_NAMED))
    except ValueError:
        return []
    return []


def ways(value: object, *steps: str | int) -> Iterator[Steps]:
    if isinstance(value, Members):
        times = Counter(name for name, _ in value)
        yield from ((*steps, name) for name, count in times.items() if count > 1)
        for name, member in value:
            yield from ways(member, *steps, name)
    elif isinstance(value, list):
        for number, one in enumerate(cast("list[object]", value)):
            yield from ways(one, *steps, number)
