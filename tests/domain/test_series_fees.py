"""A fee that is paid once for a series: wherever it was paid or waived, it is due nowhere else in the division."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.series import (
    CLAIMS,
    CategoryChosen,
    ChooseCategory,
    FeesChangedMeanwhile,
    FeesSeen,
    MakeClaims,
    NoteFee,
    SeriesFeeReopened,
    SeriesFeeSettled,
    TeamClaim,
)
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entries import Decision, WithdrawEntry
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    NoteFeeElsewhere,
    NothingDue,
    NotPaid,
    RecordPayment,
    RecordRefund,
    RequestWaiver,
    UnknownGround,
    WaiversUsedUp,
    division_of,
    is_settled,
    payer_of,
)
from services.registration.domain.tournament.presence import AdmitLate
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.domain.tournament.states import known
from shared.rulesets import catalogue
from tests.rosters import CHECK_IN, OPENED, TOURNAMENT, announced, entry, refuses, rules, state, there, when
from tests.schools import FEES, HOST, admitted, enter, fee, schools, team

ONCE: dict[str, Any] = {"payment": "before-start", "fee_for": "series", "division": "zs"}


def once() -> Any:
    ruleset = schools(**ONCE)
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"fees": FEES})})


def placed(host: str | None = None) -> facts.TournamentPlaced:
    return facts.TournamentPlaced(tournament=TOURNAMENT, series="pq", region=None, host=host, override=None)


def given_by(*entries: Any, ruleset: Any = None, host: str | None = None) -> list[Any]:
    given: list[Any] = [announced(ruleset or once()), placed(host), OPENED]
    for one in entries:
        given += when(given, enter(one))
    return given


def elsewhere(payer: str, *, is_settled: bool = True, division: str = "zs") -> NoteFeeElsewhere:
    return NoteFeeElsewhere(division=division, payer=payer, elsewhere="ot", is_settled=is_settled)


def pay(entrant: str, **more: Any) -> RecordPayment:
    said: dict[str, Any] = {"amount": 180, "currency": "CZK", "on": "2026-11-01", "reference": f"{entrant}-1"}
    return RecordPayment(entrant=entrant, **(said | more))


# In one tournament


@pytest.mark.rule("PQ.REG-11")
def test_who_has_paid_in_the_series_comes_with_it_and_starts() -> None:
    given = given_by(replace(team("A"), settled_in=("ot",)), team("B"))
    noted = facts.FeeNoted(entrant="A", tournament=TOURNAMENT, elsewhere="ot", is_settled=True)
    assert noted in given
    desk = [*given, CHECK_IN, there("A"), there("B")]
    refuses(NotReady, desk, StartTournament(), r"B .PQ.REG-11.: The fee is neither paid")
    refuses(NothingDue, desk, pay("A"), "settled for the whole series, in ot")
    desk += when(desk, pay("B"))
    assert len(admitted(desk)) == 2


@pytest.mark.rule("PQ.REG-11")
def test_what_happens_to_the_fee_elsewhere_counts_here_and_only_for_whom_it_is() -> None:
    given = given_by(team("A", team="owls"), team("B"))
    (noted,) = when(given, elsewhere("owls"))
    assert noted == facts.FeeNoted(entrant="A", tournament=TOURNAMENT, elsewhere="ot", is_settled=True)
    assert when([*given, noted], elsewhere("owls")) == []
    (again,) = when([*given, noted], elsewhere("owls", is_settled=False))
    field = known(state([*given, noted, again])).roster
    assert not is_settled(once().entry, field.details_of("A"))
    assert when(given, elsewhere("owls", division="ss")) == []
    assert when(given, elsewhere("A")) == []
    own = [announced(schools()), placed(), OPENED]
    assert when([*own, *when(own, enter(team("A", team="owls")))], elsewhere("owls")) == []


@pytest.mark.rule("PQ.REG-11", "PQ.D57")
def test_who_comes_late_pays_only_where_nothing_was_paid_before() -> None:
    given = given_by(*(replace(team(one), settled_in=("ot",)) for one in "AB"))
    given += [CHECK_IN, there("A"), there("B")]
    given += when(given, StartTournament())
    late = AdmitLate(entry=team("C"), from_round=1, decision=Decision.OTHER)
    refuses(NotPaid, given, late, "takes part unpaid .PQ.REG-11")
    happened = when(given, replace(late, entry=replace(team("C"), settled_in=("ot",))))
    assert [type(one) for one in happened] == [facts.EntrantAdmitted, facts.EntryDetailed, facts.FeeNoted]


@pytest.mark.rule("PQ.REG-11")
def test_who_withdraws_and_enters_again_has_paid_until_it_is_given_back() -> None:
    given = given_by(team("A", team="owls"))
    given += when(given, pay("A"))
    given += when(given, WithdrawEntry(entrant="A"))
    given += when(given, enter(replace(team("A2", "A1", "A2", "A3", team="owls"), settled_in=(TOURNAMENT,))))
    assert is_settled(once().entry, known(state(given)).roster.details_of("A2"))
    back = RecordRefund(
        entrant="A", amount=180, currency="CZK", on="2026-11-03", reference="back", decision="asked-for"
    )
    _, noted = when(given, back)
    assert noted == facts.FeeNoted(entrant="A2", tournament=TOURNAMENT, elsewhere=TOURNAMENT, is_settled=False)


@pytest.mark.rule("PQ.REG-12")
def test_a_school_that_hosts_another_tournament_of_the_series_has_the_ground() -> None:
    given = given_by(team("A", school="s-1"), host="s-2")
    given += when(given, RequestWaiver(entrant="A", ground=HOST))
    refuses(UnknownGround, given, GrantWaiver(entrant="A", ground=HOST), "hosts a tournament of the series")
    (granted,) = when(given, GrantWaiver(entrant="A", ground=HOST, hosts=frozenset({"s-1"})))
    assert isinstance(granted, facts.WaiverGranted)


def test_an_individual_pays_as_a_person_and_a_team_as_a_team() -> None:
    ruleset = rules(fees=(fee(70, "CZK"),), **ONCE)
    field = known(state(given_by(entry("A", person="ann"), ruleset=ruleset)))
    assert payer_of(field.roster.entrants["A"], field.roster.details_of("A"), ruleset.entry) == "ann"
    assert division_of(field.plan) == "zs"
    teams = known(state(given_by(team("A", team="owls"), team("B"))))
    payers = [payer_of(one, teams.roster.details_of(one.entrant), once().entry) for one in teams.roster.coming]
    assert payers == ["owls", "B"]


@pytest.mark.rule("PQ.REG-11", "PQ.REG-22", "PQ.D80")
def test_the_three_competitions_have_a_fee_of_their_own_through_the_series() -> None:
    found = {one: catalogue.load(one).entry for one in catalogue.ids() if one.startswith("pisqworky")}
    assert all(one.fee_for == "series" and one.holds_through_series for one in found.values())
    assert {one.rule_ids["series"] for one in found.values()} == {"PQ.REG-22"}
    divisions = {"zs": "primary-schools", "ss": "secondary-schools", "individual": "individuals"}
    assert {name: one.division for name, one in found.items()} == {
        name: divisions[name.split("-")[2]] for name in found
    }


# In the series


def happens(given: list[Any], order: Any) -> list[Any]:
    return list(CLAIMS.decide(CLAIMS.fold(given, CLAIMS.initial), order))


def note(payer: str, tournament: str = "ot", **more: Any) -> NoteFee:
    said: dict[str, Any] = {"division": "zs", "settled": "paid", "told": ()}
    return NoteFee(series="pq", tournament=tournament, payer=payer, **(said | more))


def settled(payer: str, tournament: str = "ot", how: Any = "paid", school: str | None = None) -> SeriesFeeSettled:
    return SeriesFeeSettled(series="pq", tournament=tournament, division="zs", payer=payer, how=how, school=school)


def claims(tournament: str, seen: tuple[str, ...] = (), *, pays: bool = False) -> MakeClaims:
    fees = FeesSeen(division="zs", settled_in={"owls": seen}, pays=pays)
    claim = TeamClaim(team="owls", persons=("ann", "bob"))
    return MakeClaims(series="pq", tournament=tournament, level=tournament, claims=(claim,), fees=fees)


@pytest.mark.rule("PQ.REG-11")
def test_the_series_knows_where_a_fee_was_settled() -> None:
    given = happens([], note("owls"))
    assert given == [settled("owls")]
    assert happens(given, note("owls")) == []
    (reopened,) = happens(given, note("owls", settled=None))
    assert reopened == SeriesFeeReopened(series="pq", tournament="ot", division="zs", payer="owls")
    series = CLAIMS.fold([*given, settled("owls", "kt")], CLAIMS.initial)
    assert (series.settled_in("zs", "owls"), series.settled_in("ss", "owls")) == (("ot", "kt"), ())
    assert CLAIMS.fold([reopened], series).settled_in("zs", "owls") == ("kt",)
    assert CLAIMS.fold([reopened, replace(reopened, tournament="kt")], series).fees == {}
    assert series.knows("owls")
    assert not series.knows("ann")


@pytest.mark.rule("PQ.REG-11")
def test_of_an_entry_and_a_payment_at_once_the_later_one_is_decided_anew() -> None:
    entered = happens([], claims("ot"))
    assert len(entered) == 1
    refused = claims("kt", seen=())
    for order in (refused, claims("kt", seen=("other",))):
        with pytest.raises(FeesChangedMeanwhile, match="send it again"):
            happens([*entered, settled("owls")], order)
    assert len(happens([*entered, settled("owls")], claims("kt", seen=("ot",)))) == 1
    both = [*entered, *happens(entered, claims("kt"))]
    with pytest.raises(FeesChangedMeanwhile):
        happens(both, note("owls"))  # nobody would tell the other tournament
    assert happens(both, note("owls", told=("kt",))) == [settled("owls")]


@pytest.mark.rule("PQ.REG-11")
def test_who_pays_with_the_entry_has_paid_for_the_series() -> None:
    *_, paid = happens([], claims("ot", pays=True))
    assert paid == settled("owls")
    fees = FeesSeen(division="individuals", settled_in={"ann": ()}, pays=True)
    order = ChooseCategory(
        series="pq", tournament="level-1", category="cadets", persons=("ann",), is_exclusive=False, fees=fees
    )
    chosen, paid = given = happens([], order)
    assert (chosen.category, paid.payer, paid.division) == ("cadets", "ann", "individuals")
    assert happens(given, order) == []
    seen = replace(fees, settled_in={"ann": ("level-1",)}, pays=False)
    veteran = replace(order, tournament="v-1", category="veterans", fees=seen)
    assert happens(given, veteran) == [CategoryChosen(series="pq", tournament="v-1", category="veterans", person="ann")]


@pytest.mark.rule("PQ.REG-12", "PQ.D81")
def test_a_school_has_one_team_for_free_in_each_category_of_the_series() -> None:
    waived: dict[str, Any] = {"settled": "waived", "school": "s-1", "waived_at_most": 1, "clause": "PQ.REG-12"}
    given = happens([], note("owls", **waived))
    assert given == [settled("owls", how="waived", school="s-1")]
    with pytest.raises(WaiversUsedUp, match=r"1 of one school in the whole series .PQ.REG-12., and it is for owls"):
        happens(given, note("bats", "kt", **waived))
    assert len(happens(given, note("bats", "kt", **waived | {"division": "ss"}))) == 1
    assert len(happens(given, note("bats", "kt", **waived | {"school": "s-2"}))) == 1
    assert len(happens(given, note("owls", "kt", **waived))) == 1  # the same team at the next level
    given += happens(given, note("owls", settled=None))
    assert len(happens(given, note("bats", "kt", **waived))) == 1
