"""The cost Swiss: of all pairings that the rules allow, the one that costs least.

1. Nobody meets somebody more often than allowed, and no banned pair meets.
2. If one is left over, the lowest-placed who has had no bye sits out; or a dummy joins, whom it costs least to meet.
3. What is paired now leaves the later rounds possible, where the ruleset wants that.
4. Of all such pairings the vector of costs is smallest: the components of the ruleset in their order, each summed
   over all pairs. A later component never improves at the expense of an earlier one.
5. Who of a pair is named first evens out the roles, then alternates; where that leaves both alike it is the
   lower-placed on odd tables and the higher-placed on even ones, or goes by lot.
6. Tables are numbered from the top.

Where the first round is drawn by lot, nothing is compared in it.
"""

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import no_pairing
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.paired_round import NotAvailable, PairedRound
from services.pairing.engines.swiss import explaining, first_round
from services.pairing.engines.swiss.cost_swiss import CostSwiss, Solution
from services.pairing.engines.swiss.costs import COSTS, components, roles_of

BEGINNINGS = {
    "halves": frozenset({"balance", "lower-rated-on-odd-tables", "second-seed-on-odd-tables"}),
    "history-groups": frozenset({"history-alternates"}),
}


def pair(field: Field) -> PairedRound:
    require_known_rules(field)
    if field.players and first_round.is_drawn(field):
        return first_round.pair(field)
    found = CostSwiss(field).find() if field.players else None
    if found is None:
        raise no_pairing.refusal(field)
    return laid_out(field, found)


def require_known_rules(field: Field) -> None:
    """A ruleset may ask for what does not exist yet: this says so, rather than pair by another rule."""
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


def laid_out(field: Field, found: Solution) -> PairedRound:
    byes = () if found.bye is None else (found.bye.id,)
    return PairedRound(
        round=field.round,
        method="cost-swiss",
        pairs=tuple(
            seated(field, table, upper, lower)
            for table, (upper, lower) in enumerate(sorted(found.pairs, key=lambda two: two[0].place), start=1)
        ),
        byes=byes,
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=tuple(explaining.round_explained(field, found, components(field))),
        cost=found.vector or (0,) * len(components(field)),  # of one who only rests
        components=components(field),
        proved=found.is_proved,
    )


def seated(field: Field, table: int, upper: FieldPlayer, lower: FieldPlayer) -> SeatedTable:
    if is_chosen(field):
        return with_choice(field, table, upper, lower)
    wanted = roles_of(upper, lower).upper_is_first
    by_nothing_else = upper.lot < lower.lot if explaining.is_by_lot(field) else table % 2 == 0
    upper_is_first = by_nothing_else if wanted is None else wanted
    first, second = (upper, lower) if upper_is_first else (lower, upper)
    return SeatedTable(
        table=table,
        seats=(first.id, second.id),
        first=first.id,
        why=(
            *explaining.pair_explained(field, upper, lower),
            explaining.why_first(field, table, upper, lower, first),
        ),
    )


def is_chosen(field: Field) -> bool:
    """Whether nobody is named first by the pairing, but the players choose."""
    return field.settings.contest.starter == "choice" and field.settings.pairing.balance == "none"


def with_choice(field: Field, table: int, upper: FieldPlayer, lower: FieldPlayer) -> SeatedTable:
    """Who comes first in the order of the points brought along chooses the seat."""
    chooser, other = (one for one in field.brought.values() if one.id in {upper.id, lower.id})
    return SeatedTable(
        table=table,
        seats=(chooser.id, other.id),
        option=chooser.id,
        why=(*explaining.pair_explained(field, upper, lower), explaining.why_chooses(chooser, other)),
    )
