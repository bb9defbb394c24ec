"""Othello by its transcript."""

from collections.abc import Sequence

import pytest

from services.results.games.ending_accounts import IllegalMove
from services.results.games.othello import START, OthelloPosition, Square, judge, name_of, named
from shared.faults import Faulty

WIPED_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]  # the shortest game there is
PASSED = ["d3", "c3", "e6", "d2", "d1", "e1", "b2", "c1", "pass", "d6"]  # black has no ninth move


def refused(moves: Sequence[str], saying: str) -> None:
    """The last move breaks the rules of the game."""
    with pytest.raises(IllegalMove, match=saying) as error:
        judge(moves)
    assert error.value.index == len(moves) - 1
    (fault,) = error.value.faults
    assert fault.pointer == f"/moves/{len(moves) - 1}"


def test_black_begins_with_one_of_four_moves() -> None:
    assert sorted(map(name_of, START.legal())) == ["c4", "d3", "e6", "f5"]
    for move in ("c4", "d3", "e6", "f5"):
        judged = judge([move])
        assert (judged.board, judged.to_move, judged.discs) == ((4, 1), 1, None)


@pytest.mark.parametrize(("moves", "positions"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_there_are_as_many_games_as_is_known(moves: int, positions: int) -> None:
    assert games(START, moves) == positions


def games(position: OthelloPosition, moves: int) -> int:
    if moves == 0:
        return 1
    return sum(games(position.after(square), moves - 1) for square in position.legal())


def test_the_game_ends_when_neither_side_can_move() -> None:
    judged = judge(WIPED_OUT)
    assert (judged.board, judged.discs, judged.to_move) == ((13, 0), (64, 0), None)
    assert "black has won, 64:0" in judged.explanation
    for late in ("c4", "pass"):
        refused([*WIPED_OUT, late], "after the end of the game")


def test_an_unfinished_game_has_no_result() -> None:
    judged = judge([])
    assert (judged.board, judged.discs) == ((2, 2), None)
    assert judged.explanation == "The game goes on: black is to move."


def test_moves_that_are_refused() -> None:
    refused(["d4"], "d4, which is occupied")
    refused(["a1"], "a1, where black turns no disc")
    refused(["f5", "f5"], "occupied")
    refused(["f5", "e3"], "white turns no disc")
    refused(["pass"], "black has a legal move")


def test_what_has_no_form_of_a_move_is_named_at_once() -> None:
    with pytest.raises(Faulty) as error:
        judge(["f5", "F6", "i1", "a9", "", "pass ", 7, None, ["f5"], "f5\n", "a¹"])
    assert [fault.pointer for fault in error.value.faults] == [f"/moves/{index}" for index in range(1, 11)]


def test_who_has_no_legal_move_passes_and_says_so() -> None:
    assert judge(PASSED).to_move == 0
    assert judge(PASSED[:8]).explanation == "The game goes on: black has to pass."
    refused([*PASSED[:8], "d6"], 'black has no legal move and has to "pass"')


def test_squares_are_named_by_column_and_row() -> None:
    assert named("a1") == (0, 0)
    assert named("h1") == (0, 7)
    assert named("f5") == (4, 5)
    every: list[Square] = [(row, column) for row in range(8) for column in range(8)]
    assert [named(name_of(square)) for square in every] == every
