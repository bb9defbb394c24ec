"""What people decide about the tables of a tournament: how ties end, how long a stage is, and that it is over.

What waits to be decided follows from facts of others. So it comes with the order, and not from this stream.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, Invalid
from shared.values import Value

type Kind = Literal["lot", "duel"]
type Places = tuple[tuple[str, ...], ...]  # place by place; those of an inner tuple stay equal

# Orders


class Tie(Value):
    """Entrants whom everything leaves equal until a lot is drawn or a duel is played."""

    entrants: tuple[str, ...]
    needs: Kind


class SettleTie(Order):
    tournament: str
    stage: str
    kind: Kind
    order: Places
    waiting: tuple[Tie, ...]  # those of the table as it is now
    unfinished: tuple[str, ...] = ()  # why the stage is not played yet


class ShortenStage(Order):
    tournament: str
    stage: str
    rounds: int
    least: int  # as many are published, or the rules want as many
    planned: int | None  # by the rules; none where they fix no number
    reason: str  # names the note with the words


class CloseStage(Order):
    tournament: str
    stage: str
    order: Places
    rests_on: str
    groups: tuple[str, ...] = ()  # of each place, where there are groups
    obstacles: tuple[str, ...] = ()  # why it cannot be closed


class ChoosePrize(Order):
    """Whoever could have cash in several lists takes the prize of one."""

    tournament: str
    entrant: str
    among: str | None  # none: the ranking of all
    offered: tuple[str | None, ...]  # the lists in which this entrant has a prize in cash, where these are several
    undecided: tuple[str, ...] = ()  # why places may still change


type Command = SettleTie | ShortenStage | CloseStage | ChoosePrize

# Facts


class TieSettled(Fact):
    """Who were equal in a table are in this order, by a lot or by a duel between them."""

    tournament: str
    stage: str
    kind: Kind
    order: Places


class StageShortened(Fact):
    """A stage ends after so many rounds; `reason` names the words, which lie beside the log."""

    tournament: str
    stage: str
    rounds: int
    reason: str  # names the note with the words


class StageClosed(Fact):
    """The order of a stage is final, as the facts named in `rests_on` make it; what comes later changes it only by
    closing it once more.
    """

    REPLACES: ClassVar[tuple[str, ...]] = ("StageClosed",)

    tournament: str
    stage: str
    order: Places
    rests_on: str
    groups: tuple[str, ...] = ()


class PrizeChosen(Fact):
    """Whoever could have cash in several lists takes the prize of this one, or of the ranking of all."""

    REPLACES: ClassVar[tuple[str, ...]] = ("PrizeChosen",)

    tournament: str
    entrant: str
    among: str | None


type Event = TieSettled | StageShortened | StageClosed | PrizeChosen

# States


class UnclosedStage(Value):
    """The order of the stage may still change with every result."""


class ClosedStage(Value):
    order: Places
    rests_on: str
    groups: tuple[str, ...] = ()


type StageState = UnclosedStage | ClosedStage


class State(Value):
    """`settled` has the last order of each tie, by its stage, its kind and who is in it."""

    settled: Mapping[tuple[str, Kind, frozenset[str]], Places] = msgspec.field(
        default_factory=dict[tuple[str, Kind, frozenset[str]], Places]
    )
    closed: Mapping[str, ClosedStage] = msgspec.field(default_factory=dict[str, ClosedStage])
    shortened: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    prizes: Mapping[str, str | None] = msgspec.field(default_factory=dict[str, str | None])  # lists, by entrant

    def stage(self, stage: str) -> StageState:
        return self.closed.get(stage, UnclosedStage())

    def is_settled(self, stage: str, kind: Kind, entrants: Iterable[str]) -> bool:
        return (stage, kind, frozenset(entrants)) in self.settled


# Refusals


class OrderUnusable(Invalid):
    """It is no order of somebody."""


class NoSuchTie(Conflict):
    """Nobody waits for this."""


class StageNotPlayed(Conflict):
    """What is still to be played may break the tie by itself."""


class RoundsImpossible(Conflict):
    """A stage cannot have that number of rounds."""


class StageNotFinished(Conflict):
    """The order of the stage is not decided yet."""


class NothingToChoose(Conflict):
    """This entrant has no prizes in cash that do not add up, or none in that list."""


class PlacesUndecided(Conflict):
    """What the places bring may still change."""


def purpose(stage: str) -> str:
    """Of the lot between those who are equal in its table."""
    return f"order of {stage}"


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case SettleTie():
            return settle(state, command)
        case ShortenStage():
            return shorten(state, command)
        case CloseStage():
            return close(state, command)
        case ChoosePrize():
            return choose(state, command)


def settle(state: State, command: SettleTie) -> list[Event]:
    """A lot stays as it was drawn. The order of a duel may have been written down wrongly, and is then told anew."""
    entrants = require_usable(command.order, command.kind)
    before = state.settled.get((command.stage, command.kind, entrants))
    if before == command.order:
        return []
    if before is None or command.kind == "lot":
        require_waiting(command, entrants)
    return [msgspec.convert(command, TieSettled, from_attributes=True)]


def require_usable(order: Places, kind: Kind) -> frozenset[str]:
    """The entrants whose order it is."""
    named = [entrant for equal in order for entrant in equal]
    entrants = frozenset(named)
    if len(entrants) != len(named):
        raise OrderUnusable("An order names everybody once: somebody stands in it twice.")
    if len(entrants) < 2 or not all(order):  # noqa: PLR2004 - one alone is no tie
        raise OrderUnusable("An order names at least two entrants, and has no empty place.")
    if kind == "lot" and len(order) != len(named):
        raise OrderUnusable("A lot leaves nobody equal.")
    return entrants


def require_waiting(command: SettleTie, entrants: frozenset[str]) -> None:
    if not any(tie.needs == command.kind and frozenset(tie.entrants) == entrants for tie in command.waiting):
        there = told(tie for tie in command.waiting if tie.needs == command.kind)
        raise NoSuchTie(f"These entrants do not wait for a {command.kind} together. {there}")
    if command.unfinished:
        raise StageNotPlayed(f"The stage has to be played first. {' '.join(command.unfinished)}")


def told(ties: Iterable[Tie]) -> str:
    named = ["; ".join(tie.entrants) for tie in ties]
    return f"Ties that do: {' / '.join(named)}." if named else "Nobody does."


def shorten(state: State, command: ShortenStage) -> list[Event]:
    """A stage has no more rounds than were planned; one that was shortened too far is mended by naming another number."""
    most = command.planned
    if most is None:
        raise RoundsImpossible("The rules fix no number of rounds for this stage: it is over when all is played.")
    if not command.least <= command.rounds <= most:
        raise RoundsImpossible(
            f"The stage can have {command.least} to {most} rounds: name one of these numbers."
            if command.least < most
            else f"The stage has {most} rounds and can have no other number."
        )
    if command.rounds == state.shortened.get(command.stage, most):
        return []
    return [msgspec.convert(command, StageShortened, from_attributes=True)]


def close(state: State, command: CloseStage) -> list[Event]:
    """Closed once more with another order, after a correction, it is told anew."""
    if command.obstacles:
        raise StageNotFinished(" ".join(command.obstacles))
    match state.stage(command.stage):
        case ClosedStage() as closed if (closed.order, closed.groups) == (command.order, command.groups):
            return []
        case UnclosedStage() | ClosedStage():
            return [msgspec.convert(command, StageClosed, from_attributes=True)]


def choose(state: State, command: ChoosePrize) -> list[Event]:
    """Another choice takes the place of the one before, until the prizes are handed over."""
    if command.undecided:
        raise PlacesUndecided(f"Places may still change: choose once they are decided. {' '.join(command.undecided)}")
    if command.among not in command.offered:
        there = ", ".join("that of all" if one is None else one for one in command.offered)
        raise NothingToChoose(
            f"This entrant has no prize in cash there. Choose one of these rankings: {there}."
            if there
            else "This entrant has no prizes in cash that do not add up, so there is nothing to choose."
        )
    if command.entrant in state.prizes and state.prizes[command.entrant] == command.among:
        return []
    return [PrizeChosen(tournament=command.tournament, entrant=command.entrant, among=command.among)]


def evolve(state: State, event: Event) -> State:
    match event:
        case TieSettled():
            key = event.stage, event.kind, frozenset(entrant for equal in event.order for entrant in equal)
            others = {other: order for other, order in state.settled.items() if other != key}
            return replace(state, settled={**others, key: event.order})  # the last one counts most
        case StageShortened():
            return replace(state, shortened={**state.shortened, event.stage: event.rounds})
        case StageClosed():
            closed = ClosedStage(order=event.order, rests_on=event.rests_on, groups=event.groups)
            return replace(state, closed={**state.closed, event.stage: closed})
        case PrizeChosen():
            return replace(state, prizes={**state.prizes, event.entrant: event.among})


RANKING: Decider[State, Command, Event] = Decider(
    kind="ranking", initial=State(), decide=decide, evolve=evolve, events=classes_of(Event)
)
