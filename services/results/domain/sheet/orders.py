"""What may be asked of a score sheet."""

from collections.abc import Mapping
from typing import Any

import msgspec

from services.results.domain.sheet.states import (
    NO_DETAILS,
    USUAL_TERMS,
    ClockReason,
    Details,
    GameTerms,
    LineUp,
    Result,
    Speaker,
    Takes,
    WishKind,
)
from shared.commands.decider import Order
from shared.numbers import Number


class OpenSheet(Order):
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


class ReseatSheet(Order):
    """Others are to sit at its table, before the game has begun."""

    repair: str
    opening: OpenSheet


class StartGame(Order):
    first: str | None = None
    expelled: frozenset[str] = frozenset()  # persons, who sit at no board any more
    terms: GameTerms = USUAL_TERMS


class ReportResult(Order):
    """What happened, with the result that follows from it by the ruleset."""

    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS
    gone: tuple[str, ...] = ()  # entrants who had left before this round
    unplayed: bool = False  # it follows from who is not there
    terms: GameTerms = USUAL_TERMS


class WithdrawReport(Order):
    by: Speaker
    terms: GameTerms = USUAL_TERMS


class ConfirmResult(Order):
    """Stand by somebody else's report: by that one which was seen, not by one that has taken its place since."""

    by: Speaker
    number: int
    terms: GameTerms = USUAL_TERMS


class DisputeResult(Order):
    by: Speaker
    reason: str | None = None


class DecideResult(Order):
    """An official says what the result is, or it follows from who is not there."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()
    said: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    unplayed: bool = False
    directs: bool = False  # whether this is the director of the tournament
    terms: GameTerms = USUAL_TERMS


class CorrectResult(Order):
    """A final result was wrong."""

    by: str
    result: Result
    reason: str
    gone: tuple[str, ...] = ()
    said: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    directs: bool = False
    settled: bool = False  # by the rules it is not changed any more, unless somebody has complained
    terms: GameTerms = USUAL_TERMS


class DrawWinner(Order):
    """All deciding duels of a match were drawn: whom the lot puts first goes on."""

    by: str
    order: tuple[str, ...]
    reason: str = ""


class Complain(Order):
    """About a final result. Whether there is still time for it is known to whoever asks."""

    by: Speaker
    reason: str
    in_time: bool


class AnswerComplaint(Order):
    number: int
    upheld: bool
    reason: str


class PostponeGame(Order):
    until: str | None = None  # RFC 3339
    reason: str | None = None


class ResumeGame(Order):
    pass


class VoidGame(Order):
    """The game does not count. With a replay it is played anew, on the same sheet."""

    replay: bool
    reason: str
    directs: bool = False
    settled: bool = False
    terms: GameTerms = USUAL_TERMS


class CloseSheet(Order):
    """The round is recalled."""

    recall: str


class Choose(Order):
    """The holder of the right takes the colour or the draw; after a draw the other side takes the colour."""

    by: Speaker
    entrant: str
    takes: Takes
    option: bool  # whether the draw can be taken
    first: str | None = None
    late: bool = False


class GiveLineUp(Order):
    by: Speaker
    entrant: str
    persons: LineUp
    boards: int
    team: frozenset[str]


class DrawBoards(Order):
    """`drawn_from` is what stood when the lots were drawn."""

    drawn_from: Mapping[str, LineUp]
    line_ups: Mapping[str, LineUp]
    expelled: frozenset[str] = frozenset()  # persons


class DrawSeats(Order):
    order: tuple[str, ...]


class SayWish(Order):
    by: Speaker
    entrant: str
    wish: WishKind


class ChangeClock(Order):
    seat: int
    minutes: Number
    why: ClockReason
    more: bool = False  # than was given for the same reason before
    reason: str | None = None


class ResetClocks(Order):
    """Every side has so many minutes now, whatever it had."""

    minutes: Number
    usual: Number  # by the rules, at the start
    reason: str | None = None


type Prepare = Choose | GiveLineUp | DrawBoards | DrawSeats | SayWish | ChangeClock | ResetClocks
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
