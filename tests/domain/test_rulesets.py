"""Rulesets are data: the catalogue is whole, and one from outside is read or refused with all its faults."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic import ValidationError

from shared.faults import Faulty
from shared.rulesets import catalogue, stored
from shared.rulesets.faults import read, with_options
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import OPTIONS, in_variant, rounds_of, settings, variant_by_rules
from tests.rules import RULES

QT = "scrabble-sk-2022-qt"
PLAIN = catalogue.load(QT).model_dump(mode="json")
SCHEMA = json.loads((RULES.parent / "ruleset.schema.json").read_text())


def pointers(ruleset: object) -> list[str]:
    with pytest.raises(Faulty) as refused:
        read(ruleset)
    return [fault.pointer for fault in refused.value.faults]


def stages(*stages: dict[str, Any]) -> dict[str, Any]:
    return PLAIN | {"stages": [{"title": "A stage"} | stage for stage in stages]}


@pytest.mark.parametrize("ruleset_id", catalogue.ids())
def test_every_ruleset_of_the_catalogue_is_named_by_its_file_and_fits_the_published_schema(ruleset_id: str) -> None:
    assert catalogue.load(ruleset_id).id == ruleset_id
    file = Path(catalogue.__file__).parent / f"{ruleset_id}.json"
    assert jsonschema_rs.Draft202012Validator(SCHEMA).is_valid(json.loads(file.read_text()))


@pytest.mark.parametrize("ruleset_id", catalogue.ids())
def test_a_ruleset_survives_its_way_through_an_event(ruleset_id: str) -> None:
    ruleset = catalogue.load(ruleset_id)
    assert Ruleset.model_validate_json(ruleset.model_dump_json()) == ruleset
    assert read(json.loads(ruleset.model_dump_json())) == ruleset


def test_what_only_a_newer_version_knows_of_a_stored_ruleset_is_named_and_not_passed_over() -> None:
    newer = PLAIN | {"colour": 1, "scoring": PLAIN["scoring"] | {"trump": "hearts"}}
    with pytest.raises(stored.NewerRuleset, match=r"says of scoring\.trump, colour, run a newer one"):
        stored.read(json.dumps(newer).encode())


def test_a_stored_ruleset_that_is_broken_is_not_taken_for_a_newer_one() -> None:
    broken = PLAIN | {"colour": 1, "title": 7}
    with pytest.raises(ValidationError):
        stored.read(json.dumps(broken).encode())


def test_a_ruleset_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(catalogue.RulesetUnknown, match=QT):
        catalogue.load("../secret")


def test_every_decision_of_the_catalogue_is_one_of_the_documents() -> None:
    documents = "".join(path.read_text() for path in RULES.glob("*.md"))
    for ruleset_id in catalogue.ids():
        for decision in catalogue.load(ruleset_id).decisions:
            assert f"**{decision}**" in documents


def test_what_is_missing_unknown_or_no_number_is_named_with_its_place() -> None:
    ruleset = PLAIN | {"colour": 1, "scoring": PLAIN["scoring"] | {"win": "many"}, "stages": [{"id": "A"}]}
    del ruleset["title"]
    assert sorted(pointers(ruleset)) == ["/colour", "/scoring/win", "/stages/0/id", "/stages/0/title", "/title"]
    assert pointers([]) == [""]


def test_faults_in_what_has_several_forms_are_named_once_without_the_forms() -> None:
    field = {"rule": "best", "stage": "swiss", "count": "many"}
    assert pointers(stages({"id": "swiss"}, {"id": "last", "field": field})) == ["/stages/1/field/count"]


def test_a_day_that_no_calendar_has_is_named() -> None:
    entry = {
        "deadlines": [{"of": "entry", "date": "2026-02-30"}],
        "windows": [{"first": "2028-02-29", "last": "0000-01-01"}],
    }
    assert pointers(PLAIN | {"entry": entry}) == ["/entry/deadlines/0/date", "/entry/windows/0/last"]


def test_a_fee_below_zero_is_named() -> None:
    fees = [{"amount": 0, "currency": "EUR"}, {"amount": -5, "currency": "EUR"}]
    assert pointers(PLAIN | {"entry": {"fees": fees}}) == ["/entry/fees/1/amount"]


def test_a_condition_of_citizenship_names_a_country_that_there_is() -> None:
    said: dict[str, Any] = {"rule": "citizenship", "sentence": "Everybody is a citizen of Poland."}
    conditions = [said | {"country": "PL"}, said | {"country": "PX"}, said | {"country": "pl"}, said]
    wrong = [f"/eligibility/{index}/country" for index in (1, 2, 3)]
    assert pointers(PLAIN | {"entry": {"eligibility": conditions}}) == [f"/entry{one}" for one in wrong]
    category = {"id": "cadets", "title": "Cadets", "eligibility": conditions}
    assert pointers(PLAIN | {"entry": {"categories": [category]}}) == [f"/entry/categories/0{one}" for one in wrong]


def test_a_deadline_is_on_one_day() -> None:
    several = [
        {"of": "entry", "date": "2030-05-02", "weekday": "thursday"},
        {"of": "refund"},
        {"of": "payment", "weekday": "thursday", "days_before": 2},
        {"of": "presence", "time": "09:45"},
        {"of": "confirmation", "days_before": 0},
    ]
    wrong = [f"/entry/deadlines/{index}" for index in (0, 1, 2)]
    assert pointers(PLAIN | {"entry": {"deadlines": several}}) == wrong


def test_an_item_that_is_missing_is_named_too() -> None:
    assert pointers(PLAIN | {"scoring": PLAIN["scoring"] | {"bye_scores": [20]}}) == ["/scoring/bye_scores/1"]


def test_a_fee_for_a_series_is_paid_by_a_person_or_a_team() -> None:
    once = {"fee_for": "series", "fees": [{"amount": 5, "currency": "EUR"}]}
    assert pointers(PLAIN | {"entry": once | {"kinds_allowed": ["pair"]}}) == ["/entry/fee_for"]
    assert pointers(PLAIN | {"entry": once | {"kind": "pair"}}) == ["/entry/fee_for"]


def test_names_stand_once() -> None:
    ruleset = stages({"id": "swiss"}, {"id": "swiss"})
    ruleset |= {"lists": [{"id": "women", "title": "W"}] * 2, "standings": {"criteria": ["points", "lot", "points"]}}
    assert pointers(ruleset) == ["/stages/1/id", "/lists/1/id", "/standings/criteria/2"]


def test_changes_lead_somewhere_and_have_fitting_values() -> None:
    changes = {
        "pairing.first_round.opponents": "lot",
        "pairing.first_round.colour": 1,
        "pairing": 1,
        "colour.win": 1,
        "pairing.rounds.more": 1,
        "pairing.rounds": 0,
        "standings.criteria": ["points", "points"],
        "scoring.bye_scores": [20, "none"],
    }
    by_size = [{"at_most": 4, "changes": {"standings.unplayed": "as usual"}}]
    by_system = {"round-robin": {"pairing.meetings": 3}}
    assert pointers(stages({"id": "swiss", "changes": changes, "by_size": by_size, "by_system": by_system})) == [
        "/stages/0/changes/pairing.first_round.colour",
        "/stages/0/changes/pairing",
        "/stages/0/changes/colour.win",
        "/stages/0/changes/pairing.rounds.more",
        "/stages/0/changes/pairing.rounds",
        "/stages/0/changes/standings.criteria/1",
        "/stages/0/changes/scoring.bye_scores/1",
        "/stages/0/by_size/0/changes/standings.unplayed",
        "/stages/0/by_system/round-robin/pairing.meetings",
    ]


def test_options_are_settings_that_a_tournament_may_change() -> None:
    options = {"pairing.rounds": "7", "scoring.win": 2, "pairing.system": "round-robin", "win": 1, "colour": 1}
    assert pointers(PLAIN | {"options": options}) == [
        "/options/scoring.win",
        "/options/win",
        "/options/colour",
        "/options/pairing.rounds",
    ]
    ruleset = with_options(catalogue.load(QT), {"pairing.rounds": 5})
    assert settings(ruleset, "swiss", size=100).rounds == 5
    with pytest.raises(Faulty) as refused:
        with_options(ruleset, {"pairing.rounds": None})
    assert [fault.pointer for fault in refused.value.faults] == ["/pairing.rounds"]
    assert with_options(ruleset, {"pairing.system": "round-robin"}).options.keys() == {
        "pairing.rounds",
        "pairing.system",
    }


@pytest.mark.rule("CC.PAI-1", "CC.PAI-3")
def test_a_longer_qualification_leaves_the_final_as_it_is_and_none_is_shorter_than_the_rules_want() -> None:
    ruleset = with_options(catalogue.load("carcassonne-cz-qualification"), {"pairing.rounds": 6})
    assert [settings(ruleset, stage.id, size=32).rounds for stage in ruleset.stages] == [6, 5]
    with pytest.raises(Faulty) as refused:
        with_options(ruleset, {"pairing.rounds": 3})
    (fault,) = refused.value.faults
    assert (fault.pointer, fault.detail) == (
        "/pairing.rounds",
        "is too little: stage qualification has 4 rounds at least (CC.PAI-1)",
    )


def test_all_options_are_settings() -> None:
    for option in OPTIONS:
        with pytest.raises(Faulty) as refused:
            with_options(catalogue.load(QT), {option: object()})
        assert all("such" not in fault.detail for fault in refused.value.faults)


def test_a_swiss_needs_a_number_of_rounds_for_every_size_of_field() -> None:
    robin = PLAIN["pairing"] | {"system": "round-robin", "rounds": None}
    by_size: list[dict[str, Any]] = [{"at_most": 20, "changes": {"pairing.system": "tables"}}]
    assert pointers(stages({"id": "swiss", "by_size": by_size}) | {"pairing": robin}) == ["/pairing/rounds"]
    by_size[0]["changes"] = {"pairing.system": "tables", "pairing.rounds": 4}
    assert read(stages({"id": "swiss", "by_size": by_size}) | {"pairing": robin}).id == QT


def test_what_goes_together_is_there_together() -> None:
    ruleset = PLAIN | {
        "scoring": PLAIN["scoring"] | {"score": "duels", "placement": [4]},
        "contest": {"seats": [4, 3]},
        "entry": {"kind": "team", "size": {"least": 4, "most": 3}},
        "results": {"expulsions": [{"count": 2, "of": ["gone"], "unmoved": ["left"]}]},
    }
    assert pointers(ruleset) == [
        "/scoring/total",
        "/scoring/placement",
        "/scoring/placement",
        "/contest/seats",
        "/entry/team",
        "/entry/size/most",
        "/results/expulsions/0/of/0",
        "/results/expulsions/0/unmoved/0",
    ]


def test_stages_and_lists_that_are_named_are_there() -> None:
    last = {"rule": "best", "stage": "last", "count": 4, "among": "women", "unless_in": "gone"}
    ruleset = stages(
        {"id": "swiss", "field": {"rule": "everybody"}},
        {"id": "last", "field": last, "seats_by": "swiss", "parallel_to": "gone"},
        {"id": "more", "field": {"rule": "windows", "stage": "gone", "places": [[4, 5]]}},
    )
    ruleset |= {"lists": [{"id": "juniors", "title": "J", "stage": "gone"}], "final": {"stages": ["swiss", "gone"]}}
    assert pointers(ruleset) == [
        "/stages/1/field/unless_in",
        "/stages/1/field/stage",
        "/stages/1/field/among",
        "/stages/1/parallel_to",
        "/stages/2/field/stage",
        "/lists/0/stage",
        "/final/stages/1",
    ]


def test_a_bracket_takes_its_sides_from_places_and_earlier_matches() -> None:
    matches = [
        {"id": "SF1", "sides": ["A1", "A4"], "round": 1},
        {"id": "SF1", "sides": ["A2", "winner:gone"], "round": 1},
        {"id": "final", "sides": ["winner:SF1", "best:SF1"], "round": 2, "places": [1, 2]},
    ]
    brackets = [{"at_least": 4, "at_most": 3, "matches": matches}]
    assert pointers(stages({"id": "swiss", "brackets": brackets})) == [
        "/stages/0/brackets/0/matches/1/id",
        "/stages/0/brackets/0/matches/1/sides/1",
        "/stages/0/brackets/0/matches/2/sides/1",
        "/stages/0/brackets/0/at_most",
    ]
    matches = [matches[0], {"id": "final", "sides": ["winner:SF1", "A2"], "round": 2}]
    assert read(stages({"id": "swiss", "brackets": [{"at_least": 3, "matches": matches}]})).id == QT


@pytest.mark.parametrize(
    ("system", "size", "rounds"),
    [
        ("round-robin", 0, 0),
        ("round-robin", 1, 1),
        ("round-robin", 5, 5),
        ("round-robin", 6, 5),
        ("double-round-robin", 8, 14),
        ("median-swiss", 8, 7),
        ("tables", 8, 7),
        ("groups", 8, None),
        ("knockout", 8, None),
    ],
)
def test_a_round_robin_has_as_many_rounds_as_it_takes(system: str, size: int, rounds: int | None) -> None:
    assert rounds_of(system, 7, size) == rounds


def test_a_system_that_is_chosen_brings_its_criteria_whatever_the_size() -> None:
    ruleset = catalogue.load(QT)
    small = settings(with_options(ruleset, {"pairing.system": "cost-swiss"}), "swiss", size=6)
    assert (small.is_swiss, small.rounds, small.standings.criteria[1]) == (True, 7, "wins")
    large = settings(with_options(ruleset, {"pairing.system": "round-robin"}), "swiss", size=20)
    assert (large.is_round_robin, large.rounds, large.standings.criteria[1]) == (True, 19, "sonneborn_berger")


def test_a_size_may_be_given_as_a_number() -> None:
    by_size = [{"at_most": 4, "changes": {"pairing.rounds": 3}}, {"at_most": 6, "changes": {"pairing.rounds": 5}}]
    ruleset = read(stages({"id": "swiss", "by_size": by_size}))
    assert [settings(ruleset, "swiss", size=size).rounds for size in (4, 5, 7)] == [3, 5, 7]


@pytest.mark.rule("SK.X-9")
def test_a_ruleset_may_be_that_of_a_variant_of_its_calendar_and_of_no_other() -> None:
    of_m = read(PLAIN | {"contest": PLAIN["contest"] | {"variant": "m"}})
    assert (variant_by_rules(of_m), variant_by_rules(catalogue.load(QT))) == ("m", None)
    assert variant_by_rules(in_variant(of_m, "classic")) == "classic"
    othello = catalogue.load("othello-pl-2021")
    assert in_variant(othello, "m") == othello
    assert pointers(PLAIN | {"contest": PLAIN["contest"] | {"variant": "long"}}) == ["/contest/variant"]
    assert pointers(PLAIN | {"options": {"contest.variant": "long"}}) == ["/options/contest.variant"]


def test_rulesets_of_many_tournaments_are_told_apart_without_looking_through_them() -> None:
    """A hundred that differed in one option were one place of a cache: each was compared with all before it."""
    rules = catalogue.load(QT)
    several = [rules.model_copy(update={"options": {"results.minutes": minutes}}) for minutes in range(20, 120)]
    assert len({hash(one) for one in (rules, *several)}) == len(several) + 1
    again = Ruleset.model_validate_json(several[7].model_dump_json())
    assert (hash(again), again, again == several[8]) == (hash(several[7]), several[7], False)
    first = rules.stages[0].id
    minutes = {settings(one, first, size=8).results.minutes for one in several}
    assert minutes == set(range(20, 120))


@pytest.mark.rule("CFP.RES-9")
def test_a_tournament_announces_an_opening_that_its_game_has() -> None:
    announced = with_options(catalogue.load("gomoku-cfp"), {"contest.opening": "pro"})
    assert settings(announced, "swiss", size=8).contest.opening == "pro"
    with pytest.raises(Faulty) as refused:
        with_options(catalogue.load("gomoku-cfp"), {"contest.opening": "swap1"})
    assert [(one.pointer, one.detail) for one in refused.value.faults] == [
        ("/contest.opening", "is no opening of gomoku-cfp: there is swap, swap2, pro")
    ]
    with pytest.raises(Faulty):  # each level of the schools has its own
        with_options(catalogue.load("pisqworky-2025-ss-ot"), {"contest.opening": "swap2"})
