"""Othello by its transcript, and the discs that are written down."""

from collections.abc import Sequence

import pytest

from services.results.games.othello.board import START, Position, Square, name_of, named
from services.results.games.othello.counting import after_time, filled, winner_of
from services.results.games.othello.judging import judge
from services.results.games.transcript import IllegalMove
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


def games(position: Position, moves: int) -> int:
    if moves == 0:
        return 1
    return sum(games(position.after(square), moves - 1) for square in position.legal())


def test_the_game_ends_when_neither_side_can_move() -> None:
    judged = judge(WIPED_OUT)
    assert (judged.board, judged.discs, judged.winner, judged.to_move) == ((13, 0), (64, 0), 0, None)
    assert "black has won, 64:0" in judged.explanation
    for late in ("c4", "pass"):
        refused([*WIPED_OUT, late], "after the end of the game")


def test_an_unfinished_game_has_no_result() -> None:
    judged = judge([])
    assert (judged.board, judged.discs, judged.winner) == ((2, 2), None, None)
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


@pytest.mark.rule("OT.RES-1")
@pytest.mark.parametrize(
    ("board", "written"),
    [
        ((40, 20), (44, 20)),
        ((30, 33), (30, 34)),
        ((31, 31), (32, 32)),
        ((20, 20), (32, 32)),
        ((0, 13), (0, 64)),
        ((33, 31), (33, 31)),
    ],
)
def test_empty_squares_go_to_the_winner(board: tuple[int, int], written: tuple[int, int]) -> None:
    """OT.V1."""
    assert filled(board) == written


@pytest.mark.rule("OT.RES-1")
@pytest.mark.parametrize(
    ("board", "pointer"), [((65, 0), "/discs/0"), ((-1, 3), "/discs/0"), ((0, 70), "/discs/1"), ((40, 30), "/discs")]
)
def test_a_board_has_sixty_four_squares(board: tuple[int, int], pointer: str) -> None:
    with pytest.raises(Faulty) as error:
        filled(board)
    assert error.value.faults[0].pointer == pointer


@pytest.mark.rule("OT.RES-4")
@pytest.mark.parametrize(
    ("board", "written"),
    [
        ((40, 24), (40, 24)),
        ((33, 31), (33, 31)),
        ((32, 32), (33, 31)),
        ((30, 34), (33, 31)),
        ((35, 20), (44, 20)),
        ((20, 30), (34, 30)),
    ],
)
def test_a_game_finished_in_the_extra_time(board: tuple[int, int], written: tuple[int, int]) -> None:
    """OT.V5, the declared winner first: seat 1, whose opponent ran out, or the other way round."""
    assert after_time(first=1, discs=board) == written
    assert after_time(first=0, discs=(board[1], board[0])) == (written[1], written[0])


@pytest.mark.rule("OT.RES-4")
def test_somebody_runs_out_in_the_extra_time_too() -> None:
    """OT.V5."""
    assert after_time(first=1, second=1) == (64, 0)
    assert after_time(first=0, second=0) == (0, 64)
    assert after_time(first=1, second=0) == (33, 31)
    assert after_time(first=0, second=1) == (31, 33)


@pytest.mark.rule("OT.RES-4")
def test_a_game_that_was_finished_in_the_extra_time_has_discs() -> None:
    with pytest.raises(Faulty) as error:
        after_time(first=0)
    assert error.value.faults[0].pointer == "/discs"


def test_a_draw_wins_for_who_has_the_option() -> None:
    """OT.V8."""
    assert winner_of((32, 32)) is None
    assert winner_of((32, 32), draw_wins=1) == 1
    assert winner_of((32, 32), draw_wins=0) == 0
    assert winner_of((20, 44), draw_wins=0) == 1
    assert winner_of((44, 20), draw_wins=1) == 0
