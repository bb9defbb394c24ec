"""What may be asked of a score sheet."""

from dataclasses import dataclass

from services.results.domain.report import NO_DETAILS, Details, Result, Speaker


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


@dataclass(frozen=True, kw_only=True, slots=True)
class StartGame:
    first: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportResult:
    """What happened, with the result that follows from it by the ruleset."""

    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS
    gone: tuple[str, ...] = ()  # entrants who had left before this round


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawReport:
    by: Speaker


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmResult:
    """Stand by somebody else's report: by that one which was seen, not by one that has taken its place since."""

    by: Speaker
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DisputeResult:
    by: Speaker
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DecideResult:
    """An official says what the result is."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectResult:
    """A final result was wrong."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()


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
    | StartGame
    | ReportResult
    | WithdrawReport
    | ConfirmResult
    | DisputeResult
    | DecideResult
    | CorrectResult
    | PostponeGame
    | ResumeGame
    | VoidGame
    | CloseSheet
)
