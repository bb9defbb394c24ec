"""The cash summary: every fee that was due is waived, remitted, paid or open, and every coin stands in one line."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.cash import CashLine, cash_lines, totals
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.entries import StrikeOff, WithdrawEntry
from services.registration.domain.tournament.lifecycle import CancelTournament, OpenCheckIn
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    NothingDue,
    RecordPayment,
    RecordRefund,
    RequestWaiver,
)
from services.registration.domain.tournament.states import known
from shared.rulesets import catalogue
from shared.rulesets.entry import Deadline, Size
from shared.rulesets.schema import Ruleset
from tests.rosters import OPENED, TOURNAMENT, announced, entry, state, when
from tests.schools import enter, opened

TODAY = "2026-11-22"


def player(name: str, *declared: str) -> Any:
    return replace(entry(name), also=Also(declared=declared))


def with_entry(ruleset: str, **more: Any) -> Ruleset:
    loaded = catalogue.load(ruleset)
    return loaded.model_copy(update={"entry": loaded.entry.model_copy(update=more)})


def after(given: list[facts.Event], *orders: Any) -> list[facts.Event]:
    for order in orders:
        given = [*given, *when(given, order)]
    return given


def pay(who: str, amount: int, **more: Any) -> RecordPayment:
    return RecordPayment(
        entrant=who, amount=amount, currency="EUR", on="2026-11-21", reference=f"{who}-{amount}", **more
    )


def back(who: str, amount: int, **more: Any) -> RecordRefund:
    return RecordRefund(entrant=who, amount=amount, currency="EUR", on="2026-11-22", reference=f"{who}-back", **more)


def brief(lines: list[CashLine]) -> list[tuple[str, int, dict[str, int]]]:
    """What is not nothing."""
    names = ("due", "waived", "remitted", "paid", "refunded", "open", "to_refund")
    return [
        (line.kind, line.entrants, {name: int(getattr(line, name)) for name in names if getattr(line, name)})
        for line in lines
    ]


def lines(given: list[facts.Event]) -> list[CashLine]:
    found = cash_lines(known(state(given)), TODAY)
    for line in found:
        if line.kind != "besides":
            assert line.due == line.waived + line.remitted + line.open + line.paid
    return found


@pytest.mark.rule("SK.REG-18")
def test_fees_are_told_by_kind_with_what_is_open() -> None:
    given = opened(
        catalogue.load("scrabble-sk-2022-qt"),
        player("A", "member"),
        player("B"),
        player("C", "first-time"),
        player("D", "member"),
    )
    given = after(given, pay("A", 10), pay("B", 13), pay("C", 15))
    assert brief(lines(given)) == [
        ("member", 2, {"due": 20, "paid": 10, "open": 10}),
        ("non-member", 1, {"due": 13, "paid": 13}),
        ("first-time", 1, {"due": 10, "paid": 10}),
        ("besides", 1, {"paid": 5}),
    ]
    (together,) = totals(lines(given))
    assert (together.due, together.paid, together.kept, together.open) == (43, 38, 38, 10)


@pytest.mark.rule("SK.REG-18")
def test_fees_that_add_up_are_paid_in_the_order_of_the_rules_and_waived_each_by_itself() -> None:
    final = opened(catalogue.load("scrabble-sk-2022-ms"), player("A", "member"), player("B"), player("C"))
    final = after(final, *(make(entrant="C", ground="hotel-guest") for make in (RequestWaiver, GrantWaiver)))
    final = after(final, pay("A", 10), pay("B", 12, decision="council"), pay("C", 10))
    assert brief(lines(final)) == [
        ("everybody", 3, {"due": 30, "waived": 10, "paid": 20}),
        ("non-member", 2, {"due": 20, "remitted": 8, "paid": 12}),
    ]


@pytest.mark.rule("SK.REG-18")
def test_money_that_is_given_back_stands_in_its_line_and_who_is_gone_owes_nothing() -> None:
    ruleset = with_entry(
        "scrabble-sk-2022-qt",
        deadlines=(Deadline(of="refund", days_before=1),),
        size=Size(most=3),
    )
    given = opened(ruleset, player("A", "member"), player("B", "member"), player("C"), player("W"))
    given = after(given, pay("A", 10), pay("B", 10), WithdrawEntry(entrant="A"), WithdrawEntry(entrant="B"))
    assert brief(lines(given)) == [
        ("member", 2, {"due": 20, "paid": 20, "to_refund": 20}),
        ("non-member", 2, {"due": 26, "open": 26}),  # W has been called
    ]
    given = after(given, back("A", 10))
    (members, _) = lines(given)
    assert (members.refunded, members.to_refund, members.kept) == (Fraction(10), 10, 10)
    part = after(given, back("B", 4))
    assert brief(lines(part))[0] == ("member", 2, {"due": 20, "paid": 20, "refunded": 14, "to_refund": 6})


@pytest.mark.rule("SK.REG-18")
def test_of_whoever_was_struck_off_no_more_is_due_than_they_have_paid() -> None:
    given = opened(catalogue.load("scrabble-sk-2022-ms"), player("C"))
    given = after(given, *(make(entrant="C", ground="hotel-guest") for make in (RequestWaiver, GrantWaiver)))
    given = after(given, pay("C", 4, decision="council"))
    assert brief(lines(given)) == [
        ("everybody", 1, {"due": 10, "waived": 10}),
        ("non-member", 1, {"due": 10, "remitted": 6, "paid": 4}),
    ]
    gone = after(given, OpenCheckIn(), StrikeOff(entrant="C"))
    assert brief(lines(gone)) == [("non-member", 1, {"due": 4, "paid": 4})]


@pytest.mark.rule("SK.REG-18")
def test_what_was_paid_beyond_is_given_back_first() -> None:
    given = after(
        opened(catalogue.load("scrabble-sk-2022-qt"), player("A")), pay("A", 20), back("A", 7, decision="beyond")
    )
    assert brief(lines(given)) == [
        ("non-member", 1, {"due": 13, "paid": 13}),
        ("besides", 1, {"paid": 7, "refunded": 7}),
    ]
    twice = after(opened(catalogue.load("scrabble-sk-2022-qt"), player("A")), pay("A", 13), back("A", 13, decision="x"))
    again = replace(pay("A", 13), reference="again")
    assert brief(lines(after(twice, again))) == [
        ("non-member", 1, {"due": 13, "paid": 13}),
        ("besides", 1, {"paid": 13, "refunded": 13}),
    ]


def test_who_waits_unpaid_and_who_went_unpaid_are_in_no_line() -> None:
    given = opened(with_entry("scrabble-sk-2022-qt", size=Size(most=1)), player("A"), player("W"))
    assert brief(lines(given)) == [("non-member", 1, {"due": 13, "open": 13})]
    given = after(given, enter(player("X")), WithdrawEntry(entrant="X"))
    assert brief(lines(given)) == [("non-member", 1, {"due": 13, "open": 13})]
    assert cash_lines(known(state(opened(catalogue.load("scrabble-sk-2022-online"), player("A")))), TODAY) == []


def test_what_is_not_held_is_given_back_to_everybody_and_owed_by_nobody() -> None:
    given = opened(catalogue.load("scrabble-sk-2022-qt"))
    given = after(
        given, enter(player("a"), player("b"), player("c")), pay("a", 13), pay("b", 13), WithdrawEntry(entrant="b")
    )
    cancelled = after(given, CancelTournament())
    assert brief(lines(cancelled)) == [("non-member", 2, {"due": 26, "paid": 26, "to_refund": 26})]
    assert when(cancelled, CancelTournament()) == []
    returned = after(cancelled, back("a", 13), back("b", 13))
    assert brief(lines(returned)) == [("non-member", 2, {"due": 26, "paid": 26, "refunded": 26})]


def test_what_is_paid_once_for_a_series_counts_in_its_other_tournaments() -> None:
    named = facts.SeriesNamed(tournament=TOURNAMENT, series="winter", reason="other", note=None, clause=None)
    given: list[facts.Event] = [announced(with_entry("scrabble-sk-2022-qt", fee_for="series")), named, OPENED]
    given = after(given, enter(player("a")), pay("a", 13))
    assert [type(event) for event in when(given, CancelTournament())] == [facts.TournamentCancelled]


def test_who_has_withdrawn_by_mistake_and_enters_again_owes_the_fee_once() -> None:
    given = opened(catalogue.load("scrabble-sk-2022-qt"), player("A"))
    again = enter(entry("again", person="p-A"))
    gone = after(given, pay("A", 13), WithdrawEntry(entrant="A"))
    back_in = after(gone, again)
    assert brief(lines(back_in)) == [("non-member", 1, {"due": 13, "paid": 13})]
    with pytest.raises(NothingDue):
        when(back_in, pay("again", 13))
    returned = after(back_in, back("A", 13, decision="goodwill"))
    assert [(line.kind, line.open) for line in lines(returned) if line.open] == [("non-member", Fraction(13))]
    unpaid = after(given, WithdrawEntry(entrant="A"), again)
    assert sum(line.open for line in lines(unpaid)) == 13
    assert sum(line.open for line in lines(after(unpaid, pay("A", 13)))) == 0, "it came late, for the first entry"
    ruleset = with_entry("scrabble-sk-2022-qt", deadlines=(Deadline(of="refund", days_before=1),))
    in_time = after(opened(ruleset, player("A")), pay("A", 13), WithdrawEntry(entrant="A"), again)
    assert sum(line.open for line in lines(in_time)) == 13, "the first fee is given back"
