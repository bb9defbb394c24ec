"""What is settled about a game apart from its result: choices, who sits at the boards, lots, what was asked, clocks."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.results.domain.sheet.states import Speaker
from shared.commands.decider import Fact, Order
from shared.numbers import Number
from shared.values import Value

type Takes = Literal["colour", "draw"]
type Wish = Literal["board-draw", "seat-draw", "chess-clocks", "own-clocks", "swap2"]
type Why = Literal["late", "special-needs", "penalty", "referee", "clock"]
type LineUp = tuple[str | None, ...]  # board by board; none: nobody sits there


# Facts


class ChoiceMade(Fact):
    game: str
    entrant: str
    takes: Takes
    first: str | None  # with the colour: who begins
    draw_wins: str | None  # for whom a draw counts as a win from now on
    late: bool  # after the time by which it has to be announced


class LineUpGiven(Fact):
    game: str
    entrant: str
    persons: LineUp


class BoardsDrawn(Fact):
    """Whoever meets whom was drawn, because somebody asked for it."""

    game: str
    line_ups: Mapping[str, LineUp]


class SeatsDrawn(Fact):
    game: str
    order: tuple[str, ...]


class WishSaid(Fact):
    """Somebody asks for what the rules give to whoever asks."""

    game: str
    entrant: str
    wish: Wish


class ClockChanged(Fact):
    """A side has more minutes than the rules say, or fewer. For each reason the last word holds."""

    game: str
    seat: int
    minutes: Number
    why: Why
    reason: str | None = None


type Preparation = ChoiceMade | LineUpGiven | BoardsDrawn | SeatsDrawn | WishSaid | ClockChanged

# What a sheet remembers of them


class Choice(Value):
    entrant: str
    takes: Takes
    first: str | None
    draw_wins: str | None
    late: bool


class ClockChange(Value):
    seat: int
    minutes: Number
    why: Why


class Prepared(Value):
    choices: tuple[Choice, ...] = ()  # the second is about the colour, after the draw was taken
    line_ups: Mapping[str, LineUp] = msgspec.field(default_factory=dict[str, LineUp])
    are_drawn: bool = False
    seats: tuple[str, ...] | None = None  # as they were drawn
    wishes: tuple[tuple[str, Wish], ...] = ()
    clocks: tuple[ClockChange, ...] = ()

    @property
    def first(self) -> str | None:
        """Who begins, as it was chosen."""
        return self.choices[-1].first if self.choices else None

    @property
    def draw_wins(self) -> str | None:
        return self.choices[-1].draw_wins if self.choices else None


NOTHING_PREPARED = Prepared()


def remembered(before: Prepared, event: Preparation) -> Prepared:
    match event:
        case ChoiceMade():
            choice = Choice(
                entrant=event.entrant,
                takes=event.takes,
                first=event.first,
                draw_wins=event.draw_wins,
                late=event.late,
            )
            answers = bool(before.choices) and event.entrant != before.choices[0].entrant
            return replace(before, choices=(before.choices[0], choice) if answers else (choice,))
        case LineUpGiven():
            return replace(before, line_ups={**before.line_ups, event.entrant: event.persons}, are_drawn=False)
        case BoardsDrawn():
            return replace(before, line_ups=dict(event.line_ups), are_drawn=True)
        case SeatsDrawn():
            return replace(before, seats=event.order)
        case WishSaid():
            return replace(before, wishes=(*before.wishes, (event.entrant, event.wish)))
        case ClockChanged():
            change = ClockChange(seat=event.seat, minutes=event.minutes, why=event.why)
            others = (one for one in before.clocks if (one.seat, one.why) != (event.seat, event.why))
            return replace(before, clocks=(*others, change))


# Orders


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


class DrawSeats(Order):
    order: tuple[str, ...]


class SayWish(Order):
    by: Speaker
    entrant: str
    wish: Wish


class ChangeClock(Order):
    seat: int
    minutes: Number
    why: Why
    reason: str | None = None


class ResetClocks(Order):
    """Every side has so many minutes now, whatever it had."""

    minutes: Number
    usual: Number  # by the rules, at the start
    reason: str | None = None


type Prepare = Choose | GiveLineUp | DrawBoards | DrawSeats | SayWish | ChangeClock | ResetClocks
