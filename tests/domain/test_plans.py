"""A plan that changes: what entries rest on already stays, and everything else is as it is said now."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.homes import Homes
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.lifecycle import OpenRegistration
from services.registration.domain.tournament.plan import (
    BoundByEntries,
    ChangePlan,
    NoSeries,
    OutsideWindow,
    PlanChangedMeanwhile,
    UnknownCompetition,
    differences,
    planned,
)
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.states import NotNow, known
from shared.refusals import Refusal
from shared.rulesets import catalogue
from shared.rulesets.entry import Eligibility, Size
from shared.rulesets.schema import Ruleset
from tests.rosters import OPENED, TOURNAMENT, announce, announced, checking_in, entered, rules, running, state, when
from tests.schools import FEES, enter, team

WHY = NotedReason(code="hall-not-free", clause="SK.REG-4")


def changing(given: Sequence[facts.Event], **said: Any) -> ChangePlan:
    seen = planned(known(state(given)).plan)
    return ChangePlan(seen=seen, planned=replace(seen, **said), reason=WHY)


def changed(given: Sequence[facts.Event], **said: Any) -> list[facts.Event]:
    return when(given, changing(given, **said))


def refused(refusal: type[Refusal], given: Sequence[facts.Event], saying: str, **said: Any) -> None:
    with pytest.raises(refusal, match=saying):
        changed(given, **said)


def opened(ruleset: Ruleset, *entrants: str) -> list[facts.Event]:
    return [announced(ruleset), OPENED, *(entered(entrant) for entrant in entrants)]


def with_size(most: int | None) -> Ruleset:
    return rules(size=Size(least=2, most=most))


@pytest.mark.parametrize("given", [[announced()], opened(rules(), "A"), checking_in("A", "B")])
def test_name_day_and_end_of_entries_change_until_the_start(given: list[facts.Event]) -> None:
    (event,) = changed(given, name="Nitra  Cup", starts_on="2026-11-28", entries_close="2026-11-26T23:00:00Z")
    assert isinstance(event, facts.PlanChanged)
    assert (event.name, event.starts_on, event.reason, event.clause) == (
        *("Nitra Cup", "2026-11-28"),
        *("hall-not-free", "SK.REG-4"),
    )
    then = known(state([*given, event])).plan
    assert (then.name, then.entries_close) == ("Nitra Cup", "2026-11-26T23:00:00Z")


def test_nothing_happens_where_nothing_is_changed() -> None:
    assert changed([announced()]) == []


def test_a_plan_does_not_change_once_the_tournament_runs() -> None:
    refused(NotNow, running("A", "B"), "belongs to draft, registration or check-in", name="x")


def test_who_has_seen_another_plan_looks_again() -> None:
    stale = changing([announced()], name="Nitra Cup")
    after = [announced(), *changed([announced()], name="Žilina Cup")]
    with pytest.raises(PlanChangedMeanwhile):
        when(after, stale)


def test_places_become_fewer_only_as_far_as_they_are_free_and_whoever_waits_gets_new_ones() -> None:
    full = [*opened(with_size(2), "A", "B", "C"), facts.EntrantWaits(entrant="C", tournament=TOURNAMENT)]
    refused(BoundByEntries, opened(with_size(9), "A", "B", "C"), "^3 have a place", ruleset=with_size(2))
    for most in (5, None):
        _, *called = changed(full, ruleset=with_size(most))
        assert called == [facts.ReserveCalled(entrant="C", tournament=TOURNAMENT)]


def test_a_delay_goes_with_the_time_that_it_was_counted_from() -> None:
    given = [*checking_in("A", "B"), facts.FirstRoundPostponed(tournament=TOURNAMENT, minutes=30)]
    for said, minutes in (({"name": "Nitra Cup"}, 30), ({"starts_on": "2026-11-28"}, 0), ({"first_round": "10:00"}, 0)):
        assert known(state([*given, *changed(given, **said)])).plan.postponed == minutes


def test_what_somebody_has_paid_by_stays() -> None:
    paid = facts.PaymentRecorded(
        entrant="A", tournament=TOURNAMENT, amount=10, currency="EUR", on="2026-11-01", reference="1", decision=None
    )
    given = opened(rules(), "A")
    assert changed(given, ruleset=rules(fees=FEES)) != []
    refused(BoundByEntries, [*given, paid], "^1 have paid", ruleset=rules(fees=FEES))


def test_kind_and_day_stay_once_somebody_was_entered_by_them() -> None:
    refused(BoundByEntries, opened(rules(), "A"), "is an individual each", ruleset=rules(kind="pair"))
    by_day = rules(eligibility=(Eligibility(rule="age-at-most", years=26, sentence="…"),))
    refused(BoundByEntries, opened(by_day, "A"), "judged by the day", starts_on="2026-11-28")
    assert changed(opened(by_day), starts_on="2026-11-28") != []
    othello = catalogue.load("othello-pl-2021")
    refused(BoundByEntries, opened(othello, "A"), "judged by the day", starts_on="2027-01-02")
    assert changed(opened(othello, "A"), starts_on="2026-12-02") != []


@pytest.mark.rule("PQ.REG-18")
def test_a_day_outside_the_window_is_refused_also_later() -> None:
    inside = replace(announced(catalogue.load("pisqworky-2025-zs-ot")), starts_on="2025-11-03")
    refused(OutsideWindow, [inside], "PQ.REG-18", starts_on="2025-12-01")
    assert changed([inside], starts_on="2025-12-01", override="storm", series="pq") != []


@pytest.mark.rule("SK.REG-8")
@pytest.mark.parametrize("ruleset", ["scrabble-sk-2022-qt", "scrabble-sk-2022-ms", "scrabble-sk-2022-online"])
def test_a_tournament_stands_in_the_calendar_as_what_it_is(ruleset: str) -> None:
    rules = catalogue.load(ruleset)
    assert rules.entry.competitions == (
        *("live", "online", "written", "internet", "championship", "laying-out", "cup", "other"),
    )
    placed = [when([], replace(announce(rules), competition="written", variant=one))[1] for one in ("classic", "m")]
    assert [(one.competition, one.variant) for one in placed if isinstance(one, facts.TournamentPlaced)] == [
        ("written", "classic"),
        ("written", "m"),
    ]
    with pytest.raises(UnknownCompetition, match=r"no chess in their calendar \(SK.REG-8\): they know live"):
        when([], replace(announce(rules), competition="chess"))
    refused(UnknownCompetition, [announced(rules)], "no long", variant="long")


@pytest.mark.rule("SK.REG-9")
def test_the_duties_of_an_organiser_have_their_numbers() -> None:
    for ruleset in map(catalogue.load, ("scrabble-sk-2022-qt", "scrabble-sk-2022-ms")):
        found = {duty.what: (duty.days_before, duty.rule_id) for duty in ruleset.entry.duties}
        assert (found["tournament-form"], found["trophies"]) == ((21, "SK.REG-9"), (None, "SK.REG-9"))
        assert ruleset.pairing.minutes_between_rounds == 5


@pytest.mark.rule("SK.REG-11")
def test_the_field_of_the_championship_is_published_two_weeks_before() -> None:
    championship, online = map(catalogue.load, ("scrabble-sk-2022-ms", "scrabble-sk-2022-online"))
    assert ("publish-the-field", 14, "SK.REG-11") in {
        (duty.what, duty.days_before, duty.rule_id) for duty in championship.entry.duties
    }
    assert [(duty.what, duty.rule_id) for duty in online.entry.duties] == [
        ("channels", "SK.REG-13"),
        ("waiting-time", "SK.REG-16"),
    ]


def test_differences_are_told_in_the_words_of_an_organiser() -> None:
    given = [announced()]
    six = rules().model_copy(update={"options": {"pairing.rounds": 6}})
    order = changing(given, starts_on="2026-11-28", ruleset=six, entries_close=None, variant="m")
    assert differences(order.seen, order.planned, Homes()) == [
        "The day of the first round is 2026-11-28 instead of 2026-11-21.",
        "The end of entries is open instead of 2026-11-19T23:00:00Z.",
        "The variant is m instead of not said.",
        "pairing.rounds is 6 instead of as by the rules.",
    ]
    assert isinstance(given[0], facts.TournamentAnnounced)


@pytest.mark.rule("PQ.REG-22", "PQ.D82")
def test_a_series_is_named_before_anybody_enters_and_kept_then() -> None:
    rules = catalogue.load("pisqworky-2025-zs-kt")
    draft: list[facts.Event] = [replace(announced(rules), starts_on="2025-11-25")]
    with pytest.raises(NoSeries, match=r"belongs to a series .PQ.REG-22.: name the one"):
        when(draft, OpenRegistration())
    refused(NoSeries, draft, "PQ.REG-22", name="Another name")
    (named,) = changed(draft, series="pq-2025")
    assert isinstance(named, facts.SeriesNamed)
    given = [*draft, named, *when([*draft, named], OpenRegistration())]
    assert [type(one) for one in changed(given, series="pq-2026")] == [facts.SeriesNamed]
    refused(NoSeries, given, "PQ.REG-22", series=None)
    level = [*given, facts.NextLevelNamed(tournament=TOURNAMENT, next_level="grf")]
    refused(BoundByEntries, level, "level of the series pq-2025", series="pq-2026")
    given += when(given, enter(team("A", school="s-1", declared=("grade-6-or-higher",))))
    refused(BoundByEntries, given, "counts in the series pq-2025", series="pq-2026")
    free: list[facts.Event] = [announced()]
    assert [type(one) for one in changed(free, series="cup")] == [facts.SeriesNamed]  # where nothing asks for one
