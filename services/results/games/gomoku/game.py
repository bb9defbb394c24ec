"""A game as far as it has been played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from services.results.games.gomoku.board import Point
from services.results.games.gomoku.profiles import Opening, Profile

OPENING_STONES = 3
DRAW: Literal["draw"] = "draw"

type Seat = Literal[0, 1]
type Winner = Literal[0, 1, "draw"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Laying:
    """A seat lays stones of the opening; nobody has a colour yet."""

    seat: Seat = 0
    left: int = OPENING_STONES


@dataclass(frozen=True, kw_only=True, slots=True)
class Choosing:
    """A seat chooses its colour, or where it may adds two stones."""

    seat: Seat
    may_add: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Playing:
    colours: tuple[str, str]  # seat by seat
    to_move: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Full:
    """Drawn, unless somebody still claims a five (CFP.D3)."""

    colours: tuple[str, str]
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Flagged:
    """Won on time, unless the other side shows at once that the claimant's time is over too (CFP.D11)."""

    by: Seat
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Over:
    winner: Winner
    reason: str
    at: int
    why: str


type Opened = Laying | Choosing | Playing
type State = Opened | Full | Flagged | Over


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    colour: str
    at: int  # the index of its move


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered:
    """A draw, which stands until the other side answers: in words or by going on."""

    by: Seat
    at: int
    answered: int | None = None  # the index of the move


@dataclass(frozen=True, kw_only=True, slots=True)
class Game:
    profile: Profile
    opening: Opening
    state: State
    stones: Mapping[Point, Placed] = field(default_factory=dict[Point, Placed])
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
