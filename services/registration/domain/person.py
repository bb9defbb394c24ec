"""A person of a federation, whoever that is: names and whatever else is personal stand beside the log, never in it.

Who was registered twice is merged: the one id leads to the other from then on, and what happened under either stays.
Who asks for it is erased: the id stays in the history, and nobody knows any more whose it was.

What is known of a person has no place here: names are in `shared/personal/names.py`, all other fields in
`shared/personal/particulars.py`.
"""

from enum import StrEnum

from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

# Orders


class MergeReason(StrEnum):
    REGISTERED_TWICE = "registered-twice"
    IMPORTED_TWICE = "imported-twice"
    OTHER = "other"


class RegisterPerson(Order):
    person: str
    federation: str
    account: str | None = None  # the subject of whoever registers themselves


class IntroducePerson(Order):
    """Their registration is said once more, for those who could not hear of it then."""


class RenamePerson(Order):
    """That there is another name is a fact; the name itself is kept where it can be erased."""

    differs: bool  # from the one that is known


class ChangeParticulars(Order):
    """That something else is known of them is a fact; what it is, is kept where it can be erased."""

    differ: bool


class TakeOver(Order):
    """Another id turned out to be this person too."""

    duplicate: str
    reason: MergeReason


class MergePerson(Order):
    """The duplicate leads to the other id from now on; both sides of a merger happen together."""

    into: str
    federation: str


class GiveAccount(Order):
    """Whoever signs in as this subject is this person: an official vouches for it."""

    subject: str


class TakeAccount(Order):
    """Nobody signs in as this person any more."""


class ErasePerson(Order):
    also: tuple[str, ...] = ()  # ids that were merged into this one
    tournaments: tuple[str, ...] = ()  # in which they took part under any of them


type Command = (
    RegisterPerson
    | IntroducePerson
    | RenamePerson
    | ChangeParticulars
    | TakeOver
    | MergePerson
    | GiveAccount
    | TakeAccount
    | ErasePerson
)


# Facts


class PersonRegistered(Fact):
    """Somebody is in the federation's register under this id; name and particulars lie beside the log."""

    person: str
    federation: str


class PersonRenamed(Fact):
    """The name beside the log is another one now; neither of them stands here."""

    person: str


class ParticularsChanged(Fact):
    """Something of what lies beside the log about them is different now, such as an address."""

    person: str


class DuplicateTakenOver(Fact):
    """Another entry of the register was the same person: it goes on as this one, for the reason of this code."""

    person: str
    duplicate: str
    reason: str


class PersonMerged(Fact):
    """This entry of the register was the same person as another one, which it goes on as."""

    person: str
    into: str


class AccountGiven(Fact):
    """This account is theirs, `vouched` for by an official or only said by themselves."""

    person: str
    subject: str
    vouched: bool  # by an official; otherwise they say it of themselves


class AccountTaken(Fact):
    """The account is not theirs any more."""

    person: str
    subject: str


class PersonErased(Fact):
    """Their name and particulars were erased, with those of `also`, who are the same person, and the words about
    `tournaments`.
    """

    person: str
    also: tuple[str, ...]
    tournaments: tuple[str, ...]


type Event = (
    PersonRegistered
    | PersonRenamed
    | ParticularsChanged
    | DuplicateTakenOver
    | PersonMerged
    | AccountGiven
    | AccountTaken
    | PersonErased
)


# States


class Unregistered(Value):
    pass


class Registered(Value):
    person: str
    federation: str
    duplicates: tuple[str, ...] = ()
    account: str | None = None  # the subject of tokens that is them
    is_vouched: bool = False  # an official has said so


class Merged(Value):
    person: str
    federation: str
    into: str
    duplicates: tuple[str, ...]


class Erased(Value):
    person: str
    federation: str


type KnownPerson = Registered | Merged | Erased
type State = Unregistered | KnownPerson


# Refusals


class AlreadyRegistered(Conflict):
    """The id is taken by a person of another federation."""


class LicenceTaken(Conflict):
    """A federation gives each number to one person."""


class PersonUnknown(NotFound):
    """Nobody was registered under this id."""


class PersonGone(Conflict):
    """They were erased, or are known by another id now."""


class HasAccount(Conflict):
    """Somebody else signs in as this person."""


class NotVouched(Conflict):
    """Who has registered themselves takes over nobody else."""


class NotTheSame(Conflict):
    """Only two persons of one federation can turn out to be one."""


def decide(state: State, command: Command) -> list[Event]:
    match state:
        case Unregistered():
            if isinstance(command, RegisterPerson):
                registered = PersonRegistered(person=command.person, federation=command.federation)
                if command.account is None:
                    return [registered]
                return [registered, AccountGiven(person=command.person, subject=command.account, vouched=False)]
            raise person_unknown()
        case Registered():
            return of_registered(state, command)
        case Merged():
            if isinstance(command, MergePerson) and command.into == state.into:
                return []
            raise PersonGone(f"{state.person} and {state.into} are one person: use the second id.")
        case Erased():
            if isinstance(command, ErasePerson):
                return []
            raise PersonGone(f"{state.person} was erased: register them anew if they come back.")


def of_registered(state: Registered, command: Command) -> list[Event]:
    match command:
        case RegisterPerson():
            if state.federation == command.federation:
                return []
            raise AlreadyRegistered("This id belongs to a person of another federation: choose another id.")
        case IntroducePerson():
            return [PersonRegistered(person=state.person, federation=state.federation)]
        case RenamePerson():
            return [PersonRenamed(person=state.person)] if command.differs else []
        case ChangeParticulars():
            return [ParticularsChanged(person=state.person)] if command.differ else []
        case TakeOver():
            return take_over(state, command)
        case MergePerson():
            return be_merged(state, command)
        case GiveAccount() | TakeAccount():
            return change_account(state, command)
        case ErasePerson():
            return [PersonErased(person=state.person, also=command.also, tournaments=command.tournaments)]


def be_merged(state: Registered, order: MergePerson) -> list[Event]:
    if order.federation != state.federation:
        raise NotTheSame("The other one belongs to another federation: only persons of one can be merged.")
    return [PersonMerged(person=state.person, into=order.into)]


def change_account(state: Registered, order: GiveAccount | TakeAccount) -> list[Event]:
    if isinstance(order, TakeAccount):
        return [] if state.account is None else [AccountTaken(person=state.person, subject=state.account)]
    if (state.account, state.is_vouched) == (order.subject, True):
        return []
    if state.account not in {None, order.subject}:
        raise HasAccount(f"{state.account} signs in as {state.person}: take that account away first.")
    return [AccountGiven(person=state.person, subject=order.subject, vouched=True)]


def take_over(state: Registered, order: TakeOver) -> list[Event]:
    if order.duplicate in state.duplicates:
        return []
    if state.account is not None and not state.is_vouched:
        raise NotVouched(
            f"{state.person} has registered themselves, and nobody has vouched for the account {state.account}: say first "
            "that it is theirs, or merge this one into the other."
        )
    if order.duplicate == state.person:
        raise NotTheSame("A person is merged with another one: name the id of the duplicate.")
    return [DuplicateTakenOver(person=state.person, duplicate=order.duplicate, reason=order.reason.value)]


def evolve(state: State, event: Event) -> State:
    match state, event:
        case Unregistered(), PersonRegistered():
            return Registered(person=event.person, federation=event.federation)
        case Registered(), DuplicateTakenOver():
            return replace(state, duplicates=(*state.duplicates, event.duplicate))
        case Registered(), PersonMerged():
            return Merged(
                person=state.person, federation=state.federation, into=event.into, duplicates=state.duplicates
            )
        case Registered(), PersonErased():
            return Erased(person=state.person, federation=state.federation)
        case Registered(), AccountGiven():
            return replace(state, account=event.subject, is_vouched=event.vouched)
        case Registered(), AccountTaken():
            return replace(state, account=None, is_vouched=False)
        case (Registered(), PersonRegistered() | PersonRenamed() | ParticularsChanged()) | (
            Unregistered() | Merged() | Erased(),
            _,
        ):
            return state


def known(state: State) -> KnownPerson:
    if isinstance(state, Unregistered):
        raise person_unknown()
    return state


def person_unknown() -> PersonUnknown:
    return PersonUnknown("There is no such person: register them first.")


PERSON: Decider[State, Command, Event] = Decider(
    kind="person", initial=Unregistered(), decide=decide, evolve=evolve, events=classes_of(Event)
)


# The register of a federation, one stream a federation: the files by which persons came into it


class Register(Value):
    """Its version says how often something was imported; nothing else has to be known."""


class ImportPersons(Value):
    federation: str
    persons: tuple[str, ...]  # who is new


class PersonsImported(Fact):
    """A file has brought these persons into the register in one act."""

    federation: str
    persons: tuple[str, ...]


def decide_import(_: Register, command: ImportPersons) -> list[PersonsImported]:
    return [PersonsImported(federation=command.federation, persons=command.persons)] if command.persons else []


def evolve_register(state: Register, _: PersonsImported) -> Register:
    return state


REGISTER: Decider[Register, ImportPersons, PersonsImported] = Decider(
    kind="register", initial=Register(), decide=decide_import, evolve=evolve_register, events=(PersonsImported,)
)
