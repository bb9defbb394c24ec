"""What a tournament file of each family cannot say."""

from typing import Any

import pytest

from shared.tournament.file import read
from shared.tournament.file.writing import written
from tests.domain.test_final_lists import AREA, championship, rounds
from tests.tournaments import tournament

SWISS = {"pairing.system": "cost-swiss"}
OTHELLO = "othello-pl-2021"


def pointers(file: dict[str, Any]) -> list[str]:
    return [fault.pointer for fault in read(file).faults]


def of(ruleset: str, names: str, *texts: str, options: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return tournament(names, *texts, ruleset=ruleset, options=options or {}, **more)


@pytest.mark.rule("OT.RES-1")
def test_discs_add_up_to_64() -> None:
    assert pointers(of(OTHELLO, "AB", "A-B 40:25", options=SWISS)) == ["/rounds/0/games/0/scores"]
    assert pointers(of(OTHELLO, "AB", "A-B 40:24", options=SWISS)) == []
    file = of(OTHELLO, "AB", "A-B 32:32", options=SWISS)
    file["rounds"][0]["games"][0]["scores"] = [32.5, 31.5]
    assert pointers(file) == ["/rounds/0/games/0/scores/0", "/rounds/0/games/0/scores/1"]


@pytest.mark.rule("OT.RES-1", "OT.RES-4", "OT.RES-9")
@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"scores": [40, 24], "points": [0, 1]}, "points"),
        ({"scores": [32, 32], "points": [1, 0]}, "points"),
        ({"scores": [33, 31], "points": [0.5, 0.5]}, "points"),
        ({"scores": [40, 24], "points": [0, 0]}, None),
        ({"scores": [40, 24], "end": "forfeit", "by": 0}, "scores"),
        ({"scores": [32, 32], "end": "forfeit", "by": 1}, "scores"),
        ({"scores": [31, 33], "end": "forfeit", "by": 0}, None),
        ({"scores": [0, 64], "end": "forfeit", "by": [0, 1]}, None),
    ],
)
def test_nobody_wins_a_game_of_othello_with_fewer_discs(said: dict[str, Any], pointer: str | None) -> None:
    file = of(OTHELLO, "AB", "A-B 40:24", options=SWISS)
    file["rounds"][0]["games"][0] |= said
    assert pointers(file) == ([] if pointer is None else [f"/rounds/0/games/0/{pointer}"])


@pytest.mark.rule("PQ.RES-5")
@pytest.mark.parametrize(
    ("ruleset", "scores", "is_right"),
    [
        ("pisqworky-2025-ss-grf", "20:0", True),
        ("pisqworky-2025-ss-grf", "8:8", True),  # a board at which nobody sat
        ("pisqworky-2025-ss-grf", "20:2", False),
        ("pisqworky-2025-ss-grf", "11:8", False),
        ("pisqworky-2025-zs-grf", "12:0", True),
        ("pisqworky-2025-zs-grf", "14:0", False),
        ("pisqworky-2025-individual", "3:1", True),
        ("pisqworky-2025-individual", "4:2", False),
        ("gomoku-cfp", "1:0", True),
        ("gomoku-cfp", "2:0", False),
        ("gomoku-cfp", "0:0", False),
    ],
)
def test_scores_are_such_as_the_game_can_give(ruleset: str, scores: str, *, is_right: bool) -> None:
    file = of(ruleset, "AB", f"A-B {scores}", options=SWISS if ruleset == "gomoku-cfp" else {})
    assert (pointers(file) == []) is is_right


@pytest.mark.rule("CC.PAI-2")
def test_there_are_no_more_tables_of_three_than_needed_unless_an_official_wanted_it() -> None:
    threes = of(
        "carcassonne-cz-qualification",
        "ABCDEFGHIJKL",
        ",".join(f"{'-'.join(t)} 70:55:40" for t in ("ABC", "DEF", "GHI", "JKL")),
    )
    (fault,) = read(threes).faults
    assert (fault.pointer, fault.detail) == (
        "/rounds/0/games",
        "12 players need no tables of three, and there are 4 (CC.PAI-2), unless override says why",
    )
    threes["rounds"][0]["override"] = "The fourth table had no set."
    assert pointers(threes) == []


def test_tables_have_three_or_four_seats_and_nobody_sits_out() -> None:
    ruleset = "carcassonne-cz-qualification"
    assert pointers(of(ruleset, "ABCD", "A-B-C-D 70:55:55:40")) == []
    assert (
        pointers(of(ruleset, "ABCD", "A-B-C-D 70:55:55:40", "A-B-C-D 70:55:55:40")) == []
    )  # repeats are shown elsewhere
    assert pointers(of(ruleset, "ABCD", "A-B 70:55, C-D 70:55")) == [
        "/rounds/0/games/0/seats",
        "/rounds/0/games/1/seats",
    ]
    assert pointers(of(ruleset, "ABCDE", "A-B-C-D 70:55:55:40, bye E")) == ["/rounds/0/byes/0"]
    assert pointers(of(ruleset, "ABC", "A-B-C 70:-1:0")) == ["/rounds/0/games/0/scores/1"]
    assert pointers(of(ruleset, "ABC", *["A-B-C 3:2:1"] * 5)) == ["/rounds/4"]


def test_the_final_has_32_who_bring_points_along() -> None:
    ruleset = "carcassonne-cz-final"
    file = of(ruleset, "AB", "A-B 70:55")
    assert pointers(file) == ["/entrants/0/carried", "/entrants/1/carried", "/entrants"]
    for one in file["entrants"]:
        one["carried"] = 10
    assert pointers(file) == ["/entrants"]
    assert pointers(file | {"options": {"pairing.field": "any"}}) == []
    assert pointers(file | {"options": {"pairing.field": "any"}, "stage": "qualification"}) == ["/stage"]


def test_in_one_event_only_those_qualified_beforehand_have_points_told() -> None:
    file = of("carcassonne-cz-qualification", "ABCD", direct=["D"])
    del file["rounds"]
    last = rounds("A-D 60:50")
    last[0]["override"] = "A small final."
    file["stages"] = [{"id": "qualification", "rounds": rounds("A-B-C 50:40:30")}, {"id": "final", "rounds": last}]
    assert pointers(file) == ["/entrants/3/carried"]
    file["entrants"][3]["carried"] = 5
    assert pointers(file) == []
    del file["stages"][0]
    assert pointers(file) == ["/entrants/0/carried"]
    file["entrants"][0]["carried"] = 4
    assert pointers(file) == []
    names = [f"E{number}" for number in range(33)]
    everybody = tournament(names, ruleset="carcassonne-cz-qualification", options={}, direct=names)
    assert pointers(everybody) == ["/direct"]


@pytest.mark.rule("CC.REG-1")
@pytest.mark.parametrize(("size", "faults"), [(12, 1), (31, 1), (32, 0), (40, 0)])
def test_a_final_in_one_event_begins_with_32_unless_an_option_leaves_it_open(size: int, faults: int) -> None:
    names = [f"E{number}" for number in range(size)]
    file = tournament(names, ruleset="carcassonne-cz-qualification", options={})
    del file["rounds"]
    scores = [200 - 2 * number for number in range(size)]
    tables = [slice(at, at + 4) for at in range(0, size, 4)]
    games = [{"seats": names[table], "scores": scores[table]} for table in tables]
    file["stages"] = [{"id": "qualification", "rounds": [{"number": 1, "games": games}]}, {"id": "final", "rounds": []}]
    detail = f"should be 32, not {size} (CC.REG-1), unless the option pairing.field is any"
    assert [(fault.pointer, fault.detail) for fault in read(file).faults] == [("/entrants", detail)] * faults
    assert pointers(file | {"options": {"pairing.field": "any"}}) == []
    del file["stages"][1]
    assert pointers(file) == []


@pytest.mark.rule("CC.REG-1")
def test_a_final_that_began_with_fewer_stands_in_a_file_with_a_word_of_why() -> None:
    file = of("carcassonne-cz-qualification", "ABCD")
    del file["rounds"]
    last = rounds("A-D 60:50, B-C 60:50")
    file["stages"] = [
        {"id": "qualification", "rounds": rounds("A-B-C-D 50:40:30:20")},
        {"id": "final", "rounds": last},
    ]
    (fault,) = read(file).faults
    assert (fault.pointer, fault.detail) == (
        "/stages/1/rounds/0",
        "should have 32 entrants, not 4 (CC.REG-1), unless override says why, or the option pairing.field is any",
    )
    assert pointers(file | {"options": {"pairing.field": "any"}}) == []
    last[0]["override"] = "Four came."
    again = written(read(file).accepted(), names={}, key=None)
    assert read(again).faults == ()


@pytest.mark.rule("PQ.PAI-4")
def test_how_many_go_on_is_announced() -> None:
    assert pointers(of(AREA, "ABCD")) == ["/advance"]
    assert pointers(of(AREA, "ABCD", advance=2)) == []
    assert pointers(of("pisqworky-2025-ss-grf", "ABCD")) == []


def test_those_meet_who_are_in_the_same_group() -> None:
    file = of(AREA, "ABCDEFGH", "A-B 12:8, C-D 12:8", "A-C 12:8", advance=2)
    for one, group in zip(file["entrants"], "AABB", strict=False):
        one["group"] = group
    assert pointers(file) == ["/rounds/1/games/0/seats"]
    file = of(AREA, "ABCDEFGH", "A-B 12:8, C-D 12:8", "A-C 12:8", advance=2)
    for game, group in zip(file["rounds"][0]["games"], "AB", strict=True):
        game["group"] = group
    assert pointers(file) == ["/rounds/1/games/0/seats"]
    file["rounds"][1]["games"][0] |= {"seats": ["A", "E"], "group": "A"}
    assert pointers(file) == []
    file["rounds"][1]["games"][0]["group"] = "B"
    assert pointers(file) == ["/rounds/1/games/0/seats"]
    file["rounds"][1] |= {"games": [], "byes": ["A"]}
    assert pointers(file) == ["/rounds/1/byes/0"]
    file["rounds"][1]["override"] = "an example"
    assert pointers(file) == []


def test_who_rests_in_a_round_robin_that_scores_no_rest_is_named_nowhere() -> None:
    file = of(OTHELLO, "ABCDEFGHI", "A-B 40:24, C-D 40:24, E-F 40:24, G-H 40:24, bye I")
    assert pointers(file) == ["/rounds/0/byes/0"]
    file["entrants"][7]["withdrawn_after"] = 0
    file["rounds"][0] |= {"games": file["rounds"][0]["games"][:3], "byes": ["G"]}
    assert pointers(file) == []  # H was to play G
    file["rounds"][0] |= {"byes": ["G"], "missing": ["A"], "games": file["rounds"][0]["games"][1:]}
    del file["entrants"][7]["withdrawn_after"]
    assert pointers(file) == []


def play_off(*texts: str) -> dict[str, Any]:
    file = of(AREA, "ABCD", advance=2)
    del file["rounds"]
    file["stages"] = [{"id": "play-off", "rounds": rounds(*texts)}]
    return file


@pytest.mark.rule("PQ.RES-16")
def test_a_drawn_match_goes_on_and_says_how() -> None:
    at = "/stages/0/rounds/0/games/0"
    assert pointers(play_off("A-D 10:10 @SF1")) == [f"{at}/winner"]
    assert pointers(play_off("A-D 10:10 @SF1 >D")) == []
    assert pointers(play_off("A-D 12:8 @SF1 >D")) == [f"{at}/winner"]
    assert pointers(play_off("A-D 12:8 @SF1 >A")) == []
    file = play_off("A-D 10:10 @SF1")
    file["stages"][0]["rounds"][0]["games"][0]["decided_by"] = "duel1"
    assert pointers(file) == [f"{at}/winner", f"{at}/winner"]
    assert pointers(play_off("A-D 12:8")) == []
    assert pointers(play_off("A-D 12:8 @SF1", "D-A 12:8 @SF1")) == ["/stages/0/rounds/1/games/0"]


def test_a_match_is_played_by_two_and_ends_when_it_is_decided() -> None:
    file = championship("8765", semifinals=["A-D 40:24 @SF1", "A-C 40:24 @SF1"])
    assert pointers(file) == ["/stages/1/rounds/1/games/0/seats"]
    file = championship("8765", semifinals=["A-D 40:24 @SF1", "D-A 24:40 @SF1", "A-D 40:24 @SF1"])
    assert pointers(file) == ["/stages/1/rounds/2/games/0"]
    file = championship("8765", semifinals=["A-D 40:24 @SF1", "D-A 40:24 @SF1", "A-D 40:24 @SF1", "A-D 40:24 @SF1"])
    assert pointers(file) == ["/stages/1/rounds/3/games/0"]
    file = championship("8765", semifinals=["A-D 40:24 @SF1"])
    game = file["stages"][1]["rounds"][0]["games"][0]
    game["scores"] = [64]
    assert pointers(file) == ["/stages/1/rounds/0/games/0/scores", "/stages/1/rounds/0/games/0/winner"][:1]
    file["stages"][1]["rounds"][0]["games"] = [{"seats": ["A", "D"], "end": "void", "match": "SF1"}]
    assert pointers(file) == []


def test_a_draw_with_the_option_says_for_whom_it_wins() -> None:
    assert pointers(championship("87655", play_offs=["D-E 32:32 @4-5"])) == ["/stages/1/rounds/0/games/0/winner"]
    assert pointers(championship("87655", play_offs=["D-E 32:32 @4-5 =E"])) == []


def test_stages_that_do_not_rest_on_each_other_come_in_any_order() -> None:
    file = championship("8765", women="ABCD")
    file["stages"] += [
        {"id": "semifinals", "rounds": []},
        {"id": "semifinals-women", "rounds": []},
        {"id": "final", "rounds": []},
    ]
    assert pointers(file) == []
    file["stages"] += [{"id": "play-offs", "rounds": []}, {"id": "preliminary", "rounds": []}]
    assert pointers(file) == ["/stages/5/id"]
