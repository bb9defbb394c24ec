"""The catalogue says of each family what its regulations say."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shared.rulesets import catalogue
from shared.rulesets.pairing_and_standings import Standings
from shared.rulesets.settings import Settings, settings
from shared.rulesets.stages import Bracket
from shared.tournament.awards import awards
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.unplayed import REGIMES
from shared.tournament.file import read
from tests.domain.test_final_lists import championship
from tests.simulated import facts, next_pairing

IDS = (
    "carcassonne-cz-final",
    "carcassonne-cz-qualification",
    "gomoku-cfp",
    "othello-pl-2021",
    "pisqworky-2025-individual",
    "pisqworky-2025-ss-grf",
    "pisqworky-2025-ss-kt",
    "pisqworky-2025-ss-ot",
    "pisqworky-2025-zs-grf",
    "pisqworky-2025-zs-kt",
    "pisqworky-2025-zs-ot",
    "scrabble-sk-2022-ms",
    "scrabble-sk-2022-online",
    "scrabble-sk-2022-qt",
)


FIXED = json.loads((Path(__file__).parents[1] / "vectors" / "catalogue.json").read_text())


def fixed() -> list[Any]:
    """What each ruleset has at the place of a number or name that the regulations give."""
    return [
        pytest.param(ruleset, path, value, id=f"{ruleset}: {'/'.join(map(str, path))}", marks=pytest.mark.rule(*rules))
        for rules, of, path, value in FIXED
        for ruleset in IDS
        if ruleset.startswith(of)
    ]


def holds(ruleset: str, size: int, stage: int = 0) -> Settings:
    found = catalogue.load(ruleset)
    return settings(found, found.stages[stage].id, size=size)


def test_rulesets_name_who_has_issued_their_rules_as_these_do() -> None:
    assert catalogue.load("gomoku-cfp").source.issuer == "Česká federace piškvorek"


def bracket(size: int) -> Bracket | None:
    brackets = catalogue.load("pisqworky-2025-zs-kt").stages[1].brackets
    return next((one for one in brackets if one.at_least <= size <= (one.at_most or size)), None)


def test_there_are_fourteen() -> None:
    assert catalogue.ids() == IDS


@pytest.mark.parametrize(("ruleset", "path", "value"), fixed())
def test_a_ruleset_has_the_numbers_of_its_regulations(ruleset: str, path: list[str | int], value: object) -> None:
    found: Any = catalogue.load(ruleset).model_dump(mode="json")
    for key in path:
        found = found[key]
    assert found == value


def test_every_criterion_and_regime_that_a_ruleset_may_name_is_there() -> None:
    form = Standings.model_json_schema()
    assert set(CRITERIA) == set(form["$defs"]["Criterion"]["enum"])
    assert set(REGIMES) == set(form["properties"]["unplayed"]["enum"])


@pytest.mark.rule("OT.PAI-2")
@pytest.mark.parametrize(
    ("size", "system", "rounds", "meetings"),
    [
        (8, "double-round-robin", 14, 2),
        (9, "round-robin", 9, 1),
        (14, "round-robin", 13, 1),
        (15, "cost-swiss", 9, 2),
        (24, "cost-swiss", 9, 2),
        (25, "cost-swiss", 9, 1),
    ],
)
def test_the_size_of_an_othello_field_chooses_the_system(size: int, system: str, rounds: int, meetings: int) -> None:
    """OT.V13."""
    pairing = holds("othello-pl-2021", size).pairing
    assert (pairing.system, holds("othello-pl-2021", size).rounds, pairing.meetings) == (system, rounds, meetings)


@pytest.mark.rule("SK.PAI-1", "SK.PAI-3", "SK.PAI-4")
def test_a_scrabble_championship_has_13_rounds_and_bans_families_in_the_last_four() -> None:
    large, small = holds("scrabble-sk-2022-ms", 15), holds("scrabble-sk-2022-ms", 14)
    assert (large.pairing.system, large.rounds, large.pairing.bans_in_last_rounds) == ("cost-swiss", 13, 4)
    assert (small.pairing.system, small.rounds) == ("round-robin", 13)
    assert small.standings.criteria[1] == "sonneborn_berger"
    days = [planned.day for planned in catalogue.load("scrabble-sk-2022-ms").stages[0].timetable]
    assert days == [1] * 8 + [2] * 5
    known = facts(16, ruleset="scrabble-sk-2022-ms")
    assert next_pairing(known).explanation[-1] == "By the timetable round 1 begins on day 1."
    laying_out = next_pairing(facts(16, ruleset="scrabble-sk-2022-ms", options={"pairing.rounds": 3}))
    assert not any("timetable" in one for one in laying_out.explanation)


@pytest.mark.rule("SK.STA-3")
def test_online_a_small_field_keeps_the_criteria_of_the_swiss() -> None:
    criteria = ("points", "wins", "median_buchholz", "buchholz", "made_points", "lot")
    assert holds("scrabble-sk-2022-online", 8).standings.criteria == criteria
    assert holds("scrabble-sk-2022-online", 8).pairing.system == "round-robin"
    assert holds("scrabble-sk-2022-online", 9).standings.criteria == criteria


@pytest.mark.rule("PQ.PAI-1")
@pytest.mark.parametrize(
    ("size", "groups", "matches"),
    [
        (4, 1, 4),
        (7, 1, 4),
        (8, 2, 8),
        (9, 2, 8),
        (10, 2, 12),
        (13, 4, 12),
        (19, 4, 12),
        (20, 4, 20),
        (24, 4, 20),
        (25, 8, 16),
    ],
)
def test_the_number_of_teams_fixes_the_groups_and_the_play_off(size: int, groups: int, matches: int) -> None:
    """PQ.V6."""
    found = bracket(size)
    assert found is not None
    assert (found.groups, len(found.matches)) == (groups, matches)
    assert bracket(3) is None


@pytest.mark.rule("PQ.PAI-1")
def test_area_and_regional_tournaments_have_the_same_bands() -> None:
    kt = catalogue.load("pisqworky-2025-zs-kt").stages[1].brackets
    assert all(catalogue.load(f"pisqworky-2025-{of}").stages[1].brackets == kt for of in ("zs-ot", "ss-ot", "ss-kt"))


@pytest.mark.rule("PQ.RES-4", "PQ.RES-5", "PQ.RES-17")
@pytest.mark.parametrize(("of", "total"), [("ss-grf", 20), ("zs-ot", 12), ("individual", 4)])
def test_a_match_is_worth_2_1_and_0_and_a_bye_its_full_score(of: str, total: int) -> None:
    scoring = holds(f"pisqworky-2025-{of}", 8).scoring
    assert (scoring.win, scoring.draw, scoring.loss, scoring.total, scoring.bye) == (2, 1, 0, total, "full")
    assert scoring.bye_scores == (total, 0)


@pytest.mark.rule("PQ.STA-2", "PQ.PAI-5")
@pytest.mark.parametrize("of", ["zs-grf", "ss-grf", "individual"])
def test_a_swiss_of_pisqworky_has_eight_rounds_and_needs_no_lot(of: str) -> None:
    found = holds(f"pisqworky-2025-{of}", 32)
    assert (found.pairing.system, found.rounds) == ("median-swiss", 8)
    assert found.standings.criteria == ("points", "score", "median_buchholz", "start_number")


@pytest.mark.rule("CC.STA-1", "CC.STA-2", "CC.PAI-3")
def test_qualification_and_final_of_carcassonne_have_their_own_criteria() -> None:
    qualification, final = holds("carcassonne-cz-qualification", 40), holds("carcassonne-cz-final", 32)
    assert qualification.standings.criteria == ("points", "success", "wins", "second_places", "third_places", "lot")
    assert final.standings.criteria == ("points", "game_difference", "game_points", "wins", "lot")
    in_one_event = holds("carcassonne-cz-qualification", 40, stage=1)
    for part in ("scoring", "standings", "pairing", "contest"):
        one, other = getattr(in_one_event, part).model_dump(), getattr(final, part).model_dump()
        differing = {name for name, value in one.items() if value != other[name]}
        assert differing <= {"field", "starter"}


@pytest.mark.rule("CFP.STA-1")
def test_gomoku_has_a_plain_tournament_around_its_game() -> None:
    large, small = holds("gomoku-cfp", 9), holds("gomoku-cfp", 8)
    assert (large.pairing.system, large.rounds, small.pairing.system) == ("cost-swiss", 7, "round-robin")
    assert large.standings.criteria == ("points", "wins", "median_buchholz", "buchholz", "sonneborn_berger", "lot")
    assert (large.scoring.win, large.scoring.draw, large.scoring.loss) == (1, Fraction(1, 2), 0)


@pytest.mark.rule("OT.STA-6")
def test_prizes_in_cash_do_not_add_up() -> None:
    won = awards(read(championship("87655555", women="CEH", juniors="FH")).accepted())
    cash = [(one.entrant, one.award.amount, one.to_choose) for one in won if one.award.what == "cash"]
    assert cash == [("A", 1000, False), ("B", 500, False), ("C", 300, True), ("C", 500, True), ("F", 300, False)]
    assert [one.choice for one in won if one.award.what == "cash"] == [None, None, "to-choose", "to-choose", None]
    accredited = [one.entrant for one in won if one.award.what == "accreditation"]
    assert accredited == ["A", "B", "C", "C", "F"]


@pytest.mark.rule("OT.STA-6")
def test_prizes_in_cash_of_women_and_juniors_add_up_where_none_of_all_is_among_them() -> None:
    """They are not joined where somebody has a prize of the ranking of all and at once one of the women and/or juniors."""
    both = awards(read(championship("87655555", women="F", juniors="F")).accepted())
    assert [(one.award.amount, one.choice) for one in both if one.entrant == "F" and one.award.what == "cash"] == [
        (500, None),
        (300, None),
    ]
    all_three = awards(read(championship("87655555", women="C", juniors="C")).accepted())
    assert [one.choice for one in all_three if one.entrant == "C" and one.award.what == "cash"] == ["to-choose"] * 3


@pytest.mark.rule("OT.STA-6")
def test_prizes_in_kind_cups_medals_and_titles_are_those_of_the_list_of_prizes() -> None:
    won = awards(read(championship("87655555", women="CEH", juniors="FH")).accepted())
    brought = {
        what: [(one.entrant, one.award.among) for one in won if one.award.what == what]
        for what in ("in-kind", "cup", "medal")
    }
    assert brought == {
        "in-kind": [
            *((one, None) for one in "ABCDEFG"),
            *((one, "women") for one in "CEH"),
            *((one, "juniors") for one in "FH"),
        ],
        "cup": [("A", None), ("C", "women"), ("F", "juniors")],
        "medal": [("A", None), ("B", None), ("C", None), ("C", "women"), ("F", "juniors")],
    }
    assert [(one.entrant, one.award.title) for one in won if one.award.what == "title"] == [
        ("A", "Mistrz Polski w Othello"),
        ("B", "Wicemistrz Polski w Othello"),
        ("C", "II Wicemistrz Polski w Othello"),
        ("C", "Mistrzyni Polski w Othello"),
        ("F", "Mistrz Polski Juniorów w Othello"),
    ]
    for what in ("diploma", "badge"):
        assert [one.entrant for one in won if one.award.what == what] == [*"ABCDEFGH"]


@pytest.mark.rule("OT.STA-6")
@pytest.mark.parametrize(("among", "choices"), [(None, ["taken", "given-up"]), ("women", ["given-up", "taken"])])
def test_a_player_takes_the_prize_in_cash_of_one_list(among: str | None, choices: list[str]) -> None:
    file = championship("87655555", women="CEH", juniors="FH") | {"choices": [{"entrant": "C", "among": among}]}
    won = awards(read(file).accepted())
    assert [one.choice for one in won if one.entrant == "C" and one.award.what == "cash"] == choices


@pytest.mark.rule("OT.STA-6")
def test_a_prize_that_somebody_has_not_won_is_no_choice() -> None:
    file = championship("87655555", women="CEH", juniors="FH")
    won = awards(read(file | {"choices": [{"entrant": "C", "among": "juniors"}]}).accepted())
    assert [one.choice for one in won if one.to_choose] == ["to-choose", "to-choose"]
    assert [fault.pointer for fault in read(file | {"choices": [{"entrant": "Z"}]}).faults] == ["/choices/0/entrant"]


def test_awards_and_a_podium_name_what_is_there() -> None:
    plain: dict[str, Any] = catalogue.load("othello-pl-2021").model_dump(mode="json")
    podium = plain["final"]["podium"] | {"stage": "gone", "play_offs": None}
    wrong = [
        {"what": "cash", "places": [1, 1], "among": "men"},
        {"what": "in-kind", "places": [1, 1], "amount": 5, "currency": "PLN"},
        {"what": "title", "places": [1, 1]},
    ]
    file = {"format": "roundlog.tournament/1", "entrants": [{"id": "A"}], "rounds": []}
    found = read(file | {"ruleset": plain | {"final": {"podium": podium, "awards": wrong}}})
    assert [fault.pointer for fault in found.faults] == [
        "/ruleset/final/podium/stage",
        "/ruleset/final/awards/0/among",
        "/ruleset/final/awards/0/amount",
        "/ruleset/final/awards/1/amount",
        "/ruleset/final/awards/2/title",
    ]


@pytest.mark.rule("PQ.RES-11", "OT.RES-5", "SK.RES-2", "CC.RES-7")
def test_the_time_of_a_game_is_that_of_its_level_and_stage() -> None:
    school = {"pisqworky-2025-zs-ot": 5, "pisqworky-2025-ss-kt": Fraction(15, 2), "pisqworky-2025-zs-grf": 8}
    for ruleset, minutes in (school | {"pisqworky-2025-individual": 8}).items():
        assert holds(ruleset, 16).results.minutes == minutes
    for level in ("zs-ot", "ss-ot", "zs-kt", "ss-kt"):
        deciding = holds(f"pisqworky-2025-{level}", 16, stage=1).contest.drawn
        assert (deciding.duels, deciding.minutes) == (2, 5)
    othello = catalogue.load("othello-pl-2021")
    times = {stage.id: holds(othello.id, 16, stage=n).results.minutes for n, stage in enumerate(othello.stages)}
    assert {name for name, minutes in times.items() if minutes == 25} == {"preliminary", "play-offs"}
    assert {minutes for name, minutes in times.items() if name not in {"preliminary", "play-offs"}} == {30}
    live, online = holds("scrabble-sk-2022-qt", 16).results, holds("scrabble-sk-2022-online", 16).results
    assert (live.minutes, live.latest_start) == (22, 22)
    assert (online.minutes, online.minutes_of_turn, online.limit) == (20, 8, 50)
    assert holds("carcassonne-cz-final", 32).results.minutes == 25
    assert holds("carcassonne-cz-qualification", 32).results.minutes is None
