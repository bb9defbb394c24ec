"""Fees: what is due to whom on which day, what counts as paid, and what is waived or given back."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.check_in import CheckIn
from services.registration.domain.tournament.entrants import Also, EntryDetails
from services.registration.domain.tournament.entries import Decision, StrikeOff, WithdrawEntry
from services.registration.domain.tournament.lifecycle import CancelTournament
from services.registration.domain.tournament.payments import (
    DayToCome,
    FeeTooLow,
    GrantWaiver,
    NoAmount,
    NothingDue,
    NotPaid,
    NotRequested,
    PaymentDiffers,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    RequestWaiver,
    UnknownGround,
    WaiversUsedUp,
    WrongCurrency,
    due,
    open_dues,
)
from services.registration.domain.tournament.presence import AdmitLate
from services.registration.domain.tournament.start import NotReady, StartTournament
from services.registration.domain.tournament.states import TooLate
from shared.rulesets import catalogue
from shared.rulesets.entry import Deadline, Entry
from tests.rosters import CHECK_IN, TOURNAMENT, announced, entry, refuses, rules, there, when
from tests.schools import FEES, HOST, admitted, at_the_desk, enter, fee, opened, schools, team

FOLDER = Path(__file__).parents[1] / "vectors" / "registration"
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "fees.json").read_text())
WORKED: list[dict[str, Any]] = json.loads((FOLDER / "worked_fees.json").read_text())


def pay(entrant: str, amount: int | str, currency: str, on: str = "2026-11-01", **more: Any) -> Any:
    reference = more.pop("reference", f"{entrant}-1")
    return RecordPayment(entrant=entrant, amount=amount, currency=currency, on=on, reference=reference, **more)


@pytest.mark.rule("SK.REG-5", "PQ.REG-11", "OT.REG-4")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["is"])
def test_what_is_due(vector: dict[str, Any]) -> None:
    entry = Entry.model_validate({"kind": vector.get("kind", "individual"), "fees": vector["fees"]})
    details = EntryDetails(
        also=Also(declared=tuple(vector.get("declared", ()))),
        waivers=dict.fromkeys(vector.get("granted", ()), "granted"),
    )
    wanted = {currency: Fraction(amount) for currency, amount in vector["due"].items()}
    assert due(entry, details, vector["on"]) == wanted


@pytest.mark.rule("SK.REG-5", "PQ.REG-11", "OT.REG-4")
@pytest.mark.parametrize("example", WORKED, ids=lambda example: example["is"])
def test_worked_examples_of_fees_hold_by_the_rulesets_of_the_catalogue(example: dict[str, Any]) -> None:
    found = Counter[str]()
    for said in example["entries"]:
        details = EntryDetails(
            also=Also(declared=tuple(said.get("declared", ()))),
            waivers=dict.fromkeys(said.get("granted", ()), "granted"),
        )
        amounts = due(catalogue.load(said["ruleset"]).entry, details, example.get("on", "2025-10-01"))
        found.update({currency: int(amount) for currency, amount in amounts.items()})
    assert +found == {currency: int(amount) for currency, amount in example["due"].items()}


@pytest.mark.rule("PQ.REG-11")
def test_a_team_that_has_neither_paid_nor_a_waiver_cannot_start() -> None:
    given = at_the_desk(schools(payment="before-start").model_copy(), team("A"), team("B"))
    assert len(admitted(given)) == 2  # where there is no fee, nothing is due
    unpaid = at_the_desk(with_fees(), team("A"), team("B"))
    refuses(NotReady, unpaid, StartTournament(), "2 entrants .PQ.REG-11.: The fee is neither paid")
    for order in (pay("A", 180, "CZK"), pay("B", 8, "EUR")):
        unpaid += when(unpaid, order)
    assert len(admitted(unpaid)) == 2


@pytest.mark.rule("PQ.REG-11")
def test_who_comes_after_the_start_pays_with_the_entry() -> None:
    given = at_the_desk(with_fees(), team("A"), team("B"))
    for order in (pay("A", 180, "CZK"), pay("B", 8, "EUR"), StartTournament()):
        given += when(given, order)
    late = AdmitLate(entry=team("C"), from_round=1, decision=Decision.OTHER)
    refuses(NotPaid, given, late, "takes part unpaid .PQ.REG-11")
    refuses(FeeTooLow, given, replace(late, payment=pay("C", 179, "CZK")), "180 CZK are due")
    happened = when(given, replace(late, payment=pay("C", 180, "CZK")))
    assert [type(event) for event in happened if not isinstance(event, facts.EntryDetailed)] == [
        facts.EntrantAdmitted,
        facts.PaymentRecorded,
    ]


@pytest.mark.rule("PQ.REG-11")
def test_who_had_paid_before_being_struck_off_pays_nothing_anew_when_they_come_after_the_start() -> None:
    given = opened(with_fees(), team("A"), team("B"), team("C"))
    for order in map(pay, "ABC", (180, 180, 180), ("CZK", "CZK", "CZK")):
        given += when(given, order)
    given += [CHECK_IN, there("A"), there("B")]
    for order in (StrikeOff(entrant="C"), StartTournament()):
        given += when(given, order)
    late = AdmitLate(entry=team("C again", "C1", "C2", "C3", team="C"), from_round=1, decision=Decision.EXCUSED)
    refuses(NothingDue, given, replace(late, payment=pay("C again", 180, "CZK")), "with the entry that they had before")
    given += when(given, late)
    assert facts.FeeNoted(entrant="C again", tournament=TOURNAMENT, elsewhere=TOURNAMENT, is_settled=True) in given
    given += when(
        given, RecordRefund(entrant="C", amount=180, currency="CZK", on="2026-11-21", reference="R", decision="x")
    )
    assert when(given, pay("C again", 180, "CZK")) != [], "what was given back is due again"


def test_who_withdraws_in_time_gets_back_what_was_paid_for_the_entry_that_they_had_before() -> None:
    given = opened(rules(deadlines=(Deadline(of="refund", days_before=1),), fees=(fee(13, "EUR", who="everybody"),)))
    again = enter(entry("again", person="p-A"))
    for order in (enter(entry("A")), WithdrawEntry(entrant="A"), again, pay("A", 13, "EUR")):
        given += when(given, order)
    due = facts.RefundDue(entrant="A", tournament=TOURNAMENT, amount=13, currency="EUR")
    assert due in when(given, WithdrawEntry(entrant="again"))
    assert due not in when(given, WithdrawEntry(entrant="again", passed=frozenset({"refund"})))
    given += when(given, WithdrawEntry(entrant="again"))
    given += when(given, enter(entry("once more", person="p-A")))
    assert when(given, pay("once more", 13, "EUR")) != [], "what comes back is due again"


def with_fees(**more: Any) -> Any:
    ruleset = schools(payment="before-start", **more)
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"fees": FEES})})


@pytest.mark.rule("OT.REG-4", "PQ.REG-11")
def test_less_than_is_due_is_no_payment() -> None:
    given = opened(with_fees(), team("A"))
    refuses(FeeTooLow, given, pay("A", 179, "CZK"), "180 CZK are due on 2026-11-01, not 179 .PQ.REG-11")
    refuses(FeeTooLow, given, pay("A", "15/2", "EUR"), "8 EUR are due")
    refuses(WrongCurrency, given, pay("A", 180, "PLN"), "CZK or EUR")


def test_a_payment_is_recorded_once() -> None:
    given = opened(with_fees(), team("A"))
    paid = when(given, pay("A", 180, "CZK"))
    assert len(paid) == 1
    assert when([*given, *paid], pay("A", 180, "CZK")) == []
    refuses(PaymentDiffers, [*given, *paid], pay("A", 181, "CZK"), "A-1 is another payment")
    refuses(NothingDue, [*given, *paid], pay("A", 180, "CZK", reference="A-2"), "nothing to pay")


def test_money_is_above_zero_and_of_a_day_that_has_come() -> None:
    given = opened(with_fees(), team("A"))
    for amount in (0, -10, "-1/2"):
        refuses(NoAmount, given, pay("A", amount, "CZK", decision="by-mistake"), "above zero")
    refuses(DayToCome, given, pay("A", 180, "CZK", on="2031-01-01", is_ahead=True), "2031-01-01 is still to come")
    given += when(given, pay("A", 180, "CZK"))
    back = RecordRefund(
        entrant="A", amount=80, currency="CZK", on="2026-11-02", reference="back-1", decision="by-mistake"
    )
    for amount in (0, -80):
        refuses(NoAmount, given, replace(back, amount=amount), "above zero")
    refuses(DayToCome, given, replace(back, is_ahead=True), "still to come")
    given += when(given, back)
    assert when(given, back) == []
    refuses(PaymentDiffers, given, replace(back, amount=81), "back-1 is another payment")


@pytest.mark.rule("OT.REG-4")
def test_a_fee_of_early_days_holds_for_who_paid_on_such_a_day() -> None:
    dated = (fee(100, "PLN", until="2021-05-20"), fee(150, "PLN"))
    ruleset = rules(fees=dated, payment="before-start")
    given = opened(ruleset, entry("A"))
    refuses(FeeTooLow, given, pay("A", 100, "PLN", on="2021-05-21"), "150 PLN are due")
    early = [*given, *when(given, pay("A", 100, "PLN", on="2021-05-20"))]
    details = EntryDetails(money=())
    assert open_dues(ruleset.entry, details, "2021-05-20") == {"PLN": 100}
    refuses(NothingDue, early, pay("A", 50, "PLN", on="2021-05-29", reference="2"), "nothing to pay")


@pytest.mark.rule("PQ.REG-12")
def test_the_host_has_one_team_for_free_if_it_asks_and_it_is_granted() -> None:
    placed = facts.TournamentPlaced(tournament=TOURNAMENT, series=None, region=None, host="s-1", override=None)
    given = [announced(with_fees()), placed, *opened(with_fees())[1:]]
    for one in (team("A", school="s-1"), team("B", school="s-1"), team("C", school="s-2")):
        given += when(given, enter(one))
    grant = GrantWaiver(entrant="A", ground=HOST)
    refuses(NotRequested, given, grant, "request it first")
    for entrant in "ABC":
        given += when(given, RequestWaiver(entrant=entrant, ground=HOST))
    assert when(given, RequestWaiver(entrant="A", ground=HOST)) == []
    given += when(given, grant)
    assert when(given, grant) == []
    refuses(WaiversUsedUp, given, GrantWaiver(entrant="B", ground=HOST), "for 1 of one school")
    refuses(UnknownGround, given, GrantWaiver(entrant="C", ground=HOST), "school that is the host")
    given += when(given, RefuseWaiver(entrant="B", ground=HOST))
    desk = [*given, CHECK_IN, *map(there, "ABC")]
    with pytest.raises(NotReady, match=r"2 entrants .PQ.REG-11"):
        when(desk, StartTournament())
    for entrant in "BC":
        desk += when(desk, pay(entrant, 180, "CZK"))
    assert len(admitted(desk)) == 3


def test_a_waiver_has_a_ground_of_the_rules() -> None:
    given = opened(with_fees(), team("A"))
    refuses(UnknownGround, given, RequestWaiver(entrant="A", ground="poor"), "there are host-school")


ONLINE = rules(
    fees=(fee(5, "EUR", who="member"), fee(8, "EUR", who="non-member")),
    payment="before-check-in",
    deadlines=(
        Deadline(of="payment", days_before=2, working_days=True, rule_id="SK.REG-12"),
        Deadline(of="refund", days_before=1, rule_id="SK.REG-12"),
    ),
)


def test_a_payment_of_a_wrong_day_is_taken_off_and_recorded_anew_by_the_same_receipt() -> None:
    """The right one was another payment by that reference, and could not settle what it was too late for before."""
    early = (fee(120, "CZK", who="everybody", until="2026-10-31"), fee(150, "CZK", who="everybody"))
    given = opened(rules(fees=early), entry("A"))
    given += when(given, pay("A", 150, "CZK", reference="12"))
    back = RecordRefund(entrant="A", amount=150, currency="CZK", on="2026-11-01", reference="12", decision="mistake")
    taken = [*given, *when(given, back)]
    assert when(taken, back) == []
    right = pay("A", 120, "CZK", "2026-10-20", reference="12")
    paid = [*taken, *when(taken, right)]
    assert when(paid, right) == []
    refuses(NothingDue, paid, pay("A", 150, "CZK", reference="13"), "nothing to pay")
    refuses(PaymentDiffers, paid, pay("A", 150, "CZK", reference="12"), "12 is another payment")


@pytest.mark.rule("SK.REG-12", "SK.REG-3")
def test_online_only_who_has_entered_and_paid_may_play() -> None:
    given = [*opened(ONLINE, entry("A")), CHECK_IN]
    refuses(NotPaid, given, CheckIn(entrants=("A",)), "A has not paid .PQ.REG-11")
    refuses(NotPaid, given, CheckIn(entrants=None), "A has not paid")
    given += when(given, pay("A", 8, "EUR"))
    assert when(given, CheckIn(entrants=("A",))) == [there("A")]


@pytest.mark.rule("SK.REG-12")
def test_what_was_credited_too_late_counts_only_by_a_decision() -> None:
    given = opened(ONLINE, entry("A"))
    refuses(TooLate, given, pay("A", 8, "EUR", is_late=True), "later than the rules take it .SK.REG-12")
    (paid,) = when(given, pay("A", 8, "EUR", is_late=True, decision="bank-mistake"))
    assert isinstance(paid, facts.PaymentRecorded)
    assert paid.decision == "bank-mistake"


@pytest.mark.rule("SK.REG-12")
def test_who_withdraws_in_time_gets_the_fee_back() -> None:
    given = opened(ONLINE, entry("A"))
    given += when(given, pay("A", 8, "EUR"))
    back = RecordRefund(entrant="A", amount=8, currency="EUR", on="2026-11-02", reference="back-1")
    refuses(NothingDue, given, back, "only who has withdrawn in time")
    too_late = [*given, *when(given, WithdrawEntry(entrant="A", passed=frozenset({"refund"})))]
    refuses(NothingDue, too_late, back, "only who has withdrawn in time")
    _, due_back = in_time = when(given, WithdrawEntry(entrant="A"))
    assert due_back == facts.RefundDue(entrant="A", tournament=TOURNAMENT, amount=8, currency="EUR")
    given += in_time
    (returned,) = when(given, back)
    assert when([*given, returned], back) == []
    again = RecordRefund(entrant="A", amount=1, currency="EUR", on="2026-11-03", reference="back-2")
    refuses(NothingDue, [*given, returned], again, "never paid")


@pytest.mark.rule("SK.REG-12")
def test_what_is_credited_only_after_somebody_has_withdrawn_in_time_goes_back() -> None:
    given = opened(ONLINE, entry("A"))
    gone = [*given, *when(given, WithdrawEntry(entrant="A"))]
    paid, back = when(gone, pay("A", 8, "EUR"))
    assert isinstance(paid, facts.PaymentRecorded)
    assert back == facts.RefundDue(entrant="A", tournament=TOURNAMENT, amount=8, currency="EUR")
    refund = RecordRefund(entrant="A", amount=8, currency="EUR", on="2026-11-02", reference="back-1")
    assert len(when([*gone, paid, back], refund)) == 1
    assert when([*gone, paid, back], pay("A", 8, "EUR")) == []
    cancelled = [*given, *when(given, CancelTournament())]
    assert when(cancelled, pay("A", 8, "EUR")) == [paid, back], "and what is credited after all was cancelled"
    too_late = [*given, *when(given, WithdrawEntry(entrant="A", passed=frozenset({"refund"})))]
    assert [type(one) for one in when(too_late, pay("A", 8, "EUR"))] == [facts.PaymentRecorded]
    again = [*gone, *when(gone, enter(entry("B", person="p-A")))]
    noted = facts.FeeNoted(entrant="B", tournament=TOURNAMENT, elsewhere=TOURNAMENT, is_settled=True)
    assert when(again, pay("A", 8, "EUR")) == [paid, noted], "it is what they owe for the new entry"
