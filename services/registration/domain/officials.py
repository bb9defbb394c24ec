"""The officials of a federation, tournament or entrant: who acts there as what. One stream a scope.

Subjects are opaque ids of whoever issues tokens, never names.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from shared.access.roles import Role
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, Forbidden, NotFound
from shared.values import Value

# Orders


class AppointOfficial(Order):
    scope: str
    subject: str
    role: Role
    by: str  # who directs here appoints whom they like; anybody else may only see to it that there is a director
    overseen: bool = False  # there are directors above, as of a tournament: here nobody has to be first or last


class DismissOfficial(Order):
    subject: str
    role: Role
    overseen: bool = False


class AppointSeveral(Order):
    """Whoever acts from the beginning, in this order: all of them, or nobody."""

    scope: str
    offices: tuple["Office", ...]
    by: str
    overseen: bool = False


type Command = AppointOfficial | AppointSeveral | DismissOfficial

# Facts


class OfficialAppointed(Fact):
    """This account holds this office there from now on; in a federation it holds in all its tournaments."""

    scope: str
    subject: str
    role: Role


class OfficialDismissed(Fact):
    """This account holds the office no more, for the so-and-so-manieth time: tokens that rest on earlier terms are
    void.
    """

    REPLACES: ClassVar[tuple[str, ...]] = ("OfficialAppointed",)

    scope: str
    subject: str
    role: Role
    terms: int = 0  # of theirs in this office that have ended with this one; not counted from the beginning


type Event = OfficialAppointed | OfficialDismissed

# States


class Office(Value):
    subject: str
    role: Role


class Vacant(Value):
    """Nobody was ever appointed."""


class Staffed(Value):
    scope: str
    offices: tuple[Office, ...]  # in the order of appointment
    ended: Mapping[Office, int] = msgspec.field(default_factory=dict[Office, int])  # the terms of those dismissed

    @property
    def directors(self) -> int:
        return sum(office.role is Role.DIRECTOR for office in self.offices)


type State = Vacant | Staffed

# Refusals


class OnlyTheFirstDirector(Forbidden):
    """An operator begins; whoever directs goes on."""


class NotAnOfficial(NotFound):
    """There is nobody to dismiss."""


class LastDirector(Conflict):
    """Without a director nobody could appoint anybody any more."""


def decide(state: State, command: Command) -> list[Event]:
    return [*appointed_together(state, command)] if isinstance(command, AppointSeveral) else decide_one(state, command)


def decide_one(state: State, command: AppointOfficial | DismissOfficial) -> list[Event]:
    match state, command:
        case Vacant(), AppointOfficial():
            if not command.overseen:
                require_first_director(command, directors=0)
            return [appointed(command)]
        case Staffed(), AppointOfficial():
            if office(command) in state.offices:
                return []
            if not command.overseen and Office(subject=command.by, role=Role.DIRECTOR) not in state.offices:
                require_first_director(command, directors=state.directors)
            return [appointed(command)]
        case Vacant(), DismissOfficial():
            raise nobody(command)
        case Staffed(), DismissOfficial():
            if office(command) not in state.offices:
                raise nobody(command)
            if command.role is Role.DIRECTOR and state.directors == 1 and not command.overseen:
                raise LastDirector("This is the only director: appoint another one first.")
            terms = state.ended.get(office(command), 0) + 1
            return [OfficialDismissed(scope=state.scope, subject=command.subject, role=command.role, terms=terms)]


def evolve(state: State, event: Event) -> State:
    before = state if isinstance(state, Staffed) else Staffed(scope=event.scope, offices=())
    match event:
        case OfficialAppointed():
            return replace(before, offices=(*before.offices, office(event)))
        case OfficialDismissed():
            left = tuple(held for held in before.offices if held != office(event))
            ended = before.ended.get(office(event), 0) + 1
            return replace(before, offices=left, ended={**before.ended, office(event): ended})


def appointed_together(state: State, command: AppointSeveral) -> Iterator[Event]:
    for one in command.offices:
        order = AppointOfficial(
            scope=command.scope, subject=one.subject, role=one.role, by=command.by, overseen=command.overseen
        )
        for event in decide_one(state, order):
            yield event
            state = evolve(state, event)


def office(named: AppointOfficial | DismissOfficial | Event) -> Office:
    return Office(subject=named.subject, role=named.role)


def appointed(command: AppointOfficial) -> OfficialAppointed:
    return OfficialAppointed(scope=command.scope, subject=command.subject, role=command.role)


def nobody(command: DismissOfficial) -> NotAnOfficial:
    return NotAnOfficial(f"Nobody with this subject is {command.role} here: look into the list of officials.")


def require_first_director(command: AppointOfficial, *, directors: int) -> None:
    if directors or command.role is not Role.DIRECTOR:
        raise OnlyTheFirstDirector(
            "An operator appoints the first director and nobody else: ask a director to appoint this official."
        )


OFFICIALS: Decider[State, Command, Event] = Decider(
    kind="officials", initial=Vacant(), decide=decide, evolve=evolve, events=classes_of(Event)
)


def directed(here: State, above: State, *, of_council: bool) -> bool:
    """Tell whether somebody directs one tournament: whoever was named for it, or else the directors of its federation,
    who direct all of its tournaments. Where exactly one director is asked for, that one is of the council."""
    directors = directors_of(here) or directors_of(above)
    if not of_council:
        return bool(directors)
    return len(directors) == 1 and Office(subject=directors[0], role=Role.COUNCIL) in held(above)


def directors_of(state: State) -> list[str]:
    return [office.subject for office in held(state) if office.role is Role.DIRECTOR]


def term(state: State, of: Office) -> int | None:
    """Number the terms in this office from 0, and give the one that they serve; none where they do not hold the
    office."""
    return state.ended.get(of, 0) if isinstance(state, Staffed) and of in state.offices else None


def held(state: State) -> tuple[Office, ...]:
    return state.offices if isinstance(state, Staffed) else ()
