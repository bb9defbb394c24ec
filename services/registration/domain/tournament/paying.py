"""What is paid, given back, and waived."""

from services.registration.domain.tournament import entry_facts, entry_orders, finding, refusals
from services.registration.domain.tournament.clauses import by, of_payment
from services.registration.domain.tournament.conditions import limit_of
from services.registration.domain.tournament.details import Details
from services.registration.domain.tournament.entry_orders import Also, MoneyOrder
from services.registration.domain.tournament.money import due, is_settled, open_dues, paid
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.states import Event, Known
from shared.numbers import exact, stored
from shared.rulesets.entry import Fee

HOST = "host-school"  # the ground that only a school which is the host has


def decide(state: Known, order: MoneyOrder) -> list[Event]:
    require(state, order)
    finding.there(state.roster, order.entrant)
    details = state.roster.details_of(order.entrant)
    match order:
        case entry_orders.RecordPayment():
            return pay(state, order, details)
        case entry_orders.RecordRefund():
            return give_back(state, order, details)
        case entry_orders.RequestWaiver():
            require_ground(state, order.ground)
            if order.ground in details.waivers:
                return []
            return [waiver(state, order, entry_facts.WaiverRequested)]
        case entry_orders.GrantWaiver():
            return grant(state, order, details)
        case entry_orders.RefuseWaiver():
            require_requested(details, order.ground, of_waivers(state))
            if details.waivers[order.ground] == "refused":
                return []
            return [waiver(state, order, entry_facts.WaiverRefused)]


def pay(state: Known, order: entry_orders.RecordPayment, details: Details) -> list[Event]:
    """In full, in one of the currencies, by the fee that holds on the day on which it was paid."""
    if is_known(order, details, sign=1):
        return []
    rules = state.plan.ruleset.entry
    if is_settled(rules, details):
        raise refusals.NothingDue(f"{order.entrant} has nothing to pay any more.")
    if order.is_late and order.decision is None:
        limit = limit_of(state.plan, "payment")
        raise refusals.TooLate(
            f"It was paid later than the rules take it{by(limit.rule_id if limit else None)}: give it back, or say why it counts."
        )
    wanted = due(rules, details, order.on)
    if order.currency not in wanted:
        there_is = f"it can be paid in {' or '.join(wanted)}" if wanted else f"no fee holds on {order.on}"
        raise refusals.WrongCurrency(f"No fee is due in {order.currency}{by(of_payment(rules))}: {there_is}.")
    missing = open_dues(rules, details, order.on).get(order.currency, wanted[order.currency])
    if exact(order.amount) < missing and order.decision is None:
        short = stored(missing - exact(order.amount))
        raise refusals.FeeTooLow(
            f"{stored(missing)} {order.currency} are due on {order.on}, not {order.amount}{by(of_payment(rules))}: have the "
            f"other {short} paid first, or say why it is enough."
        )
    recorded = entry_facts.PaymentRecorded(
        entrant=order.entrant,
        tournament=state.plan.tournament,
        amount=order.amount,
        currency=order.currency,
        on=order.on,
        reference=order.reference,
        decision=order.decision,
    )
    return [recorded]


def with_the_entry(state: Known, also: Also, order: entry_orders.RecordPayment | None) -> list[Event]:
    """Who comes after the start cannot pay before it any more."""
    rules, details = state.plan.ruleset.entry, Details(also=also)
    if order is not None:
        return pay(state, order, details)
    if rules.payment != "recorded" and not is_settled(rules, details):
        raise refusals.NotPaid(f"Nobody takes part unpaid{by(of_payment(rules))}: send the payment with the entry.")
    return []


def give_back(state: Known, order: entry_orders.RecordRefund, details: Details) -> list[Event]:
    if is_known(order, details, sign=-1):
        return []
    if exact(order.amount) > paid(details).get(order.currency, exact(0)):
        raise refusals.NothingDue(f"So much was never paid in {order.currency}: give back what was paid at most.")
    if exact(order.amount) > details.refund_due.get(order.currency, exact(0)) and order.decision is None:
        limit = limit_of(state.plan, "refund")
        raise refusals.NothingDue(
            f"By the rules only who has withdrawn in time gets their fee back{by(limit.rule_id if limit else None)}: say "
            "why they get it all the same."
        )
    recorded = entry_facts.RefundRecorded(
        entrant=order.entrant,
        tournament=state.plan.tournament,
        amount=order.amount,
        currency=order.currency,
        on=order.on,
        reference=order.reference,
        decision=order.decision,
    )
    return [recorded]


def is_known(order: entry_orders.RecordPayment | entry_orders.RecordRefund, details: Details, *, sign: int) -> bool:
    """A reference is of one payment: twice is once."""
    said = (sign * exact(order.amount), order.currency, order.on)
    for money in details.money:
        if money.reference == order.reference and (money.amount > 0) == (sign > 0):
            if (money.amount, money.currency, money.on) == said:
                return True
            raise refusals.PaymentDiffers(f"{order.reference} is another payment: give this one another reference.")
    return False


def refunds(state: Known, entrant: str, passed: frozenset[str]) -> list[Event]:
    """What goes back to somebody who withdraws, where the rules give it back to who does so in time."""
    if limit_of(state.plan, "refund") is None or "refund" in passed:
        return []
    return [
        entry_facts.RefundDue(
            entrant=entrant, tournament=state.plan.tournament, amount=stored(amount), currency=currency
        )
        for currency, amount in paid(state.roster.details_of(entrant)).items()
        if amount > 0
    ]


# Waivers


def grant(state: Known, order: entry_orders.GrantWaiver, details: Details) -> list[Event]:
    fees, clause = require_ground(state, order.ground), of_waivers(state)
    require_requested(details, order.ground, clause)
    if details.waivers[order.ground] == "granted":
        return []
    school = details.also.school
    if order.ground == HOST and (school is None or school != state.plan.host):
        raise refusals.UnknownGround(
            f"Only entrants of the school that is the host have this ground{clause}: have the fee paid."
        )
    most = min((fee.waived_at_most for fee in fees if fee.waived_at_most is not None), default=None)
    if most is not None and granted_of_school(state, order, school) >= most:
        raise refusals.WaiversUsedUp(f"The fee is waived for {most} of one school{clause}: this one has to pay.")
    return [waiver(state, order, entry_facts.WaiverGranted)]


def granted_of_school(state: Known, order: entry_orders.GrantWaiver, school: str | None) -> int:
    field = state.roster
    others = [other for other in (*field.taking_part, *field.waiting) if other.entrant != order.entrant]
    known = [field.details_of(other.entrant) for other in others]
    return sum(details.also.school == school and order.ground in details.granted for details in known)


def require_ground(state: Known, ground: str) -> list[Fee]:
    fees = [fee for fee in state.plan.ruleset.entry.fees if ground in fee.waived_for]
    if not fees:
        grounds = sorted({one for fee in state.plan.ruleset.entry.fees for one in fee.waived_for})
        there_are = f"there are {', '.join(grounds)}" if grounds else "these rules waive none"
        raise refusals.UnknownGround(f"No fee is waived for {ground}{of_waivers(state)}: {there_are}.")
    return fees


def of_waivers(state: Known) -> str:
    """As refusals name the rule about them."""
    rules = state.plan.ruleset.entry
    return by(rules.rule_ids.get("waiver", of_payment(rules)))


def require_requested(details: Details, ground: str, clause: str) -> None:
    if ground not in details.waivers:
        raise refusals.NotRequested(f"Nobody has asked for a waiver as {ground}{clause}: request it first.")


def waiver(
    state: Known,
    order: entry_orders.RequestWaiver | entry_orders.GrantWaiver | entry_orders.RefuseWaiver,
    told: type[entry_facts.WaiverRequested | entry_facts.WaiverGranted | entry_facts.WaiverRefused],
) -> Event:
    return told(entrant=order.entrant, tournament=state.plan.tournament, ground=order.ground)
