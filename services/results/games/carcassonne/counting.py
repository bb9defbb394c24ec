"""From the game points of a table to placement points and success rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from services.results.games.happening import unfit
from shared.exact import stored
from shared.tournament.scoring import placed

type Cap = Literal["counted", "success-only"]

MOST_SEATS = 4
DUEL = 2
WITH_VIRTUAL_FOURTH = 3  # a table of three: its total is raised by the mean of the three


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """Seat by seat."""

    scores: tuple[Fraction, ...]  # as they count
    board: tuple[Fraction, ...]  # as the board gives them
    points: tuple[Fraction, ...]
    success: tuple[Fraction, ...]


def counted(
    scores: Sequence[Fraction], worth: Sequence[Fraction], *, flag: int | None = None, cap: Cap = "counted"
) -> Counted:
    """`worth` by place: 4, 3, 2, 1 in the qualification, 4 and 2 in the final, so that a draw brings 3 to each.

    `flag`: the seat whose clock has expired, who has lost. Its game points are capped below the other's.
    """
    board = tuple(scores)
    require_table(board, worth)
    if flag is None:
        return Counted(scores=board, board=board, points=placed(worth, board), success=success(board))
    if len(board) != DUEL:
        raise unfit("/flag", f"goes with a game of two: {len(board)} play here without a clock for the game (CC.RES-7)")
    if flag not in {0, 1}:
        raise unfit("/flag", "is the seat whose clock has expired, 0 or 1 (CC.RES-7)")
    capped = with_cap(board, flag)
    lost = (worth[1], worth[0]) if flag == 0 else (worth[0], worth[1])
    return Counted(scores=capped if cap == "counted" else board, board=board, points=lost, success=success(capped))


def with_cap(board: tuple[Fraction, ...], flag: int) -> tuple[Fraction, ...]:
    """At most the other's less one, and never below nothing (CC.D7)."""
    own = max(Fraction(0), min(board[flag], board[1 - flag] - 1))
    return tuple(own if seat == flag else score for seat, score in enumerate(board))


def places(scores: Sequence[Fraction]) -> tuple[int, ...]:
    """Who is equal shares the best of the places, and the next place is left out (CC.D3)."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def success(scores: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The share of all game points of the table; a table of three has a virtual fourth player with their mean."""
    total = sum(scores, Fraction(0))
    seats = len(scores)
    if seats == WITH_VIRTUAL_FOURTH:
        total, seats = total * MOST_SEATS / seats, MOST_SEATS
    if total == 0:
        return (Fraction(1, seats),) * len(scores)  # CC.D8
    return tuple(score / total for score in scores)


def require_table(board: tuple[Fraction, ...], worth: Sequence[Fraction]) -> None:
    if not DUEL <= len(board) <= min(MOST_SEATS, len(worth)):
        raise unfit(
            "/scores", f"are {len(board)}: {DUEL} to {min(MOST_SEATS, len(worth))} sit at this table (CC.RES-1)"
        )
    for seat, score in enumerate(board):
        if score < 0 or score.denominator != 1:
            detail = f"is {stored(score)}: game points are whole numbers and never below nothing (CC.RES-1)"
            raise unfit(f"/scores/{seat}", detail)
