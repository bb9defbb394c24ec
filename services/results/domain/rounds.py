"""The score sheets of one round together: opened with its publication, complete when each has its result, recalled.

One stream a round. Its sheets are streams of their own, so that those who report do not wait for each other.
"""

from dataclasses import dataclass, replace

from shared.decider import Conflict, Decider, NotFound

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenRound:
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str  # the id of the message that published it


@dataclass(frozen=True, kw_only=True, slots=True)
class CompleteRound:
    """Every one of these games has its result, or does not count."""

    games: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReopenRound:
    """The result of one of its games does not stand any more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerRecall:
    tournament: str
    stage: str
    round: int
    recall: str
    begun: str | None  # a game that has begun


type Command = OpenRound | CompleteRound | ReopenRound | AnswerRecall

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundOpened:
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundCompleted:
    tournament: str
    stage: str
    round: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundReopened:
    tournament: str
    stage: str
    round: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallAccepted:
    tournament: str
    stage: str
    round: int
    recall: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRefused:
    tournament: str
    stage: str
    round: int
    recall: str
    game: str


type Event = RoundOpened | RoundCompleted | RoundReopened | RecallAccepted | RecallRefused

# States


@dataclass(frozen=True, kw_only=True, slots=True)
class Unopened:
    """Not published, or recalled."""

    publications: frozenset[str] = frozenset()  # known ones: each opens the round once
    answered: frozenset[str] = frozenset()  # recalls


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publications: frozenset[str]
    answered: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Complete:
    opened: Opened


type State = Unopened | Opened | Complete

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


def open_round(state: State, command: OpenRound) -> list[Event]:
    match state:
        case Unopened():
            if command.publication in state.publications:
                return []
            return [
                RoundOpened(
                    tournament=command.tournament,
                    stage=command.stage,
                    round=command.round,
                    games=command.games,
                    publication=command.publication,
                )
            ]
        case Opened() | Complete():
            if set(games_of(state)) == set(command.games):
                return []
            raise RoundIsOpen("This round is open with other games: recall it first.")


def complete(state: State, command: CompleteRound) -> list[Event]:
    match state:
        case Unopened():
            raise RoundUnknown("This round is not published.")
        case Complete():
            return []
        case Opened():
            if command.games != frozenset(state.games):
                raise GamesMissing("This round has other games.")
            return [RoundCompleted(tournament=state.tournament, stage=state.stage, round=state.round)]


def reopen(state: State) -> list[Event]:
    match state:
        case Unopened() | Opened():
            return []
        case Complete():
            opened = state.opened
            return [RoundReopened(tournament=opened.tournament, stage=opened.stage, round=opened.round)]


def answer(state: State, command: AnswerRecall) -> list[Event]:
    opened = state.opened if isinstance(state, Complete) else state
    if command.recall in opened.answered:
        return []
    if command.begun is not None:
        return [
            RecallRefused(
                tournament=command.tournament,
                stage=command.stage,
                round=command.round,
                recall=command.recall,
                game=command.begun,
            )
        ]
    return [
        RecallAccepted(tournament=command.tournament, stage=command.stage, round=command.round, recall=command.recall)
    ]


def evolve(state: State, event: Event) -> State:
    opened = state.opened if isinstance(state, Complete) else state
    match event:
        case RoundOpened():
            return Opened(
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                games=event.games,
                publications=opened.publications | {event.publication},
                answered=opened.answered,
            )
        case RoundCompleted():
            return Complete(opened=opened) if isinstance(opened, Opened) else opened
        case RoundReopened():
            return opened
        case RecallAccepted():
            return Unopened(publications=opened.publications, answered=opened.answered | {event.recall})
        case RecallRefused():
            told = replace(opened, answered=opened.answered | {event.recall})
            return Complete(opened=told) if isinstance(state, Complete) and isinstance(told, Opened) else told


def games_of(state: State) -> tuple[str, ...]:
    match state:
        case Unopened():
            return ()
        case Opened():
            return state.games
        case Complete():
            return state.opened.games


def identity(tournament: str, stage: str, number: int) -> str:
    return f"{tournament}.{stage}.{number}"


ROUND: Decider[State, Command, Event] = Decider(
    kind="sheets",
    initial=Unopened(),
    decide=decide,
    evolve=evolve,
    events=(RoundOpened, RoundCompleted, RoundReopened, RecallAccepted, RecallRefused),
)
