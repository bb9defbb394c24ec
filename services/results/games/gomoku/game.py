"""A game as far as it has been played."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from services.results.games.gomoku.board import Point
from services.results.games.gomoku.profiles import Opening, Profile
from shared.values import Value

OPENING_STONES = 3
DRAW: Literal["draw"] = "draw"

type Seat = Literal[0, 1]
type Winner = Literal[0, 1, "draw"]


class Laying(Value):
    """A seat lays stones of the opening; nobody has a colour yet."""

    seat: Seat = 0
    left: int = OPENING_STONES


class Choosing(Value):
    """A seat chooses its colour, or where it may adds two stones."""

    seat: Seat
    may_add: bool


class Playing(Value):
    colours: tuple[str, str]  # seat by seat
    to_move: Seat


class Full(Value):
    """Drawn, unless somebody still claims a five (CFP.D3)."""

    colours: tuple[str, str]
    at: int


class Flagged(Value):
    """Won on time, unless the other side shows at once that the claimant's time is over too (CFP.D11)."""

    by: Seat
    at: int


class Over(Value):
    winner: Winner
    reason: str
    at: int
    why: str


type Opened = Laying | Choosing | Playing
type State = Opened | Full | Flagged | Over


class Placed(Value):
    colour: str
    at: int  # the index of its move


class Offered(Value):
    """A draw, which stands until the other side answers: in words or by going on."""

    by: Seat
    at: int
    answered: int | None = None  # the index of the move


class Game(Value):
    profile: Profile
    opening: Opening
    state: State
    stones: Mapping[Point, Placed] = msgspec.field(default_factory=dict[Point, Placed])
    offered: Offered | None = None

    def of(self, colour: str) -> frozenset[Point]:
        return frozenset(point for point, placed in self.stones.items() if placed.colour == colour)

    def other(self, colour: str) -> str:
        first, second = self.profile.colours
        return second if colour == first else first


def opened(profile: Profile, opening: Opening) -> Game:
    if opening.swap:
        return Game(profile=profile, opening=opening, state=Laying())
    return Game(profile=profile, opening=opening, state=Playing(colours=profile.colours, to_move=0))


def to_act(state: Opened) -> Seat:
    return state.to_move if isinstance(state, Playing) else state.seat


def across(seat: Seat) -> Seat:
    return 1 if seat == 0 else 0
