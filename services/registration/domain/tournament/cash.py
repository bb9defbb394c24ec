"""The cash of a tournament, by kind of fee: what was due, waived, paid and given back, and what is still open.

A fee is that of the day on which it was paid in full. What somebody paid goes to the kinds that were due from them in the
order of the rules; what was paid besides has a line of its own. So in each line `due` is the sum of `waived`,
`remitted`, `open` and what was paid for it.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from services.registration.domain.tournament.entrants import EntryDetails, StruckOff, WaitingEntrant, Withdrawn
from services.registration.domain.tournament.payments import (
    NOTHING,
    by_currency,
    days_of_payment,
    enough,
    holds,
    is_settled,
    is_waived,
    settled_by,
)
from services.registration.domain.tournament.states import AnnouncedTournament, Cancelled
from shared.rulesets.entry import Entry, Fee
from shared.values import Value

DUES = "membership"  # the kind of what members pay to the federation, where they pay it at the tournament
BESIDES = "besides"  # the kind of what was paid beyond all that was due


class CashLine(Value):
    """Of one kind of fee in one currency; of one entrant, or added up."""

    kind: str
    currency: str
    entrants: int = 1
    due: Fraction = NOTHING
    waived: Fraction = NOTHING
    remitted: Fraction = NOTHING  # somebody decided that less was enough
    paid: Fraction = NOTHING
    refunded: Fraction = NOTHING
    open: Fraction = NOTHING
    to_refund: Fraction = NOTHING  # that the rules give back, and nobody has yet

    @property
    def kept(self) -> Fraction:
        return self.paid - self.refunded


AMOUNTS = ("due", "waived", "remitted", "paid", "refunded", "open", "to_refund")


def cash_lines(state: AnnouncedTournament, on: str) -> list[CashLine]:
    """The kinds in the order of the rules, each in its currencies; on a day, where something is still to be paid."""
    rules, roster, is_held = state.plan.ruleset.entry, state.roster, not isinstance(state, Cancelled)
    found = [
        line
        for entrant in roster.entrants.values()
        for line in lines_of_entrant(
            rules,
            roster.details_of(entrant.entrant),
            on,
            has_place=is_held and not isinstance(entrant, Withdrawn | StruckOff | WaitingEntrant),
        )
    ]
    order = [*dict.fromkeys(fee.who for fee in rules.fees), BESIDES]
    return sorted(added_up(found), key=lambda line: order.index(line.kind))


def lines_of_dues(dues: Iterable[tuple[Fraction, str]]) -> list[CashLine]:
    """What was paid at the tournament for membership of the season, sum by sum with its currency."""
    return added_up(CashLine(kind=DUES, currency=currency, due=amount, paid=amount) for amount, currency in dues)


def totals(lines: Iterable[CashLine]) -> list[CashLine]:
    """One line for each currency. Somebody who pays for two kinds is counted once in each of them, and here too."""
    return added_up(replace(line, kind="") for line in lines)


def added_up(lines: Iterable[CashLine]) -> list[CashLine]:
    found: dict[tuple[str, str], CashLine] = {}
    for line in lines:
        key = (line.kind, line.currency)
        found[key] = line if key not in found else together(found[key], line)
    return list(found.values())


def together(one: CashLine, other: CashLine) -> CashLine:
    amounts = {name: getattr(one, name) + getattr(other, name) for name in AMOUNTS}
    return replace(one, entrants=one.entrants + other.entrants, **amounts)


def lines_of_entrant(rules: Entry, details: EntryDetails, on: str, *, has_place: bool) -> Iterator[CashLine]:
    """Whoever is gone again, or still waits, owes nothing, nor does who has settled it elsewhere, such as with the entry that
    they had before; what they have paid is there all the same."""
    given = by_currency(money for money in details.money if money.amount > 0)
    back = by_currency(money for money in details.money if money.amount < 0)
    owes = has_place and (not details.settled_in or settled_by(rules, details) is not None)
    if not given and not owes:
        return
    currency = next(iter(given), rules.fees[0].currency if rules.fees else "")
    settled = is_settled(rules, details)
    for money in dict.fromkeys((currency, *given)):
        charged = charges(rules, details, day_of(rules, details, on), money) if money == currency else []
        left, returned = given.get(money, NOTHING), -back.get(money, NOTHING)
        lines: list[CashLine] = []
        for fee, waived in charged:
            for_it = min(left, fee.amount - waived)
            left -= for_it
            line = CashLine(kind=fee.who, currency=money, due=for_it, paid=for_it)
            if owes:
                missing = fee.amount - waived - for_it
                of = {"remitted" if settled else "open": missing}
                lines.append(replace(line, due=fee.amount, waived=waived, **of))
            elif for_it:
                lines.append(line)
        if left:
            lines.append(CashLine(kind=BESIDES, currency=money, paid=left))
        yield from with_refunds(lines, returned, details.refund_due.get(money, NOTHING))


def with_refunds(lines: Iterable[CashLine], returned: Fraction, to_refund: Fraction) -> Iterator[CashLine]:
    """What was paid beyond all that was due is given back first."""
    for line in sorted(lines, key=lambda line: line.kind != BESIDES):
        now = min(returned, line.paid)
        later = min(to_refund, line.paid - now)
        returned, to_refund = returned - now, to_refund - later
        yield replace(line, refunded=now, to_refund=later)


def charges(rules: Entry, details: EntryDetails, day: str, currency: str) -> list[tuple[Fee, Fraction]]:
    """The fees that are theirs on a day, as `due` adds them up, each with what is waived of it."""
    here = [fee for fee in rules.fees if fee.currency == currency and holds(fee, rules, details, day)]
    to_pay = {id(fee): NOTHING if is_waived(fee, details) else fee.amount for fee in here}
    plain = [fee for fee in here if not fee.adds_up]
    lowest = min(plain, key=lambda fee: to_pay[id(fee)], default=None)
    counted = [fee for fee in here if fee.adds_up or fee is lowest]
    return [(fee, fee.amount - to_pay[id(fee)]) for fee in counted]


def day_of(rules: Entry, details: EntryDetails, on: str) -> str:
    days = days_of_payment(details)
    return next((day for day in days if enough(rules, details, day)), days[-1] if days else on)
