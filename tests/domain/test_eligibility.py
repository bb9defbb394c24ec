"""Who may play: judged by what is known of a person, which goes no further than the verdict."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import NotEligible
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.entries import Decision, DetailEntry, JudgeEligibility
from services.registration.domain.tournament.presence import AdmitLate
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.eligibility.conditions import Entering, lists_of, not_for, verdicts
from shared.personal.particulars import NOTHING_KNOWN, Particulars
from shared.rulesets.entry import Eligibility
from shared.rulesets.schema import Ruleset
from shared.rulesets.stages import ListOf
from tests.rosters import rules, when
from tests.schools import admitted, at_the_desk, enter, opened, schools, team

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "registration" / "eligibility.json").read_text()
)
REFERENCE = "2025-09-22"
MEMBERS: tuple[str, ...] = ("A1", "A2", "A3")
UNDER_16 = Eligibility(rule="age-below", years=16, on=REFERENCE, sentence="Everybody is under 16.", rule_id="PQ.REG-4")
UP_TO_26 = Eligibility(rule="age-at-most", years=26, on=REFERENCE, sentence="Nobody is over 26.", rule_id="PQ.REG-3")
AT_SCHOOL = Eligibility(
    rule="school-type", types=("secondary", "grammar"), sentence="They attend such a school.", rule_id="PQ.REG-3"
)
NO_EXAM = Eligibility(
    rule="declared", declares="no-school-leaving-exam", sentence="Nobody has the exam.", rule_id="PQ.REG-3"
)


def entering(**said: Any) -> Entering:
    return Entering(starts_on=said.pop("starts_on", "2025-11-05"), **said)


def judged(ruleset: Ruleset, entering_: Entering, **members: Particulars) -> dict[tuple[str, str], bool | None]:
    return {(one.person, one.rule): one.met for one in verdicts(ruleset, members, entering_)}


@pytest.mark.rule("PQ.REG-3", "PQ.REG-4", "OT.REG-1", "OT.REG-6")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["is"])
def test_a_condition_is_met_or_not_or_nobody_knows(vector: dict[str, Any]) -> None:
    condition = Eligibility.model_validate({"sentence": "So it is."} | vector["condition"])
    known = Particulars(born=vector.get("born"), citizenship=tuple(vector.get("citizenship", ())))
    types = vector.get("school_types")
    said = entering(
        starts_on=vector.get("starts_on", "2025-11-05"),
        declared=frozenset(vector.get("declared", ())),
        school_types=None if types is None else tuple(types),
    )
    (found,) = verdicts(rules(eligibility=(condition,)), {"ann": known}, said)
    assert found.met is vector["met"]


@pytest.mark.rule("PQ.REG-3")
def test_a_verdict_names_person_clause_and_sentence_for_every_condition() -> None:
    ruleset = schools(eligibility=(AT_SCHOOL, UP_TO_26, NO_EXAM))
    said = entering(declared=frozenset({"no-school-leaving-exam"}), school_types=("grammar",))
    found = verdicts(ruleset, {"ann": Particulars(born="2008-01-01"), "bob": NOTHING_KNOWN}, said)
    assert [(one.person, one.rule, one.clause, one.met) for one in found] == [
        ("ann", "school-type", "PQ.REG-3", True),
        ("ann", "age-at-most", "PQ.REG-3", True),
        ("ann", "declared", "PQ.REG-3", True),
        ("bob", "school-type", "PQ.REG-3", True),
        ("bob", "age-at-most", "PQ.REG-3", None),
        ("bob", "declared", "PQ.REG-3", True),
    ]
    assert {one.sentence for one in found} == {AT_SCHOOL.sentence, UP_TO_26.sentence, NO_EXAM.sentence}


@pytest.mark.rule("PQ.REG-4")
def test_one_member_who_is_too_old_keeps_the_whole_team_out_of_one_category_and_not_of_another() -> None:
    born = ("2012-01-01", "2012-01-01", "2009-09-22")
    members = {one: Particulars(born=day) for one, day in zip(MEMBERS, born, strict=True)}
    young, older = schools(eligibility=(UNDER_16,)), schools(eligibility=(UP_TO_26,))
    entry = team("A", verdicts=verdicts(young, members, entering()))
    with pytest.raises(NotEligible, match=r"A3: Everybody is under 16 .PQ.REG-4"):
        when(opened(young), enter(entry))
    assert when(opened(older), enter(team("A", verdicts=verdicts(older, members, entering())))) != []


@pytest.mark.rule("PQ.REG-4")
def test_substitutes_are_judged_too() -> None:
    members = {one: Particulars(born="2012-01-01") for one in MEMBERS} | {"A4": Particulars(born="2001-01-01")}
    young = schools(eligibility=(UNDER_16,))
    with pytest.raises(NotEligible, match="A4"):
        when(opened(young), enter(team("A", substitutes=("A4",), verdicts=verdicts(young, members, entering()))))


@pytest.mark.rule("PQ.D42")
def test_of_whom_too_little_is_known_comes_in_and_cannot_start_before_it_is() -> None:
    young = schools(eligibility=(UNDER_16,))
    unknown = dict.fromkeys(MEMBERS, NOTHING_KNOWN)
    known = {one: Particulars(born="2012-01-01") for one in MEMBERS}
    judged_b = verdicts(young, {f"B{n}": Particulars(born="2012-01-01") for n in (1, 2, 3)}, entering())
    given = at_the_desk(young, team("A", verdicts=verdicts(young, unknown, entering())), team("B", verdicts=judged_b))
    with pytest.raises(NotReady, match=r"A .PQ.REG-4.: It is not shown that this is so: Everybody is under 16"):
        when(given, StartTournament())
    anew = JudgeEligibility(entrant="A", verdicts=verdicts(young, known, entering()))
    given += when(given, anew)
    assert when(given, anew) == []
    assert len(admitted(given)) == 2
    too_old = {one: Particulars(born="2001-01-01") for one in MEMBERS}
    given += when(given, JudgeEligibility(entrant="A", verdicts=verdicts(young, too_old, entering())))
    with pytest.raises(NotReady, match="Everybody is under 16"):
        when(given, StartTournament())


def test_an_event_carries_the_verdict_and_never_the_birth_date() -> None:
    young = schools(eligibility=(UNDER_16,))
    known = {one: Particulars(born="2012-03-04", town="Kraków") for one in MEMBERS}
    happened = when(opened(young), enter(team("A", verdicts=verdicts(young, known, entering()))))
    assert any(isinstance(event, facts.EligibilityJudged) for event in happened)
    written = msgspec.json.encode(happened)
    assert b"2012" not in written
    assert "Kraków".encode() not in written


@pytest.mark.rule("OT.REG-2")
def test_what_has_to_be_known_of_everybody_is_missing_until_it_is_known() -> None:
    ruleset = rules(particulars=("born", "town", "email", "phone"))
    known = Particulars(born="1990", town="Kraków", email="a@example.org")
    assert judged(ruleset, entering(), ann=known) == {
        ("ann", "particulars-born"): True,
        ("ann", "particulars-town"): True,
        ("ann", "particulars-email"): True,
        ("ann", "particulars-phone"): None,
    }


@pytest.mark.rule("OT.REG-6")
def test_juniors_are_on_their_list_by_their_year_of_birth_and_women_because_they_say_so() -> None:
    lists = (
        ListOf(id="women", title="Women"),
        ListOf(id="juniors", title="Juniors", whom="year-age-at-most", years=14),
    )
    ruleset = rules().model_copy(update={"lists": lists})
    young, old = {"ann": Particulars(born="2007")}, {"ann": Particulars(born="2006-12-31")}
    assert lists_of(ruleset, young, "2021-05-29") == ("juniors",)
    assert lists_of(ruleset, old, "2021-05-29") == ()
    assert lists_of(ruleset, {"ann": NOTHING_KNOWN}, "2021-05-29") == ()
    assert [one.id for one in not_for(ruleset, ("women", "juniors"), old, "2021-05-29")] == ["juniors"]
    assert not_for(ruleset, ("women", "juniors"), young, "2021-05-29") == []


@pytest.mark.rule("OT.REG-8", "PQ.REG-16")
def test_whoever_has_not_agreed_to_what_the_rules_ask_for_cannot_start() -> None:
    ruleset = schools(consents=("data", "photos", "rules"))
    agreed = team("A", consents=("data", "photos", "rules"))
    given = at_the_desk(ruleset, agreed, team("B", consents=("rules",)))
    with pytest.raises(NotReady, match="B: Not agreed to: data, photos"):
        when(given, StartTournament())
    also = Also(captain="B1", consents=("data", "photos", "rules"))
    given += when(given, DetailEntry(entrant="B", also=also))
    late = AdmitLate(entry=team("C"), from_round=1, decision=Decision.OTHER)
    with pytest.raises(NotReady, match="C: Not agreed to: data, photos, rules"):
        when([*given, *when(given, StartTournament())], late)
    assert len(admitted(given)) == 2
