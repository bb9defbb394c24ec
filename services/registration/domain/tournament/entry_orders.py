"""What may be asked of an entry where the rules ask for more than who plays: line-up, money, a place, lateness."""

from enum import StrEnum

from services.registration.domain.tournament.entry_facts import Verdict
from shared.commands.decider import Order
from shared.numbers import Number
from shared.values import Value


class RegionReason(StrEnum):
    """Why somebody may play outside their own region."""

    FULL_AT_HOME = "full-at-home"
    NONE_AT_HOME = "none-at-home"
    OTHER = "other"


class Lateness(StrEnum):
    """What coming late costs."""

    NOTHING = "nothing"
    FIRST_GAME = "first-game"  # lost by default
    FIRST_ROUND = "first-round"  # they play from the second one on


class NewLineUp(StrEnum):
    SUBSTITUTE = "substitute"  # comes in for who misses the whole tournament
    CHOICE = "choice"  # somebody of two teams has chosen the other one
    ACTING_CAPTAIN = "acting-captain"


class Also(Value):
    """What else an entry says."""

    substitutes: tuple[str, ...] = ()
    captain: str | None = None
    team: str | None = None
    school: str | None = None
    club: str | None = None
    region: str | None = None
    parts: int = 1
    declared: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    history: bool = False
    direct_source: str | None = None  # at which tournament they were qualified
    history_source: str | None = None  # which championship, or which list of them, says so
    carried: Number = 0
    direct: bool = False  # qualified beforehand for a later stage


NOTHING_ELSE = Also()


class DetailEntry(Order):
    """This is all else that the entry says; who plays is changed by other orders."""

    entrant: str
    also: Also
    verdicts: tuple[Verdict, ...] = ()
    passed: frozenset[str] = frozenset()  # deadlines that are over
    approval: RegionReason | None = None


class JudgeEligibility(Order):
    entrant: str
    verdicts: tuple[Verdict, ...]


class BringIn(Order):
    """A substitute plays for somebody who misses the whole tournament."""

    entrant: str
    substitute: str
    instead_of: str


class ChooseTeam(Order):
    """Somebody who is in the line-ups of several teams here plays for this one."""

    entrant: str
    person: str


class NameCaptain(Order):
    """Somebody acts as captain because the one who was named is absent."""

    entrant: str
    person: str


class CallReserve(Order):
    """The next who waits, or this one, gets a free place."""

    entrant: str | None = None


class ConfirmPlace(Order):
    entrant: str
    passed: frozenset[str] = frozenset()


class ReleaseUnconfirmed(Order):
    """Whoever has not confirmed in time gives the place to the next."""

    passed: frozenset[str] = frozenset()


class RecordPayment(Order):
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    is_late: bool = False
    decision: str | None = None


class RecordRefund(Order):
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    decision: str | None = None


class RequestWaiver(Order):
    entrant: str
    ground: str


class GrantWaiver(Order):
    entrant: str
    ground: str


class RefuseWaiver(Order):
    entrant: str
    ground: str


class ArriveLate(Order):
    """Somebody is there after check-in has closed; they are checked in with it."""

    entrant: str
    effect: Lateness


class ApproveSpectator(Order):
    """Beforehand; the note says who it is."""

    spectator: str
    note: str


type LineUpOrder = BringIn | ChooseTeam | NameCaptain
type DetailOrder = DetailEntry | JudgeEligibility
type PlaceOrder = CallReserve | ConfirmPlace | ReleaseUnconfirmed
type MoneyOrder = RecordPayment | RecordRefund | RequestWaiver | GrantWaiver | RefuseWaiver
type MoreOrder = LineUpOrder | DetailOrder | PlaceOrder | MoneyOrder | ArriveLate | ApproveSpectator
