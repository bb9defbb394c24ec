"""What has happened to a score sheet. Each result is whole, so that neighbours can be told it from this event alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.results.domain.preparation import Preparation
from services.results.domain.report import Report, Speaker
from shared.numbers import Number


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetOpened:
    game: str
    tournament: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]
    first: str | None = None
    option: str | None = None  # who may choose the colour, or who starts
    group: str | None = None
    match: str | None = None
    number: int | None = None  # of the game inside its match
    starts_at: str | None = None  # as it was planned, RFC 3339


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
    winner: str | None = None
    decided_by: str | None = None
    draw_wins: str | None = None
    deciding: tuple[int | str, ...] = ()
    unmoved: tuple[int, ...] | None = None
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
    winner: str | None = None
    decided_by: str | None = None
    draw_wins: str | None = None
    deciding: tuple[int | str, ...] = ()
    unmoved: tuple[int, ...] | None = None
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    unplayed: bool = False  # it follows from who was not there, before the game could begin


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
    winner: str | None = None
    decided_by: str | None = None
    draw_wins: str | None = None
    deciding: tuple[int | str, ...] = ()
    unmoved: tuple[int, ...] | None = None
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])


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
class ComplaintMade:
    """Somebody at the table says that a final result is wrong. It stands until an official corrects it."""

    game: str
    number: int
    by: Speaker
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ComplaintAnswered:
    game: str
    number: int
    upheld: bool
    reason: str


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
    | ComplaintMade
    | ComplaintAnswered
    | SheetClosed
    | Preparation
)
