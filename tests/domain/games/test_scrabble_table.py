"""What happens at a table of Scrabble: objections and announced points."""

from collections.abc import Callable
from typing import Any

import pytest

from services.results.games.scrabble.objections import (
    Found,
    Timing,
    WrittenTurn,
    counted,
    to_behaviour,
    to_exchange,
    to_tiles,
    to_unwritten,
    to_words,
)
from shared.faults import Faulty


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
    refused(lambda: to_unwritten([WrittenTurn(points=-3, word="aj")]), "/turns/0/points")


@pytest.mark.rule("SK.RES-13", "SK.RES-14")
def test_words_objected_to_are_judged_one_after_the_other_until_the_turn_is_lost() -> None:
    for invalid, upheld, turn, objector in (
        ([True], True, "lost", 0),
        ([False], False, "stands", -5),
        ([False, False], False, "stands", -10),
        ([False, True, False], True, "lost", -5),
        ([True, False, False], True, "lost", 0),
    ):
        effect = to_words(invalid)
        assert (effect.upheld, effect.turn, effect.objector) == (upheld, turn, objector)
    refused(lambda: to_words([]), "/words")


@pytest.mark.rule("SK.RES-14")
def test_turns_not_written_down_count_nothing() -> None:
    turns = [WrittenTurn(points=20, word="už"), WrittenTurn(points=None, word="aj"), WrittenTurn(points=9, word=None)]
    found = to_unwritten(turns)
    assert (found.upheld, found.points, found.objector) == (True, (20, 0, 0), 0)
    right = to_unwritten([turns[0], WrittenTurn(points=0, word="aj")])
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
        pytest.param({"seconds": 60}, True, id="nothing drawn yet"),
        pytest.param({"seconds": 12, "drawn_after": 15}, True, id="before the first tile"),
        pytest.param({"seconds": 15, "drawn_after": 15}, False, id="with the first tile"),
        pytest.param({"seconds": 8, "drawn_after": 4}, True, id="drawn too soon"),
        pytest.param({"seconds": 10, "drawn_after": 4}, False, id="drawn too soon, and too late"),
        pytest.param({"seconds": 10, "bag_empty": True}, True, id="ten seconds with an empty bag"),
        pytest.param({"seconds": 11, "bag_empty": True}, False, id="eleven"),
        pytest.param({"seconds": 40, "bag_empty": True, "moment": True}, True, id="moment was called"),
        pytest.param({"seconds": 3, "bag_empty": True, "approved": True}, False, id="already approved"),
    ],
)
def test_until_when_an_objection_is_in_time(said: Any, *, counts: bool) -> None:
    assert Timing.model_validate(said).in_time is counts


@pytest.mark.rule("SK.RES-14")
@pytest.mark.parametrize(
    ("said", "too_soon"),
    [
        ({"drawn_after": 9}, True),
        ({"drawn_after": 10}, False),
        ({"drawn_after": 3, "approved": True}, False),
        ({"drawn_after": 30, "moment": True}, True),
        ({}, False),
    ],
)
def test_the_mover_has_to_leave_ten_seconds(said: Any, *, too_soon: bool) -> None:
    assert Timing.model_validate({"seconds": 2} | said).drawn_too_soon is too_soon
