"""What a cost Swiss has found becomes a round: tables from the top, each with who is named first, and why."""

from services.pairing.engines import explaining
from services.pairing.engines.costs import roles_of
from services.pairing.engines.explaining import Best
from services.pairing.engines.field import Field, Player
from services.pairing.engines.plan import Pair, Pairing

METHOD = "cost-swiss"


def components(field: Field) -> tuple[str, ...]:
    """A lot comes last, whether the ruleset says so or not: of equal pairings one has to be chosen."""
    named = field.settings.pairing.cost
    return named if named[-1:] == ("lot",) else (*named, "lot")


def laid_out(field: Field, found: Best) -> Pairing:
    byes = () if found.bye is None else (found.bye.id,)
    return Pairing(
        round=field.round,
        method=METHOD,
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


def seated(field: Field, table: int, upper: Player, lower: Player) -> Pair:
    if is_chosen(field):
        return with_choice(field, table, upper, lower)
    wanted = roles_of(upper, lower).upper_is_first
    by_nothing_else = upper.lot < lower.lot if explaining.is_by_lot(field) else table % 2 == 0
    upper_is_first = by_nothing_else if wanted is None else wanted
    first, second = (upper, lower) if upper_is_first else (lower, upper)
    return Pair(
        table=table,
        seats=(first.id, second.id),
        first=first.id,
        why=(
            *explaining.pair_explained(field, upper, lower),
            explaining.why_first(field, table, upper, lower, first),
        ),
    )


def is_chosen(field: Field) -> bool:
    """Nobody is named first by the pairing: the players choose."""
    return field.settings.contest.starter == "choice" and field.settings.pairing.balance == "none"


def with_choice(field: Field, table: int, upper: Player, lower: Player) -> Pair:
    """Who comes first in the order of the points brought along chooses the seat."""
    chooser, other = (one for one in field.brought.values() if one.id in {upper.id, lower.id})
    return Pair(
        table=table,
        seats=(chooser.id, other.id),
        option=chooser.id,
        why=(*explaining.pair_explained(field, upper, lower), explaining.why_chooses(chooser, other)),
    )
