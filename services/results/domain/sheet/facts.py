"""What has happened to a score sheet. Each result is whole, so that neighbours can be told it from this event alone.

The names are for ever.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from services.results.domain.sheet.states import ClockReason, GivenReport, LineUp, Speaker, Takes, WishKind
from shared.commands.decider import Fact, Mark
from shared.numbers import Number


class SheetOpened(Fact):
    """A game waits for its result at this table, with these seats."""

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


class GameStarted(Fact):
    """The game is under way; `first` says who begins where that was open."""

    game: str
    tournament: str
    first: str | None = None


class ResultReported(Fact):
    """Somebody has reported a result; it takes the place of what the same voice has said before."""

    game: str
    report: GivenReport
    then: str  # what the sheet is with it: reported or disputed


class ReportWithdrawn(Fact):
    """What was reported last is taken back by whoever reported it."""

    game: str
    number: int
    by: Speaker
    then: str


class ResultDisputed(Fact):
    """Somebody at the table, or an official, contradicts what was reported."""

    game: str
    by: Speaker
    reason: str | None = None  # the id of its text, which is kept beside the log


class ResultAgreed(Fact):
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
    end_reason: str | None = None


class ResultDecided(Fact):
    """An official, or a rule for who was not there, has decided the result where there was none."""

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
    said: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    unplayed: bool = False  # it follows from who was not there, before the game could begin
    end_reason: str | None = None


class ResultCorrected(Fact):
    """An official puts this result in the place of the final one, for this reason."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("ResultAgreed", "ResultDecided", "ResultCorrected")

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
    said: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    end_reason: str | None = None


class GamePostponed(Fact):
    """The game will be played later."""

    game: str
    until: str | None = None
    reason: str | None = None


class GameResumed(Fact):
    """The postponed game is as it was before."""

    game: str
    then: str  # pending or started


class GameVoided(Fact):
    """The game does not count and is no meeting, for this reason."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("ResultAgreed", "ResultDecided", "ResultCorrected")

    game: str
    tournament: str
    stage: str
    round: int
    reason: str


class ReplayOrdered(Fact):
    """It is played anew. `stood` says whether there was a result, or the game had been voided."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("ResultAgreed", "ResultDecided", "ResultCorrected")

    game: str
    tournament: str
    stage: str
    round: int
    reason: str
    stood: bool


class ComplaintMade(Fact):
    """Somebody at the table says that a final result is wrong. It stands until an official corrects it."""

    game: str
    number: int
    by: Speaker
    reason: str


class ComplaintAnswered(Fact):
    """An official has answered a complaint; where it is upheld, a correction says what is right."""

    game: str
    number: int
    upheld: bool
    reason: str


class SheetClosed(Fact):
    """Pairing has taken the game back with its round, or with the repair of its table."""

    game: str
    recall: str


class ChoiceMade(Fact):
    """Whoever had the choice has taken a colour, the first move or a draw's worth."""

    game: str
    entrant: str
    takes: Takes
    first: str | None  # with the colour: who begins
    draw_wins: str | None  # for whom a draw counts as a win from now on
    late: bool  # after the time by which it has to be announced


class LineUpGiven(Fact):
    """A team says who of it plays at which board of the match."""

    REPLACES: ClassVar[tuple[str, ...]] = ("LineUpGiven",)

    game: str
    entrant: str
    persons: LineUp


class BoardsDrawn(Fact):
    """Whoever meets whom was drawn, because somebody asked for it."""

    game: str
    line_ups: Mapping[str, LineUp]


class SeatsDrawn(Fact):
    """Who sits where, and so who begins, was drawn by lot."""

    game: str
    order: tuple[str, ...]


class WishSaid(Fact):
    """Somebody asks for what the rules give to whoever asks."""

    game: str
    entrant: str
    wish: WishKind


class ClockChanged(Fact):
    """A side has more minutes than the rules say, or fewer. For each reason the last word holds."""

    REPLACES: ClassVar[tuple[str, ...]] = ("ClockChanged",)

    game: str
    seat: int
    minutes: Number
    why: ClockReason
    reason: str | None = None


type Preparation = ChoiceMade | LineUpGiven | BoardsDrawn | SeatsDrawn | WishSaid | ClockChanged
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
    | ChoiceMade
    | LineUpGiven
    | BoardsDrawn
    | SeatsDrawn
    | WishSaid
    | ClockChanged
)
