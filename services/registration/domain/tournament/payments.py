"""Fees: what is due on a day, what was paid and given back, and what is waived.

The forms of fees are `Fee` in `shared/rulesets/entry.py`. What was settled in another tournament of the series
is `Series.settled_in` of `domain/series.py`, and comes with the order (`Judge.with_fees`): a team that takes another's place, or goes on
a level, pays nothing anew. That it was settled here is told to the others by `services/registration/series_fees.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Literal

from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import (
    Coming,
    EntrantState,
    EntryDetails,
    Money,
    ProposedEntry,
    StruckOff,
    Withdrawn,
    detailed,
)
from services.registration.domain.tournament.own_entries import require_before_start
from services.registration.domain.tournament.reasons import cite, payment_clause
from services.registration.domain.tournament.roster import Roster, entrant_of_id, evolve_roster, require_there
from services.registration.domain.tournament.states import (
    BEFORE,
    DURING,
    AnnouncedTournament,
    Cancelled,
    Completed,
    Phases,
    Plan,
    TooLate,
    deadline_of,
    require_phase,
)
from shared.commands.decider import Order
from shared.numbers import Number, exact, stored
from shared.refusals import Conflict, Invalid
from shared.rulesets.entry import Entry, Fee

# Orders


class RecordPayment(Order):
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    is_late: bool = False
    is_ahead: bool = False  # the day is still to come, wherever somebody pays
    decision: str | None = None
    declared: tuple[str, ...] | None = None  # what the roll and the history make of the entry now, where they say it


class RecordRefund(Order):
    entrant: str
    amount: Number
    currency: str
    on: str
    reference: str
    is_ahead: bool = False
    decision: str | None = None


class RequestWaiver(Order):
    entrant: str
    ground: str
    asked: facts.Asked | None = None


class GrantWaiver(Order):
    entrant: str
    ground: str
    hosts: frozenset[str] = frozenset()  # of the other tournaments of the series


class RefuseWaiver(Order):
    entrant: str
    ground: str


class NoteFeeElsewhere(Order):
    """A fee that is paid once for a series was settled in another tournament of it, or is due there again."""

    division: str
    payer: str
    elsewhere: str
    is_settled: bool


type PaymentOrder = RecordPayment | RecordRefund | RequestWaiver | GrantWaiver | RefuseWaiver

PHASES: Phases = {
    RecordPayment: (*BEFORE, *DURING, Completed, Cancelled),
    RecordRefund: (*BEFORE, *DURING, Completed, Cancelled),
    RequestWaiver: (*BEFORE, *DURING),
    GrantWaiver: (*BEFORE, *DURING),
    RefuseWaiver: (*BEFORE, *DURING),
}

# Refusals


class FeeTooLow(Invalid):
    """Less was paid than is due."""


class NoAmount(Invalid):
    """What is paid or given back is more than nothing."""


class DayToCome(Invalid):
    """Nothing is paid before its day has come."""


class WrongCurrency(Invalid):
    """The rules name no fee in this currency."""


class NothingDue(Conflict):
    """There is nothing to be paid, or to be given back."""


class PaymentDiffers(Conflict):
    """A payment with this reference was recorded, and it was another one."""


class UnknownGround(Invalid):
    """The rules know no such ground for a waiver."""


class NotRequested(Conflict):
    """A waiver is granted to who has asked for it."""


class WaiversUsedUp(Conflict):
    """As many of one school as the rules say are waived already."""


class NotPaid(Conflict):
    """Without payment there is no taking part."""


# Once for a series


def is_once(plan: Plan) -> bool:
    """Tell whether a fee is paid once for all tournaments of the series."""
    return plan.series is not None and plan.ruleset.entry.fee_for == "series"


def division_of(plan: Plan) -> str:
    return plan.ruleset.entry.division or ""


def payer_of(entrant: EntrantState | ProposedEntry, details: EntryDetails, rules: Entry) -> str:
    """Who owes the fee, by an id that is the same in all tournaments: the team, or whoever plays."""
    if rules.kind == "team":
        return details.also.team or entrant.entrant
    return entrant.said.persons[0]


def payer_with(entry: ProposedEntry, plan: Plan) -> str:
    return payer_of(entry, EntryDetails(also=entry.also), plan.ruleset.entry)


def settled_by(rules: Entry, details: EntryDetails) -> Literal["paid", "waived"] | None:
    """Find how a fee was settled in this very tournament, where it was."""
    if details.granted and rules.fees and nothing_is_due(rules, details):
        return "waived"
    return "paid" if is_paid(rules, details) else None


def note_fee(state: AnnouncedTournament, order: NoteFeeElsewhere) -> list[facts.FeeNoted]:
    """It is noted of everybody whom it is about, whatever part of its life the tournament is in."""
    is_elsewhere = order.elsewhere != state.plan.tournament
    if (is_elsewhere and not is_once(state.plan)) or division_of(state.plan) != order.division:
        return []
    roster, rules = state.roster, state.plan.ruleset.entry
    return [
        fee_noted(one.entrant, state.plan, order.elsewhere, is_settled=order.is_settled)
        for one in roster.entrants.values()
        if payer_of(one, details := roster.details_of(one.entrant), rules) == order.payer
        and (order.elsewhere in details.settled_in) is not order.is_settled
    ]


def settled_before(roster: Roster, entry: ProposedEntry, plan: Plan) -> bool:
    """Whoever has withdrawn and enters again owes the fee once, unless it is given back to them."""
    rules, payer = plan.ruleset.entry, payer_with(entry, plan)
    return any(
        payer_of(one, details, rules) == payer and settled_by(rules, details) and not any(details.refund_due.values())
        for one in roster.entrants.values()
        for details in [roster.details_of(one.entrant)]
    )


def noted_before(roster: Roster, entry: ProposedEntry, plan: Plan) -> list[facts.FeeNoted]:
    """That somebody who enters again has settled the fee with the entry before; for a series the series says it."""
    if is_once(plan) or entry.entrant in roster.entrants or not settled_before(roster, entry, plan):
        return []
    return [fee_noted(entry.entrant, plan, plan.tournament, is_settled=True)]


def fee_noted(entrant: str, plan: Plan, elsewhere: str, *, is_settled: bool) -> facts.FeeNoted:
    return facts.FeeNoted(entrant=entrant, tournament=plan.tournament, elsewhere=elsewhere, is_settled=is_settled)


# What is due


NOTHING = Fraction(0)
LAST_DAY = "9999-12-31"


def due(rules: Entry, details: EntryDetails, on: str) -> Mapping[str, Fraction]:
    """The fees that add up are added; of the others that hold on that day the lowest counts."""
    holding = [fee for fee in rules.fees if holds(fee, rules, details, on)]
    found: dict[str, Fraction] = {}
    for currency in dict.fromkeys(fee.currency for fee in rules.fees):
        here = [fee for fee in holding if fee.currency == currency]
        if not here:
            continue
        plain = [NOTHING if is_waived(fee, details) else fee.amount for fee in here if not fee.adds_up]
        besides = [fee.amount for fee in here if fee.adds_up and not is_waived(fee, details)]
        found[currency] = min(plain, default=NOTHING) + sum(besides, NOTHING)
    return found


def holds(fee: Fee, rules: Entry, details: EntryDetails, on: str) -> bool:
    if fee.until is not None and on > fee.until:
        return False
    declared = details.also.declared
    match fee.who:
        case "everybody":
            return True
        case "team":
            return rules.kind == "team"
        case "non-member":
            return "member" not in declared
        case "member" | "first-time" | "on-site":
            return fee.who in declared


def is_waived(fee: Fee, details: EntryDetails) -> bool:
    return bool(details.granted & set(fee.waived_for))


def paid(details: EntryDetails, *, until: str | None = None) -> Mapping[str, Fraction]:
    """What was paid in each currency, less what was given back."""
    return by_currency(money for money in standing(details) if until is None or money.on <= until or money.amount < 0)


def standing(details: EntryDetails) -> list[Money]:
    """A refund by the reference of a payment takes it off again: the right one is judged by its own day alone."""
    found: list[Money] = []
    for money in details.money:
        taken_off = [one for one in found if is_whole_refund(money, one)]
        found = [one for one in found if one not in taken_off] if taken_off else [*found, money]
    return found


def is_whole_refund(money: Money, of: Money) -> bool:
    said = (money.reference, money.currency, -money.amount)
    return money.amount < 0 and (of.reference, of.currency, of.amount) == said


def by_currency(several: Iterable[Money]) -> Mapping[str, Fraction]:
    found: dict[str, Fraction] = {}
    for money in several:
        found[money.currency] = found.get(money.currency, NOTHING) + money.amount
    return found


def days_of_payment(details: EntryDetails) -> list[str]:
    return sorted({money.on for money in standing(details) if money.amount > 0})


def is_settled(rules: Entry, details: EntryDetails) -> bool:
    """Tell whether all was paid, here or in another tournament of the series, or nothing is due at all."""
    if not rules.fees or details.settled_in:
        return True
    return is_paid(rules, details) or nothing_is_due(rules, details)


def is_paid(rules: Entry, details: EntryDetails) -> bool:
    """Tell whether all was paid here in one currency on a day on which that was enough."""
    if any(money.is_accepted for money in standing(details)) and any(paid(details).values()):
        return True
    return any(enough(rules, details, day) for day in days_of_payment(details))


def is_confirmed(rules: Entry, entrant: EntrantState, details: EntryDetails) -> bool | None:
    """Whether the public list says that they have paid; none where the rules do not have that shown, where there is no
    fee, and of who has gone again."""
    if not rules.payment_shown or not rules.fees or isinstance(entrant, Withdrawn | StruckOff):
        return None
    return is_settled(rules, details)


def nothing_is_due(rules: Entry, details: EntryDetails) -> bool:
    """Tell whether even those who pay last owe nothing, because all that could hold is waived or is for others."""
    return not any((due(rules, details, LAST_DAY) or due(rules, details, "")).values())


def enough(rules: Entry, details: EntryDetails, day: str) -> bool:
    wanted, given = due(rules, details, day), paid(details, until=day)
    return any(given.get(currency, NOTHING) >= amount for currency, amount in wanted.items())


def open_dues(rules: Entry, details: EntryDetails, on: str) -> Mapping[str, Fraction]:
    """What is still to be paid on a day, in one of these currencies; nothing once it is settled."""
    if is_settled(rules, details):
        return {}
    given = paid(details)
    return {
        currency: amount - given.get(currency, NOTHING)
        for currency, amount in due(rules, details, on).items()
        if amount > given.get(currency, NOTHING)
    }


# What is paid, given back and waived


HOST = "host-school"  # the ground that only a school which is the host has


def decide(state: AnnouncedTournament, order: PaymentOrder) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    events = decide_one(state, order)
    now = reduce(evolve_roster, events, state.roster).details_of(order.entrant)
    credited = [event.currency for event in events if isinstance(event, facts.PaymentRecorded)]
    return [*events, *told_here(state, order.entrant, now), *credited_after_all(state, order.entrant, now, credited)]


def told_here(state: AnnouncedTournament, entrant: str, now: EntryDetails) -> list[facts.Event]:
    """Whoever has withdrawn and entered again owes the fee once: what becomes of it counts for the other entry too."""
    roster, rules = state.roster, state.plan.ruleset.entry
    is_settled = settled_by(rules, now) is not None
    if is_settled is (settled_by(rules, roster.details_of(entrant)) is not None):
        return []
    payer = payer_of(roster.entrants[entrant], now, rules)
    note = NoteFeeElsewhere(
        division=division_of(state.plan), payer=payer, elsewhere=state.plan.tournament, is_settled=is_settled
    )
    return [event for event in note_fee(state, note) if event.entrant != entrant]


def credited_after_all(
    state: AnnouncedTournament, entrant: str, now: EntryDetails, currencies: Sequence[str]
) -> list[facts.RefundDue]:
    if not goes_back(state, state.roster.entrants[entrant]):
        return []
    given = paid(now)
    return [refund_due(entrant, state.plan, given[currency], currency) for currency in currencies]


def goes_back(state: AnnouncedTournament, was: EntrantState) -> bool:
    """What comes for what is not held goes back, and what comes for somebody who has withdrawn in time, unless they have
    entered again and it is for that."""
    if isinstance(state, Cancelled):
        return not is_once(state.plan)
    if not isinstance(was, Withdrawn) or not was.in_time:
        return False
    rules, roster = state.plan.ruleset.entry, state.roster
    payer = payer_of(was, roster.details_of(was.entrant), rules)
    there = (*roster.taking_part, *roster.waiting)
    return not any(payer_of(one, roster.details_of(one.entrant), rules) == payer for one in there)


def decide_one(state: AnnouncedTournament, order: PaymentOrder) -> Sequence[facts.PaymentEvent | facts.EntryDetailed]:
    entrant_of_id(state.roster, order.entrant)
    details = state.roster.details_of(order.entrant)
    match order:
        case RecordPayment():
            now = as_found_out(state, order, details)
            said = [] if now == details else [detailed(order.entrant, state.plan.tournament, now.also)]
            return [*said, *pay(state, order, now)]
        case RecordRefund():
            return give_back(state, order, details)
        case RequestWaiver():
            require_before_start(state, order.asked)
            require_there(state.roster.entrants[order.entrant])
            require_ground(state, order.ground)
            if order.ground in details.waivers:
                return []
            requested = facts.WaiverRequested(
                entrant=order.entrant, tournament=state.plan.tournament, ground=order.ground, asked=order.asked
            )
            return [requested]
        case GrantWaiver():
            return grant(state, order, details)
        case RefuseWaiver():
            require_requested(details, order.ground, waiver_clause(state))
            if details.waivers[order.ground] == "refused":
                return []
            return [waiver(state, order, facts.WaiverRefused)]


def as_found_out(state: AnnouncedTournament, order: RecordPayment, details: EntryDetails) -> EntryDetails:
    """Who became a member since the entry pays as one, and nobody plays for the first time twice; who has paid has."""
    if order.declared is None or is_recorded(order, details, sign=1) or is_settled(state.plan.ruleset.entry, details):
        return details
    return replace(details, also=replace(details.also, declared=order.declared))


def pay(state: AnnouncedTournament, order: RecordPayment, details: EntryDetails) -> list[facts.PaymentEvent]:
    """A fee is paid in full, in one of the currencies, by what holds on the day of the payment."""
    if is_recorded(order, details, sign=1):
        return []
    require_money(order)
    rules = state.plan.ruleset.entry
    if is_settled(rules, details):
        where = settled_where(state.plan, details)
        raise NothingDue(f"{order.entrant} has nothing to pay any more{cite(payment_clause(rules))}{where}.")
    if order.is_late and order.decision is None:
        limit = deadline_of(state.plan, "payment")
        raise TooLate(
            f"It was paid later than the rules take it{cite(limit.rule_id if limit else None)}: give it back, or say why it counts."
        )
    wanted = due(rules, details, order.on)
    if order.currency not in wanted:
        there_is = f"it can be paid in {' or '.join(wanted)}" if wanted else f"no fee holds on {order.on}"
        raise WrongCurrency(f"No fee is due in {order.currency}{cite(payment_clause(rules))}: {there_is}.")
    missing = open_dues(rules, details, order.on).get(order.currency, wanted[order.currency])
    if exact(order.amount) < missing and order.decision is None:
        short = stored(missing - exact(order.amount))
        raise FeeTooLow(
            f"{stored(missing)} {order.currency} are due on {order.on}, not {order.amount}{cite(payment_clause(rules))}: have the "
            f"other {short} paid first, or say why it is enough."
        )
    return [recorded(facts.PaymentRecorded, order, state)]


def settled_where(plan: Plan, details: EntryDetails) -> str:
    if others := [one for one in details.settled_in if one != plan.tournament]:
        return f": it is settled for the whole series, in {', '.join(others)}"
    return ": it was settled with the entry that they had before" if details.settled_in else ""


def require_paid(state: AnnouncedTournament, entrant: Coming) -> None:
    rules = state.plan.ruleset.entry
    if rules.payment != "before-check-in" or is_settled(rules, state.roster.details_of(entrant.entrant)):
        return
    raise NotPaid(
        f"{entrant.entrant} has not paid{cite(payment_clause(rules))}: record the payment, or grant a waiver, and check them in then."
    )


def pay_with_entry(
    state: AnnouncedTournament, entry: ProposedEntry, order: RecordPayment | None
) -> list[facts.PaymentEvent]:
    """Who comes after the start cannot pay before it any more, so the payment comes with the entry."""
    rules, known = state.plan.ruleset.entry, state.roster.details_of(entry.entrant)  # of who waited until then
    before = noted_before(state.roster, entry, state.plan)
    settled_in = (*known.settled_in, *entry.settled_in, *(one.elsewhere for one in before))
    details = replace(known, also=entry.also, settled_in=settled_in)
    if order is not None:
        return [*before, *pay(state, order, details)]
    if rules.payment != "recorded" and not is_settled(rules, details):
        raise NotPaid(f"Nobody takes part unpaid{cite(payment_clause(rules))}: send the payment with the entry.")
    return [*before]


def give_back(state: AnnouncedTournament, order: RecordRefund, details: EntryDetails) -> list[facts.PaymentEvent]:
    if is_recorded(order, details, sign=-1):
        return []
    require_money(order)
    if exact(order.amount) > paid(details).get(order.currency, exact(0)):
        raise NothingDue(f"So much was never paid in {order.currency}: give back what was paid at most.")
    if exact(order.amount) > details.refund_due.get(order.currency, exact(0)) and order.decision is None:
        limit = deadline_of(state.plan, "refund")
        raise NothingDue(
            f"By the rules only who has withdrawn in time gets their fee back{cite(limit.rule_id if limit else None)}: say "
            "why they get it all the same."
        )
    return [recorded(facts.RefundRecorded, order, state)]


def recorded[Recorded: (facts.PaymentRecorded, facts.RefundRecorded)](
    told: type[Recorded], order: RecordPayment | RecordRefund, state: AnnouncedTournament
) -> Recorded:
    return told(
        entrant=order.entrant,
        tournament=state.plan.tournament,
        amount=order.amount,
        currency=order.currency,
        on=order.on,
        reference=order.reference,
        decision=order.decision,
    )


def require_money(order: RecordPayment | RecordRefund) -> None:
    if exact(order.amount) <= 0:
        raise NoAmount(
            f"{order.amount} {order.currency} is no amount: say how much was paid as a payment, and how much was given back "
            "as a refund, each above zero."
        )
    if order.is_ahead:
        raise DayToCome(f"{order.on} is still to come: record it once it was paid, with the day of that.")


def is_recorded(order: RecordPayment | RecordRefund, details: EntryDetails, *, sign: int) -> bool:
    """A reference belongs to one payment: twice is once, unless it was taken off again in between."""
    said = (sign * exact(order.amount), order.currency, order.on)
    last = next((money for money in reversed(details.money) if money.reference == order.reference), None)
    if last is None or (last.amount > 0) != (sign > 0):
        return False
    if (last.amount, last.currency, last.on) == said:
        return True
    raise PaymentDiffers(f"{order.reference} is another payment: give this one another reference.")


def refunds(state: AnnouncedTournament, entrant: str, passed: frozenset[str]) -> list[facts.Event]:
    """Where the rules give it back, those who withdraw in time get what they have paid, be it for an entry that they had
    before."""
    return refunds_of(state, [entrant, *paid_for_before(state, entrant)]) if is_in_time(state.plan, passed) else []


def is_in_time(plan: Plan, passed: frozenset[str]) -> bool:
    """Tell whether who withdraws now gets back what they pay."""
    return deadline_of(plan, "refund") is not None and "refund" not in passed


def refund_due(entrant: str, plan: Plan, amount: Fraction, currency: str) -> facts.RefundDue:
    return facts.RefundDue(entrant=entrant, tournament=plan.tournament, amount=stored(amount), currency=currency)


def paid_for_before(state: AnnouncedTournament, entrant: str) -> list[str]:
    """The entries that are gone by which the fee of this one counts as settled here."""
    roster, rules, now = state.roster, state.plan.ruleset.entry, state.roster.details_of(entrant)
    if state.plan.tournament not in now.settled_in:
        return []
    payer = payer_of(roster.entrants[entrant], now, rules)
    return [
        one.entrant
        for one in roster.entrants.values()
        if one.entrant != entrant
        and isinstance(one, Withdrawn | StruckOff)
        and payer_of(one, roster.details_of(one.entrant), rules) == payer
    ]


def refunds_of_all(state: AnnouncedTournament) -> list[facts.Event]:
    """What is not held is given back to everybody; what is paid once for a series counts in its other tournaments."""
    return [] if is_once(state.plan) else refunds_of(state, state.roster.entrants)


def refunds_of(state: AnnouncedTournament, entrants: Iterable[str]) -> list[facts.Event]:
    return [
        refund_due(entrant, state.plan, amount, currency)
        for entrant in entrants
        for details in [state.roster.details_of(entrant)]
        for currency, amount in paid(details).items()
        if amount > details.refund_due.get(currency, NOTHING)
    ]


def grant(state: AnnouncedTournament, order: GrantWaiver, details: EntryDetails) -> list[facts.PaymentEvent]:
    fees, clause = require_ground(state, order.ground), waiver_clause(state)
    require_requested(details, order.ground, clause)
    if details.waivers[order.ground] == "granted":
        return []
    school = details.also.school
    if order.ground == HOST and (school is None or school not in {state.plan.host, *order.hosts}):
        of = "a school that hosts a tournament of the series" if is_once(state.plan) else "the school that is the host"
        raise UnknownGround(f"Only entrants of {of} have this ground{clause}: have the fee paid.")
    most = least_of(fee.waived_at_most for fee in fees)
    if most is not None and granted_of_school(state, order, school) >= most:
        raise WaiversUsedUp(f"The fee is waived for {most} of one school{clause}: this one has to pay.")
    return [waiver(state, order, facts.WaiverGranted)]


def waived_at_most(rules: Entry, details: EntryDetails) -> int | None:
    """For how many of one school the fee is waived, on the grounds on which it is for these."""
    return least_of(fee.waived_at_most for fee in rules.fees if is_waived(fee, details))


def least_of(limits: Iterable[int | None]) -> int | None:
    return min((one for one in limits if one is not None), default=None)


def granted_of_school(state: AnnouncedTournament, order: GrantWaiver, school: str | None) -> int:
    roster = state.roster
    others = [other for other in (*roster.taking_part, *roster.waiting) if other.entrant != order.entrant]
    known = [roster.details_of(other.entrant) for other in others]
    return sum(details.also.school == school and order.ground in details.granted for details in known)


def require_ground(state: AnnouncedTournament, ground: str) -> list[Fee]:
    fees = [fee for fee in state.plan.ruleset.entry.fees if ground in fee.waived_for]
    if not fees:
        grounds = sorted({one for fee in state.plan.ruleset.entry.fees for one in fee.waived_for})
        there_are = f"there are {', '.join(grounds)}" if grounds else "these rules waive none"
        raise UnknownGround(f"No fee is waived for {ground}{waiver_clause(state)}: {there_are}.")
    return fees


def waiver_clause(state: AnnouncedTournament) -> str:
    """Refusals name the rule about waivers by this."""
    rules = state.plan.ruleset.entry
    return cite(rules.rule_ids.get("waiver", payment_clause(rules)))


def require_requested(details: EntryDetails, ground: str, clause: str) -> None:
    if ground not in details.waivers:
        raise NotRequested(f"Nobody has asked for a waiver as {ground}{clause}: request it first.")


def waiver(
    state: AnnouncedTournament,
    order: GrantWaiver | RefuseWaiver,
    told: type[facts.WaiverGranted | facts.WaiverRefused],
) -> facts.PaymentEvent:
    return told(entrant=order.entrant, tournament=state.plan.tournament, ground=order.ground)
