"""What every family makes of what happened at a table. The examples are data, in tests/vectors."""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from services.results.calculate import EXAMPLES, adjudicate
from services.results.games.adjudication import FAMILIES
from services.results.games.adjudication import adjudicate as judge
from shared.faults import Faulty
from shared.rulesets import catalogue
from shared.rulesets.settings import change, settings
from shared.tournament.file.faults import game_faults
from shared.tournament.file.form import GameForm
from tests.adjudicated import examples, table_of

LIVE = "scrabble-sk-2022-qt"
MATCH = "pisqworky-2025-individual"
REASONS = ("five_claimed", "time", "resignation", "position_destroyed_by_loser", "conduct_penalty")
REASONS_OF_DRAWS = ("draw_full_board", "draw_agreed", "draw_both_time")
ADDED = [[7, 7, "cross"], [7, 8, "nought"], [8, 8, "cross"], [8, 7, "nought"], [9, 9, "cross"]]  # only SWAP 2 allows it


def params(kind: str) -> list[Any]:
    return [
        pytest.param(one, id=f"{family}: {one['name']}", marks=[pytest.mark.rule(*one["rules"])])
        for family, one in examples(kind)
    ]


def given(ruleset: str | dict[str, Any], **game: Any) -> dict[str, Any]:
    return adjudicate({"ruleset": ruleset, "game": game}).model_dump(exclude_unset=True)


def pointers(content: object) -> list[str]:
    with pytest.raises(Faulty) as caught:
        adjudicate(content)
    return [fault.pointer for fault in caught.value.faults]


def own(ruleset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """A federation's own ruleset: one of the catalogue with other settings, by path."""
    plain = catalogue.load(ruleset).model_dump(mode="json")
    change(plain, changes)
    return plain


@pytest.mark.parametrize("example", params("gives"))
def test_a_game_gives_what_its_rules_say(example: dict[str, Any]) -> None:
    assert adjudicate(table_of(example)).model_dump(exclude_unset=True) == example["gives"]


@pytest.mark.parametrize("example", params("refused"))
def test_what_cannot_have_happened_is_refused_at_its_place(example: dict[str, Any]) -> None:
    assert pointers(table_of(example)) == example["refused"]


@pytest.mark.rule("CFP.RES-16")
def test_a_game_of_gomoku_may_end_for_each_reason_of_the_rules() -> None:
    for reason in REASONS:
        assert given("gomoku-cfp", winner=1, reason=reason)["reason"] == reason
    for reason in REASONS_OF_DRAWS:
        assert given("gomoku-cfp", winner="draw", reason=reason)["points"] == [0.5, 0.5]
    assert given("gomoku-cfp", end="void_replay", reason="void_replay")["scores"] is None


@pytest.mark.rule("PQ.RES-12", "PQ.D64")
@pytest.mark.parametrize("ruleset", [name for name in catalogue.ids() if name.startswith("pisqworky")])
def test_only_at_area_tournaments_two_symbols_are_not_added_unless_somebody_asks(ruleset: str) -> None:
    moves: dict[str, Any] = {"moves": ADDED}
    if ruleset.endswith("-ot"):
        assert pointers({"ruleset": ruleset, "game": moves}) == ["/game/moves/3"]
        asked = {"ruleset": ruleset, "game": moves | {"opening": "swap2"}}
        assert pointers(asked) == ["/game/opening"], "1.1.4.5: all duels but those that decide a match of the play-off"
        assert adjudicate(asked | {"stage": "play-off"}).scores is None
    else:
        assert given(ruleset, **moves)["scores"] is None


@pytest.mark.rule("PQ.RES-3", "PQ.D69")
def test_a_match_to_whose_boards_nobody_came_is_drawn_without_points_for_duels() -> None:
    found = given("pisqworky-2025-zs-ot", boards=[[None, None]] * 3)
    assert (found["scores"], found["points"]) == ([0, 0], [1, 1])


@pytest.mark.rule("PQ.RES-7")
def test_a_duel_is_forfeited_two_minutes_after_its_start_and_the_next_has_two_of_its_own() -> None:
    assert catalogue.load("pisqworky-2025-zs-ot").results.latest_start == 2
    assert given(MATCH, boards=[[1, 0]])["scores"] == [2, 2]
    assert given(MATCH, moves=[{"claim": "time", "by": 1}])["scores"] == [0, 2]


@pytest.mark.rule("PQ.RES-7")
@pytest.mark.parametrize("ruleset", [name for name in catalogue.ids() if name.startswith("pisqworky")])
def test_two_minutes_are_for_games_without_chess_clocks(ruleset: str) -> None:
    """At grand finals and among individuals the clock of whoever is missing runs (3.4.9, 2.4)."""
    has_clocks = ruleset.endswith(("-grf", "-individual"))
    assert catalogue.load(ruleset).results.latest_start == (None if has_clocks else 2)


def test_another_federation_has_other_points() -> None:
    worth = {"scoring.win": 3, "scoring.draw": 1, "scoring.loss": 0}
    assert given(own(LIVE, worth), scores=[380, 350])["points"] == [3, 0]
    assert given(own("othello-pl-2021", worth), discs=[32, 32])["points"] == [1, 1]
    assert given(own("gomoku-cfp", worth), winner=1) == {"scores": [0, 1], "points": [0, 3], "winner": 1}
    assert given(own(MATCH, worth), boards=[[0, "draw"]]) == {"scores": [3, 1], "points": [3, 0]}
    assert given(own("carcassonne-cz-final", worth), scores=[60, 60])["points"] == [1, 1]
    assert given(own("carcassonne-cz-final", worth), scores=[9, 6], flag=0)["points"] == [0, 3]


def test_another_federation_has_other_tables() -> None:
    table = own("carcassonne-cz-qualification", {"scoring.placement": [5, 3, 1, 0], "scoring.success_seats": None})
    success = [0.416667, 0.416667, 0.166667]
    assert given(table, scores=[50, 50, 20]) == {"scores": [50, 50, 20], "points": [4, 4, 1], "success": success}


def test_another_federation_has_other_endings() -> None:
    fixed = {"rule": "fixed", "at_fault": 1, "other": 63}
    fled = {"title": "Fled", "fault": "one", "scores": fixed, "points": "by-fault"}
    othello = own("othello-pl-2021", {"results.endings.fled": fled})
    assert given(othello, end="fled", by=1) == {"scores": [63, 1], "points": [1, 0]}


def test_where_no_sheet_is_taken_an_official_sets_what_the_rules_name() -> None:
    strict = own(LIVE, {})
    strict["results"]["endings"]["referee"]["scores"]["sheet"] = False
    assert pointers({"ruleset": strict, "game": {"end": "referee", "scores": [380, 350]}}) == ["/game/scores"]
    assert given(strict, end="referee", scores=[100, 0]) == {"scores": [100, 0], "points": [1, 0]}


@pytest.mark.rule("SK.RES-5", "SK.RES-6")
def test_scores_that_a_referee_sets_say_who_has_won_and_the_seat_at_fault_only_whom_they_count_against() -> None:
    """SK.D50: 0:100 is lost by who gets 0, and at 0:0 nobody has a point, whoever is to blame for it."""
    for by in (0, [0], [1], [0, 1], []):
        assert given(LIVE, end="referee", scores=[0, 0], by=by) == {"scores": [0, 0], "points": [0, 0]}
    for by in (0, [0], []):
        assert given(LIVE, end="referee", scores=[0, 100], by=by) == {"scores": [0, 100], "points": [0, 1]}
    for by in (1, [1], [0, 1]):
        assert pointers({"ruleset": LIVE, "game": {"end": "referee", "scores": [0, 100], "by": by}}) == ["/game/by"]


def test_another_federation_has_other_duels() -> None:
    boards = {"title": "Played", "scores": {"rule": "boards", "win": 5, "draw": 3, "loss": 1, "nobody": 0}}
    match = own(MATCH, {"results.endings.played": boards, "scoring.total": 12})
    assert given(match, boards=[[0, "draw"]])["scores"] == [8, 4]
    assert given(match, boards=[[0, None]])["scores"] == [5, 1]
    assert given(match, moves=[{"resign": 0}])["points"] == [1, 5]
    assert given(match, end="left_party", by=0, board=0, boards=[[0, 0]])["scores"] == [2, 10]


def test_a_ruleset_counts_only_by_rules_that_its_game_knows() -> None:
    filled = own(LIVE, {"results.endings.played": {"title": "Played", "scores": {"rule": "filled"}}})
    assert pointers({"ruleset": filled, "game": {"scores": [1, 2]}}) == ["/game/end"]


def test_an_ending_of_a_game_of_two_is_none_of_a_larger_table() -> None:
    fled = {
        "title": "Fled",
        "fault": "one",
        "scores": {"rule": "fixed", "at_fault": 0, "other": 9},
        "points": "by-fault",
    }
    table = own("carcassonne-cz-qualification", {"results.endings.fled": fled})
    assert pointers({"ruleset": table, "game": {"end": "fled", "by": 0}}) == ["/game/end"]


def test_a_ruleset_is_named_or_sent_whole() -> None:
    assert pointers({"ruleset": "none-such", "game": {"scores": [1, 2]}}) == ["/ruleset"]
    assert pointers({"ruleset": {}, "game": {"scores": [1, 2]}})[0].startswith("/ruleset/")
    assert given(own(LIVE, {}), scores=[1, 2]) == {"scores": [1, 2], "points": [0, 1]}


def test_everything_that_is_wrong_is_named_at_once() -> None:
    table = {
        "ruleset": LIVE,
        "game": {"scores": [1, "x"], "flag": 0},
        "colour": 1,
        "stage": 5,
        "options": {"scoring.win": 3},
    }
    assert set(pointers(table)) == {"/stage", "/colour", "/options/scoring.win", "/game/scores/1", "/game/flag"}
    assert pointers({"ruleset": LIVE, "stage": "final", "game": {"end": "Ö"}}) == ["/game/end", "/stage"]
    assert pointers({}) == ["/ruleset", "/game"]
    assert pointers(b"{") == [""]
    assert pointers([]) == [""]


def test_an_illegal_move_is_told_with_its_index() -> None:
    with pytest.raises(Faulty, match=r"^Move 1 of the transcript cannot have been played: it is on \(7, 7\)"):
        given("gomoku-cfp", moves=[[7, 7], [7, 7]])


def test_the_examples_that_callers_are_shown_can_be_adjudicated() -> None:
    shown = [adjudicate(example).points for example in EXAMPLES]
    assert shown == [[0, 1], [2, 0], [1, 0], [2, 4], [1, 0]]


def test_it_is_read_from_the_bytes_of_a_file() -> None:
    file = json.dumps({"ruleset": LIVE, "game": {"end": "resigned", "by": 0, "scores": [210, 347]}}).encode()
    assert adjudicate(file).model_dump(exclude_unset=True) == {"scores": [0, 137], "points": [0, 1]}


POINTS = [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]
SCORES = [*POINTS, Fraction(20), Fraction(32), Fraction(44)]


@pytest.mark.rule("OT.RES-1", "CC.RES-1", "CFP.RES-15")
@pytest.mark.parametrize("by", [None, 0, [0, 1]])
@pytest.mark.parametrize("ruleset", ["othello-pl-2021", "carcassonne-cz-final", "gomoku-cfp", LIVE, MATCH])
def test_whatever_is_awarded_can_stand_in_a_tournament_file(ruleset: str, by: Any) -> None:
    rules = catalogue.load(ruleset)
    holds = settings(rules, rules.stages[0].id, size=0)
    fault = {} if by is None else {"end": "forfeit", "by": by}
    taken = 0
    for scores in product(SCORES, repeat=2):
        for points in product(POINTS, repeat=2):
            told = FAMILIES[rules.game].form(end="awarded", scores=scores, points=points, by=by)
            try:
                judge(rules.game, holds, told)
            except Faulty:
                continue
            taken += 1
            written = {"seats": ["A", "B"], "scores": scores, "points": points} | fault
            assert not [*game_faults(GameForm.model_validate(written), holds, apart=rules.game == "scrabble")]
    assert taken


@pytest.mark.rule("CC.RES-1")
@pytest.mark.parametrize("by", [0, 2, [3, 3]])
def test_whoever_names_a_seat_where_nobody_is_at_fault_is_told_to_leave_it_out(by: int | list[int]) -> None:
    """Whichever seat: at a table of four there is a seat 2, of which it was said that there are 0 and 1."""
    with pytest.raises(Faulty) as refused:
        given("carcassonne-cz-qualification", scores=[45, 80, 66, 34], by=by)
    assert [fault.detail for fault in refused.value.faults] == [
        "has to be left out: nobody is at fault in this ending (CC.RES-1)"
    ]
