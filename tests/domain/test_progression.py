"""Who goes on, and which matches can be played now."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.standings.domain.table import obstacles, ranked
from shared.rulesets import catalogue
from shared.tournament.completion import order_of
from shared.tournament.facts import Facts
from shared.tournament.file import read
from shared.tournament.fixtures import Fixture, fixtures
from shared.tournament.ordering import OpenTie
from shared.tournament.progression import opening, qualified
from shared.tournament.ranking import rank
from tests.domain.test_final_lists import AREA, area, bands, championship, rounds
from tests.tournaments import SCRABBLE, tournament

QUALIFICATION = "carcassonne-cz-qualification"


def facts_of(file: dict[str, Any]) -> Facts:
    return read(file).accepted()


def seats(found: tuple[Fixture, ...]) -> dict[str, str]:
    return {one.match: "–".join(one.seats) for one in found}


def qualification(entrants: int, direct: int) -> dict[str, Any]:
    """One round, in which everybody makes less than the one before, and nobody less than the last table's third."""
    names = [f"Q{number}" for number in range(1, entrants + 1)]
    others = [f"D{number}" for number in range(1, direct + 1)]
    file: dict[str, Any] = tournament([*names, *others], ruleset=QUALIFICATION, options={}, direct=others)
    for number, one in enumerate(file["entrants"]):
        one |= {"number": number + 1} | ({"carried": 10 - number % 2} if one["id"] in others else {})
    games = [
        {"seats": names[at : at + 4], "scores": [200 - at, 100 - at, 50 - at, 25 - at // 4]}
        for at in range(0, entrants, 4)
    ]
    file["rounds"] = [{"number": 1, "games": games}]
    return file


@pytest.mark.rule("CC.REG-2")
def test_with_five_qualified_beforehand_the_best_27_go_on_and_the_28th_is_the_first_reserve() -> None:
    """CC.V10."""
    facts = facts_of(qualification(40, 5))
    found = opening(facts, "final")
    assert len(found.entrants) == 32
    assert len([one for one in found.entrants if one.startswith("Q")]) == 27
    assert len(found.reserves) == 13
    assert set(found.entrants[:5]) == {f"D{number}" for number in range(1, 6)}  # they bring more points along


@pytest.mark.rule("CC.REG-2")
def test_a_final_is_in_the_order_of_the_points_that_everybody_brings_along() -> None:
    """Who is qualified beforehand with few points stands below those of the qualification who have more."""
    file = qualification(8, 2)
    file["entrants"][8]["carried"] = 1
    assert " ".join(opening(facts_of(file), "final").entrants) == "D2 Q5 Q1 Q2 Q6 Q3 Q7 D1 Q4 Q8"


def test_nobody_goes_on_of_a_field_that_is_full_beforehand() -> None:
    file = qualification(8, 32)
    assert len([one for one in opening(facts_of(file), "final").entrants if one.startswith("Q")]) == 0


def test_a_lot_at_the_cut_is_awaited() -> None:
    file = qualification(8, 29)
    file["rounds"][0]["games"][0]["scores"] = [100, 80, 60, 40]
    file["rounds"][0]["games"][1]["scores"] = [100, 80, 60, 40]
    found = opening(facts_of(file), "final")
    assert found.awaits == (OpenTie(entrants=("Q2", "Q6"), needs="lot"),)


def test_whom_play_offs_bring_into_the_semifinals() -> None:
    facts = facts_of(championship("8766665"))
    assert opening(facts, "preliminary").entrants == tuple("ABCDEFG")
    assert seats(fixtures(facts, "play-offs")) == {"4-5": "D–E", "3-6": "C–F"}
    assert [one.higher for one in fixtures(facts, "play-offs")] == ["D", "C"]
    assert opening(facts, "play-offs").entrants == tuple("CDEF")
    found = opening(facts, "semifinals")
    assert (found.entrants, [one.entrants for one in found.awaits]) == (("A", "B"), [("D", "E"), ("C", "F")])
    facts = facts_of(championship("8766665", play_offs=["D-E 20:44 @4-5, C-F 40:24 @3-6"]))
    found = opening(facts, "semifinals")
    assert (found.entrants, found.awaits, found.not_held) == (("A", "B", "C", "E"), (), None)
    assert seats(fixtures(facts, "semifinals")) == {"SF1": "A–E", "SF2": "B–C"}
    assert fixtures(facts, "play-offs") == ()


def test_without_equal_points_about_the_edge_there_are_no_play_offs() -> None:
    facts = facts_of(championship("87654"))
    found = opening(facts, "play-offs")
    assert found.not_held == "Nobody about the edge has equal points."
    table = ranked(facts, dict.fromkeys(facts.entrants, ()), "play-offs")
    assert obstacles(facts, "play-offs", table) == (
        "Preliminary rounds is not closed yet: its order says who goes on.",
    )
    closed = replace(facts, closed={"preliminary": order_of(rank(facts, "preliminary").rows)})
    assert obstacles(closed, "play-offs", table) == (found.not_held,)
    assert opening(facts_of(championship("876")), "play-offs").not_held is not None


def test_a_best_of_three_goes_on_until_it_is_decided() -> None:
    facts = facts_of(
        championship("87654", semifinals=["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 40:24 @SF1, C-B 24:40 @SF2"])
    )
    (left,) = fixtures(facts, "semifinals")
    assert (left.match, left.game, left.games, left.higher) == ("SF1", 3, 3, "A")
    assert opening(facts, "final").entrants == tuple("ABCD")
    assert fixtures(facts, "final") == ()  # who meets B is not known yet


def test_the_sides_of_a_final_come_from_the_semifinals() -> None:
    semifinals = ["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 24:40 @SF1, C-B 24:40 @SF2"]
    assert seats(fixtures(facts_of(championship("87654", semifinals=semifinals)), "final")) == {
        "third": "D–C",
        "final": "A–B",
    }


@pytest.mark.rule("OT.PAI-10")
def test_women_have_no_semifinals_where_one_of_them_is_in_those_of_all() -> None:
    facts = facts_of(championship("87654321", women="DEFGH"))
    assert opening(facts, "semifinals-women").not_held == "D of the list women plays in semifinals."
    facts = facts_of(championship("87654321", women="EFGH"))
    assert opening(facts, "semifinals-women").entrants == tuple("EFGH")
    assert seats(fixtures(facts, "semifinals-women")) == {"SF1": "E–H", "SF2": "F–G"}
    assert opening(facts, "final-women").entrants == ()
    assert opening(facts_of(championship("87654321", women="H")), "semifinals-women").not_held is not None
    assert seats(fixtures(facts_of(championship("8765432", women="EFG")), "semifinals-women")) == {"SF2": "F–G"}


@pytest.mark.rule("OT.PAI-10")
def test_women_play_no_final_once_one_of_them_is_in_the_semifinals_of_all() -> None:
    """D has left when the women had played their semifinals, and E is in those of all instead."""
    file = championship("87654321", women="EFGH")
    file["stages"].append({"id": "semifinals-women", "rounds": rounds("E-H 40:24 @SF1, F-G 40:24 @SF2")})
    found = facts_of(file)
    assert opening(found, "final-women").entrants == tuple("EFGH")
    moved_up = replace(found, fields={**found.fields, "semifinals": tuple("ABCE")})
    assert opening(moved_up, "final-women").not_held == "E of the list women plays in semifinals."


def test_a_bracket_is_filled_from_the_groups() -> None:
    size, bracket, groups = bands()[3]
    file = area(size, bracket, groups)
    del file["stages"][1]
    facts = facts_of(file)
    assert opening(facts, "play-off").entrants == ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4")
    assert seats(fixtures(facts, "play-off")) == {"SF1": "A1–B2", "SF2": "A2–B1", "P1": "A3–B4", "P2": "B3–A4"}
    file["entrants"][0]["withdrawn_after"] = 5  # A1, who has played all
    assert seats(fixtures(facts_of(file), "play-off"))["SF1"] == "A2–B2"


def test_three_teams_have_no_play_off() -> None:
    file: dict[str, Any] = tournament("ABC", "A-B 12:8", "B-C 12:8", "A-C 12:8", ruleset=AREA, options={}, advance=1)
    assert opening(facts_of(file), "play-off").not_held is not None


def test_the_first_so_many_of_the_ranking_qualify_and_who_has_left_does_not() -> None:
    size, bracket, groups = bands()[2]
    facts = facts_of(area(size, bracket, groups, advance=2))
    assert qualified(facts).entrants == ("A1", "A2")
    file = area(size, bracket, groups, advance=2)
    file["entrants"][0]["withdrawn_after"] = 9
    file["stages"] = file["stages"][:1]
    found = qualified(facts_of(file))
    assert found.entrants[0] == "B1"
    assert [one.needs for one in found.awaits] == ["lot"]
    assert qualified(facts_of(tournament("AB", "A-B 300:200"))).entrants == ()


def test_the_best_of_a_stage_go_on_to_another() -> None:
    ruleset = catalogue.load(SCRABBLE).model_dump(mode="json")
    last: dict[str, Any] = {
        "id": "last",
        "title": "Final",
        "field": {"rule": "best", "stage": "swiss", "count": "announced"},
    }
    windows: dict[str, Any] = {
        "id": "more",
        "title": "More",
        "field": {"rule": "windows", "stage": "swiss", "places": [[1, 2]]},
    }
    ruleset |= {"stages": [*ruleset["stages"], last, windows]}
    file = tournament("ABCD", "A-B 300:200, C-D 310:200", ruleset=ruleset, advance=3)
    facts = facts_of(file)
    assert (opening(facts, "last").entrants, opening(facts, "last").reserves) == (("C", "A", "B"), ("D",))
    assert fixtures(facts, "last") == ()
    assert opening(facts, "more").not_held is not None
    file["advance"] = 1
    assert opening(facts_of(file), "last").not_held == "There are fewer than 2 to play it."
    file = tournament("ABCD", "A-B 300:200, C-D 300:200", ruleset=ruleset, advance=3)
    assert opening(facts_of(file), "last").awaits == (OpenTie(entrants=("B", "D"), needs="lot"),)


def test_who_has_not_played_yet_in_a_stage_of_a_file_is_in_it_all_the_same() -> None:
    file = championship("8765")
    file["stages"].append({"id": "semifinals", "rounds": rounds("A-D 40:24 @SF1")})
    assert seats(fixtures(facts_of(file), "semifinals")) == {"SF1": "A–D", "SF2": "B–C"}


def test_a_list_plays_apart_unless_one_of_it_is_in_a_stage_that_was_opened() -> None:
    ruleset = catalogue.load("othello-pl-2021").model_dump(mode="json")
    ruleset["stages"][4]["field"]["unless_in"] = "play-offs"
    file = championship("87666665", women="DE")
    file["ruleset"] = ruleset
    assert opening(facts_of(file), "semifinals-women").not_held is None
    file["stages"].append({"id": "play-offs", "rounds": rounds("D-E 40:24 @4-5")})
    assert opening(facts_of(file), "semifinals-women").not_held == "D and E of the list women play in play-offs."


def test_equal_places_at_the_cut_need_a_lot_even_where_the_criteria_know_none() -> None:
    file = qualification(8, 31)
    file["options"] = {"standings.criteria": ["points"]}
    found = opening(facts_of(file), "final")
    assert found.awaits == (OpenTie(entrants=("Q1", "Q5"), needs="lot"),)


@pytest.mark.parametrize(
    ("order", "direct", "going", "awaited"),
    [
        (["Q9", "Q1", "Q5"], 31, ["Q9"], ()),
        (["Q9", "Q1", "Q5"], 30, ["Q1", "Q9"], ()),
        ([["Q1", "Q9"], "Q5"], 30, ["Q1", "Q9"], ()),
        ([["Q1", "Q9"], "Q5"], 31, ["Q1"], (("Q1", "Q9"),)),
        (["Q1", "Q5"], 31, ["Q1"], (("Q1", "Q5", "Q9"),)),  # somebody is equal by now who was not drawn
    ],
)
def test_a_lot_at_the_cut_says_who_goes_on_also_where_the_criteria_know_none(
    order: list[Any], direct: int, going: list[str], awaited: tuple[tuple[str, ...], ...]
) -> None:
    file = qualification(12, direct)
    file |= {"options": {"standings.criteria": ["points"]}, "decisions": [{"kind": "lot", "order": order}]}
    facts = facts_of(file)
    found = opening(facts, "final")
    assert sorted(set(found.entrants) & {"Q1", "Q5", "Q9"}) == going
    assert tuple(one.entrants for one in found.awaits) == awaited
    if not awaited:
        assert [*going, *found.reserves][:3] == [*going, *[one for one in ("Q9", "Q1", "Q5") if one not in going]][:3]
    assert {row.place for row in rank(facts, "qualification").rows[:3]} == {1}  # the table stays as it is
