"""A first round drawn by lot: who has played semifinals of earlier championships meets who has not, while there are any.

1. Everybody is drawn. The first of group A meets the first of group B, the second the second, until one group is used up.
2. Those who are left meet in the order in which they were drawn, and the last of an odd number meets BYE.
3. In the pairs of both groups the player of A has black in the first, white in the second, and so on; in the others
   whoever was drawn first has black.
4. Where that would bring together some who must not meet, it is drawn from the pairings in which they do not.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import explaining, matching, no_pairing
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.paired_round import PairedRound
from services.pairing.engines.swiss.costs import COSTS, in_brackets, lot, roles_of, vector

type BlackAndWhite = tuple[FieldPlayer, FieldPlayer]  # who has black first


def is_drawn(field: Field) -> bool:
    is_first = field.round == 1 and field.settings.is_swiss
    return is_first and field.settings.pairing.first_round.opponents == "history-groups"


def pair(field: Field) -> PairedRound:
    in_order = sorted(field.players, key=lambda player: player.lot)
    couples = drawn(field, in_order)
    if any(field.is_banned(one.id, other.id, field.round) for one, other in couples):
        couples = around_bans(field, in_order)
    seated = list(in_colours(field, couples))
    meeting = {player.id for two in couples for player in two}
    bye = next((player for player in in_order if player.id not in meeting), None)
    names = tuple(name for name in field.settings.pairing.cost if name != "lot")
    return PairedRound(
        round=field.round,
        method="cost-swiss",
        pairs=tuple(
            SeatedTable(table=table, seats=(black.id, white.id), first=black.id, why=why(field, black, white))
            for table, (black, white) in enumerate(seated, start=1)
        ),
        byes=() if bye is None else (bye.id,),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=tuple(explanation(field, couples, bye)),
        cost=costs(couples, names),
        components=names,
        proved=True,
    )


def is_of_a(field: Field, player: FieldPlayer) -> bool:
    return field.facts.entrants[player.id].history


def drawn(field: Field, in_order: Sequence[FieldPlayer]) -> list[BlackAndWhite]:
    groups = [[player for player in in_order if is_of_a(field, player) is of_a] for of_a in (True, False)]
    fewer = min(map(len, groups))
    rest = [player for group in groups for player in group[fewer:]]
    return [*zip(*(group[:fewer] for group in groups), strict=True), *zip(rest[::2], rest[1::2], strict=False)]


def around_bans(field: Field, in_order: Sequence[FieldPlayer]) -> list[BlackAndWhite]:
    """A draw without banned pairs, with as many pairs of both groups as there can be; BYE is the last, and of neither group."""
    edges = [
        (
            one,
            other,
            (int(is_of_a(field, in_order[one]) == is_of_a(field, in_order[other])), mixed(in_order, one, other)),
        )
        for one, other in combinations(range(len(in_order)), 2)
        if field.may_meet(in_order[one], in_order[other])
    ]
    nodes = len(in_order) + len(in_order) % 2
    edges += [(one, nodes - 1, (0, mixed(in_order, one, one))) for one in range(len(in_order)) if len(in_order) % 2]
    found = matching.cheapest(nodes, edges)
    if found is None:
        raise no_pairing.refusal(field)
    couples = [(in_order[one], in_order[other]) for one, other in found.links if other < len(in_order)]
    couples = [(two[1], two[0]) if is_of_a(field, two[1]) and not is_of_a(field, two[0]) else two for two in couples]
    return sorted(couples, key=lambda two: is_of_a(field, two[0]) == is_of_a(field, two[1]))


def mixed(in_order: Sequence[FieldPlayer], one: int, other: int) -> int:
    players = in_order[one], in_order[other]
    return lot(*players, roles_of(*players))


def in_colours(field: Field, couples: Sequence[BlackAndWhite]) -> Iterator[BlackAndWhite]:
    """Pairs of both groups come first; in every second of them the player of B has black."""
    for number, (one, other) in enumerate(couples):
        is_turned = is_of_a(field, one) and not is_of_a(field, other) and number % 2 == 1
        yield (other, one) if is_turned else (one, other)


def why(field: Field, black: FieldPlayer, white: FieldPlayer) -> tuple[str, ...]:
    if is_of_a(field, black) == is_of_a(field, white):
        return ("Drawn from those who were left.", f"{black.id} has black by lot.")
    one, other = (black, white) if is_of_a(field, black) else (white, black)
    return (
        f"Drawn: {one.id} of group A meets {other.id} of group B.",
        f"{black.id} has black: those of group A have it in every other pair, from the first one on.",
    )


def explanation(field: Field, couples: Sequence[BlackAndWhite], bye: FieldPlayer | None) -> Iterator[str]:
    of_a = sum(is_of_a(field, player) for player in field.players)
    mixed_pairs = sum(is_of_a(field, one) != is_of_a(field, other) for one, other in couples)
    yield (
        f"Group A, who have played semifinals of earlier championships: {of_a}; group B, all others: "
        f"{len(field.players) - of_a}."
    )
    yield f"Drawn by lot: {mixed_pairs} of A against B, and {len(couples) - mixed_pairs} among those who were left."
    if bye is not None:
        yield f"{bye.id} was left over in the draw and has the bye."
    yield from explaining.absences_explained(field)


def costs(couples: Sequence[BlackAndWhite], names: Sequence[str]) -> tuple[int, ...]:
    """What the later rounds compare. Here the draw has decided."""
    places = {
        player.id: player
        for player in in_brackets(sorted((one for two in couples for one in two), key=lambda one: one.place))
    }
    several = [sorted((places[one.id], places[other.id]), key=lambda player: player.place) for one, other in couples]
    vectors = [vector(upper, lower, [COSTS[name] for name in names]) for upper, lower in several]
    return tuple(map(sum, zip(*vectors, strict=True))) if vectors else (0,) * len(names)
