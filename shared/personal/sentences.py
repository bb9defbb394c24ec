"""Sentences as people hear them: rules speak of entrants by their ids, an answer by their names.

Only where an answer is not kept: a name can be erased.
"""

import re
from collections.abc import Iterable, Mapping

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def spoken(sentence: str, names: Mapping[str, str]) -> str:
    """Who has no name keeps the id."""
    return ID.sub(lambda found: names.get(found[0], found[0]), sentence)


def introduced(sentence: str, names: Mapping[str, str]) -> str:
    """With the ids, which whoever mends something has to know."""
    return ID.sub(lambda found: f"{names[found[0]]} ({found[0]})" if found[0] in names else found[0], sentence)


def all_spoken(sentences: Iterable[str], names: Mapping[str, str]) -> list[str]:
    return [spoken(one, names) for one in sentences]
