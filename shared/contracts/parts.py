"""What several contracts are made of: changes of a table, places and ratings, planned games, and rooms with their tables."""

from collections.abc import Iterable, Mapping

from shared.numbers import Number
from shared.values import Value

type Values = dict[str, tuple[Number | None, Number | None]]  # by criterion: before and after


class Cause(Value):
    """What a neighbour said that was otherwise before."""

    event: str  # its name, such as ResultCorrected
    entrants: tuple[str, ...] = ()  # whom it is about
    game: str | None = None
    round: int | None = None


class Moved(Value):
    """Somebody whose place or values are others. Places are none where there was no row; equal values are left out."""

    entrant: str
    before: int | None
    after: int | None
    values: Values = {}  # noqa: RUF012 - each value gets a copy


class RatedPerson(Value):
    person: str
    rating: int
    games: int = 0  # ever played for the list


class CupPlace(Value):
    place: int  # equal sums share it
    person: str
    points: Number


class QualificationPlace(Value):
    """In the order in which reserves are called."""

    place: int
    person: str
    points: Number
    qualified: bool
    champion: bool = False  # is in as such


class PlannedGame(Value):
    """Who sits where. A score sheet belongs to it."""

    game: str
    table: int
    seats: tuple[str, ...]  # entrants
    first: str | None = None  # who starts, or is named first
    option: str | None = None  # who may choose instead
    group: str | None = None
    match: str | None = None
    number: int | None = None  # of the game inside its match


class Room(Value):
    """A room, and what stands on its tables."""

    name: str
    tables: tuple[str, ...]


type Standing = tuple[str, str]  # in which room a table is, and what stands on it


def standing(rooms: Iterable[Room]) -> Mapping[int, Standing]:
    """Table 1 of a round is the first of the first room, and so on."""
    places = ((room.name, label) for room in rooms for label in room.tables)
    return dict(enumerate(places, start=1))
