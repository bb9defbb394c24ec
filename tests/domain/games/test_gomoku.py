"""Gomoku by its transcript: lines, stones, what a game brings, and what is no move at all."""

from collections.abc import Iterable

import pytest

from services.results.games.ending_accounts import IllegalMove
from services.results.games.gomoku.board import Point, has_five
from services.results.games.gomoku.play import judge
from services.results.games.gomoku.profiles import CFP, PISQWORKY
from shared.faults import Faulty, InputFault
from tests.gomoku import CFP_OPENED, PQ_OPENED, black_lays, cfp, claim, pq, refused


def row(columns: Iterable[int], *, number: int = 7) -> list[Point]:
    return [Point(number, column) for column in columns]


@pytest.mark.rule("CFP.RES-2")
@pytest.mark.parametrize(
    ("example", "stones", "exactly", "or_more"),
    [
        ("CFP.V1", row(range(3, 8)), True, True),
        ("CFP.V2", row(range(3, 9)), False, True),
        ("CFP.V3", row(range(3, 7)), False, False),
        ("CFP.V5", row(range(10, 15), number=0), True, True),
        ("CFP.V5", [*row(range(12, 15), number=0), Point(1, 0), Point(1, 1)], False, False),
        ("a column", [Point(index, 3) for index in range(5)], True, True),
        ("a diagonal", [Point(index, index) for index in range(5)], True, True),
        ("the other diagonal", [Point(index, 14 - index) for index in range(5)], True, True),
        ("five and six, CFP.D4", [*row(range(3, 9)), *(Point(index, 3) for index in range(7, 12))], True, True),
        ("a gap", [*row(range(3, 6)), *row(range(7, 9))], False, False),
    ],
)
def test_worked_examples_of_lines(example: str, stones: list[Point], *, exactly: bool, or_more: bool) -> None:
    assert has_five(frozenset(stones), longer=False) is exactly, example
    assert has_five(frozenset(stones), longer=True) is or_more, example


@pytest.mark.rule("CFP.RES-1")
def test_stones_stand_on_free_points_of_the_board() -> None:
    for outside in ([15, 0], [0, -1]):
        refused([*CFP_OPENED, outside], "CFP.RES-1", "outside the board, whose rows and columns are 0 to 14")
    refused([*CFP_OPENED, [14, 2]], "CFP.RES-1", "occupied since move 1")


@pytest.mark.rule("CFP.RES-1", "CFP.RES-8")
def test_black_and_white_alternate() -> None:
    refused([*CFP_OPENED, [3, 3, "black"]], "CFP.RES-8", "it is white that moves")
    refused([*CFP_OPENED, [3, 3, "white"], [3, 4, "white"]], "CFP.RES-8", "it is black that moves")
    assert "black, seat 0, is to move" in cfp([*CFP_OPENED, [3, 3]]).explanation


def test_a_game_that_goes_on_has_no_result() -> None:
    for moves, awaits in (
        ([], "seat 0 has 3 more to lay"),
        (CFP_OPENED[:3], "seat 1 has to take a colour or to add one stone of each"),
        ([*CFP_OPENED[:3], [0, 0], [1, 1]], r"seat 0 has to take a colour\."),
        (CFP_OPENED, "white, seat 1, is to move"),
    ):
        judged = cfp(moves)
        assert (judged.winner, judged.reason, judged.decided_at) == (None,) * 3
        assert judged.explanation.startswith("The game goes on: ")
        assert awaits.replace("\\", "") in judged.explanation


@pytest.mark.rule("PQ.D27")
def test_in_pisqworky_six_win_as_well_once_they_are_struck_through() -> None:
    """CFP.V2, CFP.D8, PQ.D27."""
    moves = [*PQ_OPENED, *black_lays(range(3, 9))]
    assert pq(moves).winner is None
    assert pq([*moves, claim(0)]).reason == "five_claimed"
    with pytest.raises(IllegalMove, match=r"nought has no line of five or more .PQ.RES-9."):
        pq([*moves, claim(1)])


@pytest.mark.parametrize(("profile", "opening"), [(CFP, "swap1"), (PISQWORKY, "pro"), (CFP, "")])
def test_an_opening_has_to_be_one_of_the_game(profile: object, opening: str) -> None:
    with pytest.raises(Faulty) as error:
        judge(PISQWORKY if profile is PISQWORKY else CFP, opening, [])
    (fault,) = error.value.faults
    assert fault.pointer == "/opening"


BAD_FORMS: list[tuple[object, str]] = [
    (7, "should be"),
    ([7], "should be"),
    ([7, 7, "black", 1], "should be"),
    ([7.0, 7], "whole numbers"),
    ([True, 7], "whole numbers"),
    ([7, "7"], "whole numbers"),
    ([7, 7, "cross"], "black and white"),
    ({"take": "cross"}, "black and white"),
    ({"take": None}, "black and white"),
    ({"take": "black", "by": True}, "`by`"),
    ({}, "should be"),
    ({"by": 0}, "should be"),
    ({"shout": "draw"}, "should be"),
    ({"offer": "draw", "accept": "draw"}, "should be"),
    ({"offer": "beer"}, "draw"),
    ({"claim": "five"}, "`by`"),
    ({"claim": "time", "by": "director"}, "`by`"),
    ({"claim": "six", "by": 0}, "five"),
    ({"resign": "0"}, "`resign`"),
    ({"resign": 0, "by": 0}, "without `by`"),
]


def test_everything_that_has_no_form_of_a_move_is_named_at_once() -> None:
    with pytest.raises(Faulty) as error:
        cfp([[7, 7], *(entry for entry, _ in BAD_FORMS)])
    faults: tuple[InputFault, ...] = error.value.faults
    assert [fault.pointer for fault in faults] == [f"/moves/{index}" for index in range(1, len(BAD_FORMS) + 1)]
    for fault, (entry, saying) in zip(faults, BAD_FORMS, strict=True):
        assert saying in fault.detail, entry
