"""The tournament file: everything that is wrong with it is said at once, each with its place."""

import copy
import json
from codecs import BOM_UTF8
from typing import Any

import pytest

from deploy.example import example
from shared.faults import Faulty
from shared.rulesets import catalogue
from shared.tournament.facts import Absence, Facts
from shared.tournament.file import read
from tests.tournaments import SCRABBLE, SWISS, tournament

NEW = catalogue.load(SCRABBLE).model_dump(mode="json")


def facts(file: dict[str, Any]) -> Facts:
    return read(file).accepted()


def pointers(file: object) -> list[str]:
    return [fault.pointer for fault in read(file).faults]


def details(file: object) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.detail) for fault in read(file).faults]


def with_game(**game: Any) -> dict[str, Any]:
    file: dict[str, Any] = tournament("AB", "A-B 300:200")
    file["rounds"][0]["games"][0] |= game
    return file


def with_scoring(scoring: dict[str, Any], *, system: str = "cost-swiss", **more: Any) -> dict[str, Any]:
    """A ruleset of another kind of game, with plain criteria."""
    stages = [{"id": "swiss", "title": "Swiss"}]
    pairing = NEW["pairing"] | {"system": system}
    return NEW | {"scoring": scoring, "stages": stages, "pairing": pairing} | more


def test_a_file_is_read_from_bytes_as_from_an_object() -> None:
    file: dict[str, Any] = tournament("AB", "A-B 300:200", seed=7)
    reading = read(json.dumps(file).encode())
    assert reading == read(file) == read(BOM_UTF8 + json.dumps(file).encode())
    assert (reading.stage, reading.lots, reading.faults) == ("swiss", b"7", ())


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": NaN}', b"\xff"])
def test_what_is_no_json_is_refused(content: bytes) -> None:
    assert pointers(content) == [""]


def test_a_refused_file_names_all_faults_when_its_facts_are_asked_for() -> None:
    with pytest.raises(Faulty) as refused:
        read(tournament("A", "A-Z 300:200.5".replace(".5", ""))).accepted()
    assert [fault.pointer for fault in refused.value.faults] == ["/rounds/0/games/0/seats/1"]


def test_faults_of_form_are_named_all_at_once() -> None:
    file: dict[str, Any] = tournament("AB", "A-B 300:200") | {"format": "other", "colour": 1, "stage": 3}
    del file["ruleset"], file["entrants"][0]["id"]
    file["rounds"][0]["games"][0]["scores"] = ["many", True]
    file["rounds"][0]["games"][0]["by"] = "nobody"
    assert sorted(pointers(file)) == [
        "/colour",
        "/entrants/0/id",
        "/format",
        "/rounds/0/games/0/by",
        "/rounds/0/games/0/scores/0",
        "/rounds/0/games/0/scores/1",
        "/ruleset",
        "/stage",
    ]


@pytest.mark.parametrize("number", ["1/0", "1e9", "", "one", 10**13, float("nan"), float("inf")])
def test_what_is_no_number_is_refused(number: object) -> None:
    assert pointers(with_game(scores=[300, number])) == ["/rounds/0/games/0/scores/1"]


def test_half_a_character_is_named_by_a_question_mark() -> None:
    assert pointers(tournament("AB", options={"\ud800/~": 1})) == ["/options/?~1~0"]


def test_a_ruleset_that_the_catalogue_does_not_have_is_refused_with_those_that_it_has() -> None:
    ((pointer, detail),) = details(tournament("AB") | {"ruleset": "chess"})
    assert pointer == "/ruleset"
    assert SCRABBLE in detail


def test_a_ruleset_in_the_file_is_read_with_its_faults() -> None:
    assert facts(tournament("AB") | {"ruleset": NEW}).ruleset.id == SCRABBLE
    assert pointers(tournament("AB") | {"ruleset": NEW | {"id": "No Slug"}}) == ["/ruleset/id"]


def test_options_change_settings_and_unknown_ones_are_refused() -> None:
    assert facts(tournament("AB")).ruleset.options == SWISS
    options = {"pairing.colour": 1, "pairing.rounds": "many", "scoring.win": 3, "standings.criteria": ["points"] * 2}
    file: dict[str, Any] = tournament("AB") | {"options": options}
    assert sorted(pointers(file)) == [
        "/options/pairing.colour",
        "/options/pairing.rounds",
        "/options/scoring.win",
        "/options/standings.criteria/1",
    ]


def test_who_has_no_start_number_gets_one_by_rating_and_then_by_the_order_in_the_file() -> None:
    file: dict[str, Any] = tournament("ABCDE")
    file["entrants"][0] |= {"number": 2}
    file["entrants"][1] |= {"rating": 1500}
    file["entrants"][4] |= {"rating": 1700}
    numbers = {one.id: one.number for one in facts(file).entrants.values()}
    assert numbers == {"E": 1, "A": 2, "C": 3, "D": 4, "B": 5}  # without a rating one has 1600


def test_where_nothing_is_said_of_the_unrated_they_come_last() -> None:
    file: dict[str, Any] = tournament("AB") | {"ruleset": NEW | {"entry": {"seeding": {"by": "rating"}}}}
    file["entrants"][1] |= {"rating": 5}
    assert {one.id: one.number for one in facts(file).entrants.values()} == {"B": 1, "A": 2}


def test_entrants_are_given_once_with_one_number_and_known_lists() -> None:
    file: dict[str, Any] = tournament("AAB")
    file["entrants"][0] |= {"number": 1, "lists": ["women"]}
    file["entrants"][2] |= {"number": 1, "left": "expelled"}
    assert pointers(file) == [
        "/entrants/0/lists/0",
        "/entrants/1/id",
        "/entrants/2/number",
        "/entrants/2/left",
    ]


def test_points_are_brought_along_where_the_ruleset_asks_for_it() -> None:
    file: dict[str, Any] = tournament("AB") | {"ruleset": NEW | {"scoring": NEW["scoring"] | {"carry": True}}}
    file["entrants"][0] |= {"carried": 3}
    assert pointers(file) == ["/entrants/1/carried"]


def test_ids_that_are_nobodys_are_refused_everywhere() -> None:
    file: dict[str, Any] = tournament("AB", "A-Y 300:200, bye Y, missing Y")
    file |= {
        "forbidden": [{"entrants": ["A", "Z"]}],
        "adjustments": [{"entrant": "Z", "round": 1, "points": -1}],
        "direct": ["Z"],
        "decisions": [{"kind": "lot", "order": ["Z", ["A", "Z"]]}],
        "next": {"requested_byes": [{"entrant": "Z", "points": 0}], "missing": ["Z"]},
    }
    file["rounds"][0]["requested_byes"] = [{"entrant": "Y", "points": 0}]
    file["rounds"][0]["games"][0] |= {"first": "Y", "winner": "Z", "draw_wins": "Z"}
    assert sorted(fault.pointer for fault in read(file).faults if "no entrant" in fault.detail) == [
        "/adjustments/0/entrant",
        "/decisions/0/order/0",
        "/decisions/0/order/1/1",
        "/direct/0",
        "/forbidden/0/entrants/1",
        "/next/missing/0",
        "/next/requested_byes/0/entrant",
        "/rounds/0/byes/0",
        "/rounds/0/games/0/seats/1",
        "/rounds/0/missing/0",
        "/rounds/0/requested_byes/0/entrant",
    ]
    assert {"/rounds/0/games/0/winner", "/rounds/0/games/0/draw_wins"} <= set(pointers(file))


def test_nobody_is_in_a_round_twice() -> None:
    assert pointers(tournament("ABC", "A-B 300:200, C-A 300:200")) == ["/rounds/0/games/1/seats/1"]
    assert pointers(tournament("AB", "A-A 300:200, missing B")) == ["/rounds/0/games/0/seats/1"]
    assert "/rounds/0/byes/0" in pointers(tournament("AB", "A-B 300:200, bye A"))
    assert pointers(tournament("AB", "A-B 300:200, missing A")) == ["/rounds/0/missing/0"]


def test_games_of_one_match_are_played_by_the_same_two() -> None:
    file: dict[str, Any] = tournament("AB", "A-B 300:200, B-A 300:200, A-B 300:200")
    for number, game in enumerate(file["rounds"][0]["games"], start=1):
        game |= {"match": "final", "game": number}
    assert pointers(file) == []
    file["rounds"][0]["games"][2]["match"] = "third"
    assert "/rounds/0/games/2/seats/0" in pointers(file)


def test_who_starts_sits_at_the_table() -> None:
    assert pointers(with_game(first="C")) == ["/rounds/0/games/0/first"]


def test_who_has_left_or_not_arrived_plays_only_games_that_are_forfeited_against_them() -> None:
    file: dict[str, Any] = tournament("ABC", "A-B 300:200, bye C", "A-C 300:200, bye B")
    file["entrants"][1] |= {"from_round": 2}
    file["entrants"][2] |= {"withdrawn_after": 1}
    assert "/rounds/0/games/0/seats/1" in pointers(file)
    assert "/rounds/1/games/0/seats/1" in pointers(file)
    answered_for: dict[str, Any] = copy.deepcopy(file)
    for one in answered_for["rounds"]:
        one["override"] = one["games"][0]["override"] = "nobody had said so yet"
    assert pointers(answered_for) == []
    file["rounds"][0] |= {"games": [], "byes": [], "missing": ["A", "C", "B"]}
    file["rounds"][1]["games"][0] |= {"end": "forfeit", "by": 1, "scores": [100, 0]}
    file["rounds"][1]["missing"] = []
    assert pointers(file) == ["/rounds/1/byes/0"]  # of two who are there, one may not sit out


def test_in_a_swiss_everybody_who_is_there_is_somewhere() -> None:
    file: dict[str, Any] = tournament("ABC", "A-B 300:200")
    said = "C has no game, bye or requested bye, and is not among the missing, unless override says why"
    assert details(file) == [("/rounds/0", said)]
    file["rounds"][0]["override"] = "C was taken back when the round was paired"
    assert pointers(file) == []
    file = tournament("ABC", "A-B 300:200")
    file["entrants"][2]["from_round"] = 2
    assert pointers(file) == []
    assert pointers(tournament("ABC", "A-B 300:200", options={})) == []  # in a round robin who rests is nowhere


def test_rounds_are_numbered_and_not_more_than_the_stage_has() -> None:
    file: dict[str, Any] = tournament(
        "ABCD", "A-B 300:200, C-D 300:200", "A-C 300:200, B-D 300:200", options={"pairing.rounds": 1} | SWISS
    )
    file["rounds"][0]["number"] = 2
    assert pointers(file) == ["/rounds/0/number", "/rounds/1"]


def test_two_meet_once_unless_somebody_answers_for_it() -> None:
    file: dict[str, Any] = tournament("AB", "A-B 300:200", "B-A 300:200")
    assert details(file) == [
        ("/rounds/1/games/0/seats", "A and B have met before: no more is allowed (SK.PAI-2), unless override says why")
    ]
    file["rounds"][1]["games"][0]["override"] = "only two are left"
    assert pointers(file) == []


@pytest.mark.rule("SK.PAI-4")
def test_a_family_does_not_meet_in_its_blocked_rounds_unless_somebody_answers_for_it() -> None:
    """Of a ban without a number of rounds nobody knows whether it is older than the games."""
    rounds = ["A-B 300:200, C-D 300:200", "A-C 300:200, B-D 300:200", "A-D 300:200, B-C 300:200"]
    file: dict[str, Any] = tournament("ABCD", *rounds, options=SWISS | {"pairing.rounds": 3})
    file["forbidden"] = [{"entrants": ["C", "D"]}, *({"entrants": [*two], "last_rounds": 1} for two in ("AB", "AD"))]
    assert details(file) == [
        (
            "/rounds/2/games/0/seats",
            "A and D must not meet in the last rounds (SK.PAI-4), of which this is one, unless override says why",
        )
    ]
    file["rounds"][2]["games"][0]["override"] = "nobody else was left"
    assert pointers(file) == []


def test_a_double_round_robin_has_two_meetings() -> None:
    file: dict[str, Any] = tournament("AB", *["A-B 300:200"] * 2, options={"pairing.system": "double-round-robin"})
    assert pointers(file) == []
    file = tournament("ABC", *["A-B 300:200"] * 3, options={"pairing.system": "double-round-robin"})
    assert details(file) == [
        (
            "/rounds/2/games/0/seats",
            "A and B have met 2 times before: no more is allowed (SK.PAI-3), unless override says why",
        )
    ]


def test_a_knockout_limits_no_meetings() -> None:
    assert pointers(tournament("AB", *["A-B 300:200"] * 3, options={"pairing.system": "knockout"})) == []


def test_a_void_game_is_no_meeting_and_needs_no_scores() -> None:
    file: dict[str, Any] = tournament("AB", "A-B 300:200", "A-B 300:200")
    file["rounds"][0]["games"][0] = {"seats": ["A", "B"], "end": "void"}
    assert pointers(file) == []
    assert facts(file).voided == {"swiss.1.1"}
    file["rounds"][0]["games"].append({"seats": ["A", "B"], "scores": [1, 0]})
    assert pointers(file) == ["/rounds/1/games/0/seats"]  # the game that was played instead is one


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        ({"scores": [300]}, "/scores"),
        ({"scores": None}, "/scores"),
        ({"scores": [300.5, 200]}, "/scores/0"),
        ({"scores": [-10, 200]}, None),
        ({"points": [1]}, "/points"),
        ({"points": [1, 2]}, "/points/1"),
        ({"points": [0, 0]}, None),
        ({"end": "forfeit"}, "/by"),
        ({"by": 0}, "/by"),
        ({"end": "forfeit", "by": [0, 2]}, "/by"),
        ({"end": "forfeit", "by": [0, 1], "scores": [0, 0]}, None),
        ({"seats": ["A", "B", "C"], "scores": [1, 2, 3]}, "/seats"),
    ],
)
def test_a_game_has_the_scores_that_it_can_have(game: dict[str, Any], wrong: str | None) -> None:
    file: dict[str, Any] = tournament("ABC", "A-B 300:200")
    file["entrants"][2]["from_round"] = 1 if "C" in game.get("seats", ()) else 2
    file["rounds"][0]["games"][0] |= game
    assert pointers(file) == ([] if wrong is None else [f"/rounds/0/games/0{wrong}"])


@pytest.mark.parametrize(
    ("scoring", "scores", "is_right"),
    [
        ({"score": "fixed-sum", "total": 64}, [40, 24], True),
        ({"score": "fixed-sum", "total": 64}, [40, 25], False),
        ({"score": "duels", "total": 12}, [8, 4], True),
        ({"score": "duels", "total": 12}, [8, 3], False),
        ({"score": "duels", "total": 12}, [8, 6], False),
        ({"score": "duels", "total": 12}, [-2, 4], False),
        ({"score": "win-loss"}, [1, 0], True),
        ({"score": "win-loss"}, [0.5, 0.5], True),
        ({"score": "win-loss"}, [0, 0], False),
        ({"score": "pair"}, [-1, 0], False),
    ],
)
def test_every_kind_of_score_has_its_own_rule(scoring: dict[str, Any], scores: list[Any], *, is_right: bool) -> None:
    file: dict[str, Any] = with_game(scores=scores) | {"ruleset": with_scoring(scoring)}
    assert (pointers(file) == []) is is_right


@pytest.mark.parametrize(
    ("ruleset", "scores", "points", "is_right"),
    [
        ("carcassonne-cz-final", [391, 345], [4, 3], False),
        ("carcassonne-cz-final", [391, 345], [4, 4], False),
        ("carcassonne-cz-final", [391, 345], [2, 4], True),
        ("carcassonne-cz-final", [391, 345], [2, 2], True),  # both have lost
        ("pisqworky-2025-zs-grf", [10, 2], [2, 2], False),
        ("pisqworky-2025-zs-grf", [10, 2], [1, 0], False),
        ("pisqworky-2025-zs-grf", [10, 2], [0, 2], True),
        ("pisqworky-2025-zs-grf", [10, 2], [0, 0], True),
        ("scrabble-sk-2022-qt", [391, 345], [1, 1], True),  # an official may give each side its own
    ],
)
def test_points_that_were_set_are_those_of_one_game(
    ruleset: str, scores: list[int], points: list[int], *, is_right: bool
) -> None:
    file: dict[str, Any] = copy.deepcopy(dict(example(ruleset)))
    file["rounds"][0]["games"][0] |= {"scores": scores, "points": points}
    assert pointers(file) == ([] if is_right else ["/rounds/0/games/0/points"])


def test_a_forfeit_may_leave_both_without_anything() -> None:
    file: dict[str, Any] = with_game(scores=[0, 0], end="forfeit", by=[0, 1]) | {
        "ruleset": with_scoring({"score": "win-loss"})
    }
    (result,) = facts(file).results.values()
    assert (result.points, result.by) == ((0, 0), {0, 1})


def test_tables_of_four_share_the_points_of_equal_places() -> None:
    scoring = {"score": "list", "placement": [4, 3, 2, 1]}
    file: dict[str, Any] = tournament("ABCDEFG") | {
        "ruleset": with_scoring(scoring, contest={"seats": [3, 4]}),
        "rounds": [
            {
                "number": 1,
                "games": [
                    {"seats": ["A", "B", "C", "D"], "scores": [70, 55, 55, 40]},
                    {"seats": ["E", "F", "G"], "scores": [60, 45, 60]},
                ],
            }
        ],
    }
    points = [[str(number) for number in result.points] for result in facts(file).results.values()]
    assert points == [["4", "5/2", "5/2", "1"], ["7/2", "2", "7/2"]]
    file["rounds"][0]["games"][1] |= {"scores": [60, -1, 0.5], "points": [4, 5, 1]}
    assert pointers(file) == [f"/rounds/0/games/1/{place}" for place in ("scores/1", "scores/2", "points/1")]


def test_nobody_sits_out_of_an_even_field() -> None:
    file: dict[str, Any] = tournament("ABCD", "A-B 300:200, bye C, bye D")
    assert pointers(file) == ["/rounds/0/byes/0", "/rounds/0/byes/1"]
    file["rounds"][0]["override"] = "they must not meet"
    assert pointers(file) == []


def test_one_of_an_odd_field_sits_out_and_nobody_twice_before_the_others() -> None:
    assert pointers(tournament("ABCDE", "A-B 300:200, bye C, bye D, bye E")) == ["/rounds/0/byes/1", "/rounds/0/byes/2"]
    file: dict[str, Any] = tournament("ABC", "A-B 300:200, bye C", "A-B 300:200, bye C")
    assert "/rounds/1/byes/0" in pointers(file)
    file["options"] = SWISS | {"pairing.meetings": 2}
    assert pointers(file) == []


def test_who_rests_since_somebody_has_left_a_round_robin_rests_freely() -> None:
    file: dict[str, Any] = tournament("ABCD", "A-B 300:200, C-D 300:200", "A-C 300:200, bye B", options={})
    assert pointers(file) == ["/rounds/1/byes/0"]
    file["entrants"][3]["withdrawn_after"] = 1
    assert pointers(file) == []


def test_a_rest_for_another_reason_is_none_by_the_plan_of_a_round_robin() -> None:
    assert pointers(tournament("ABC", "bye A, bye B, missing C", "B-C 300:200, bye A", options={})) == []


def test_close_persons_may_rest_rather_than_meet_in_a_round_robin() -> None:
    file: dict[str, Any] = tournament("ABCD", "A-D 300:200, B-C 300:200", "D-C 300:200, bye A, bye B", options={})
    assert pointers(file) == ["/rounds/1/byes/0", "/rounds/1/byes/1"]
    assert pointers(file | {"forbidden": [{"entrants": ["A", "B"]}]}) == []
    assert pointers(file | {"forbidden": [{"entrants": ["A", "B"], "last_rounds": 2}]}) == []
    assert len(pointers(file | {"forbidden": [{"entrants": ["A", "B"], "last_rounds": 1}]})) == 2


def test_faults_of_form_are_told_in_the_words_of_json() -> None:
    assert details(tournament("") | {"ruleset": 5, "rounds": "", "seed": "1"}) == [
        ("/ruleset", "should be a string, or should be an object"),
        ("/rounds", "should be a list"),
        ("/seed", "should be a whole number, or should be the 64 hexadecimal digits of the key of a tournament's lots"),
        ("/entrants", "should have at least 1 item, not 0"),
    ]


def test_faults_of_entrants_rounds_and_the_next_round_are_named_together() -> None:
    file: dict[str, Any] = tournament("AAB", "A-Z 300:200, missing B", advance=1)
    file["next"] = {"requested_byes": [{"entrant": "A", "points": 1.5}]}
    assert pointers(file) == ["/entrants/1/id", "/rounds/0/games/0/seats/1", "/next/requested_byes/0/points"]


def test_stages_come_in_the_order_of_the_ruleset() -> None:
    both = NEW["stages"] + [{"id": "final", "title": "Final"}]
    file: dict[str, Any] = tournament("AB") | {"ruleset": NEW | {"stages": both}}
    assert pointers(file | {"stage": "other"}) == ["/stage"]
    assert read(file | {"stage": "final"}).stage == "final"
    assert pointers(file | {"stages": [{"id": "final"}]}) == ["/rounds"]
    del file["rounds"]
    stages = [{"id": "final"}, {"id": "swiss"}, {"id": "other"}]
    assert pointers(file | {"stages": stages}) == ["/stages/1/id", "/stages/2/id"]
    none: list[str] = []
    assert pointers(file | {"stages": none}) == ["/stages"]
    assert pointers(file | {"stages": none, "stage": "swiss"}) == ["/stage", "/stages"]


def test_who_left_in_the_first_stage_of_a_file_is_in_no_later_one() -> None:
    file: dict[str, Any] = tournament("ABC") | {
        "ruleset": NEW | {"stages": NEW["stages"] + [{"id": "final", "title": "Final"}]}
    }
    first = tournament("ABC", "A-B 300:200, bye C")["rounds"]
    last = tournament("AC", "A-C 300:200")["rounds"]
    del file["rounds"]
    file["stages"] = [{"id": "swiss", "rounds": first}, {"id": "final", "rounds": last}]
    assert facts(file).fields == {"final": ("A", "C")}
    file["entrants"][2]["withdrawn_after"] = 1
    assert pointers(file) == ["/stages/1/rounds/0/games/0/seats/1"]


def test_how_many_go_on_is_announced_where_the_ruleset_asks_for_it() -> None:
    last = {"id": "final", "title": "Final", "field": {"rule": "best", "stage": "swiss", "count": "announced"}}
    file: dict[str, Any] = tournament("AB") | {"ruleset": NEW | {"stages": NEW["stages"] + [last]}}
    assert pointers(file) == ["/advance"]
    assert pointers(file | {"advance": 1}) == []


def test_a_requested_bye_is_worth_a_win_at_most() -> None:
    file: dict[str, Any] = tournament("ABC", "A-B 300:200")
    file["rounds"][0]["requested_byes"] = [{"entrant": "C", "points": 2}]
    assert pointers(file) == ["/rounds/0/requested_byes/0/points"]


def test_a_void_game_is_one_of_known_entrants() -> None:
    file: dict[str, Any] = tournament("AB")
    file["rounds"] = [{"number": 1, "games": [{"seats": ["A", "Z"], "end": "void"}], "missing": ["B"]}]
    assert pointers(file) == ["/rounds/0/games/0/seats/1"]


def test_decisions_and_adjustments_name_stages_of_the_file_and_nobody_twice() -> None:
    file: dict[str, Any] = tournament("AB", decisions=[{"kind": "lot", "stage": "final", "order": ["A", ["A", "B"]]}])
    file["adjustments"] = [{"entrant": "A", "round": 1, "points": 1, "stage": "final"}]
    assert pointers(file) == ["/decisions/0/stage", "/decisions/0/order", "/adjustments/0/stage"]


def test_what_is_said_of_the_next_round_are_absences() -> None:
    following = {"requested_byes": [{"entrant": "A", "points": 0.5}], "missing": ["B"]}
    found = facts(tournament("ABCD", "A-B 300:200, C-D 300:200", next=following)).absences
    assert {(absence.entrant, absence.round): points for absence, points in found.items()} == {
        ("A", 2): 1 / 2,
        ("B", 2): None,
    }
    assert Absence(entrant="B", stage="swiss", round=2) in found
    twice = following | {"missing": ["B", "A"]}
    assert pointers(tournament("AB", next=twice)) == ["/next/missing/1"]


def test_everything_that_a_file_says_is_kept() -> None:
    file: dict[str, Any] = tournament(
        "ABC", "A-B 300:200, bye C", forbidden=[{"entrants": ["A", "C"], "last_rounds": 1}]
    )
    file |= {"advance": 2, "direct": ["C"]}
    file["entrants"][2] |= {"withdrawn_after": 1, "left": "expelled", "school": "G1", "history": True, "group": "A"}
    found = facts(file)
    (ban,) = found.bans
    assert (ban.entrants, ban.last_rounds, found.advance, found.direct) == ({"A", "C"}, 1, 2, {"C"})
    assert (found.left["C"].after_round, found.left["C"].why) == (1, "expelled")
    assert (found.entrants["C"].school, found.entrants["C"].history, found.entrants["C"].group) == ("G1", True, "A")
    assert found.completed == {("swiss", 1)}
