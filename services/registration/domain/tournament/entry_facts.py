"""What else has happened to entries: what rules of some federations ask for besides who plays."""

from shared.commands.decider import Fact
from shared.numbers import Number
from shared.values import Value


class TournamentPlaced(Fact):
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


class EntryDetailed(Fact):
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


class LineUpChanged(Fact):
    """Who plays, and who could still come in instead; from now on and for the whole tournament."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    captain: str | None
    why: str


class Verdict(Value):
    """Whether a person meets a condition; none where too little is known. Never why: birth dates stand elsewhere."""

    person: str
    rule: str
    clause: str | None
    sentence: str
    met: bool | None


class EligibilityJudged(Fact):
    entrant: str
    tournament: str
    verdicts: tuple[Verdict, ...]


class RegionApproved(Fact):
    """A coordinator lets them play outside their own region."""

    entrant: str
    tournament: str
    region: str
    reason: str


class SpectatorApproved(Fact):
    """Somebody may come to look on; who it is stands beside the log."""

    tournament: str
    spectator: str
    note: str


# Places


class EntrantWaits(Fact):
    """There is no place for them; they wait behind those who came before."""

    entrant: str
    tournament: str


class ReserveCalled(Fact):
    """A place has become free, and it is theirs."""

    entrant: str
    tournament: str


class PlaceConfirmed(Fact):
    """They will come: this binds them."""

    entrant: str
    tournament: str


# Money


class PaymentRecorded(Fact):
    entrant: str
    tournament: str
    amount: Number
    currency: str
    on: str  # the day on which it was paid, or credited
    reference: str
    decision: str | None  # why later than the rules say


class RefundDue(Fact):
    """They have withdrawn in time: what they paid goes back."""

    entrant: str
    tournament: str
    amount: Number
    currency: str


class RefundRecorded(Fact):
    entrant: str
    tournament: str
    amount: Number
    currency: str
    on: str
    reference: str
    decision: str | None  # why although none is due


class WaiverRequested(Fact):
    entrant: str
    tournament: str
    ground: str


class WaiverGranted(Fact):
    entrant: str
    tournament: str
    ground: str


class WaiverRefused(Fact):
    entrant: str
    tournament: str
    ground: str


# The day


class MembersPresent(Fact):
    """Of a team these are there."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]


class EntrantLate(Fact):
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
