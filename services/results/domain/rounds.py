"""The score sheets of one round together: opened with its publication, complete when each has its result, recalled.

One stream a round. Its sheets are streams of their own, so that those who report do not wait for each other.
"""

from typing import ClassVar

from msgspec import convert
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Mark, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

# Orders


class OpenRound(Order):
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str  # the id of the message that published it


class CompleteRound(Order):
    """Every one of these games has its result, or does not count."""

    games: frozenset[str]


class ReopenRound(Order):
    """The result of one of its games does not stand any more."""


class AnswerRecall(Order):
    tournament: str
    stage: str
    round: int
    recall: str
    begun: str | None  # a game that has begun


class AnswerRepair(Order):
    tournament: str
    stage: str
    round: int
    repair: str
    begun: str | None  # one of the games that should change, if it has begun


type Command = OpenRound | CompleteRound | ReopenRound | AnswerRecall | AnswerRepair


# Facts


class RoundOpened(Fact):
    """Pairing has published a round: its games wait for results."""

    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str


class RoundCompleted(Fact):
    """Every game of the round has its result."""

    tournament: str
    stage: str
    round: int


class RoundReopened(Fact):
    """A result of a completed round is open again: a game is replayed, or its report was withdrawn."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("RoundCompleted",)

    tournament: str
    stage: str
    round: int


class RecallAccepted(Fact):
    """The round may be taken back: nothing of it has been played."""

    tournament: str
    stage: str
    round: int
    recall: str


class RecallRefused(Fact):
    """The round cannot be taken back, because this game has begun."""

    tournament: str
    stage: str
    round: int
    recall: str
    game: str


class RepairAccepted(Fact):
    """The tables may be repaired: nothing at them has been played."""

    tournament: str
    stage: str
    round: int
    repair: str


class RepairRefused(Fact):
    """The tables cannot be repaired, because this game has begun."""

    tournament: str
    stage: str
    round: int
    repair: str
    game: str


type Event = (
    RoundOpened | RoundCompleted | RoundReopened | RecallAccepted | RecallRefused | RepairAccepted | RepairRefused
)


# States


class UnopenedRound(Value):
    """Not published, or recalled."""

    publications: frozenset[str] = frozenset()  # known ones: each opens the round once
    answered: frozenset[str] = frozenset()  # recalls and repairs


class OpenedRound(Value):
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publications: frozenset[str]
    answered: frozenset[str]


class RoundWithResults(Value):
    opened: OpenedRound


type State = UnopenedRound | OpenedRound | RoundWithResults


# Refusals


class RoundUnknown(NotFound):
    """No such round is published."""


class GamesMissing(Conflict):
    """It has other games."""


class RoundIsOpen(Conflict):
    """It was published before, with other games, and not recalled."""


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case OpenRound():
            return open_round(state, command)
        case CompleteRound():
            return complete(state, command)
        case ReopenRound():
            return reopen(state)
        case AnswerRecall():
            return answer(state, command)
        case AnswerRepair():
            return answer_repair(state, command)


def open_round(state: State, command: OpenRound) -> list[Event]:
    match state:
        case UnopenedRound():
            if command.publication in state.publications:
                return []
            return [convert(command, RoundOpened, from_attributes=True)]
        case OpenedRound() | RoundWithResults():
            if set(games_of(state)) == set(command.games):
                return []
            raise RoundIsOpen("This round is open with other games: recall it first.")


def complete(state: State, command: CompleteRound) -> list[Event]:
    match state:
        case UnopenedRound():
            raise RoundUnknown("This round is not published.")
        case RoundWithResults():
            return []
        case OpenedRound():
            if command.games != frozenset(state.games):
                raise GamesMissing("This round has other games.")
            return [RoundCompleted(tournament=state.tournament, stage=state.stage, round=state.round)]


def reopen(state: State) -> list[Event]:
    match state:
        case UnopenedRound() | OpenedRound():
            return []
        case RoundWithResults():
            opened = state.opened
            return [RoundReopened(tournament=opened.tournament, stage=opened.stage, round=opened.round)]


def answer(state: State, command: AnswerRecall) -> list[Event]:
    opened = state.opened if isinstance(state, RoundWithResults) else state
    if command.recall in opened.answered:
        return []
    if command.begun is None:
        return [convert(command, RecallAccepted, from_attributes=True)]
    return [
        RecallRefused(
            tournament=command.tournament,
            stage=command.stage,
            round=command.round,
            recall=command.recall,
            game=command.begun,
        )
    ]


def answer_repair(state: State, command: AnswerRepair) -> list[Event]:
    opened = state.opened if isinstance(state, RoundWithResults) else state
    if command.repair in opened.answered:
        return []
    if command.begun is None:
        return [*reopen(state), convert(command, RepairAccepted, from_attributes=True)]
    return [
        RepairRefused(
            tournament=command.tournament,
            stage=command.stage,
            round=command.round,
            repair=command.repair,
            game=command.begun,
        )
    ]


def evolve(state: State, event: Event) -> State:
    opened = state.opened if isinstance(state, RoundWithResults) else state
    match event:
        case RoundOpened():
            return OpenedRound(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                games=event.games,
                publications=opened.publications | {event.publication},
                answered=opened.answered,
            )
        case RoundCompleted():
            return RoundWithResults(opened=opened) if isinstance(opened, OpenedRound) else opened
        case RoundReopened():
            return opened
        case RecallAccepted():
            return UnopenedRound(publications=opened.publications, answered=opened.answered | {event.recall})
        case RecallRefused():
            return having_answered(state, event.recall)
        case RepairAccepted() | RepairRefused():
            return having_answered(state, event.repair)


def having_answered(state: State, asking: str) -> State:
    match state:
        case UnopenedRound() | OpenedRound():
            return replace(state, answered=state.answered | {asking})
        case RoundWithResults():
            return RoundWithResults(opened=replace(state.opened, answered=state.opened.answered | {asking}))


def games_of(state: State) -> tuple[str, ...]:
    opened = state.opened if isinstance(state, RoundWithResults) else state
    return opened.games if isinstance(opened, OpenedRound) else ()


def identity(tournament: str, stage: str, number: int) -> str:
    return f"{tournament}.{stage}.{number}"


ROUND: Decider[State, Command, Event] = Decider(
    kind="sheets",
    initial=UnopenedRound(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
