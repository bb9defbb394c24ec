"""Gomoku by its transcript: stones, lines, offers, claims and how a game ends."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest

from services.results.games.gomoku.board import POINTS, Point, has_five
from services.results.games.gomoku.judging import Judgement, judge
from services.results.games.gomoku.profiles import CFP, PISQWORKY, Worth
from services.results.games.transcript import IllegalMove
from shared.faults import Fault, Faulty

type Moves = list[object]

# Seat 1 takes white, so seat 0 is black and white is to move.
CFP_OPENED: Moves = [[14, 0], [14, 2], [14, 4], {"take": "white"}]
PQ_OPENED: Moves = [[14, 0, "cross"], [14, 2, "nought"], [14, 4, "cross"], {"take": "nought"}]
OFFER = {"offer": "draw"}
ACCEPT = {"accept": "draw"}
DECLINE = {"decline": "draw"}


def cfp(moves: Sequence[object], opening: str = "swap2") -> Judgement:
    return judge(CFP, opening, moves)


def pq(moves: Sequence[object], opening: str = "swap1") -> Judgement:
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


def row(columns: Iterable[int], *, number: int = 7) -> list[Point]:
    return [Point(number, column) for column in columns]


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


@pytest.mark.rule("CFP.RES-3")
def test_a_five_wins_when_it_is_claimed() -> None:
    moves = [*CFP_OPENED, *black_lays(range(3, 8)), claim(0)]
    judged = cfp(moves)
    assert (judged.winner, judged.reason, judged.decided_at) == (0, "five_claimed", len(moves) - 1)
    assert judged.scores == judged.points == (1, 0)


@pytest.mark.rule("CFP.RES-3")
def test_an_unclaimed_five_ends_nothing_and_may_be_claimed_later() -> None:
    """CFP.D3."""
    unclaimed = [*CFP_OPENED, *black_lays(range(3, 8))]
    assert cfp(unclaimed).winner is None
    assert cfp([*unclaimed, [11, 11], [12, 12], claim(0)]).winner == 0


@pytest.mark.rule("CFP.RES-3")
def test_who_has_not_noticed_his_five_loses_to_one_that_is_claimed() -> None:
    white: Moves = [point for column in range(5) for point in ([5, column], [7, column])]
    judged = cfp([*CFP_OPENED, *white, claim(1)])
    assert (judged.winner, judged.scores) == (1, (0, 1))


@pytest.mark.rule("CFP.RES-2", "CFP.RES-3")
def test_six_are_no_ground_for_a_claim() -> None:
    moves = [*CFP_OPENED, *black_lays(range(3, 9)), claim(0)]
    refused(moves, "CFP.RES-3", "black has no line of exactly five")


@pytest.mark.rule("CFP.RES-3")
def test_nobody_claims_the_five_of_the_other_or_before_there_are_colours() -> None:
    refused([*CFP_OPENED, *black_lays(range(3, 8)), claim(1)], "CFP.RES-3", "white has no line")
    refused([[7, 7], claim(0)], "CFP.RES-3", "before the colours are settled")
    refused([*CFP_OPENED[:3], claim(0)], "CFP.RES-3", "before the colours are settled")


@pytest.mark.rule("CFP.RES-4")
def test_showing_that_the_time_of_the_other_is_over_wins() -> None:
    judged = cfp([*CFP_OPENED, claim(1, "time")])
    assert (judged.winner, judged.reason, judged.decided_at) == (1, "time", 4)
    assert judged.explanation == "Seat 1 has shown that the time of seat 0 is over."


@pytest.mark.rule("CFP.RES-4")
def test_who_resigns_has_lost() -> None:
    judged = cfp([*CFP_OPENED, {"resign": 1}])
    assert (judged.winner, judged.reason, judged.scores) == (0, "resignation", (1, 0))


@pytest.mark.rule("CFP.RES-5")
def test_the_game_is_drawn_when_the_time_of_both_is_over() -> None:
    """CFP.V11."""
    judged = cfp([*CFP_OPENED, claim(1, "time"), claim(0, "time")])
    assert (judged.winner, judged.reason, judged.decided_at) == ("draw", "draw_both_time", 5)
    assert judged.scores == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.rule("CFP.RES-5")
def test_a_full_board_is_drawn_even_with_an_unclaimed_five_on_it() -> None:
    """CFP.V9."""
    judged = cfp(FULL)
    assert (judged.winner, judged.reason, judged.decided_at) == ("draw", "draw_full_board", len(FULL) - 1)


def test_the_stone_that_fills_the_board_may_complete_a_five_that_is_claimed() -> None:
    """CFP.D3. The board is laid so that the last stone, black, is the fifth of a line."""
    five = [(0, column) for column in range(5)]
    edge = [(0, 5), (1, 0), (2, 0), (3, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]
    opened = {(14, 0), (14, 2), (14, 4)}
    rest = [(p.row, p.column) for p in POINTS if (p.row, p.column) not in {*five, *edge, *opened}]
    white, black = [*edge, *rest[: 111 - len(edge)]], [*rest[111 - len(edge) :], *five]
    stones: Moves = [[*white[0]]]
    for own, others in zip(black, white[1:], strict=False):
        stones += [[*own], [*others]]
    stones += [[*point] for point in black[len(white) - 1 :]]
    assert len(stones) == 222
    assert cfp([*CFP_OPENED, *stones, claim(0)]).reason == "five_claimed"


@pytest.mark.rule("CFP.RES-5")
def test_on_a_full_board_nothing_but_a_five_can_be_claimed() -> None:
    for late in ([0, 0], OFFER, {"resign": 0}, claim(0, "time")):
        refused([*FULL, late], "CFP.RES-16", "board is full")


@pytest.mark.rule("CFP.RES-5", "CFP.RES-6")
@pytest.mark.parametrize(
    "talk",
    [
        pytest.param([OFFER, ACCEPT], id="at once"),
        pytest.param([OFFER, [3, 3], ACCEPT], id="after the move it came with"),
        pytest.param([{"offer": "draw", "by": 1}, {"accept": "draw", "by": 0}], id="with names"),
        pytest.param([OFFER, [3, 3], [5, 5], OFFER, ACCEPT], id="the second offer"),
        pytest.param([OFFER, DECLINE, [3, 3], OFFER, ACCEPT], id="after one that was declined"),
    ],
)
def test_an_accepted_offer_draws(talk: list[object]) -> None:
    judged = cfp([*CFP_OPENED, *talk])
    assert (judged.winner, judged.reason, judged.decided_at) == ("draw", "draw_agreed", 3 + len(talk))


@pytest.mark.rule("CFP.RES-6")
@pytest.mark.parametrize(
    ("talk", "saying"),
    [
        pytest.param([{"offer": "draw", "by": 0}], "only seat 1, who is to move, may", id="CFP.V12"),
        pytest.param([ACCEPT], "nobody has offered", id="no offer"),
        pytest.param([OFFER, [3, 3], [5, 5], ACCEPT], "has lapsed with move 6", id="declined by a move"),
        pytest.param([OFFER, DECLINE, ACCEPT], "has lapsed with move 5", id="declined in words"),
        pytest.param([OFFER, OFFER], "offer of move 4 is still open", id="twice"),
        pytest.param([OFFER, {"accept": "draw", "by": 1}], "answers for seat 1", id="by who offered"),
    ],
)
def test_offers_that_are_refused(talk: list[object], saying: str) -> None:
    refused([*CFP_OPENED, *talk], "CFP.RES-6", saying)


@pytest.mark.rule("CFP.RES-6")
def test_choosing_a_colour_declines_as_well() -> None:
    refused([[7, 7], OFFER, [7, 8], [7, 9], {"take": "black"}, ACCEPT], "CFP.RES-6", "lapsed with move 4")


@pytest.mark.rule("CFP.RES-13")
def test_nobody_but_the_players_may_claim() -> None:
    for stranger in (2, -1):
        refused([*CFP_OPENED, claim(stranger, "time")], "CFP.RES-13", "no player of this game")
        refused([*CFP_OPENED, claim(stranger)], "CFP.RES-13", "no player of this game")
        refused([*CFP_OPENED, {"resign": stranger}], "CFP.RES-13", "no player of this game")


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


def test_nothing_comes_after_the_end() -> None:
    for end in ({"resign": 0}, claim(0, "time")):
        for late in ([3, 3], OFFER, {"take": "black"}, {"resign": 1}, claim(1)):
            refused([*CFP_OPENED, end, late], "CFP.RES-16", "after the end of the game")
    refused([*CFP_OPENED, claim(0, "time"), claim(0, "time")], "CFP.RES-16", "repeats the claim of move 4")
    refused([*CFP_OPENED, {"resign": 0}, claim(0, "time")], "CFP.RES-16", "after the end of the game")


def test_a_game_that_goes_on_has_no_result() -> None:
    for moves, awaits in (
        ([], "seat 0 has 3 more to lay"),
        (CFP_OPENED[:3], "seat 1 has to take a colour or to add one stone of each"),
        ([*CFP_OPENED[:3], [0, 0], [1, 1]], r"seat 0 has to take a colour\."),
        (CFP_OPENED, "white, seat 1, is to move"),
    ):
        judged = cfp(moves)
        assert (judged.winner, judged.reason, judged.decided_at, judged.scores, judged.points) == (None,) * 5
        assert judged.explanation.startswith("The game goes on: ")
        assert awaits.replace("\\", "") in judged.explanation


@pytest.mark.rule("PQ.RES-2")
def test_a_duel_of_pisqworky_brings_two_one_or_no_points() -> None:
    assert pq([*PQ_OPENED, {"resign": 1}]).scores == (2, 0)
    drawn = pq([*PQ_OPENED, OFFER, ACCEPT])
    assert drawn.scores == drawn.points == (1, 1)


def test_in_pisqworky_six_win_as_well_once_they_are_struck_through() -> None:
    """CFP.V2, CFP.D8, PQ.D27."""
    moves = [*PQ_OPENED, *black_lays(range(3, 9))]
    assert pq(moves).winner is None
    assert pq([*moves, claim(0)]).reason == "five_claimed"
    with pytest.raises(IllegalMove, match=r"nought has no line of five or more .PQ.RES-9."):
        pq([*moves, claim(1)])


def test_what_a_game_brings_is_the_rulesets() -> None:
    worth = Worth(win=Fraction(3), draw=Fraction(1), loss=Fraction(0))
    assert judge(CFP, "swap", [{"resign": 0}], worth=worth).scores == (0, 3)


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
    faults: tuple[Fault, ...] = error.value.faults
    assert [fault.pointer for fault in faults] == [f"/moves/{index}" for index in range(1, len(BAD_FORMS) + 1)]
    for fault, (entry, saying) in zip(faults, BAD_FORMS, strict=True):
        assert saying in fault.detail, entry
