"""What happened at a table beside the moves: stopped clocks, lost positions, limits that were passed. One stream a game.

It is put on record and has no effect by itself: what follows is decided on the score sheet.
"""

from collections.abc import Sequence
from typing import Literal

from shared.commands.decider import Decider, Fact, classes_of
from shared.refusals import Conflict, Invalid
from shared.values import Value

type StopReason = Literal["interruption", "director-called", "position-lost", "faulty-clock"]
type IncidentKind = Literal[
    "limit-passed", "clock-brought", "clock-faulty", "clock-stopped-alone", "tiles-spilled", "conduct"
]

# Facts


class ClockStopped(Fact):
    """Both clocks of a game were stopped, for this reason and so long."""

    game: str
    tournament: str
    why: StopReason
    minutes: int | None  # that both stood still
    words: str | None  # the id of what was written about it, which is kept beside the log


class PositionReconstructed(Fact):
    """The position of a game was disturbed and put up again; `seat` says by whom."""

    game: str
    tournament: str
    seat: int | None  # who disturbed it; none: nobody's fault
    words: str | None


class IncidentNoted(Fact):
    """An official notes something at a table from which nothing that is computed follows."""

    game: str
    tournament: str
    kind: IncidentKind
    seat: int | None
    words: str | None


type Event = ClockStopped | PositionReconstructed | IncidentNoted

# Orders


class NoteIncident(Value):
    incident: Event


class IncidentsState(Value):
    """In the order in which they were put on record."""

    noted: tuple[Event, ...] = ()


MOST = 200


class TooManyIncidents(Conflict):
    """Nobody could follow what happened there."""


class NoSuchSeat(Invalid):
    """The table has no such seat."""


def require_seat(seat: int | None, seats: Sequence[str]) -> None:
    if seat is not None and seat >= len(seats):
        raise NoSuchSeat(f"The table has the seats 0 to {len(seats) - 1}: name one of them, or none.")


def decide(state: IncidentsState, command: NoteIncident) -> list[Event]:
    if len(state.noted) >= MOST:
        raise TooManyIncidents(f"The game has {MOST} incidents on record already.")
    return [command.incident]


def evolve(state: IncidentsState, event: Event) -> IncidentsState:
    return IncidentsState(noted=(*state.noted, event))


INCIDENTS: Decider[IncidentsState, NoteIncident, Event] = Decider(
    kind="incidents",
    initial=IncidentsState(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
