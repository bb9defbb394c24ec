"""The membership roll of a season, and what it says of entries."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.roll import (
    ROLL,
    AlreadyOnRoll,
    AnnualFee,
    AnnualFeeSet,
    Command,
    Dues,
    DuesTooLow,
    EnrolMember,
    Event,
    MemberEnrolled,
    MemberStruck,
    NotOnRoll,
    RollNotKept,
    SetAnnualFee,
    StrikeMember,
)
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.entries import NoteMembership, WithdrawEntry
from services.registration.domain.tournament.payments import FeeTooLow, RecordPayment, open_dues
from services.registration.domain.tournament.states import known
from shared.rulesets import catalogue
from tests import rosters
from tests.rosters import TOURNAMENT, entry, state
from tests.schools import opened

FEE = AnnualFee(amount=10, joining=5, currency="EUR")
SET = AnnualFeeSet(season="s", federation="sss", amount=10, joining=5, currency="EUR")
DUES = Dues(amount=10, currency="EUR", on="2026-09-12", reference="VS-1")
ENROLLED = MemberEnrolled(
    season="s",
    federation="sss",
    person="ann",
    amount=10,
    currency="EUR",
    on="2026-09-12",
    reference="VS-1",
    joins=False,
    decision=None,
    tournament=None,
)


def when(given: list[Event], command: Command) -> list[Event]:
    return list(ROLL.decide(ROLL.fold(given, ROLL.initial), command))


def refuses(refusal: type[Exception], given: list[Event], command: Command, saying: str) -> None:
    with pytest.raises(refusal, match=saying):
        when(given, command)


@pytest.mark.rule("SK.REG-15")
def test_the_roll_is_kept_as_soon_as_the_annual_fee_is_set() -> None:
    order = SetAnnualFee(season="s", federation="sss", fee=FEE)
    assert when([], order) == [SET]
    assert when([SET], order) == []
    refuses(RollNotKept, [], EnrolMember(person="ann", dues=DUES), "set the annual fee first")
    dearer = SetAnnualFee(season="s", federation="sss", fee=replace(FEE, amount=12))
    assert when([SET, ENROLLED], dearer) == [replace(SET, amount=12)]
    assert [*ROLL.fold([SET, ENROLLED, replace(SET, amount=12)], ROLL.initial).members] == ["ann"]


@pytest.mark.rule("SK.REG-15")
def test_a_member_has_paid_the_annual_fee_and_for_joining_or_there_is_a_reason() -> None:
    assert when([SET], EnrolMember(person="ann", dues=DUES)) == [ENROLLED]
    assert when([SET, ENROLLED], EnrolMember(person="ann", dues=DUES)) == []
    refuses(AlreadyOnRoll, [SET, ENROLLED], EnrolMember(person="ann", dues=replace(DUES, amount=11)), "strike them off")
    for too_low in (replace(DUES, amount="19/2"), replace(DUES, joins=True), replace(DUES, currency="CZK")):
        refuses(DuesTooLow, [SET], EnrolMember(person="ann", dues=too_low), "Membership costs")
        assert len(when([SET], EnrolMember(person="ann", dues=replace(too_low, decision="honorary")))) == 1
    struck = MemberStruck(season="s", federation="sss", person="ann", reason="mistake")
    strike = StrikeMember(person="ann", reason="mistake")
    assert when([SET, ENROLLED], strike) == [struck]
    refuses(NotOnRoll, [SET, ENROLLED, struck], strike, "not on the roll")
    assert when([SET, ENROLLED, struck], EnrolMember(person="ann", dues=DUES)) == [ENROLLED]


# In a tournament


def due(given: list[facts.Event], who: str) -> dict[str, int]:
    found = known(state(given))
    sums = open_dues(found.plan.ruleset.entry, found.roster.details_of(who), "2026-11-21")
    return {currency: int(amount) for currency, amount in sums.items()}


@pytest.mark.rule("SK.REG-15", "SK.REG-5")
def test_an_entry_that_is_not_paid_becomes_that_of_a_member_and_a_paid_one_stays() -> None:
    given = opened(catalogue.load("scrabble-sk-2022-qt"), replace(entry("A"), also=Also(declared=("on-site",))))
    assert due(given, "A") == {"EUR": 13}
    note = NoteMembership(entrant="A", member=True)
    (detailed,) = rosters.when(given, note)
    assert isinstance(detailed, facts.EntryDetailed)
    assert (detailed.declared, detailed.tournament) == (("member", "on-site"), TOURNAMENT)
    given = [*given, detailed]
    assert due(given, "A") == {"EUR": 10}
    assert rosters.when(given, note) == []
    paid: dict[str, Any] = {"currency": "EUR", "on": "2026-11-01", "reference": "VS-1"}
    settled = [*given, *rosters.when(given, RecordPayment(entrant="A", amount=10, **paid))]
    assert rosters.when(settled, NoteMembership(entrant="A", member=False)) == []
    now = RecordPayment(entrant="A", amount=13, declared=("on-site",), **paid)
    again = rosters.when(given, now)  # by what is found out when it is paid
    assert [type(event).__name__ for event in again] == ["EntryDetailed", "PaymentRecorded"]
    assert rosters.when([*given, *again], now) == []
    too_little = RecordPayment(entrant="A", amount=10, declared=("on-site",), **paid)
    with pytest.raises(FeeTooLow, match="13 EUR are due"):
        rosters.when(given, too_little)
    gone = [*given, *rosters.when(given, WithdrawEntry(entrant="A"))]
    assert rosters.when(gone, NoteMembership(entrant="A", member=False)) == []
    assert rosters.when(given, NoteMembership(entrant="nobody", member=True)) == []
    cancelled: list[facts.Event] = [*given, facts.TournamentCancelled(tournament=TOURNAMENT)]
    assert rosters.when(cancelled, NoteMembership(entrant="A", member=False)) == []
