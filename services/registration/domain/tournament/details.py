"""What is known of an entry besides who plays."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from services.registration.domain.tournament import entry_facts as facts
from services.registration.domain.tournament import level_facts
from services.registration.domain.tournament.entry_facts import Verdict
from services.registration.domain.tournament.entry_orders import NOTHING_ELSE, Also, Lateness
from shared.numbers import exact
from shared.values import Value


class Money(Value):
    """Paid, or given back when it is less than nothing."""

    amount: Fraction
    currency: str
    on: str
    reference: str
    is_accepted: bool = False  # as enough, by a decision


class Details(Value):
    also: Also = NOTHING_ELSE
    verdicts: tuple[Verdict, ...] = ()
    approval: str | None = None  # for another region than their own
    is_confirmed: bool = False
    money: tuple[Money, ...] = ()
    refund_due: Mapping[str, Fraction] = msgspec.field(default_factory=dict[str, Fraction])  # by currency
    waivers: Mapping[str, str] = msgspec.field(
        default_factory=dict[str, str]
    )  # by ground: requested, granted or refused
    present: tuple[str, ...] | None = None  # of a team
    late: Lateness | None = None
    is_called: bool = False  # out of the line of those who wait
    qualified: level_facts.EntrantQualified | None = None  # from another tournament

    @property
    def granted(self) -> frozenset[str]:
        return frozenset(ground for ground, status in self.waivers.items() if status == "granted")


NO_DETAILS = Details()

type MoneyEvent = (
    facts.PaymentRecorded
    | facts.RefundDue
    | facts.RefundRecorded
    | facts.WaiverRequested
    | facts.WaiverGranted
    | facts.WaiverRefused
)
type PlaceEvent = facts.PlaceConfirmed | facts.ReserveCalled | level_facts.EntrantQualified
type DetailEvent = (
    MoneyEvent
    | facts.EntryDetailed
    | facts.LineUpChanged
    | facts.EligibilityJudged
    | facts.RegionApproved
    | PlaceEvent
    | facts.MembersPresent
    | facts.EntrantLate
)


def evolve(was: Details, event: DetailEvent) -> Details:
    match event:
        case facts.EntryDetailed():
            return replace(was, also=said(event))
        case facts.LineUpChanged():
            also = replace(was.also, substitutes=event.substitutes, captain=event.captain)
            return replace(was, also=also)
        case facts.EligibilityJudged():
            return replace(was, verdicts=event.verdicts)
        case facts.RegionApproved():
            return replace(was, approval=event.region)
        case facts.MembersPresent():
            return replace(was, present=event.persons)
        case facts.EntrantLate():
            return replace(was, late=Lateness(event.effect))
        case facts.PlaceConfirmed() | facts.ReserveCalled() | level_facts.EntrantQualified():
            return evolve_place(was, event)
        case (
            facts.PaymentRecorded()
            | facts.RefundDue()
            | facts.RefundRecorded()
            | facts.WaiverRequested()
            | facts.WaiverGranted()
            | facts.WaiverRefused()
        ):
            return evolve_money(was, event)


def evolve_place(was: Details, event: PlaceEvent) -> Details:
    match event:
        case facts.PlaceConfirmed():
            return replace(was, is_confirmed=True)
        case facts.ReserveCalled():
            return replace(was, is_called=True)
        case level_facts.EntrantQualified():
            return replace(was, qualified=event)


def evolve_money(was: Details, event: MoneyEvent) -> Details:
    match event:
        case facts.PaymentRecorded():
            return replace(was, money=(*was.money, money(event, exact(event.amount))))
        case facts.RefundDue():
            return replace(was, refund_due={**was.refund_due, event.currency: exact(event.amount)})
        case facts.RefundRecorded():
            left = max(was.refund_due.get(event.currency, Fraction(0)) - exact(event.amount), Fraction(0))
            due = {**was.refund_due, event.currency: left}
            return replace(was, money=(*was.money, money(event, -exact(event.amount))), refund_due=due)
        case facts.WaiverRequested():
            return replace(was, waivers={**was.waivers, event.ground: "requested"})
        case facts.WaiverGranted():
            return replace(was, waivers={**was.waivers, event.ground: "granted"})
        case facts.WaiverRefused():
            return replace(was, waivers={**was.waivers, event.ground: "refused"})


def said(event: facts.EntryDetailed) -> Also:
    return Also(
        substitutes=event.substitutes,
        captain=event.captain,
        team=event.team,
        school=event.school,
        club=event.club,
        region=event.region,
        parts=event.parts,
        declared=event.declared,
        consents=event.consents,
        needs=event.needs,
        history=event.history,
        history_source=event.history_source,
        direct_source=event.direct_source,
        carried=event.carried,
        direct=event.direct,
    )


def detailed(entrant: str, tournament: str, also: Also) -> facts.EntryDetailed:
    return facts.EntryDetailed(
        entrant=entrant,
        tournament=tournament,
        substitutes=also.substitutes,
        captain=also.captain,
        team=also.team,
        school=also.school,
        club=also.club,
        region=also.region,
        parts=also.parts,
        declared=also.declared,
        consents=also.consents,
        needs=also.needs,
        history=also.history,
        history_source=also.history_source,
        direct_source=also.direct_source,
        carried=also.carried,
        direct=also.direct,
    )


def money(event: facts.PaymentRecorded | facts.RefundRecorded, amount: Fraction) -> Money:
    return Money(
        amount=amount,
        currency=event.currency,
        on=event.on,
        reference=event.reference,
        is_accepted=amount > 0 and event.decision is not None,
    )
