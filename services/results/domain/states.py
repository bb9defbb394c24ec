"""What a score sheet can be. What cannot be is not writable either: a final game has a result, a pending one has none."""

from services.results.domain.preparation import NOTHING_PREPARED, Prepared
from services.results.domain.report import Report, Result
from shared.values import Value


class Sheet(Value):
    """Which game it is, which never changes while the sheet is open; and what was settled about it beforehand."""

    game: str
    tournament: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]  # entrants
    first: str | None = None  # who starts, or is named first, by the pairing
    option: str | None = None  # who may choose instead
    group: str | None = None
    match: str | None = None
    number: int | None = None
    starts_at: str | None = None
    prepared: Prepared = NOTHING_PREPARED


class Objection(Value):
    """A voice that says no without a report of its own."""

    voice: str
    person: str
    reason: str | None  # the id of its text, which is kept beside the log


class Unknown(Value):
    """No round with this game was ever published."""


class Pending(Value):
    sheet: Sheet
    said: int = 0  # the number of the last report


class Started(Value):
    sheet: Sheet
    first: str | None = None  # who really started
    said: int = 0


class Postponed(Value):
    sheet: Sheet
    until: str | None
    before: Pending | Started  # what it was, and will be when it goes on
    said: int = 0


class Reported(Value):
    """One voice has said what happened; another one has to agree."""

    sheet: Sheet
    reports: tuple[Report, ...]  # they agree; a second one makes the result final
    before: Pending | Started  # what it is again when the report is withdrawn
    said: int


class Disputed(Value):
    """Those who have spoken do not agree. All that they say is kept."""

    sheet: Sheet
    reports: tuple[Report, ...]  # one a voice
    objections: tuple[Objection, ...]
    before: Pending | Started
    said: int


class Complaint(Value):
    number: int  # 1, 2, 3 … on this sheet
    voice: str
    upheld: bool | None = None  # none: nobody has answered


class Final(Value):
    sheet: Sheet
    result: Result
    reports: tuple[Report, ...]
    said: int
    complaints: tuple[Complaint, ...] = ()
    unplayed: bool = False


class Voided(Value):
    """It does not count and is no meeting."""

    sheet: Sheet
    said: int


class Closed(Value):
    """The round was recalled before this game had begun."""

    sheet: Sheet
    said: int


type Open = Pending | Started | Postponed | Reported | Disputed
type Known = Open | Final | Voided | Closed
type State = Unknown | Known


def status(state: Known) -> str:
    """The word that callers know it by."""
    match state:
        case Pending():
            return "pending"
        case Started():
            return "started"
        case Postponed():
            return "postponed"
        case Reported():
            return "reported"
        case Disputed():
            return "disputed"
        case Final():
            return "final"
        case Voided():
            return "voided"
        case Closed():
            return "recalled"


def reports_of(state: Known) -> tuple[Report, ...]:
    """What voices stand by now."""
    match state:
        case Reported() | Disputed() | Final():
            return state.reports
        case Pending() | Started() | Postponed() | Voided() | Closed():
            return ()


def complaints_of(state: Known) -> tuple[Complaint, ...]:
    return state.complaints if isinstance(state, Final) else ()


def before_reports(state: Open) -> Pending | Started:
    """What the game is without anything that was reported."""
    match state:
        case Pending() | Started():
            return state
        case Postponed() | Reported() | Disputed():
            return state.before


SETTLED = ("final", "voided")  # nothing is awaited of such a game
