"""A person of a federation, whoever that is: names and whatever else is personal stand beside the log, never in it."""

from dataclasses import dataclass

from shared.decider import Conflict, Decider, NotFound

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class RegisterPerson:
    person: str
    federation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RenamePerson:
    """That there is another name is a fact; the name itself is kept where it can be erased."""

    differs: bool  # from the one that is known


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeParticulars:
    """That something else is known of them is a fact; what it is, is kept where it can be erased."""

    differ: bool


type Command = RegisterPerson | RenamePerson | ChangeParticulars

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonRegistered:
    person: str
    federation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonRenamed:
    person: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ParticularsChanged:
    person: str


type Event = PersonRegistered | PersonRenamed | ParticularsChanged

# States


@dataclass(frozen=True, kw_only=True, slots=True)
class Unknown:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Registered:
    person: str
    federation: str


type State = Unknown | Registered

# Refusals


class AlreadyRegistered(Conflict):
    """The id is taken by a person of another federation."""


class PersonUnknown(NotFound):
    """Nobody was registered under this id."""


def decide(state: State, command: Command) -> list[Event]:
    match state, command:
        case Unknown(), RegisterPerson():
            return [PersonRegistered(person=command.person, federation=command.federation)]
        case Registered(), RegisterPerson():
            if state.federation == command.federation:
                return []
            raise AlreadyRegistered("This id belongs to a person of another federation: choose another id.")
        case Unknown(), RenamePerson() | ChangeParticulars():
            raise unknown()
        case Registered(), RenamePerson():
            return [PersonRenamed(person=state.person)] if command.differs else []
        case Registered(), ChangeParticulars():
            return [ParticularsChanged(person=state.person)] if command.differ else []


def evolve(state: State, event: Event) -> State:
    match event:
        case PersonRegistered():
            return Registered(person=event.person, federation=event.federation)
        case PersonRenamed() | ParticularsChanged():
            return state


def known(state: State) -> Registered:
    match state:
        case Registered():
            return state
        case Unknown():
            raise unknown()


def unknown() -> PersonUnknown:
    return PersonUnknown("There is no such person: register them first.")


PERSON: Decider[State, Command, Event] = Decider(
    kind="person",
    initial=Unknown(),
    decide=decide,
    evolve=evolve,
    events=(PersonRegistered, PersonRenamed, ParticularsChanged),
)
