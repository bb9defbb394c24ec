"""What a pair costs in the cost Swiss, by the names that rulesets use. The round minimises the sums, in their order.

The upper of a pair has the better place, and so at least as many points. Where the bye is matched like everybody, the
dummy of an odd field is the lower.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby

from msgspec.structs import replace

from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.history import DOWN, FIRST, SECOND, UP
from services.pairing.engines.matching import Vector
from shared.values import Value

type CostOfPair = Callable[[FieldPlayer, FieldPlayer, Roles], int]

MOST_ONE_SIDED = 2  # more often first than second, or the other way round, than this breaks the balance
LOT_BITS = 40  # so many that two pairings hardly ever draw alike


class Roles(Value):
    """Who of a pair is named first: what is most even, then what alternates. None is left to the table's number."""

    upper_is_first: bool | None
    unevenness: int
    excess: int
    repeats: int


@cache
def roles_by(upper: int, upper_last: int, lower: int, lower_last: int) -> Roles:
    """The roles that follow from each one's balance (times first minus times second) and last role."""
    upper_first = weighed(upper + 1, lower - 1, (upper_last == FIRST) + (lower_last == SECOND))
    lower_first = weighed(upper - 1, lower + 1, (upper_last == SECOND) + (lower_last == FIRST))
    unevenness, excess, repeats = min(upper_first, lower_first)
    return Roles(
        upper_is_first=None if upper_first == lower_first else upper_first < lower_first,
        unevenness=unevenness,
        excess=excess,
        repeats=repeats,
    )


def weighed(one: int, other: int, repeats: int) -> tuple[int, int, int]:
    excess = max(abs(one) - MOST_ONE_SIDED, 0) ** 2 + max(abs(other) - MOST_ONE_SIDED, 0) ** 2
    return one**2 + other**2, excess, repeats


def roles_of(upper: FieldPlayer, lower: FieldPlayer) -> Roles:
    """The roles that even out most; against the dummy nobody has one."""
    if lower.is_bye:
        unevenness, excess, _ = weighed(upper.balance, 0, 0)
        return Roles(upper_is_first=None, unevenness=unevenness, excess=excess, repeats=0)
    return roles_by(upper.balance, upper.last_role, lower.balance, lower.last_role)


def difference(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    return upper.points - lower.points


def squared_difference(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    """(2 · difference)² where points come in halves: one large difference is worse than two small ones."""
    return (upper.points - lower.points) ** 2


def meetings(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    return lower.met.get(upper.id, 0)


def role_excess(_upper: FieldPlayer, _lower: FieldPlayer, roles: Roles) -> int:
    """How far one of them would be beyond what still counts as balanced."""
    return roles.excess


def role_balance(_upper: FieldPlayer, _lower: FieldPlayer, roles: Roles) -> int:
    """The squares of how much more often each of them would have been named first than second, or the reverse."""
    return roles.unevenness


def floats(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    """How many of the two float in the direction in which they floated last."""
    if upper.points == lower.points:
        return 0
    return (upper.last_float == DOWN) + (lower.last_float == UP)


def alternation(_upper: FieldPlayer, _lower: FieldPlayer, roles: Roles) -> int:
    """How many of the two have the same role as last time."""
    return roles.repeats


def halves(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    """How far from upper half against lower half; of who floats, how far from the edges where brackets touch."""
    if upper.points == lower.points:
        return (lower.bracket_place - upper.bracket_place - upper.bracket_size // 2) ** 2
    return (upper.bracket_size - 1 - upper.bracket_place) ** 2 + lower.bracket_place**2


def lot(upper: FieldPlayer, lower: FieldPlayer, _: Roles) -> int:
    """A number mixed from both places in the lot of the round, the same whoever comes first."""
    one, other = sorted((upper.lot, lower.lot))
    mixed = ((one << 32 | other) * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93 & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9 % (1 << 64) >> 64 - LOT_BITS


COSTS: Mapping[str, CostOfPair] = {
    "difference": difference,
    "squared-difference": squared_difference,
    "meetings": meetings,
    "role-excess": role_excess,
    "roles": role_balance,
    "floats": floats,
    "alternation": alternation,
    "halves": halves,
    "lot": lot,
}


def vector(upper: FieldPlayer, lower: FieldPlayer, costs: Sequence[CostOfPair]) -> Vector:
    roles = roles_of(upper, lower)
    return tuple([cost(upper, lower, roles) for cost in costs])


def in_brackets(players: Sequence[FieldPlayer]) -> list[FieldPlayer]:
    """Everybody with the place among those with equal points."""
    brackets = [list(equal) for _, equal in groupby(players, lambda player: player.points)]
    return [
        replace(player, bracket_place=place, bracket_size=len(bracket))
        for bracket in brackets
        for place, player in enumerate(bracket)
    ]


def components(field: Field) -> tuple[str, ...]:
    """A lot comes last, whether the ruleset says so or not: of equal pairings one has to be chosen."""
    named = field.settings.pairing.cost
    return named if named[-1:] == ("lot",) else (*named, "lot")
