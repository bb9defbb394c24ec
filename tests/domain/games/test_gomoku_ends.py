"""How a game of gomoku ends: claims of five and of time, draws, a full board, giving up."""

import pytest

from services.results.games.gomoku.board import POINTS
from tests.gomoku import ACCEPT, CFP_OPENED, DECLINE, FULL, OFFER, Moves, black_lays, cfp, claim, refused


@pytest.mark.rule("CFP.RES-3")
def test_a_five_wins_when_it_is_claimed() -> None:
    moves = [*CFP_OPENED, *black_lays(range(3, 8)), claim(0)]
    judged = cfp(moves)
    assert (judged.winner, judged.reason, judged.decided_at) == (0, "five_claimed", len(moves) - 1)


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
    assert judged.winner == 1


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
    assert (judged.winner, judged.reason) == (0, "resignation")


@pytest.mark.rule("CFP.RES-5", "CFP.D11")
def test_the_game_is_drawn_when_the_time_of_both_is_over() -> None:
    """CFP.V11."""
    judged = cfp([*CFP_OPENED, claim(1, "time"), claim(0, "time")])
    assert (judged.winner, judged.reason, judged.decided_at) == ("draw", "draw_both_time", 5)


@pytest.mark.rule("CFP.RES-5")
def test_a_full_board_is_drawn_even_with_an_unclaimed_five_on_it() -> None:
    """CFP.V9."""
    judged = cfp(FULL)
    assert (judged.winner, judged.reason, judged.decided_at) == ("draw", "draw_full_board", len(FULL) - 1)


@pytest.mark.rule("CFP.RES-3", "CFP.RES-5")
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


@pytest.mark.rule("CFP.RES-5", "CFP.RES-6", "CFP.D10")
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


@pytest.mark.rule("CFP.RES-6", "CFP.D10")
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


@pytest.mark.rule("CFP.RES-6", "CFP.D10")
def test_choosing_a_colour_declines_as_well() -> None:
    refused([[7, 7], OFFER, [7, 8], [7, 9], {"take": "black"}, ACCEPT], "CFP.RES-6", "lapsed with move 4")


@pytest.mark.rule("CFP.RES-13")
def test_nobody_but_the_players_may_claim() -> None:
    for stranger in (2, -1):
        refused([*CFP_OPENED, claim(stranger, "time")], "CFP.RES-13", "no player of this game")
        refused([*CFP_OPENED, claim(stranger)], "CFP.RES-13", "no player of this game")
        refused([*CFP_OPENED, {"resign": stranger}], "CFP.RES-13", "no player of this game")


def test_nothing_comes_after_the_end() -> None:
    for end in ({"resign": 0}, claim(0, "time")):
        for late in ([3, 3], OFFER, {"take": "black"}, {"resign": 1}, claim(1)):
            refused([*CFP_OPENED, end, late], "CFP.RES-16", "after the end of the game")
    refused([*CFP_OPENED, claim(0, "time"), claim(0, "time")], "CFP.RES-16", "repeats the claim of move 4")
    refused([*CFP_OPENED, {"resign": 0}, claim(0, "time")], "CFP.RES-16", "after the end of the game")
