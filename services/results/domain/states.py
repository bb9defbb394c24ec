"""What a score sheet can be. What cannot be is not writable either: a final game has a result, a pending one has none."""

from dataclasses import dataclass

from services.results.domain.preparation import NOTHING_PREPARED, Prepared
from services.results.domain.report import Report, Result


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Objection:
    """A voice that says no without a report of its own."""

    voice: str
    person: str
    reason: str | None  # the id of its text, which is kept beside the log


@dataclass(frozen=True, kw_only=True, slots=True)
class Unknown:
    """No round with this game was ever published."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    sheet: Sheet
    said: int = 0  # the number of the last report


@dataclass(frozen=True, kw_only=True, slots=True)
class Started:
    sheet: Sheet
    first: str | None = None  # who really started
    said: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Postponed:
    sheet: Sheet
    until: str | None
    before: Pending | Started  # what it was, and will be when it goes on
    said: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Reported:
    """One voice has said what happened; another one has to agree."""

    sheet: Sheet
    reports: tuple[Report, ...]  # they agree; a second one makes the result final
    before: Pending | Started  # what it is again when the report is withdrawn
    said: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Disputed:
    """Those who have spoken do not agree. All that they say is kept."""

    sheet: Sheet
    reports: tuple[Report, ...]  # one a voice
    objections: tuple[Objection, ...]
    before: Pending | Started
    said: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Complaint:
    number: int  # 1, 2, 3 … on this sheet
    voice: str
    upheld: bool | None = None  # none: nobody has answered


@dataclass(frozen=True, kw_only=True, slots=True)
class Final:
    sheet: Sheet
    result: Result
    reports: tuple[Report, ...]
    said: int
    complaints: tuple[Complaint, ...] = ()
    unplayed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Voided:
    """It does not count and is no meeting."""

    sheet: Sheet
    said: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Closed:
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
