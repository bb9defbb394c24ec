"""Connections to PostgreSQL that ask for its built-in types once in a process, not once each.

The driver knows no array type by itself, and asks the server before the first statement with one: about as much work
for the server as fifty appends, of every connection of every pool, just when all of them begin.

Of each element of an array it asks whether that is an array itself, and does so by abstract classes: that takes longer than
to write the element. So here it is told which classes are meant.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import asyncpg
from asyncpg.protocol import protocol

if TYPE_CHECKING:
    DriverConnection = asyncpg.Connection[asyncpg.Record]
else:
    DriverConnection = asyncpg.Connection  # which is generic for the type checker alone

VIEWS = type(dict[str, str]().keys()), type(dict[str, str]().values())
ARRAYS = (list, tuple, set, frozenset, *VIEWS)  # what is written as an array
driver: Any = protocol
driver.IterableABC = driver.SizedABC = ARRAYS

ASSIGNED_BY_HAND = 10_000  # types below are part of PostgreSQL and have the same number in every database


class NotAsked(NamedTuple):
    """In place of the statement that would have asked: the driver looks only whether it had a name."""

    name: str = "known"


known_types: dict[frozenset[int], Sequence[asyncpg.Record]] = {}


class Connection(DriverConnection):
    async def _introspect_types(self, typeoids: Iterable[int], *patience: float | None) -> Any:
        types = frozenset(typeoids)
        if types in known_types:
            return known_types[types], NotAsked()
        found = await super()._introspect_types(types, *patience)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] - the driver has no public way
        if max(types) < ASSIGNED_BY_HAND:
            known_types[types] = found[0]
        return found  # pyright: ignore[reportUnknownVariableType]
