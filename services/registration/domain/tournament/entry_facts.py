"""What else has happened to entries: what rules of some federations ask for besides who plays."""

from dataclasses import dataclass

from shared.numbers import Number


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentPlaced:
    """Where a tournament belongs: in a series, a region, a school, the calendar; and why it may be on such a day."""

    tournament: str
    series: str | None
    region: str | None
    host: str | None  # a school
    override: str | None
    competition: str | None = None  # what it is in the calendar
    variant: str | None = None
    hall: str | None = None
    room: int | None = None  # entrants for whom the hall has room


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryDetailed:
    """This is all else that the entry says."""

    entrant: str
    tournament: str
    substitutes: tuple[str, ...]
    captain: str | None
    team: str | None  # the same in all tournaments of a series
    school: str | None
    club: str | None
    region: str | None
    parts: int  # of a merged school
    declared: tuple[str, ...]
    consents: tuple[str, ...]
    needs: tuple[str, ...]
    history: bool
    carried: Number
    direct: bool = False  # qualified beforehand for a later stage
    history_source: str | None = None
    direct_source: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LineUpChanged:
    """Who plays, and who could still come in instead; from now on and for the whole tournament."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    captain: str | None
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether a person meets a condition; none where too little is known. Never why: birth dates stand elsewhere."""

    person: str
    rule: str
    clause: str | None
    sentence: str
    met: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class EligibilityJudged:
    entrant: str
    tournament: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RegionApproved:
    """A coordinator lets them play outside their own region."""

    entrant: str
    tournament: str
    region: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SpectatorApproved:
    """Somebody may come to look on; who it is stands beside the log."""

    tournament: str
    spectator: str
    note: str


# Places


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantWaits:
    """There is no place for them; they wait behind those who came before."""

    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReserveCalled:
    """A place has become free, and it is theirs."""

    entrant: str
    tournament: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceConfirmed:
    """They will come: this binds them."""

    entrant: str
    tournament: str


# Money


@dataclass(frozen=True, kw_only=True, slots=True)
class PaymentRecorded:
    entrant: str
    tournament: str
    amount: Number
    currency: str
    on: str  # the day on which it was paid, or credited
    reference: str
    decision: str | None  # why later than the rules say


@dataclass(frozen=True, kw_only=True, slots=True)
class RefundDue:
    """They have withdrawn in time: what they paid goes back."""

    entrant: str
    tournament: str
    amount: Number
    currency: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RefundRecorded:
    entrant: str
    tournament: str
    amount: Number
    currency: str
    on: str
    reference: str
    decision: str | None  # why although none is due


@dataclass(frozen=True, kw_only=True, slots=True)
class WaiverRequested:
    entrant: str
    tournament: str
    ground: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WaiverGranted:
    entrant: str
    tournament: str
    ground: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WaiverRefused:
    entrant: str
    tournament: str
    ground: str


# The day


@dataclass(frozen=True, kw_only=True, slots=True)
class MembersPresent:
    """Of a team these are there."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantLate:
    """They came after check-in had closed, and this is what it costs them."""

    entrant: str
    tournament: str
    effect: str
    clause: str | None


type EntryEvent = (
    SpectatorApproved
    | TournamentPlaced
    | EntryDetailed
    | LineUpChanged
    | EligibilityJudged
    | RegionApproved
    | EntrantWaits
    | ReserveCalled
    | PlaceConfirmed
    | PaymentRecorded
    | RefundDue
    | RefundRecorded
    | WaiverRequested
    | WaiverGranted
    | WaiverRefused
    | MembersPresent
    | EntrantLate
)
