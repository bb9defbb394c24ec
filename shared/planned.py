"""A game as it is planned: part of what pairing tells, but nothing that is told by itself."""

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
