"""Fees: what is due on a day, in each currency that the rules name, and whether it was paid."""

from collections.abc import Mapping
from fractions import Fraction

from services.registration.domain.tournament.details import Details
from shared.rulesets.entry import Entry, Fee

NOTHING = Fraction(0)
LAST_DAY = "9999-12-31"


def due(rules: Entry, details: Details, on: str) -> Mapping[str, Fraction]:
    """Of the fees that hold on that day those that add up do so; of the others the lowest holds."""
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


def holds(fee: Fee, rules: Entry, details: Details, on: str) -> bool:
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


def is_waived(fee: Fee, details: Details) -> bool:
    return bool(details.granted & set(fee.waived_for))


def paid(details: Details, *, until: str | None = None) -> Mapping[str, Fraction]:
    """In each currency, less what was given back."""
    found: dict[str, Fraction] = {}
    for money in details.money:
        if until is None or money.on <= until or money.amount < 0:
            found[money.currency] = found.get(money.currency, NOTHING) + money.amount
    return found


def is_settled(rules: Entry, details: Details) -> bool:
    """Whether all of it was paid in one of the currencies on a day on which that was enough, or nothing is due at all."""
    if not rules.fees:
        return True
    days = sorted({money.on for money in details.money if money.amount > 0})
    if any(money.is_accepted for money in details.money) and any(paid(details).values()):
        return True
    if any(enough(rules, details, day) for day in days):
        return True
    return nothing_is_due(rules, details)


def nothing_is_due(rules: Entry, details: Details) -> bool:
    """Not even of who pays last: all that could hold is waived, or is for others."""
    return not any((due(rules, details, LAST_DAY) or due(rules, details, "")).values())


def enough(rules: Entry, details: Details, day: str) -> bool:
    wanted, given = due(rules, details, day), paid(details, until=day)
    return any(given.get(currency, NOTHING) >= amount for currency, amount in wanted.items())


def open_dues(rules: Entry, details: Details, on: str) -> Mapping[str, Fraction]:
    """What is still to be paid on a day, in one of these currencies; nothing once it is settled."""
    if is_settled(rules, details):
        return {}
    given = paid(details)
    return {
        currency: amount - given.get(currency, NOTHING)
        for currency, amount in due(rules, details, on).items()
        if amount > given.get(currency, NOTHING)
    }
