"""Decisions that several people make together: a council about a protest, the players present about a deadlock.

One stream a tournament. What is asked and why stands beside the log, since it may be about persons.
"""

from collections.abc import Mapping

from msgspec import convert
from msgspec.structs import asdict, replace

from services.results.domain.sheet.refusals import CitedRefusal
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, Invalid, NotFound
from shared.values import Value

COUNCIL = 3


class Vote(Value):
    """Of one member of a council. A member who plays has an entrant."""

    member: str
    upholds: bool
    entrant: str | None = None
    is_chief: bool = False


# Orders


class FileProtest(Order):
    protest: str
    tournament: str
    entrant: str
    reason: str
    game: str | None = None
    seats: tuple[str, ...] = ()  # of that game


class DecideProtest(Order):
    protest: str
    tournament: str
    council: tuple[Vote, ...]
    reason: str


class RecordVote(Order):
    """The players present have voted on an official's motion."""

    vote: str
    tournament: str
    question: str
    in_favour: int
    against: int


type Command = FileProtest | DecideProtest | RecordVote

# Facts


class ProtestFiled(Fact):
    """An entrant protests against a decision; `reason` names the text, which lies beside the log."""

    protest: str
    tournament: str
    entrant: str
    reason: str
    game: str | None
    seats: tuple[str, ...]


class ProtestDecided(Fact):
    """The council has decided a protest, vote by vote."""

    protest: str
    tournament: str
    council: tuple[Vote, ...]
    upheld: bool
    reason: str


class PublicVoteHeld(Fact):
    """All who were there have voted on a question; its words lie beside the log."""

    vote: str
    tournament: str
    question: str
    in_favour: int
    against: int
    carried: bool


type Event = ProtestFiled | ProtestDecided | PublicVoteHeld

# State


class ProtestState(Value):
    filed: ProtestFiled
    decided: ProtestDecided | None = None


class ProtestsState(Value):
    protests: Mapping[str, ProtestState]
    votes: Mapping[str, PublicVoteHeld]


# Refusals


class ProtestUnknown(NotFound):
    """No such protest was filed."""


class ProtestIsDecided(Conflict):
    """A council decides finally."""


class NoCouncil(CitedRefusal, Invalid):
    """A council has three members, one of them the chief judge."""

    about = "council"


class OwnDispute(CitedRefusal, Invalid):
    """Nobody votes in a dispute about the own game."""

    about = "council"


class IdTaken(Conflict):
    """The id belongs to something else."""


def decide(state: ProtestsState, command: Command) -> list[Event]:
    match command:
        case FileProtest():
            return file(state, command)
        case DecideProtest():
            return rule(state, command)
        case RecordVote():
            return record(state, command)


def file(state: ProtestsState, command: FileProtest) -> list[Event]:
    filed = convert(command, ProtestFiled, from_attributes=True)
    known = state.protests.get(command.protest)
    if known is not None and known.filed != filed:
        raise IdTaken("Another protest has this id: choose a new one.")
    return [] if known is not None else [filed]


def rule(state: ProtestsState, command: DecideProtest) -> list[Event]:
    known = state.protests.get(command.protest)
    if known is None:
        raise ProtestUnknown("There is no such protest: look into the list.")
    if known.decided is not None:
        if known.decided.council == command.council:
            return []
        raise ProtestIsDecided("A council has decided this protest, and its decision is final.")
    require_council(command.council, {known.filed.entrant, *known.filed.seats})
    in_favour = sum(vote.upholds for vote in command.council)
    return [ProtestDecided(**asdict(command), upheld=2 * in_favour > len(command.council))]


def require_council(council: tuple[Vote, ...], parties: set[str]) -> None:
    if len({vote.member for vote in council}) != COUNCIL or len(council) != COUNCIL:
        raise NoCouncil(f"A council has {COUNCIL} members: name each of them once.")
    if sum(vote.is_chief for vote in council) != 1:
        raise NoCouncil("The chief judge sits on the council: mark the one who is.")
    if any(vote.entrant in parties for vote in council):
        raise OwnDispute("A player of the disputed game does not vote about it: name another member.")


def record(state: ProtestsState, command: RecordVote) -> list[Event]:
    held = PublicVoteHeld(**asdict(command), carried=command.in_favour > command.against)
    known = state.votes.get(command.vote)
    if known is not None and known != held:
        raise IdTaken("Another vote has this id: choose a new one.")
    return [] if known is not None else [held]


def evolve(state: ProtestsState, event: Event) -> ProtestsState:
    match event:
        case ProtestFiled():
            return replace(state, protests={**state.protests, event.protest: ProtestState(filed=event)})
        case ProtestDecided():
            decided = replace(state.protests[event.protest], decided=event)
            return replace(state, protests={**state.protests, event.protest: decided})
        case PublicVoteHeld():
            return replace(state, votes={**state.votes, event.vote: event})


PROTESTS: Decider[ProtestsState, Command, Event] = Decider(
    kind="protests",
    initial=ProtestsState(protests={}, votes={}),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
