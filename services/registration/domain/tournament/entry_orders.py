"""What may be asked of an entry where the rules ask for more than who plays: line-up, money, a place, lateness."""

from dataclasses import dataclass
from enum import StrEnum

from services.registration.domain.tournament.entry_facts import Verdict
from shared.numbers import Number


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Also:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class DetailEntry:
    """This is all else that the entry says; who plays is changed by other orders."""

    entrant: str
    also: Also
    verdicts: tuple[Verdict, ...] = ()
    passed: frozenset[str] = frozenset()  # deadlines that are over
    approval: RegionReason | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeEligibility:
    entrant: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class BringIn:
    """A substitute plays for somebody who misses the whole tournament."""

    entrant: str
    substitute: str
    instead_of: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseTeam:
    """Somebody who is in the line-ups of several teams here plays for this one."""

    entrant: str
    person: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NameCaptain:
    """Somebody acts as captain because the one who was named is absent."""

    entrant: str
    person: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CallReserve:
    """The next who waits, or this one, gets a free place."""

    entrant: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmPlace:
    entrant: str
    passed: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseUnconfirmed:
    """Whoever has not confirmed in time gives the place to the next."""

    passed: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordPayment:
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    is_late: bool = False
    decision: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordRefund:
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    decision: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestWaiver:
    entrant: str
    ground: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GrantWaiver:
    entrant: str
    ground: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RefuseWaiver:
    entrant: str
    ground: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ArriveLate:
    """Somebody is there after check-in has closed; they are checked in with it."""

    entrant: str
    effect: Lateness


@dataclass(frozen=True, kw_only=True, slots=True)
class ApproveSpectator:
    """Beforehand; the note says who it is."""

    spectator: str
    note: str


type LineUpOrder = BringIn | ChooseTeam | NameCaptain
type DetailOrder = DetailEntry | JudgeEligibility
type PlaceOrder = CallReserve | ConfirmPlace | ReleaseUnconfirmed
type MoneyOrder = RecordPayment | RecordRefund | RequestWaiver | GrantWaiver | RefuseWaiver
type MoreOrder = LineUpOrder | DetailOrder | PlaceOrder | MoneyOrder | ArriveLate | ApproveSpectator
