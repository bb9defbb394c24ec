"""A stage is opened by its first round. It is opened once, also when that round is recalled and paired anew."""

from dataclasses import dataclass

from shared.decider import Decider

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenStage:
    tournament: str
    stage: str
    entrants: tuple[str, ...]  # in the order of their start numbers


type Command = OpenStage

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class StageOpened:
    tournament: str
    stage: str
    entrants: tuple[str, ...]


type Event = StageOpened

# States


@dataclass(frozen=True, kw_only=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    entrants: tuple[str, ...]


type State = Unopened | Opened


def decide(state: State, command: Command) -> list[Event]:
    """Whoever comes later is told by registration."""
    match state:
        case Unopened():
            return [StageOpened(tournament=command.tournament, stage=command.stage, entrants=command.entrants)]
        case Opened():
            return []


def evolve(_: State, event: Event) -> State:
    return Opened(entrants=event.entrants)


STAGE: Decider[State, Command, Event] = Decider(
    kind="stage", initial=Unopened(), decide=decide, evolve=evolve, events=(StageOpened,)
)


def identity(tournament: str, stage: str) -> str:
    return f"{tournament}.{stage}"
