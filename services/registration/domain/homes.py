"""The schools, clubs and regions of a federation that entrants come from, and halls. One stream a federation."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import asdict, replace

from services.registration.domain.names import readable
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.faults import Faulty, InputFault
from shared.refusals import Conflict, Invalid, NotFound
from shared.spelling import folded
from shared.values import Value

type Kind = Literal["school", "club", "region", "hall"]


# Orders


class Home(Value):
    """What is said of a school, club, region or hall."""

    kind: Kind
    name: str
    region: str | None = None  # of a school or a club
    types: tuple[str, ...] = ()  # of a school
    parts: int = 1  # former schools that were merged into it
    capacity: int | None = None  # of a hall: how many can play there at once


class RegisterHome(Order):
    home: str
    federation: str
    said: Home
    another: bool = False  # there are two that are called so


class ChangeHome(Order):
    """What is said here replaces all that was said of the home before."""

    home: str
    said: Home
    another: bool = False


class EntrustHome(Order):
    """Whoever signs in as this subject speaks for the school or club."""

    home: str
    subject: str


class TakeHomeBack(Order):
    home: str
    subject: str


type Command = RegisterHome | ChangeHome | EntrustHome | TakeHomeBack


# Facts


class OfHome(Fact):
    home: str
    federation: str
    kind: Kind
    name: str
    region: str | None
    types: tuple[str, ...]
    parts: int
    capacity: int | None = None


class HomeRegistered(OfHome):
    """A club or school is in the federation's register, with what rules ask about it: region, types, merged parts,
    room for tournaments.
    """


class HomeChanged(OfHome):
    """All this is so of a club or school from now on."""


class HomeEntrusted(Fact):
    """An official lets this account speak for the club or school."""

    home: str
    federation: str
    subject: str


class HomeTakenBack(Fact):
    """This account may no longer speak for the club or school."""

    home: str
    federation: str
    subject: str


type Event = HomeRegistered | HomeChanged | HomeEntrusted | HomeTakenBack


# States


class Homes(Value):
    federation: str = ""  # until there is one
    known: Mapping[str, Home] = msgspec.field(default_factory=dict[str, Home])  # in the order of registration
    entrusted: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])  # subjects


# Refusals


class HomeUnknown(NotFound):
    """The federation has no such school, club, region or hall."""


class HomeTaken(Conflict):
    """The id belongs to another home."""


class HomeCalledSo(Conflict):
    """Another one of this kind and region is called so: whoever enters could not tell which of them to name."""


class UnfitHome(Invalid):
    """Only schools have types and parts, only halls a capacity, and regions lie in none."""


class NobodySpeaks(Invalid):
    """Entrants come from schools and clubs, so accounts speak for these."""


def decide(state: Homes, command: Command) -> list[Event]:
    match command:
        case RegisterHome() | ChangeHome():
            return say(state, command)
        case EntrustHome():
            if home_of(state, command.home).kind not in ("school", "club"):
                raise NobodySpeaks("Only a school or a club has an account that enters for it: name one of these.")
            if command.subject in state.entrusted.get(command.home, ()):
                return []
            return [HomeEntrusted(home=command.home, federation=state.federation, subject=command.subject)]
        case TakeHomeBack():
            home_of(state, command.home)
            if command.subject not in state.entrusted.get(command.home, ()):
                return []
            return [HomeTakenBack(home=command.home, federation=state.federation, subject=command.subject)]


def say(state: Homes, command: RegisterHome | ChangeHome) -> list[Event]:
    said = replace(command.said, name=readable(command.said.name))
    require_sound(state, said)
    match command:
        case RegisterHome():
            if state.known.get(command.home) == said:
                return []
            if command.home in state.known:
                raise HomeTaken("This id belongs to another one: choose another id.")
            require_told_apart(state, command)
            return [as_event(HomeRegistered, command.home, command.federation, said)]
        case ChangeHome():
            was = home_of(state, command.home)
            if was == said:
                return []
            if was.kind != said.kind:
                raise UnfitHome(f"A {was.kind} does not become a {said.kind}: register that one.")
            if (folded(was.name), was.region) != (folded(said.name), said.region):
                require_told_apart(state, command)
            return [as_event(HomeChanged, command.home, state.federation, said)]


def require_sound(state: Homes, said: Home) -> None:
    if said.kind != "school" and (said.types or said.parts != 1):
        raise UnfitHome("Only a school has types and merged parts: leave them out.")
    if (said.kind == "hall") != (said.capacity is not None):
        raise UnfitHome("A hall has a capacity, and nothing else has: say for how many players there is room.")
    if said.region is None:
        return
    if said.kind == "region":
        raise UnfitHome("A region lies in no other one: leave it out.")
    region = state.known.get(said.region)
    if region is None or region.kind != "region":
        detail = f"The federation has no region {said.region}: register it first."
        raise Faulty("Nothing was said of this one: mend what errors name.", [InputFault("/region", detail)])


def require_told_apart(state: Homes, command: RegisterHome | ChangeHome) -> None:
    said, called = command.said, folded(command.said.name)
    others = (
        other
        for other, one in state.known.items()
        if other != command.home and (one.kind, one.region, folded(one.name)) == (said.kind, said.region, called)
    )
    if not command.another and (other := next(others, None)) is not None:
        raise HomeCalledSo(
            f'The {said.kind} {other} is called so: name that one, or send "another": true if there are two.'
        )


def home_of(state: Homes, home: str) -> Home:
    if home not in state.known:
        raise HomeUnknown(f"The federation has no school, club, region or hall {home}: register it first.")
    return state.known[home]


def as_event[HomeEvent: (HomeRegistered, HomeChanged)](
    what: type[HomeEvent], home: str, federation: str, said: Home
) -> HomeEvent:
    return msgspec.convert({"home": home, "federation": federation, **asdict(said)}, what)


def evolve(state: Homes, event: Event) -> Homes:
    match event:
        case HomeRegistered() | HomeChanged():
            home = msgspec.convert(event, Home, from_attributes=True)
            return replace(state, federation=event.federation, known={**state.known, event.home: home})
        case HomeEntrusted():
            subjects = (*state.entrusted.get(event.home, ()), event.subject)
            return replace(state, entrusted={**state.entrusted, event.home: subjects})
        case HomeTakenBack():
            subjects = tuple(one for one in state.entrusted.get(event.home, ()) if one != event.subject)
            return replace(state, entrusted={**state.entrusted, event.home: subjects})


HOMES: Decider[Homes, Command, Event] = Decider(
    kind="homes", initial=Homes(), decide=decide, evolve=evolve, events=classes_of(Event)
)
