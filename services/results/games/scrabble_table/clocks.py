"""The clocks of a live game: late players, and what has to be set anew (SK.RES-3, SK.RES-15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from services.results.games.tiles.tile_set import RACK
from services.results.games.verdict import unfit

type Seat = Literal[0, 1]
type Late = Fraction | int | None  # minutes; none: not there at all

MINUTES = 22
REFEREE = 2  # more minutes for who is called as a referee while playing
FEW_TURNS = 10
SHORT, SHORTER = 15, 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Started:
    """Both are there, and so much is on their clocks."""

    minutes: tuple[Fraction, Fraction]


@dataclass(frozen=True, kw_only=True, slots=True)
class NotStarted:
    """The ending to report, and the seat at fault where it is one."""

    end: Literal["no_show", "both_absent"]
    by: Seat | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Restart:
    """After a spill: an empty board, the tiles of the bag, the score as it was."""

    scores: tuple[int, int]
    minutes: int  # for each
    to_move: Seat
    draw: tuple[int, int]  # so many tiles does each seat draw, as far as there are any


def start(late: tuple[Late, Late], *, minutes: int = MINUTES) -> Started | NotStarted:
    """Each loses its own delay; who is not there within the time of a game has lost it."""
    for seat, delay in enumerate(late):
        if delay is not None and delay < 0:
            raise unfit(f"/late/{seat}", f"is {delay}: nobody comes later than that before the start (SK.RES-3)")
    first, second = late
    if first is not None and second is not None and first < minutes and second < minutes:
        return Started(minutes=(Fraction(minutes - first), Fraction(minutes - second)))
    if first is not None and first < minutes:
        return NotStarted(end="no_show", by=1)
    if second is not None and second < minutes:
        return NotStarted(end="no_show", by=0)
    return NotStarted(end="both_absent")


def new_time(turns: int) -> int:
    """Minutes for each, after so many turns of both together."""
    if turns < 0:
        raise unfit("/turns", f"is {turns}: it counts the turns of both together (SK.RES-15)")
    return SHORT if turns < FEW_TURNS else SHORTER


def after_failed_clock(turns: int, *, agreed: tuple[Fraction, Fraction] | None = None) -> tuple[Fraction, Fraction]:
    """What is left to each: as the players agree, else the new time."""
    minutes = Fraction(new_time(turns))
    return agreed or (minutes, minutes)


def after_spill(
    *,
    turns: int,
    scores: tuple[int, int],
    to_move: Seat,
    racks: tuple[Sequence[str] | None, Sequence[str] | None],
) -> Restart:
    """Where the position cannot be restored. A rack that is not intact is none, and is drawn anew."""
    for seat, rack in enumerate(racks):
        if rack is not None and len(rack) > RACK:
            raise unfit(f"/racks/{seat}", f"has {len(rack)} tiles: a rack has at most {RACK}")
    first, second = (RACK if rack is None else RACK - len(rack) for rack in racks)
    return Restart(scores=scores, minutes=new_time(turns), to_move=to_move, draw=(first, second))


def called_as_referee(minutes: Fraction) -> Fraction:
    """He tells his opponent."""
    return minutes + REFEREE
