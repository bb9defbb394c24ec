"""The table of a stage, by the examples of the regulations and by what an arbiter would ask."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from shared.numbers import Exact, exact
from shared.rulesets import catalogue
from shared.rulesets.settings import settings
from shared.tournament.criteria.tied import settled
from shared.tournament.explaining import explain_table, separation
from shared.tournament.facts import Left, Settlement
from shared.tournament.file import read
from shared.tournament.ordering import RankingCache
from shared.tournament.ranking import OpenTie, Table, final, rank
from shared.tournament.stages import ListUnknown, StageUnknown
from tests.explained import explain
from tests.tournaments import SCRABBLE, SWISS, tournament

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "scrabble" / "standings.json").read_text())


def ranked(file: dict[str, Any], **asked: Any) -> Table:
    return rank(read(file).accepted(), "swiss", **asked)


def order(table: Table) -> str:
    return " ".join(row.entrant for row in table.rows)


@pytest.mark.rule("SK.STA-1", "SK.STA-2")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_table_is_as_the_example_says(vector: dict[str, Any]) -> None:
    options = vector.get("options", {}) | ({} if vector.get("system") == "by size" else SWISS)
    table = ranked(tournament(vector["entrants"], *vector["rounds"], options=options))
    values = {one: {name: exact(value) for name, value in wanted.items()} for one, wanted in vector["values"].items()}
    shown = {row.entrant: {name: row.values[name] for name in values[row.entrant]} for row in table.rows}
    assert shown == values
    if "separated_by" in vector:
        assert [row.separated_by for row in table.rows] == vector["separated_by"]
    assert order(table) == vector["order"]
    assert [row.place for row in table.rows] == vector["places"]


@pytest.mark.rule("SK.PAI-3")
@pytest.mark.parametrize(
    ("rounds", "size", "system", "played"),
    [(7, 8, "round-robin", 7), (7, 9, "cost-swiss", 7), (13, 14, "round-robin", 13), (13, 15, "cost-swiss", 13)],
)
def test_a_field_of_at_most_one_more_than_the_rounds_plays_a_round_robin(
    rounds: int, size: int, system: str, played: int
) -> None:
    ruleset = catalogue.load(SCRABBLE).model_copy(update={"options": {"pairing.rounds": rounds}})
    found = settings(ruleset, "swiss", size=size)
    assert (found.pairing.system, found.rounds) == (system, played)


def test_who_is_equal_by_all_criteria_shares_a_place_and_awaits_a_lot() -> None:
    table = ranked(tournament("ABCD", "A-B 300:200, C-D 300:200"))
    assert [(row.place, row.shared, row.entrant) for row in table.rows] == [
        (1, True, "A"),
        (1, True, "C"),
        (3, True, "B"),
        (3, True, "D"),
    ]
    assert table.unresolved == (
        OpenTie(entrants=("A", "C"), needs="lot"),
        OpenTie(entrants=("B", "D"), needs="lot"),
    )


def test_a_lot_settles_a_tie_and_its_position_is_shown() -> None:
    decision = {"stage": "swiss", "kind": "lot", "order": ["C", "A"]}
    table = ranked(tournament("ABCD", "A-B 300:200, C-D 300:200", decisions=[decision]))
    assert order(table) == "C A B D"
    assert [row.values.get("lot") for row in table.rows] == [1, 2, None, None]
    assert table.rows[0].separated_by == "lot"
    assert [one.entrants for one in table.unresolved] == [("B", "D")]


def test_who_is_left_equal_by_a_lot_needs_another() -> None:
    games = "A-X 300:200, B-Y 300:200, C-Z 300:200"
    first = {"kind": "lot", "order": ["C", ["A", "B"]]}
    table = ranked(tournament("ABCXYZ", games, decisions=[first]))
    assert order(table).startswith("C A B")
    assert ("A", "B") in [one.entrants for one in table.unresolved]
    table = ranked(tournament("ABCXYZ", games, decisions=[first, {"kind": "lot", "order": ["B", "A"]}]))
    assert order(table).startswith("C B A")
    assert [row.values["lot"] for row in table.rows[:3]] == [1, 2, 3]


def test_a_lot_among_others_does_not_settle_a_tie() -> None:
    decisions = [{"kind": "lot", "order": ["A", "B"]}]
    assert len(ranked(tournament("ABCD", "A-B 300:200, C-D 300:200", decisions=decisions)).unresolved) == 2


def duelling(*decisions: dict[str, Any]) -> Table:
    options = SWISS | {"standings.criteria": ["points", "duel", "lot", "start_number"]}
    return ranked(tournament("ABCD", "A-B 300:200, C-D 300:200", options=options, decisions=list(decisions)))


def test_nobody_overtakes_while_a_duel_is_awaited() -> None:
    table = duelling()
    assert [row.place for row in table.rows] == [1, 1, 3, 3]
    assert [one.needs for one in table.unresolved] == ["duel", "duel"]


def test_after_a_drawn_duel_a_lot_is_awaited() -> None:
    table = duelling({"kind": "duel", "order": [["A", "C"]]}, {"kind": "duel", "order": ["D", "B"]})
    assert order(table) == "A C D B"
    assert [one.needs for one in table.unresolved] == ["lot"]


def test_two_who_are_tied_are_separated_by_their_own_meeting() -> None:
    options = SWISS | {"standings.criteria": ["points", "head_to_head", "start_number"]}
    rounds = ("A-B 200:300, C-D 300:200", "A-C 300:200, B-D 200:300", "A-D 300:200, B-C 300:200")
    table = ranked(tournament("ABCD", *rounds, options=options))
    assert order(table) == "B A C D"
    assert [row.values.get("head_to_head") for row in table.rows] == [1, 0, 1, 0]


def test_a_drawn_meeting_separates_nobody_and_neither_does_none() -> None:
    options = SWISS | {"standings.criteria": ["points", "head_to_head", "start_number"]}
    table = ranked(tournament("ABCD", "A-B 300:300, C-D 300:200", options=options))
    assert [row.values.get("head_to_head") for row in table.rows] == [None, Fraction(1, 2), Fraction(1, 2), None]
    table = ranked(tournament("ABCD", "A-B 300:200, C-D 300:200", options=options))
    assert [row.values.get("head_to_head") for row in table.rows] == [None] * 4


def test_a_table_of_three_tied_has_no_own_meeting() -> None:
    options = SWISS | {"standings.criteria": ["points", "head_to_head", "start_number"]}
    assert order(ranked(tournament("CBA", options=options))) == "C B A"


def test_a_table_after_an_earlier_round_knows_nothing_of_later_ones() -> None:
    file = tournament("ABCD", "A-B 300:200, C-D 310:200", "D-A 300:200, B-C 300:200")
    file["adjustments"] = [{"entrant": "A", "round": 2, "points": -1}]
    assert ranked(file, through=1) == ranked(tournament("ABCD", "A-B 300:200, C-D 310:200"))
    assert {row.entrant: row.values["points"] for row in ranked(file).rows} == {"A": 0, "B": 1, "C": 1, "D": 1}


def test_a_penalty_counts_for_its_entrant_and_not_for_the_opponents() -> None:
    file = tournament("AB", "A-B 300:200", adjustments=[{"entrant": "A", "round": 1, "points": -0.5}])
    rows = {row.entrant: row.values for row in ranked(file).rows}
    assert (rows["A"]["points"], rows["B"]["buchholz"]) == (Fraction(1, 2), 1)
    assert explain(read(file).accepted(), "swiss", "A", "points").sentence == (
        "points 0.5: 1 (round 1, against B) − 0.5 (round 1, a penalty)."
    )


def test_a_requested_bye_is_worth_what_was_granted() -> None:
    file = tournament("ABC", "A-B 300:200")
    file["rounds"][0]["requested_byes"] = [{"entrant": "C", "points": "1/3"}]
    (row,) = [row for row in ranked(file).rows if row.entrant == "C"]
    assert row.values == {
        "points": Fraction(1, 3),
        "wins": 0,
        "median_buchholz": 0,
        "buchholz": 0,
        "score_difference": 0,
    }


def test_who_is_missing_gets_nothing() -> None:
    (row,) = [row for row in ranked(tournament("ABC", "A-B 300:200, missing C")).rows if row.entrant == "C"]
    assert set(row.values.values()) == {Fraction(0)}


def test_who_leaves_keeps_the_results_and_a_place() -> None:
    file = tournament("ABCD", "A-B 300:200, C-D 310:200", "B-C 300:200, bye D")
    file["entrants"][0]["withdrawn_after"] = 1
    table = ranked(file)
    assert order(table) == "C B A D"
    assert {row.entrant: row.values["points"] for row in table.rows}["A"] == 1


def test_a_void_game_counts_for_nobody() -> None:
    file = tournament("AB", "A-B 300:200")
    file["rounds"][0]["games"][0] = {"seats": ["A", "B"], "end": "void"}
    assert {value for row in ranked(file).rows for value in row.values.values()} == {Fraction(0)}


def test_a_bye_may_be_worth_half_or_nothing() -> None:
    def of_bye(worth: str) -> Exact:
        table = ranked(tournament("ABC", "A-B 300:200, bye C", options=SWISS | {"scoring.bye": worth}))
        return {row.entrant: row.values["points"] for row in table.rows}["C"]

    assert [of_bye(worth) for worth in ("full", "half", "none")] == [1, Fraction(1, 2), 0]


def test_buchholz_of_beaten_opponents_leaves_out_the_others() -> None:
    options = SWISS | {"standings.buchholz_opponents": "beaten", "standings.criteria": ["buchholz", "buchholz_cut1"]}
    table = ranked(tournament("ABCD", "A-B 300:200, C-D 300:200", "D-A 300:200, B-C 300:200", options=options))
    assert {row.entrant: row.values["buchholz"] for row in table.rows} == dict.fromkeys("ABCD", 1)
    assert {row.values["buchholz_cut1"] for row in table.rows} == {Fraction(0)}


def test_trivial_criteria_say_what_stands_in_the_entry() -> None:
    names = ["carried", "rating", "score", "start_number"]
    file = tournament("ABC", options=SWISS | {"standings.criteria": names})
    file["entrants"] = [{"id": "A", "rating": 1500}, {"id": "B", "carried": "1/2"}, {"id": "C", "rating": 1700}]
    rows = ranked(file).rows
    assert [(row.entrant, *row.values.values()) for row in rows] == [
        ("B", Fraction(1, 2), 1600, 0, 2),
        ("C", 0, 1700, 0, 1),
        ("A", 0, 1500, 0, 3),
    ]
    assert (
        explain(read(file).accepted(), "swiss", "B", "carried").sentence
        == "points brought along 0.5: 0.5 (brought along)."
    )
    assert explain(read(file).accepted(), "swiss", "C", "rating").sentence == "rating 1700: 1700 (rating)."


def test_carried_points_count_as_points() -> None:
    file = tournament("AB")
    file["entrants"][1]["carried"] = 2
    assert order(ranked(file)) == "B A"
    assert explain(read(file).accepted(), "swiss", "B", "points").sentence == "points 2: 2 (brought along)."
    assert explain(read(file).accepted(), "swiss", "A", "points").sentence == "points 0: nothing counts."


def test_median_buchholz_says_what_it_leaves_out() -> None:
    file = tournament("ABCDE", *VECTORS[-1]["rounds"])
    explanation = explain(read(file).accepted(), "swiss", "E", "median_buchholz")
    assert [(addend.value, addend.counted, addend.why) for addend in explanation.addends] == [
        (0, False, "the lowest is left out"),
        (1, True, None),
        (3, False, "the highest is left out"),
    ]
    assert explanation.sentence == (
        "median Buchholz 1: 1 (round 2, against B); without 0 (round 1, the bye): the lowest is left out, "
        "3 (round 3, against A): the highest is left out."
    )


def test_fewer_than_three_opponents_leave_no_median() -> None:
    explanation = explain(read(tournament("AB", "A-B 300:200")).accepted(), "swiss", "B", "median_buchholz")
    assert (explanation.value, [addend.counted for addend in explanation.addends]) == (0, [False])


def test_cut_one_and_sonneborn_berger_say_of_what_they_are_made() -> None:
    options = SWISS | {"standings.criteria": ["buchholz_cut1", "sonneborn_berger", "made_points", "head_to_head"]}
    facts = read(tournament("ABC", "A-B 300:300, bye C", "A-C 300:200, bye B", options=options)).accepted()
    assert explain(facts, "swiss", "A", "buchholz_cut1").sentence == (
        "Buchholz without the lowest 1.5: 1.5 (round 1, against B); without 1 (round 2, against C): "
        "the lowest is left out."
    )
    explanation = explain(facts, "swiss", "A", "sonneborn_berger")
    assert [addend.why for addend in explanation.addends] == ["0.5 × 1.5", "1 × 1"]
    assert explain(facts, "swiss", "C", "sonneborn_berger").sentence == (
        "Sonneborn–Berger 0: 0 (round 1, the bye: a round without a game counts as an opponent with 0 points) "
        "+ 0 (round 2, against A: 0 × 1.5)."
    )
    assert explain(facts, "swiss", "C", "made_points").value == 220
    assert explain(facts, "swiss", "C", "head_to_head").value is None


def test_a_lot_and_an_own_meeting_are_explained_in_a_sentence() -> None:
    options = SWISS | {"standings.criteria": ["points", "head_to_head", "lot"]}
    file = tournament("ABCD", "A-B 300:300", options=options, decisions=[{"kind": "lot", "order": ["B", "A"]}])
    file["rounds"][0]["missing"] = ["C", "D"]
    facts = read(file).accepted()
    assert explain(facts, "swiss", "B", "lot").sentence == "lot: position 1 among B, A."
    assert explain(facts, "swiss", "B", "head_to_head").sentence == (
        "their own meeting 0.5: 0.5 (round 1, against A: 0.5 to 0.5 points)."
    )
    assert explain(facts, "swiss", "C", "head_to_head").sentence == (
        "their own meeting: decides only between two who are equal until then and have played each other."
    )
    assert explain(facts, "swiss", "C", "lot").sentence == "lot: has still to be drawn."
    first = read(tournament("AB", "A-B 300:200", options=options)).accepted()
    assert explain(first, "swiss", "A", "lot").sentence == "lot: nothing had to be decided by it."


def test_what_is_not_there_is_refused() -> None:
    facts = read(tournament("AB", "A-B 300:200")).accepted()
    with pytest.raises(StageUnknown, match="swiss"):
        rank(facts, "final")
    with pytest.raises(ListUnknown, match="none"):
        rank(facts, "swiss", among="women")


def with_women() -> dict[str, Any]:
    ruleset = catalogue.load(SCRABBLE).model_dump(mode="json") | {"lists": [{"id": "women", "title": "Women"}]}
    file = tournament("ABCD", "A-B 300:200, C-D 300:200", ruleset=ruleset)
    for one in (1, 3):
        file["entrants"][one]["lists"] = ["women"]
    return file


def test_the_table_of_a_list_has_places_of_its_own() -> None:
    table = ranked(with_women(), among="women")
    assert [(row.place, row.shared, row.entrant) for row in table.rows] == [(1, True, "B"), (1, True, "D")]
    assert [one.entrants for one in table.unresolved] == [("B", "D")]


def in_two_stages(finalists: str, game: str) -> dict[str, Any]:
    ruleset = catalogue.load(SCRABBLE).model_dump(mode="json")
    last = {
        "id": "last",
        "title": "Final",
        "field": {"rule": "best", "stage": "swiss", "count": 2},
        "changes": {"standings.criteria": ["points", "rating"]},
    }
    ruleset |= {"stages": [*ruleset["stages"], last], "final": {"stages": ["last", "swiss"]}}
    file = tournament("ABCD", ruleset=ruleset)
    rounds = tournament("ABCD", "A-B 300:200, C-D 300:200")["rounds"]
    file["stages"] = [
        {"id": "swiss", "rounds": rounds},
        {"id": "last", "rounds": tournament(finalists, game)["rounds"]},
    ]
    del file["rounds"]
    return file


def test_the_ranking_of_an_event_goes_stage_by_stage() -> None:
    facts = read(in_two_stages("AC", "A-C 300:200")).accepted()
    assert order(rank(facts, "swiss")) == "A C B D"
    assert order(rank(facts, "last")) == "A C"
    table = final(facts)
    assert [(row.place, row.shared, row.entrant) for row in table.rows] == [
        (1, False, "A"),
        (2, False, "C"),
        (3, True, "B"),
        (3, True, "D"),
    ]
    assert [one.entrants for one in table.unresolved] == [("B", "D")]
    assert [row.separated_by for row in table.rows] == ["points", None, None, None]
    assert separation(*table.rows[1:3]) == "C is above B, who is not in the table of last."


def test_who_is_left_of_those_who_shared_a_place_comes_after_the_finalists() -> None:
    facts = read(in_two_stages("AD", "A-D 300:200")).accepted()
    table = final(facts)
    assert [(row.place, row.shared, row.entrant) for row in table.rows] == [
        (1, False, "A"),
        (2, False, "D"),
        (3, False, "C"),
        (4, False, "B"),
    ]
    assert table.unresolved == ()
    explained = explain_table(facts, table)
    assert explained["A", "rating"].value == 1600
    assert ("B", "rating") not in explained


def test_the_ranking_of_an_event_of_one_stage_is_its_table() -> None:
    facts = read(tournament("AB", "A-B 300:200")).accepted()
    assert final(facts) == rank(facts, "swiss")


def test_nobody_makes_an_empty_table() -> None:
    ruleset = catalogue.load(SCRABBLE).model_dump(mode="json") | {"lists": [{"id": "women", "title": "Women"}]}
    assert ranked(tournament("AB", ruleset=ruleset), among="women").rows == ()


def test_an_earlier_duel_between_those_whom_the_last_one_leaves_equal_puts_nobody_below_the_others() -> None:
    before = Settlement(stage="swiss", kind="duel", order=(("A",), ("X",), ("Y",), ("B",)))
    last = Settlement(stage="swiss", kind="duel", order=(("A", "B"), ("C",)))
    assert settled([before, last], ["A", "B", "C"]) == {"A": 1, "B": 2, "C": 3}


def test_a_table_that_is_made_again_has_the_criteria_of_the_field_as_it_is_now() -> None:
    """One has left before the first round, and a smaller field is ordered by something else."""
    ruleset = catalogue.load(SCRABBLE).model_dump(mode="json")
    (stage,) = ruleset["stages"]
    smaller = {"at_most": 2, "changes": {"standings.criteria": ["points", "score_difference", "lot"]}}
    ruleset["stages"] = [{**stage, "by_size": [smaller]}]
    ruleset["standings"]["criteria"] = ["points", "buchholz", "lot"]
    facts = read(tournament("ABC", ruleset=ruleset)).accepted()
    cache = RankingCache()
    rank(facts, "swiss", cache=cache)
    fewer = replace(facts, left={"C": Left(stage="swiss", after_round=0)})
    assert rank(fewer, "swiss", cache=cache) == rank(fewer, "swiss")
