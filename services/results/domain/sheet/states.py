"""What a score sheet can be, and what stands on it: what somebody says of a game, and what was settled about it before.

What cannot be is not writable either: a final game has a result, a pending one has none.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from shared.numbers import Number, exact
from shared.values import Value

DRAWN: Literal["draw"] = "draw"  # a game, or a duel, that nobody has won
DUELS = ("duel1", "duel2")  # by which a drawn match can be decided
LOT = "lot"


class Speaker(Value):
    """Who speaks. A captain speaks for one entrant; officials and scorers for nobody."""

    person: str
    entrant: str | None = None
    vouched_by: str | None = None  # a captain: who issued their token, if they could not decide the result themselves
    directs: bool = False  # the director of the tournament, and as such

    @property
    def voice(self) -> str:
        """All who speak for one entrant have one voice."""
        return self.person if self.entrant is None else f"for {self.entrant}"


class ScoredTurn(Value):
    """A turn that the sheet has a place for."""

    seat: int
    points: int


class Details(Value):
    """What else stands on the sheet. Reports that differ only here agree."""

    flags: tuple[int, ...] = ()  # seats whose clock ran out
    highest_turn: ScoredTurn | None = None
    bingos: tuple[ScoredTurn, ...] = ()
    said: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])  # from which a result follows that hides it


NO_DETAILS = Details()


class Result(Value):
    """What counts: scores and points seat by seat, and how the game ended."""

    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"
    by: tuple[int, ...] = ()  # the seats at fault
    first: str | None = None  # the entrant who really started, where somebody has said it
    deciding: tuple[int | str, ...] = ()  # of a drawn match: the seat that won each deciding duel, or a draw
    winner: str | None = None  # the entrant who goes on from a drawn match
    decided_by: str | None = None
    draw_wins: str | None = None  # the entrant for whom a draw counts as a win
    unmoved: tuple[int, ...] | None = None  # seats that have not made a move, where somebody has said it
    end_reason: str | None = None  # why the game ended, where it was said or the moves show it

    @property
    def is_drawn(self) -> bool:
        return len(self.points) > 1 and len(set(self.points)) == 1


def winning_seat(result: Result, seats: Sequence[str]) -> int | Literal["draw"] | None:
    """Who has won: the seat with the most points, or who goes on from a drawn match. None where nobody has any point."""
    for goes_on in (result.winner, result.draw_wins if result.is_drawn else None):
        if goes_on in seats:
            return seats.index(goes_on)
    points = [number if isinstance(number, int) else exact(number) for number in result.points]
    if (most := max(points)) <= 0:
        return None
    return points.index(most) if points.count(most) == 1 else DRAWN


class GivenReport(Value):
    """One person's report, kept as long as that person stands by it."""

    number: int  # 1, 2, 3 … on this sheet; no number is used again
    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS
    unplayed: bool = False  # it follows from who was not there, before the game could begin


def merged(reports: Sequence[GivenReport]) -> Result:
    """The result of reports that agree: what only some have said of it is as they have said it."""
    if len(reports) == 1:
        return reports[0].result
    results = [report.result for report in reports]

    def said(name: str) -> Any:
        return next((found for one in results if (found := getattr(one, name)) is not None), None)

    return replace(
        results[0],
        first=said("first"),
        draw_wins=said("draw_wins"),
        unmoved=said("unmoved"),
        end_reason=said("end_reason"),
    )


class GameTerms(Value):
    """What the ruleset says of a game and its match, as far as what may happen to its sheet depends on it."""

    confirmed_by: Literal["both-sides", "each-side", "official"] = "both-sides"
    boards: int = 0  # of a match of teams; none in other games
    line_ups_first: bool = False  # whether the match sheet has to stand before anything is played
    option: bool = False  # whether who has the choice may take the draw instead of the colour
    deciding: int = 0  # deciding duels after a drawn match at most
    by_lot: bool = False  # whether a lot decides when they are drawn too
    surplus: bool = False  # whether its match was decided before it
    first_is_fixed: bool = False  # whether only the pairing, or a choice on the sheet, says who starts
    for_director: frozenset[str] = frozenset()  # endings that are final by an act of the director alone


USUAL_TERMS = GameTerms()
type Takes = Literal["colour", "draw"]
type WishKind = Literal["board-draw", "seat-draw", "chess-clocks", "own-clocks", "swap2"]
type ClockReason = Literal["late", "special-needs", "penalty", "referee", "clock"]
type LineUp = tuple[str | None, ...]  # board by board; none: nobody sits there


class ChoiceTaken(Value):
    entrant: str
    takes: Takes
    first: str | None
    draw_wins: str | None
    late: bool


class ClockChange(Value):
    seat: int
    minutes: Number
    why: ClockReason


class Prepared(Value):
    choices: tuple[ChoiceTaken, ...] = ()  # the second is about the colour, after the draw was taken
    line_ups: Mapping[str, LineUp] = msgspec.field(default_factory=dict[str, LineUp])
    are_drawn: bool = False
    seats: tuple[str, ...] | None = None  # as they were drawn
    wishes: tuple[tuple[str, WishKind], ...] = ()
    clocks: tuple[ClockChange, ...] = ()

    @property
    def first(self) -> str | None:
        """Who begins, as it was chosen."""
        return self.choices[-1].first if self.choices else None

    @property
    def draw_wins(self) -> str | None:
        return self.choices[-1].draw_wins if self.choices else None


NOTHING_PREPARED = Prepared()


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


class SheetObjection(Value):
    """A voice that says no, without a report of its own, to all that was reported."""

    voice: str
    person: str
    reason: str | None  # the id of its text, which is kept beside the log
    entrant: str | None = None  # for whom
    against: tuple[int, ...] = ()  # the numbers of those reports


class UnknownSheet(Value):
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
    reports: tuple[GivenReport, ...]  # they agree; a second one makes the result final
    before: Pending | Started  # what it is again when the report is withdrawn
    said: int
    put_off: Postponed | None = None  # as which it was reported, and that it is again then


class Disputed(Value):
    """Those who have spoken do not agree. All that they say is kept."""

    sheet: Sheet
    reports: tuple[GivenReport, ...]  # one a voice
    objections: tuple[SheetObjection, ...]
    before: Pending | Started
    said: int
    put_off: Postponed | None = None


class SheetComplaint(Value):
    number: int  # 1, 2, 3 … on this sheet
    voice: str
    upheld: bool | None = None  # none: nobody has answered
    reason: str = ""  # the id of its text, which is kept beside the log


class Final(Value):
    sheet: Sheet
    result: Result
    reports: tuple[GivenReport, ...]
    said: int
    complaints: tuple[SheetComplaint, ...] = ()
    unplayed: bool = False
    corrected: bool = False  # another result had been final before
    correction: str | None = None  # the id of what was said about that, which is kept beside the log


class Voided(Value):
    """It does not count and is no meeting."""

    sheet: Sheet
    said: int


class Recalled(Value):
    """The round was recalled before this game had begun."""

    sheet: Sheet
    said: int


type Open = Pending | Started | Postponed | Reported | Disputed
type KnownSheet = Open | Final | Voided | Recalled
type State = UnknownSheet | KnownSheet


def status(state: KnownSheet) -> str:
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
        case Recalled():
            return "recalled"


def reports_of(state: KnownSheet) -> tuple[GivenReport, ...]:
    """What voices stand by now."""
    match state:
        case Reported() | Disputed() | Final():
            return state.reports
        case Pending() | Started() | Postponed() | Voided() | Recalled():
            return ()


def objections_of(state: KnownSheet) -> tuple[SheetObjection, ...]:
    """Who says no without a report of their own."""
    return state.objections if isinstance(state, Disputed) else ()


def complaints_of(state: KnownSheet) -> tuple[SheetComplaint, ...]:
    return state.complaints if isinstance(state, Final) else ()


def open_complaints(state: KnownSheet, voice: str) -> tuple[SheetComplaint, ...]:
    """What a voice has said that nobody has answered."""
    return tuple(one for one in complaints_of(state) if one.voice == voice and one.upheld is None)


def ends_of(state: KnownSheet) -> frozenset[str]:
    """How the game has ended, by the result that stands or by what is reported."""
    if isinstance(state, Final):
        return frozenset({state.result.end})
    return frozenset([said.result.end for said in reports_of(state)])


def awaits_director(state: KnownSheet, terms: GameTerms) -> bool:
    """Whether something was reported that only the director decides."""
    return isinstance(state, Reported | Disputed) and not ends_of(state).isdisjoint(terms.for_director)


def before_reports(state: Open) -> Pending | Started:
    """What the game is without anything that was reported."""
    match state:
        case Pending() | Started():
            return state
        case Postponed() | Reported() | Disputed():
            return state.before


def put_off(state: Open) -> Postponed | None:
    """As what a game stands that was put off, be it that it was reported all the same."""
    match state:
        case Postponed():
            return state
        case Reported() | Disputed():
            return state.put_off
        case Pending() | Started():
            return None


SETTLED = ("final", "voided")  # nothing is awaited of such a game
