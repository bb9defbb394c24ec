"""Records of a game, move by move, that somebody at the table or an official has attached. One stream a game.

They prove or contradict what was reported, and never change it.
"""

from msgspec import convert

from services.results.domain.sheet.refusals import NotAtThisTable
from services.results.domain.sheet.states import Speaker
from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Conflict

MOST = 50

# Orders


class AttachRecord(Order):
    game: str
    tournament: str
    seats: tuple[str, ...]
    content: str  # the digest of its moves
    by: Speaker
    first: str  # the entrant who opened
    board: int | None = None  # of a match of teams
    duel: int | None = None


type Command = AttachRecord

# Facts


class RecordAttached(Fact):
    """A record of a game, such as a score sheet or its moves, was attached; `content` is the SHA-256 of it."""

    game: str
    tournament: str
    content: str
    by: Speaker
    first: str
    board: int | None
    duel: int | None


type Event = RecordAttached

type State = tuple[RecordAttached, ...]

# Refusals


class TooManyRecords(Conflict):
    """Nobody could look at more of them."""


class OpenerNotAtTable(Conflict):
    """Who opened plays at this table."""


def decide(state: State, command: Command) -> list[Event]:
    if command.by.entrant is not None and command.by.entrant not in command.seats:
        raise NotAtThisTable("You speak for an entrant who does not play here: its own side attaches a record.")
    if command.first not in command.seats:
        raise OpenerNotAtTable(
            f"{command.first} does not play here: name whichever of {', '.join(command.seats)} opened."
        )
    attached = convert(command, RecordAttached, from_attributes=True)
    if attached in state:
        return []
    if len(state) >= MOST:
        raise TooManyRecords(f"The game has {MOST} records already: that is enough to decide about it.")
    return [attached]


def evolve(state: State, event: Event) -> State:
    return (*state, event)


RECORDS: Decider[State, Command, Event] = Decider(
    kind="records", initial=(), decide=decide, evolve=evolve, events=(RecordAttached,)
)
