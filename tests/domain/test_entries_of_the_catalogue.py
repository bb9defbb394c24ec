"""What the rulesets of the catalogue say about entries, held against the regulations."""

import json
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.registration.domain.tournament.admission import QuotaReached
from services.registration.domain.tournament.lifecycle import AnnounceAdvance
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.eligibility.deadlines import passed
from shared.rulesets import catalogue
from shared.rulesets.entry import Entry
from shared.rulesets.schema import Ruleset
from tests.rosters import announced, entry, when
from tests.rules import RULES
from tests.schools import admitted, at_the_desk, enter, opened, team

LIMITS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "registration" / "worked_limits.json").read_text()
)
TEAMS = [f"pisqworky-2025-{category}-{level}" for category in ("zs", "ss") for level in ("ot", "kt", "grf")]


def entry_of(ruleset: str) -> Entry:
    return catalogue.load(ruleset).entry


@pytest.mark.rule("PQ.REG-2", "PQ.REG-5", "PQ.REG-6", "PQ.REG-9", "PQ.REG-10")
@pytest.mark.parametrize("ruleset", TEAMS)
def test_a_category_has_teams_of_its_own_size(ruleset: str) -> None:
    """A tournament has one ruleset, and so one category."""
    found = entry_of(ruleset).team
    assert found is not None
    sizes = (3, 2, 1) if "-zs-" in ruleset else (5, 3, 2)
    assert (found.base, found.least, found.substitutes) == sizes
    assert (found.frozen, found.captain, found.base_once) == ("season", True, True)


@pytest.mark.rule("PQ.REG-3", "PQ.REG-4")
@pytest.mark.parametrize("ruleset", TEAMS)
def test_a_category_has_its_conditions(ruleset: str) -> None:
    found = {(one.rule, one.years, one.on, one.rule_id) for one in entry_of(ruleset).eligibility}
    assert ("age-at-most", 26, "2025-09-22", "PQ.REG-3") in found
    declared = {one.declares for one in entry_of(ruleset).eligibility if one.rule_id == "PQ.REG-3"}
    assert declared == {None, "grade-6-or-higher", "no-school-leaving-exam"}
    assert (("age-below", 16, "2025-09-22", "PQ.REG-4") in found) is ("-zs-" in ruleset)


@pytest.mark.rule("PQ.REG-11", "PQ.REG-12", "PQ.REG-16")
@pytest.mark.parametrize("ruleset", TEAMS)
def test_a_team_pays_before_the_start_and_agrees(ruleset: str) -> None:
    found = entry_of(ruleset)
    wanted = {("CZK", 180), ("EUR", 8)} if "-zs-" in ruleset else {("CZK", 300), ("EUR", 12)}
    assert {(fee.currency, fee.amount) for fee in found.fees} == wanted
    assert all((fee.waived_for, fee.waived_at_most) == (("host-school",), 1) for fee in found.fees)
    assert (found.payment, len(found.consents)) == ("before-start", 3)


@pytest.mark.rule("PQ.REG-13", "PQ.REG-14", "PQ.REG-18", "PQ.REG-19")
def test_levels_have_their_quotas_days_and_fields() -> None:
    days: dict[str, list[tuple[str, str]]] = {}
    for ruleset in TEAMS:
        found = entry_of(ruleset)
        days[ruleset[len("pisqworky-2025-") :]] = [(window.first, window.last) for window in found.windows]
        assert [(quota.most, quota.times_merged) for quota in found.quotas] == ([(4, True)] if "-ot" in ruleset else [])
        assert found.home_region is ("-ot" in ruleset)
    assert days["zs-ot"] == days["ss-ot"] == [("2025-11-03", "2025-11-21")]
    assert days["zs-kt"] == days["ss-kt"] == [("2025-11-24", "2025-11-28")]
    assert (days["zs-grf"], days["ss-grf"]) == ([("2025-12-18", "2025-12-18")], [("2025-12-19", "2025-12-19")])
    fields = [entry_of(f"pisqworky-2025-{category}-grf").size for category in ("zs", "ss")]
    assert [(size.least, size.most, size.overridden) for size in fields] == [(32, 32, True), (24, 24, True)]


@pytest.mark.rule("CFP.REG-1", "CFP.REG-2")
def test_gomoku_is_for_individuals_and_has_a_director() -> None:
    ruleset = catalogue.load("gomoku-cfp")
    assert (ruleset.entry.kind, ruleset.contest.seats, ruleset.entry.director) == ("individual", (2, 2), True)


@pytest.mark.rule("CC.REG-1")
def test_the_final_in_carcassonne_has_thirty_two_players_unless_it_is_overridden() -> None:
    ruleset = catalogue.load("carcassonne-cz-final")
    assert (ruleset.entry.kind, ruleset.contest.seats) == ("individual", (2, 2))
    given = at_the_desk(ruleset, *(entry(f"E{n}") for n in range(31)))
    with pytest.raises(NotReady, match="takes 32"):
        when(given, StartTournament())
    full = opened(ruleset, *(entry(f"E{n}") for n in range(32)))
    assert len(when(full, enter(entry("one-more")))) == 2  # who comes behind them waits
    qualification = catalogue.load("carcassonne-cz-qualification")
    assert (qualification.entry.kind, qualification.contest.seats, qualification.entry.size.most) == (
        "individual",
        (3, 4),
        None,
    )


@pytest.mark.rule("OT.REG-2", "OT.REG-3", "OT.REG-5", "OT.REG-7", "OT.REG-8")
def test_othello_asks_for_particulars_and_has_its_deadlines() -> None:
    found = entry_of("othello-pl-2021")
    assert found.particulars == ("born", "citizenship", "town", "email", "phone")
    assert len(found.consents) == 3
    assert {(limit.of, limit.days_before, limit.time, limit.late) for limit in found.deadlines} == {
        ("entry", 1, None, "refused"),
        ("on-site-entry", None, "09:30", "refused"),
        ("presence", None, "09:45", "next-round"),
        ("special-needs", 9, None, "refused"),
    }


@pytest.mark.rule("SK.REG-5")
def test_the_championship_adds_its_two_fees_up() -> None:
    found = entry_of("scrabble-sk-2022-ms")
    assert {(fee.who, fee.amount, fee.adds_up) for fee in found.fees} == {
        ("everybody", 10, True),
        ("non-member", 10, True),
    }


@pytest.mark.rule("PQ.REG-15", "PQ.D55")
def test_cadets_and_veterans_are_categories_of_their_own() -> None:
    cadets, veterans = entry_of("pisqworky-2025-individual").categories
    assert (cadets.id, [one.rule for one in cadets.eligibility]) == ("cadets", ["school-type", "declared"])
    assert cadets.eligibility[0].types == ("primary", "grammar", "secondary", "vocational")
    assert (veterans.id, [(one.years, one.on) for one in veterans.eligibility]) == ("veterans", [(26, "2025-09-22")])
    rules = entry_of("pisqworky-2025-individual")
    assert rules.conditions == ()
    assert rules.model_copy(update={"category": "veterans"}).conditions == veterans.eligibility


@pytest.mark.rule("PQ.REG-13")
@pytest.mark.parametrize("example", LIMITS, ids=lambda example: example["is"])
def test_worked_examples_of_limits_hold_by_the_rulesets_of_the_catalogue(example: dict[str, Any]) -> None:
    last, *others = [team(f"T{n}", school="s-1", parts=example["parts"]) for n in range(example["there"] + 1)]
    given = opened(catalogue.load(example["ruleset"]), *others)
    if example["is_taken"]:
        assert when(given, enter(last)) != []
        return
    with pytest.raises(QuotaReached, match=f"{example['there']} have .PQ.REG-13"):
        when(given, enter(last))


@pytest.mark.rule("OT.REG-3")
def test_entries_on_site_end_at_half_past_nine() -> None:
    """OT.V12."""
    ruleset, day, warsaw = catalogue.load("othello-pl-2021"), date(2021, 5, 29), ZoneInfo("Europe/Warsaw")
    for minute, is_over in ((29, False), (31, True)):
        now = datetime(2021, 5, 29, 9, minute, tzinfo=warsaw)
        assert ("on-site-entry" in passed(ruleset, day, warsaw, now)) is is_over


@pytest.mark.parametrize("ruleset", catalogue.ids())
def test_a_ruleset_names_the_rules_about_its_entries_as_they_are_written_down(ruleset: str) -> None:
    """Whoever is refused is led to a line that there is."""
    named = set(re.findall(r'"((?:PQ|CFP|SK|CC|OT)\.[A-Z]+-?\d+)"', catalogue.load(ruleset).entry.model_dump_json()))
    there_are = {
        found for document in RULES.glob("*.md") for found in re.findall(r"\*\*(\S+)\*\*", document.read_text())
    }
    assert named
    assert named - there_are == set()


@pytest.mark.rule("PQ.PAI-1")
def test_three_teams_play_a_round_robin_when_somebody_decides_so() -> None:
    """PQ.D5."""
    ruleset = free_of_charge(catalogue.load("pisqworky-2025-zs-ot"))
    start = StartTournament(decision="nobody-else-came", drawn=("T1", "T0", "T2"))
    given = at_the_desk(ruleset, *(team(f"T{n}", school=f"s-{n}") for n in range(3)))
    given += when(given, AnnounceAdvance(advance=1))
    with pytest.raises(NotReady, match=r"takes 4 .PQ.PAI-1., unless you say in `decision` why"):
        when(given, StartTournament())
    with pytest.raises(NotReady, match=r"no groups for 3 .PQ.PAI-1.: change the plan"):
        when(given, start)
    plain = ruleset.model_copy(update={"options": {"pairing.system": "round-robin"}})
    given = [announced(plain), *given[1:]]
    assert len(admitted(given, start)) == 3


def free_of_charge(ruleset: Ruleset) -> Ruleset:
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"fees": (), "consents": ()})})
