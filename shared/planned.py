"""Games as they are planned, and where: parts of what pairing tells, but nothing that is told by itself."""

from collections.abc import Iterable, Mapping

import msgspec


class PlannedGame(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits where. A score sheet belongs to it."""

    game: str
    table: int
    seats: tuple[str, ...]  # entrants
    first: str | None = None  # who starts, or is named first
    option: str | None = None  # who may choose instead
    group: str | None = None
    match: str | None = None
    number: int | None = None  # of the game inside its match


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """A room, and what stands on its tables."""

    name: str
    tables: tuple[str, ...]


type Standing = tuple[str, str]  # in which room a table is, and what stands on it


def standing(rooms: Iterable[Room]) -> Mapping[int, Standing]:
    """Table 1 of a round is the first of the first room, and so on."""
    places = ((room.name, label) for room in rooms for label in room.tables)
    return dict(enumerate(places, start=1))
