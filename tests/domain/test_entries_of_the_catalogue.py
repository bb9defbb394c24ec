"""What the rulesets of the catalogue say about entries, held against the regulations."""

import pytest

from services.registration.domain.tournament import orders, refusals
from shared.rulesets import catalogue
from shared.rulesets.entry import Entry
from tests.rosters import entry, when
from tests.schools import at_the_desk, enter, opened

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
    with pytest.raises(refusals.NotReady, match="takes 32"):
        when(given, orders.StartTournament())
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


@pytest.mark.rule("PQ.REG-15")
def test_cadets_and_veterans_are_categories_of_their_own() -> None:
    cadets, veterans = entry_of("pisqworky-2025-individual").categories
    assert (cadets.id, [one.rule for one in cadets.eligibility]) == ("cadets", ["school-type", "declared"])
    assert cadets.eligibility[0].types == ("primary", "grammar", "secondary", "vocational")
    assert (veterans.id, [(one.years, one.on) for one in veterans.eligibility]) == ("veterans", [(26, "2025-09-22")])
    rules = entry_of("pisqworky-2025-individual")
    assert rules.conditions == ()
    assert rules.model_copy(update={"category": "veterans"}).conditions == veterans.eligibility
