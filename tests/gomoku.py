"""Games of gomoku in the making: the usual beginnings, and what a test asks of a transcript."""

from collections.abc import Iterable, Sequence

import pytest

from services.results.games.ending_accounts import IllegalMove
from services.results.games.gomoku.board import POINTS
from services.results.games.gomoku.play import GomokuJudgement, judge
from services.results.games.gomoku.profiles import CFP, PISQWORKY

type Moves = list[object]

# Seat 1 takes white, so seat 0 is black and white is to move.
CFP_OPENED: Moves = [[14, 0], [14, 2], [14, 4], {"take": "white"}]
PQ_OPENED: Moves = [[14, 0, "cross"], [14, 2, "nought"], [14, 4, "cross"], {"take": "nought"}]
OFFER = {"offer": "draw"}
ACCEPT = {"accept": "draw"}
DECLINE = {"decline": "draw"}


def cfp(moves: Sequence[object], opening: str = "swap2") -> GomokuJudgement:
    return judge(CFP, opening, moves)


def pq(moves: Sequence[object], opening: str = "swap1") -> GomokuJudgement:
    return judge(PISQWORKY, opening, moves)


def refused(moves: Sequence[object], rule: str, saying: str, opening: str = "swap2") -> None:
    """The last move breaks this rule."""
    with pytest.raises(IllegalMove, match=saying) as error:
        cfp(moves, opening)
    assert (error.value.index, error.value.rule) == (len(moves) - 1, rule)
    (fault,) = error.value.faults
    assert fault.pointer == f"/moves/{len(moves) - 1}"
    assert rule in fault.detail


def claim(seat: int, of: str = "five") -> dict[str, object]:
    return {"claim": of, "by": seat}


def black_lays(columns: Iterable[int]) -> Moves:
    """In row 7, while white is busy without a line elsewhere."""
    moves: Moves = []
    for turn, column in enumerate(columns):
        moves += [[2 * (turn // 7), 2 * (turn % 7)], [7, column]]
    return moves


FULL: Moves = [
    *CFP_OPENED,
    *([p.row, p.column] for p in POINTS if (p.row, p.column) not in {(14, 0), (14, 2), (14, 4)}),
]
