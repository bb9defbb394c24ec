"""A stage: its groups are drawn, where it has any, and its first round opens it.

It is opened once, also when that round is recalled and paired anew; but a later stage is opened anew where others are in it
by then, since a result before it was corrected or somebody has left. Groups may be drawn anew until a round of theirs is
published.
"""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from services.pairing.domain.round import require_reason
from services.pairing.domain.round_sheet import Doubt, StatedReason
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict
from shared.values import Value

PLAYED = "A round of these groups is published: ask for its recall before you draw them anew."

type GroupMembers = tuple[tuple[str, ...], ...]  # of A, of B and so on

# Orders


class DrawGroups(Order):
    tournament: str
    stage: str
    groups: GroupMembers
    by_hand: bool = False
    is_played: bool = False  # whether a round of the stage is published
    doubts: tuple[Doubt, ...] = ()
    reason: StatedReason | None = None


class OpenStage(Order):
    tournament: str
    stage: str
    entrants: tuple[str, ...]  # in the order of their start numbers
    groups: GroupMembers = ()  # those that its first round was paired by
    is_later: bool = False  # an earlier stage says who is in it


type Command = DrawGroups | OpenStage

# Facts


class GroupsDrawn(Fact):
    """The entrants of a stage are in these groups, by lot or as an official has put them, with a reason where rules
    speak against it.
    """

    REPLACES: ClassVar[tuple[str, ...]] = ("GroupsDrawn",)

    tournament: str
    stage: str
    groups: GroupMembers
    by_hand: bool
    doubts: tuple[Doubt, ...]
    reason: StatedReason | None


class StageOpened(Fact):
    """A stage begins with these entrants, in the order by which they are seeded."""

    tournament: str
    stage: str
    entrants: tuple[str, ...]


type Event = GroupsDrawn | StageOpened

# States


class DrawnGroups(Value):
    groups: GroupMembers
    by_hand: bool


class StageWaiting(Value):
    drawn: DrawnGroups | None = None


class StageRunning(Value):
    entrants: tuple[str, ...]
    drawn: DrawnGroups | None = None


type State = StageWaiting | StageRunning

# Refusals


class GroupsPlayed(Conflict):
    """Who meets whom follows from the groups, and is told already."""


class GroupsChanged(Conflict):
    """The round was paired by other groups than there are now."""


def groups_changed() -> GroupsChanged:
    return GroupsChanged("The groups were drawn anew meanwhile: pair the round once more.")


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case DrawGroups():
            return draw(state, command)
        case OpenStage():
            return open_stage(state, command)


def draw(state: State, command: DrawGroups) -> list[Event]:
    """The same groups once more are nothing new."""
    if state.drawn is not None and (state.drawn.groups, state.drawn.by_hand) == (command.groups, command.by_hand):
        return []
    if command.is_played:
        raise GroupsPlayed(PLAYED)
    require_reason(command.doubts, command.reason)
    return [msgspec.convert(command, GroupsDrawn, from_attributes=True)]


def open_stage(state: State, command: OpenStage) -> list[Event]:
    """Whoever comes later is told by registration."""
    if command.groups != (() if state.drawn is None else state.drawn.groups):
        raise groups_changed()
    match state:
        case StageRunning() if not command.is_later or command.entrants == state.entrants:
            return []
        case StageWaiting() | StageRunning():
            return [msgspec.convert(command, StageOpened, from_attributes=True)]


def evolve(state: State, event: Event) -> State:
    match event:
        case GroupsDrawn():
            return replace(state, drawn=DrawnGroups(groups=event.groups, by_hand=event.by_hand))
        case StageOpened():
            return StageRunning(entrants=event.entrants, drawn=state.drawn)


STAGE: Decider[State, Command, Event] = Decider(
    kind="stage", initial=StageWaiting(), decide=decide, evolve=evolve, events=classes_of(Event)
)


def identity(tournament: str, stage: str) -> str:
    return f"{tournament}.{stage}"
