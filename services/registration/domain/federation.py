"""A federation owns its tournaments, seasons and people. It is founded once and may change its name."""

from services.registration.domain.names import readable
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

# Orders


class FoundFederation(Order):
    federation: str
    name: str


class RenameFederation(Order):
    name: str


type Command = FoundFederation | RenameFederation


# Facts


class FederationFounded(Fact):
    """A federation exists from now on, under this name."""

    federation: str
    name: str


class FederationRenamed(Fact):
    """The federation is called so from now on."""

    federation: str
    name: str


type Event = FederationFounded | FederationRenamed


# States


class Unfounded(Value):
    pass


class Founded(Value):
    federation: str
    name: str


type State = Unfounded | Founded


# Refusals


class AlreadyFounded(Conflict):
    """The id is taken by another federation."""


class FederationUnknown(NotFound):
    """Nothing was founded under this id."""


def decide(state: State, command: Command) -> list[Event]:
    name = readable(command.name)
    match state, command:
        case Unfounded(), FoundFederation():
            return [FederationFounded(federation=command.federation, name=name)]
        case Founded(), FoundFederation():
            if state.name == name:
                return []
            raise AlreadyFounded("A federation with this id exists under another name: choose another id.")
        case Unfounded(), RenameFederation():
            raise FederationUnknown("There is no such federation: found it first.")
        case Founded(), RenameFederation():
            if state.name == name:
                return []
            return [FederationRenamed(federation=state.federation, name=name)]


def evolve(_: State, event: Event) -> State:
    match event:
        case FederationFounded() | FederationRenamed():
            return Founded(federation=event.federation, name=event.name)


FEDERATION: Decider[State, Command, Event] = Decider(
    kind="federation", initial=Unfounded(), decide=decide, evolve=evolve, events=classes_of(Event)
)
