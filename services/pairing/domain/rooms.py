"""Where a tournament is played: its rooms, and what stands on their tables. One stream a tournament; the last word holds.

Table 1 of a round is the first table of the first room, and so on. Tables beyond those that are named have a number only.
"""

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Invalid
from shared.values import Value


class Room(Value):
    name: str
    tables: tuple[str, ...]  # what stands on them, in order


class NameRooms(Order):
    """All of them; none takes back what was said."""

    tournament: str
    rooms: tuple[Room, ...]


class RoomsNamed(Fact):
    """The rooms in which tables stand are these from now on, each with its tables."""

    REPLACES: ClassVar[tuple[str, ...]] = ("RoomsNamed",)

    tournament: str
    rooms: tuple[Room, ...]


class Rooms(Value):
    rooms: tuple[Room, ...] = ()


class RoomsMuddled(Invalid):
    """Somebody who looks for a table would find two."""


def decide(state: Rooms, command: NameRooms) -> list[RoomsNamed]:
    require_clear(command.rooms)
    if command.rooms == state.rooms:
        return []
    return [RoomsNamed(tournament=command.tournament, rooms=command.rooms)]


def require_clear(rooms: tuple[Room, ...]) -> None:
    faults = [
        *(f"The room {name} is named {times} times." for name, times in several(room.name for room in rooms)),
        *(
            f"In {room.name} {times} tables are called {label}."
            for room in rooms
            for label, times in several(room.tables)
        ),
    ]
    if faults:
        raise RoomsMuddled(f"{' '.join(faults)} Everybody has to find one table.")


def several(names: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, times) for name, times in Counter(names).items() if times > 1]


def evolve(_: Rooms, event: RoomsNamed) -> Rooms:
    return Rooms(rooms=event.rooms)


ROOMS: Decider[Rooms, NameRooms, RoomsNamed] = Decider(
    kind="rooms", initial=Rooms(), decide=decide, evolve=evolve, events=(RoomsNamed,)
)
