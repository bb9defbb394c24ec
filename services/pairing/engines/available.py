"""What a ruleset may ask of a Swiss, and what no engine can do yet: then it says so, rather than pair by another rule."""

from services.pairing.engines.costs import COSTS
from services.pairing.engines.field import Field
from services.pairing.engines.plan import NotAvailable

BEGINNINGS = {
    "halves": frozenset({"balance", "lower-rated-on-odd-tables", "second-seed-on-odd-tables"}),
    "history-groups": frozenset({"history-alternates"}),
}


def for_cost_swiss(field: Field) -> None:
    pairing = field.settings.pairing
    lacking = [f"the cost {name}" for name in pairing.cost if name not in COSTS]
    begins = pairing.first_round
    if begins.opponents not in BEGINNINGS:
        lacking.append(f"the first round by {begins.opponents}")
    elif begins.first not in BEGINNINGS[begins.opponents]:
        lacking.append(f"who begins by {begins.first} in a first round by {begins.opponents}")
    if pairing.bye == "lot":
        lacking.append("the bye by lot")
    if lacking:
        raise NotAvailable(f"This version cannot pair stage {field.stage} yet, since it lacks {' and '.join(lacking)}.")


def for_median_swiss(field: Field) -> None:
    pairing = field.settings.pairing
    lacking = [
        *([f"the first round by {pairing.first_round.opponents}"] if pairing.first_round.opponents != "halves" else []),
        *([f"who begins by {pairing.first_round.first}"] if pairing.first_round.first != "balance" else []),
        *([f"the bye by {pairing.bye}"] if pairing.bye != "lowest" else []),
    ]
    if lacking:
        raise NotAvailable(f"A median Swiss cannot pair stage {field.stage}, since it lacks {' and '.join(lacking)}.")
