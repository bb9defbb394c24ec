"""What happens at a table of Scrabble: objections, announced points, the end of a game, the clocks."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from services.results.games.scrabble_table.announced import Found, counted
from services.results.games.scrabble_table.clocks import (
    NotStarted,
    Restart,
    Started,
    after_failed_clock,
    after_spill,
    called_as_referee,
    new_time,
    start,
)
from services.results.games.scrabble_table.ending import ended_without_words, may, played_out
from services.results.games.scrabble_table.objections import (
    Written,
    in_time,
    to_behaviour,
    to_exchange,
    to_tiles,
    to_unwritten,
    to_words,
    too_soon,
)
from services.results.games.tiles import load
from shared.faults import Faulty

TILES = load("sk-100")


def refused(act: Callable[[], Any], pointer: str) -> None:
    with pytest.raises(Faulty) as error:
        act()
    assert [fault.pointer for fault in error.value.faults] == [pointer]


@pytest.mark.rule("SK.RES-13")
@pytest.mark.parametrize(
    ("correct", "announced", "found", "points", "objector"),
    [
        (24, 30, "objected", 18, 0),
        (24, 60, "objected", 0, 0),
        (24, 30, "before-signing", 24, 0),
        (30, 24, "never", 24, 0),
        (30, 24, "objected", 24, 0),
        (24, 24, "objected", 24, -5),
        (30, 24, "before-signing", 24, 0),
        (24, 30, "never", 30, 0),
        (24, 24, "before-signing", 24, 0),
        (24, 25, "objected", 23, 0),
        (24, 25, "before-signing", 24, 0),
        (0, 0, "never", 0, 0),
    ],
)
def test_points_announced_wrongly(correct: int, announced: int, found: Found, points: int, objector: int) -> None:
    """SK.V8."""
    turn = counted(correct=correct, announced=announced, found=found)
    assert (turn.points, turn.objector) == (points, objector)


@pytest.mark.rule("SK.RES-13")
def test_no_turn_is_worth_less_than_nothing() -> None:
    refused(lambda: counted(correct=-1, announced=3, found="never"), "/correct")
    refused(lambda: counted(correct=1, announced=-3, found="never"), "/announced")
    refused(lambda: to_unwritten([Written(points=-3, word="aj")]), "/turns/0/points")


@pytest.mark.rule("SK.RES-13", "SK.RES-14")
def test_each_word_objected_to_is_judged_on_its_own() -> None:
    for invalid, upheld, turn, objector in (
        ([True], True, "lost", 0),
        ([False], False, "stands", -5),
        ([False, True, False], True, "lost", -10),
    ):
        effect = to_words(invalid)
        assert (effect.upheld, effect.turn, effect.objector) == (upheld, turn, objector)
    refused(lambda: to_words([]), "/words")


@pytest.mark.rule("SK.RES-14")
def test_turns_not_written_down_count_nothing() -> None:
    turns = [Written(points=20, word="už"), Written(points=None, word="aj"), Written(points=9, word=None)]
    found = to_unwritten(turns)
    assert (found.upheld, found.points, found.objector) == (True, (20, 0, 0), 0)
    assert found.explanation.endswith("turn 2, 3.")
    right = to_unwritten([turns[0], Written(points=0, word="aj")])
    assert (right.upheld, right.points, right.objector) == (False, (20, 0), -5)


@pytest.mark.rule("SK.RES-14")
@pytest.mark.parametrize(
    ("effect", "upheld"),
    [
        (to_tiles(held=8, due=7), True),
        (to_tiles(held=6, due=7), True),
        (to_tiles(held=7, due=7), False),
        (to_exchange(in_bag=6), True),
        (to_exchange(in_bag=7), False),
    ],
)
def test_wrong_tiles_and_exchanges_lose_the_turn(effect: Any, *, upheld: bool) -> None:
    assert (effect.upheld, effect.turn, effect.objector) == (upheld, *(("lost", 0) if upheld else ("stands", -5)))


@pytest.mark.rule("SK.RES-14")
@pytest.mark.parametrize(
    ("sanction", "upheld", "turn"),
    [
        (None, False, "stands"),
        ("private-warning", True, "stands"),
        ("public-warning", True, "stands"),
        ("turn-lost", True, "lost"),
        ("game-lost", True, "stands"),
    ],
)
def test_an_objection_to_behaviour_never_costs_anything(sanction: Any, *, upheld: bool, turn: str) -> None:
    effect = to_behaviour(sanction)
    assert (effect.upheld, effect.turn, effect.objector) == (upheld, turn, 0)


@pytest.mark.rule("SK.RES-14")
@pytest.mark.parametrize(
    ("said", "counts"),
    [
        pytest.param({"seconds": 60, "bag_empty": False}, True, id="nothing drawn yet"),
        pytest.param({"seconds": 12, "bag_empty": False, "drawn_after": 15}, True, id="before the first tile"),
        pytest.param({"seconds": 15, "bag_empty": False, "drawn_after": 15}, False, id="with the first tile"),
        pytest.param({"seconds": 8, "bag_empty": False, "drawn_after": 4}, True, id="drawn too soon"),
        pytest.param({"seconds": 10, "bag_empty": False, "drawn_after": 4}, False, id="drawn too soon, and too late"),
        pytest.param({"seconds": 10, "bag_empty": True}, True, id="ten seconds with an empty bag"),
        pytest.param({"seconds": 11, "bag_empty": True}, False, id="eleven"),
        pytest.param({"seconds": 40, "bag_empty": True, "moment": True}, True, id="moment was called"),
        pytest.param({"seconds": 3, "bag_empty": True, "approved": True}, False, id="already approved"),
    ],
)
def test_until_when_an_objection_is_in_time(said: Any, *, counts: bool) -> None:
    assert in_time(**said) is counts


@pytest.mark.rule("SK.RES-14")
def test_the_mover_has_to_leave_ten_seconds() -> None:
    assert too_soon(drawn_after=9)
    assert not too_soon(drawn_after=10)
    assert not too_soon(drawn_after=3, approved=True)
    assert too_soon(drawn_after=30, moment=True)


@pytest.mark.rule("SK.RES-12")
def test_who_plays_out_gets_what_the_other_has_left() -> None:
    assert played_out(TILES, (300, 310), ([], ["X", "?", "A"]), by=0, in_bag=0).scores == (311, 299)
    assert played_out(TILES, (300, 10), (["X", "Ä"], []), by=1, in_bag=0).scores == (280, 30)
    assert played_out(TILES, (5, 5), (["X"], []), by=1, in_bag=0).scores == (-5, 15)
    refused(lambda: played_out(TILES, (1, 1), ([], []), by=0, in_bag=1), "/in_bag")
    refused(lambda: played_out(TILES, (1, 1), ([], ["A"]), by=1, in_bag=0), "/racks/1")
    refused(lambda: played_out(TILES, (1, 1), ([], ["W"]), by=0, in_bag=0), "/racks/1")


@pytest.mark.rule("SK.RES-12")
def test_six_turns_without_a_word_end_a_live_game() -> None:
    racks = (["A"], ["X", "A"])
    assert ended_without_words(TILES, (100, 90), racks, laid=[True, *[False] * 5]) is None
    assert ended_without_words(TILES, (100, 90), racks, laid=[False] * 5) is None
    ended = ended_without_words(TILES, (100, 90), racks, laid=[True, *[False] * 6])
    assert ended is not None
    assert ended.scores == (99, 79)


@pytest.mark.rule("SK.RES-12")
def test_four_turns_without_a_word_end_an_online_game_with_its_scores() -> None:
    """SK.D14."""
    ended = ended_without_words(TILES, (100, 90), (["A"], ["X"]), laid=[True, *[False] * 4], where="online")
    assert ended is not None
    assert ended.scores == (100, 90)


@pytest.mark.rule("SK.RES-12")
def test_after_ones_own_time_one_may_only_pass_or_object() -> None:
    for act in ("lay", "exchange", "pass", "object"):
        assert may(act, clock_over=True, in_bag=20) is (act in {"pass", "object"})
        assert may(act, clock_over=False, in_bag=7)
        assert may(act, clock_over=False, in_bag=6) is (act != "exchange")


@pytest.mark.rule("SK.RES-3")
@pytest.mark.parametrize(
    ("late", "outcome"),
    [
        pytest.param((9, 0), Started(minutes=(Fraction(13), Fraction(22))), id="SK.V15 nine minutes"),
        pytest.param((22, 0), NotStarted(end="no_show", by=0), id="SK.V15 22 minutes"),
        pytest.param((0, 22), NotStarted(end="no_show", by=1), id="22 minutes, the other seat"),
        pytest.param((0, None), NotStarted(end="no_show", by=1), id="never"),
        pytest.param((3, 5), Started(minutes=(Fraction(19), Fraction(17))), id="both late"),
        pytest.param((Fraction(43, 2), 0), Started(minutes=(Fraction(1, 2), Fraction(22))), id="half a minute left"),
        pytest.param((None, None), NotStarted(end="both_absent"), id="neither"),
        pytest.param((None, 22), NotStarted(end="both_absent"), id="neither in time"),
    ],
)
def test_a_late_player_loses_the_delay(late: Any, outcome: Started | NotStarted) -> None:
    assert start(late) == outcome


def test_nobody_is_late_by_less_than_nothing() -> None:
    refused(lambda: start((0, -1)), "/late/1")


@pytest.mark.rule("SK.RES-15")
def test_the_new_time_goes_by_the_turns_of_both() -> None:
    assert (new_time(0), new_time(9), new_time(10), new_time(30)) == (15, 15, 10, 10)
    refused(lambda: new_time(-1), "/turns")
    assert after_failed_clock(9) == (15, 15)
    assert after_failed_clock(9, agreed=(Fraction(4), Fraction(7))) == (4, 7)


@pytest.mark.rule("SK.RES-15")
def test_after_a_spill_the_score_stands_and_intact_racks_are_kept() -> None:
    restart = after_spill(turns=12, scores=(120, 99), to_move=1, racks=(["A", "B", "?"], None))
    assert restart == Restart(scores=(120, 99), minutes=10, to_move=1, draw=(4, 7))
    refused(lambda: after_spill(turns=1, scores=(0, 0), to_move=0, racks=(None, ["A"] * 8)), "/racks/1")


@pytest.mark.rule("SK.RES-15")
def test_a_player_who_is_called_as_referee_gets_two_minutes() -> None:
    assert called_as_referee(Fraction(5)) == 7
