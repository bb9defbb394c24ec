"""What may be asked of a score sheet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.results.domain.preparation import Prepare
from services.results.domain.report import NO_DETAILS, Details, Result, Speaker
from services.results.domain.terms import USUAL, Terms


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenSheet:
    """A round with this game was published."""

    game: str
    tournament: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]
    first: str | None = None
    option: str | None = None
    group: str | None = None
    match: str | None = None
    number: int | None = None
    starts_at: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReseatSheet:
    """Others are to sit at its table, before the game has begun."""

    repair: str
    opening: OpenSheet


@dataclass(frozen=True, kw_only=True, slots=True)
class StartGame:
    first: str | None = None
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportResult:
    """What happened, with the result that follows from it by the ruleset."""

    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS
    gone: tuple[str, ...] = ()  # entrants who had left before this round
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawReport:
    by: Speaker
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmResult:
    """Stand by somebody else's report: by that one which was seen, not by one that has taken its place since."""

    by: Speaker
    number: int
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class DisputeResult:
    by: Speaker
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DecideResult:
    """An official says what the result is, or it follows from who is not there."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    unplayed: bool = False
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectResult:
    """A final result was wrong."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    terms: Terms = USUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawWinner:
    """All deciding duels of a match were drawn: whom the lot puts first goes on."""

    by: str
    order: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Complain:
    """About a final result. Whether there is still time for it is known to whoever asks."""

    by: Speaker
    reason: str
    in_time: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerComplaint:
    number: int
    upheld: bool
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PostponeGame:
    until: str | None = None  # RFC 3339
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResumeGame:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class VoidGame:
    """The game does not count. With a replay it is played anew, on the same sheet."""

    replay: bool
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CloseSheet:
    """The round is recalled."""

    recall: str


type Command = (
    OpenSheet
    | ReseatSheet
    | StartGame
    | ReportResult
    | WithdrawReport
    | ConfirmResult
    | DisputeResult
    | DecideResult
    | CorrectResult
    | DrawWinner
    | Complain
    | AnswerComplaint
    | PostponeGame
    | ResumeGame
    | VoidGame
    | CloseSheet
    | Prepare
)
