"""Who speaks for an entrant, one stream an entrant; and the keys that their tokens are signed with, one stream for all.

Not persons are named here but generations: whoever holds a token of the current one speaks for the entrant. The first
token names the captain; each is counted, with the official who has issued it. A dismissal voids all of them at once.
"""

from typing import ClassVar

from shared.access.captain_tokens import Issuer
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import NotFound
from shared.values import Value

# Orders


class IssueToken(Order):
    tournament: str
    entrant: str
    issuer: Issuer
    issued: int  # seconds since 1970


class DismissCaptain(Order):
    pass


type Command = IssueToken | DismissCaptain


# Facts


class CaptainNamed(Fact):
    """Whoever shows a token of this generation speaks for the entrant; those of earlier generations are void."""

    REPLACES: ClassVar[tuple[str, ...]] = ("CaptainNamed",)

    tournament: str
    entrant: str
    generation: int


class CaptainTokenIssued(Fact):
    """A token of the captain was issued, by this official at this second; the token itself is kept nowhere."""

    tournament: str
    entrant: str
    generation: int
    serial: int  # 1, 2, 3 … of this entrant; no number is used again
    issuer: Issuer
    issued: int  # seconds since 1970, as the token says


class CaptainDismissed(Fact):
    """Nobody speaks for the entrant by a token of this generation any more."""

    REPLACES: ClassVar[tuple[str, ...]] = ("CaptainNamed",)

    tournament: str
    entrant: str
    generation: int  # the first of which a token is good again


type Event = CaptainNamed | CaptainTokenIssued | CaptainDismissed


# States


class NeverNamed(Value):
    pass


class NamedCaptain(Value):
    tournament: str
    entrant: str
    generation: int
    serial: int = 0  # of the last token; before they were counted nobody knows how many there were


class DismissedCaptain(Value):
    tournament: str
    entrant: str
    generation: int  # of whoever is named next
    serial: int = 0


type State = NeverNamed | NamedCaptain | DismissedCaptain


# Refusals


class NoCaptain(NotFound):
    """There is nobody to dismiss."""


def decide(state: State, command: Command) -> list[Event]:
    match state, command:
        case NeverNamed(), IssueToken():
            return [named(command, 1), issued(command, 1, 1)]
        case NamedCaptain(), IssueToken():
            return [issued(command, state.generation, state.serial + 1)]
        case DismissedCaptain(), IssueToken():
            return [named(command, state.generation), issued(command, state.generation, state.serial + 1)]
        case NeverNamed(), DismissCaptain():
            raise NoCaptain("Nobody was ever named to speak for this entrant: there is no token to withdraw.")
        case NamedCaptain(), DismissCaptain():
            following = state.generation + 1
            return [CaptainDismissed(tournament=state.tournament, entrant=state.entrant, generation=following)]
        case DismissedCaptain(), DismissCaptain():
            return []


def named(command: IssueToken, generation: int) -> CaptainNamed:
    return CaptainNamed(tournament=command.tournament, entrant=command.entrant, generation=generation)


def issued(command: IssueToken, generation: int, serial: int) -> CaptainTokenIssued:
    return CaptainTokenIssued(
        tournament=command.tournament,
        entrant=command.entrant,
        generation=generation,
        serial=serial,
        issuer=command.issuer,
        issued=command.issued,
    )


def evolve(state: State, event: Event) -> State:
    serial = 0 if isinstance(state, NeverNamed) else state.serial
    match event:
        case CaptainNamed():
            return NamedCaptain(
                tournament=event.tournament, entrant=event.entrant, generation=event.generation, serial=serial
            )
        case CaptainTokenIssued():
            return NamedCaptain(
                tournament=event.tournament, entrant=event.entrant, generation=event.generation, serial=event.serial
            )
        case CaptainDismissed():
            return DismissedCaptain(
                tournament=event.tournament, entrant=event.entrant, generation=event.generation, serial=serial
            )


CAPTAIN: Decider[State, Command, Event] = Decider(
    kind="captain", initial=NeverNamed(), decide=decide, evolve=evolve, events=classes_of(Event)
)


# Keys, one after the other


KEYS_STREAM = "captains"  # also the scope of its events, which are about no single tournament


class IntroduceKey(Value):
    key: str
    public: str


class CaptainKeyIntroduced(Fact):
    """Tokens of captains are signed from now on with the key that belongs to this public one."""

    key: str
    public: str


class NoKey(Value):
    pass


class KeyInUse(Value):
    key: str


type KeyState = NoKey | KeyInUse


def decide_key(state: KeyState, command: IntroduceKey) -> list[CaptainKeyIntroduced]:
    match state:
        case KeyInUse(key=command.key):
            return []
        case NoKey() | KeyInUse():
            return [CaptainKeyIntroduced(key=command.key, public=command.public)]


def evolve_key(_: KeyState, event: CaptainKeyIntroduced) -> KeyState:
    return KeyInUse(key=event.key)


KEYS: Decider[KeyState, IntroduceKey, CaptainKeyIntroduced] = Decider(
    kind="keys", initial=NoKey(), decide=decide_key, evolve=evolve_key, events=(CaptainKeyIntroduced,)
)
