"""What has happened to a score sheet. Each result is whole, so that neighbours can be told it from this event alone."""

from dataclasses import dataclass

from services.results.domain.report import Report, Speaker
from shared.exact import Number


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetOpened:
    game: str
    tournament: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]
    first: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GameStarted:
    game: str
    tournament: str
    first: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultReported:
    """The report takes the place of what the same voice has said before."""

    game: str
    report: Report
    then: str  # what the sheet is with it: reported or disputed


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportWithdrawn:
    game: str
    number: int
    by: Speaker
    then: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultDisputed:
    game: str
    by: Speaker
    reason: str | None = None  # the id of its text, which is kept beside the log


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultAgreed:
    """Both sides stand by it: by equal reports, by a confirmation, or by their signatures."""

    game: str
    tournament: str
    stage: str
    round: int
    seats: tuple[str, ...]
    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"
    by: tuple[int, ...] = ()
    first: str | None = None
    how: str = "reports"  # or confirmed, signed
    confirmed_by: Speaker | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultDecided:
    game: str
    tournament: str
    stage: str
    round: int
    seats: tuple[str, ...]
    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    reason: str
    end: str = "played"
    by: tuple[int, ...] = ()
    first: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultCorrected:
    game: str
    tournament: str
    stage: str
    round: int
    seats: tuple[str, ...]
    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    reason: str
    end: str = "played"
    by: tuple[int, ...] = ()
    first: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GamePostponed:
    game: str
    until: str | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GameResumed:
    game: str
    then: str  # pending or started


@dataclass(frozen=True, kw_only=True, slots=True)
class GameVoided:
    game: str
    tournament: str
    stage: str
    round: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayOrdered:
    """It is played anew. `stood` says whether there was a result, or the game had been voided."""

    game: str
    tournament: str
    stage: str
    round: int
    reason: str
    stood: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetClosed:
    game: str
    recall: str


type Outcome = ResultAgreed | ResultDecided | ResultCorrected
type Event = (
    SheetOpened
    | GameStarted
    | ResultReported
    | ReportWithdrawn
    | ResultDisputed
    | ResultAgreed
    | ResultDecided
    | ResultCorrected
    | GamePostponed
    | GameResumed
    | GameVoided
    | ReplayOrdered
    | SheetClosed
)
