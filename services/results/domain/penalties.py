"""What entrants of one tournament have brought upon themselves: points taken away, and expulsions. One stream each.

Registration expels. Results only tells that it is due: because so many games were defaulted against an entrant, or
because an official disqualifies. When a correction takes the ground away, that is told as well.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import ClassVar

import msgspec
from msgspec import convert
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Mark, Order, classes_of
from shared.numbers import Number, exact
from shared.refusals import Conflict, Invalid, NotFound
from shared.values import Value

# Orders


class ImposePenalty(Order):
    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str  # the id of its text, which is kept beside the log


class LiftPenalty(Order):
    penalty: str
    tournament: str
    reason: str


class Warn(Order):
    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None  # of a team


class CountDefaults(Order):
    """So it stands: whether by these games an entrant is expelled, and by which clause."""

    tournament: str
    entrant: str
    stage: str
    round: int
    games: tuple[str, ...]
    clause: str | None  # none: they are too few
    lost: tuple[str, ...] = ()  # unplayed, because of an expulsion: they do not count
    has_returned: bool = False  # registration has taken them back since


class Disqualify(Order):
    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    reason: str
    has_returned: bool = False  # registration has taken them back since


class ExpelPerson(Order):
    """Of a team, which plays on without."""

    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


class ReturnPerson(Order):
    """To the team: the expulsion was a mistake, or an appeal has overturned it."""

    tournament: str
    entrant: str
    person: str
    reason: str


class RemoveFromHall(Order):
    """Somebody has to leave the room, for a while or for good. Whether a player is out of the tournament is another act."""

    removal: str
    tournament: str
    entrant: str | None  # none: a spectator, whom the words of the reason name
    final: bool
    minutes: int | None  # none: until somebody lets them in again
    stage: str
    round: int
    reason: str


class LetBackIn(Order):
    removal: str
    tournament: str
    reason: str


type Command = (
    Warn
    | ExpelPerson
    | ReturnPerson
    | ImposePenalty
    | LiftPenalty
    | CountDefaults
    | Disqualify
    | RemoveFromHall
    | LetBackIn
)

# Facts


class PenaltyImposed(Fact):
    """The director takes points from an entrant in this round; `reason` names the text, which lies beside the log."""

    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str


class PenaltyLifted(Fact):
    """The director has taken a penalty back."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("PenaltyImposed",)

    penalty: str
    tournament: str
    reason: str


class WarningGiven(Fact):
    """An entrant is warned: nothing follows from it, but whoever decides later sees it."""

    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None


class ExpulsionDue(Fact):
    """By this clause the entrant has to leave: because of these games, or disqualified by an official."""

    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    games: tuple[str, ...] = ()  # none: an official disqualified
    reason: str | None = None

    @property
    def by_official(self) -> bool:
        return not self.games


class ExpulsionLapsed(Fact):
    """The games that expelled an entrant were corrected: they have not to leave after all."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("ExpulsionDue",)

    tournament: str
    entrant: str
    lost: tuple[str, ...] = ()  # unplayed, because of the expulsion: they count for no other one


class PersonExpelled(Fact):
    """The director has expelled one person; who of the entrant remains goes on."""

    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


class PersonReturned(Fact):
    """The director has taken the expulsion of one person back, who may be in a line-up again."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("PersonExpelled",)

    tournament: str
    entrant: str
    person: str
    reason: str


class RemovedFromHall(Fact):
    """Somebody has to leave the hall, for a time or for good; nothing that is computed follows from it."""

    removal: str
    tournament: str
    entrant: str | None
    final: bool
    minutes: int | None
    stage: str
    round: int
    reason: str


class LetIntoHall(Fact):
    """Who had to leave the hall may come back: the time is over, or it was wrong."""

    REPLACES: ClassVar[tuple[str, ...]] = ("RemovedFromHall",)

    removal: str
    tournament: str
    reason: str


type Event = (
    WarningGiven
    | PersonExpelled
    | PersonReturned
    | PenaltyImposed
    | PenaltyLifted
    | ExpulsionDue
    | ExpulsionLapsed
    | RemovedFromHall
    | LetIntoHall
)


# State


class Imposed(Value):
    entrant: str
    stage: str
    round: int
    points: Number


type GamesOf = Mapping[str, tuple[str, ...]]  # by entrant


class PenaltiesState(Value):
    imposed: Mapping[str, Imposed]
    warnings: tuple[WarningGiven, ...] = ()
    lifted: frozenset[str] = frozenset()
    due_for: GamesOf = msgspec.field(default_factory=dict[str, tuple[str, ...]])  # whose expulsion is due for these
    forgiven: GamesOf = msgspec.field(default_factory=dict[str, tuple[str, ...]])  # of who was taken back, and has more
    lost: GamesOf = msgspec.field(default_factory=dict[str, tuple[str, ...]])  # unplayed, by an expulsion that lapsed
    disqualified: frozenset[str] = frozenset()
    persons: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # who are expelled, and of which team
    returned: frozenset[str] = frozenset()  # persons of teams, who were
    removals: Mapping[str, RemovedFromHall] = msgspec.field(default_factory=dict[str, RemovedFromHall])
    let_in: frozenset[str] = frozenset()  # removals that are over

    @property
    def by_defaults(self) -> AbstractSet[str]:
        """Entrants whose expulsion is due for their games."""
        return self.due_for.keys()

    def excused(self, entrant: str, *, has_returned: bool) -> tuple[str, ...]:
        """The games of which it was decided that they expel nobody: whoever is taken back is expelled by a further one only."""
        return (self.due_for if has_returned else self.forgiven).get(entrant, ())


# Refusals


class NoPenalty(Invalid):
    """A penalty takes points away."""


class PenaltyTaken(Conflict):
    """The id belongs to another penalty."""


class RemovalUnknown(NotFound):
    """Nobody was removed from the hall under this id."""


class PersonNotExpelled(NotFound):
    """This person of that team was not expelled."""


class PenaltyUnknown(NotFound):
    """No such penalty was imposed."""


def decide(state: PenaltiesState, command: Command) -> list[Event]:
    match command:
        case Warn():
            return warn(state, command)
        case ExpelPerson():
            return expel_person(state, command)
        case ReturnPerson():
            return return_person(state, command)
        case ImposePenalty():
            return impose(state, command)
        case LiftPenalty():
            return lift(state, command)
        case CountDefaults():
            return count(state, command)
        case Disqualify():
            return disqualify(state, command)
        case RemoveFromHall():
            return remove(state, command)
        case LetBackIn():
            return let_back_in(state, command)


def remove(state: PenaltiesState, command: RemoveFromHall) -> list[Event]:
    removed = convert(command, RemovedFromHall, from_attributes=True)
    known = state.removals.get(command.removal)
    if known not in {None, removed}:
        raise PenaltyTaken("Another removal has this id: choose a new one.")
    return [] if known else [removed]


def let_back_in(state: PenaltiesState, command: LetBackIn) -> list[Event]:
    if command.removal not in state.removals:
        raise RemovalUnknown("Nobody was removed from the hall under this id: look into the list of penalties.")
    if command.removal in state.let_in:
        return []
    return [convert(command, LetIntoHall, from_attributes=True)]


def warn(state: PenaltiesState, command: Warn) -> list[Event]:
    given = convert(command, WarningGiven, from_attributes=True)
    known = next((one for one in state.warnings if one.warning == command.warning), None)
    if known not in {None, given}:
        raise PenaltyTaken("Another warning has this id: choose a new one.")
    return [] if known else [given]


def expel_person(state: PenaltiesState, command: ExpelPerson) -> list[Event]:
    if command.person in state.persons:
        return []
    return [convert(command, PersonExpelled, from_attributes=True)]


def return_person(state: PenaltiesState, command: ReturnPerson) -> list[Event]:
    if state.persons.get(command.person) == command.entrant:
        return [convert(command, PersonReturned, from_attributes=True)]
    if command.person in state.returned:
        return []
    raise PersonNotExpelled("This person of that team was not expelled: look into the list of penalties.")


def impose(state: PenaltiesState, command: ImposePenalty) -> list[Event]:
    if exact(command.points) >= Fraction(0):
        raise NoPenalty("A penalty takes points away: send a number below zero.")
    wanted = convert(command, Imposed, from_attributes=True)
    known = state.imposed.get(command.penalty)
    if known not in {None, wanted}:
        raise PenaltyTaken("Another penalty has this id: choose a new one.")
    return [] if known else [convert(command, PenaltyImposed, from_attributes=True)]


def lift(state: PenaltiesState, command: LiftPenalty) -> list[Event]:
    if command.penalty not in state.imposed:
        raise PenaltyUnknown("There is no such penalty: look into the list.")
    if command.penalty in state.lifted:
        return []
    return [convert(command, PenaltyLifted, from_attributes=True)]


def count(state: PenaltiesState, command: CountDefaults) -> list[Event]:
    is_due = command.entrant in state.by_defaults
    lapsed: list[Event] = [convert(command, ExpulsionLapsed, from_attributes=True)] if is_due else []
    if command.clause is None:
        return lapsed
    excused = state.excused(command.entrant, has_returned=command.has_returned)
    has_more = not set(command.games) <= set(excused)
    if is_due and not command.has_returned:
        return [] if has_more else lapsed
    return [convert(command, ExpulsionDue, from_attributes=True)] if has_more else []


def disqualify(state: PenaltiesState, command: Disqualify) -> list[Event]:
    if command.entrant in state.disqualified and not command.has_returned:
        return []
    return [convert(command, ExpulsionDue, from_attributes=True)]


def evolve(state: PenaltiesState, event: Event) -> PenaltiesState:
    match event:
        case PersonExpelled() | PersonReturned():
            return evolve_persons(state, event)
        case WarningGiven():
            return replace(state, warnings=(*state.warnings, event))
        case PenaltyImposed():
            imposed = convert(event, Imposed, from_attributes=True)
            return replace(state, imposed={**state.imposed, event.penalty: imposed})
        case PenaltyLifted():
            return replace(state, lifted=state.lifted | {event.penalty})
        case ExpulsionDue() if event.games:
            before = state.due_for.get(event.entrant)
            forgiven = state.forgiven if before is None else {**state.forgiven, event.entrant: before}
            return replace(state, due_for={**state.due_for, event.entrant: event.games}, forgiven=forgiven)
        case ExpulsionDue():
            return replace(state, disqualified=state.disqualified | {event.entrant})
        case ExpulsionLapsed():
            others = {entrant: games for entrant, games in state.due_for.items() if entrant != event.entrant}
            again = {entrant: games for entrant, games in state.forgiven.items() if entrant == event.entrant}
            forgiven = {entrant: games for entrant, games in state.forgiven.items() if entrant != event.entrant}
            lost = {**state.lost, event.entrant: event.lost}
            return replace(state, due_for=others | again, forgiven=forgiven, lost=lost)
        case RemovedFromHall():
            return replace(state, removals={**state.removals, event.removal: event})
        case LetIntoHall():
            return replace(state, let_in=state.let_in | {event.removal})


def evolve_persons(state: PenaltiesState, event: PersonExpelled | PersonReturned) -> PenaltiesState:
    match event:
        case PersonExpelled():
            persons = {**state.persons, event.person: event.entrant}
            return replace(state, persons=persons, returned=state.returned - {event.person})
        case PersonReturned():
            persons = {person: team for person, team in state.persons.items() if person != event.person}
            return replace(state, persons=persons, returned=state.returned | {event.person})


PENALTIES: Decider[PenaltiesState, Command, Event] = Decider(
    kind="penalties",
    initial=PenaltiesState(imposed={}),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
