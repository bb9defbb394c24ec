"""Why a round of a cost Swiss is paired as it is, in sentences for those who play it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from services.pairing.engines.byes import bye_explained
from services.pairing.engines.explaining import (
    absences_explained,
    few,
    later_rounds_explained,
    ordinal,
    points_of,
    said,
    times,
)
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.history import DOWN, FIRST, UP
from services.pairing.engines.no_pairing import impossible, in_order
from services.pairing.engines.swiss.cost_swiss import Solution
from services.pairing.engines.swiss.costs import roles_of
from shared.tournament.facts import Entrant
from shared.values import Value

COMPONENTS = {
    "difference": "differences of points",
    "squared-difference": "differences of points, doubled and squared",
    "meetings": "earlier meetings",
    "role-excess": "roles out of balance",
    "roles": "differences between times first and second, squared",
    "floats": "floats in the direction of the last one",
    "alternation": "roles as in the last game",
    "halves": "distance from half against half",
    "lot": "lot",
}


class Wording(Value):
    """How a game speaks of who is named first."""

    is_first: str = "is named first"
    having_been: str = "having been so"
    first: str = "first"
    second: str = "second"


USUAL = Wording()
WORDINGS: Mapping[str, Wording] = {
    "othello": Wording(is_first="has black", having_been="having had it", first="black", second="white")
}


def round_explained(field: Field, found: Solution, components: Sequence[str]) -> Iterator[str]:
    yield from brackets_explained(field, found)
    if found.bye is not None:
        yield bye_explained(field, found.bye, found.passed_over)
    yield from absences_explained(field)
    costs = [
        f"{COMPONENTS[name]} {cost}" for name, cost in zip(components, found.vector, strict=False) if name != "lot"
    ]
    if costs:
        yield f"Cost, most important first: {'; '.join(costs)}."
    if not found.is_proved:
        yield "The best pairing that was found; that there is none better is not proved for a field like this."
    if not found.is_cheapest:
        yield "A cheaper pairing would have left a later round without one, since few opponents are left."
    yield from later_rounds_explained(field, found.rounds_kept)


def brackets_explained(field: Field, found: Solution) -> Iterator[str]:
    if field.round == 1 and field.settings.scoring.carry:
        yield "In the first round the upper half meets the lower half, in the order of the points brought along."
        return
    down = Counter(upper.points for upper, lower in found.pairs if upper.points != lower.points)
    up = Counter(lower.points for upper, lower in found.pairs if upper.points != lower.points)
    for points, players in groupby(field.players, lambda player: player.points):
        size = sum(1 for _ in players)
        floating = [
            f"{number} {'floats' if number == 1 else 'float'} {way}"
            for number, way in ((down[points], "down"), (up[points], "up"))
            if number
        ]
        sitting_out = ["one has the bye"] if found.bye is not None and found.bye.points == points else []
        entrants = "1 entrant" if size == 1 else f"{size} entrants"
        yield f"Bracket of {said(Fraction(points, field.units))}: {', '.join([entrants, *floating, *sitting_out])}."


def pair_explained(field: Field, upper: FieldPlayer, lower: FieldPlayer) -> Iterator[str]:
    yield why_they_meet(field, upper, lower)
    if upper.met.get(lower.id):
        yield "They meet again: any pairing with fewer second meetings has greater differences of points."
    for one, other in ((upper, lower), (lower, upper)):
        yield from ruled_out(field, one, other)
        yield from float_again(one, other)


def why_they_meet(field: Field, upper: FieldPlayer, lower: FieldPlayer) -> str:
    if upper.points == lower.points:
        if field.round == 1:
            order = "order of points brought along" if field.settings.scoring.carry else "start order"
            return f"{upper.id} is {ordinal(upper.place + 1)} of the {order}, {lower.id} {ordinal(lower.place + 1)}."
        places = f"{ordinal(upper.bracket_place + 1)} and {ordinal(lower.bracket_place + 1)}"
        return f"Both have {points_of(field, upper)}: the {places} of {upper.bracket_size} with so many."
    size = upper.bracket_size
    if size == 1:
        reason = f"nobody else to be paired has as many as {upper.id}"
    elif size % 2:
        reason = f"the {size} to be paired who have as many as {upper.id} are an odd number"
    else:
        reason = f"the {size} who have as many as {upper.id} cannot all meet one another at less cost"
    return (
        f"{upper.id} has {points_of(field, upper)} and floats down, "
        f"{lower.id} has {points_of(field, lower)} and floats up: {reason}."
    )


def ruled_out(field: Field, one: FieldPlayer, opponent: FieldPlayer) -> Iterator[str]:
    """Those who have no worse a difference of points and may not be met."""
    distance = abs(one.points - opponent.points)
    near = [
        other
        for other in in_order(field, impossible(field, one))
        if abs(field.by_id[other].points - one.points) <= distance
    ]
    banned = [other for other in near if field.is_banned(one.id, other, field.round)]
    met = [other for other in near if other not in banned]
    if met:
        yield f"{one.id} has already met {few(met)}."
    if banned:
        yield f"{one.id} must not meet {few(banned)} in this round."


def float_again(one: FieldPlayer, other: FieldPlayer) -> Iterator[str]:
    if other.points < one.points and one.last_float == DOWN:
        yield f"{one.id} floats down although the last float went down too: nothing better was possible."
    if other.points > one.points and one.last_float == UP:
        yield f"{one.id} floats up although the last float went up too: nothing better was possible."


def is_by_lot(field: Field) -> bool:
    """Whether a lot decides who is named first where nothing else does."""
    return field.settings.pairing.first_round.first == "history-alternates"


def why_first(field: Field, table: int, upper: FieldPlayer, lower: FieldPlayer, first: FieldPlayer) -> str:
    second = lower if first is upper else upper
    words = WORDINGS.get(field.facts.ruleset.game, USUAL)
    if roles_of(upper, lower).upper_is_first is None:
        if is_by_lot(field):
            return f"{first.id} {words.is_first} by lot, since nothing else decides."
        placed = "higher" if first is upper else "lower"
        which = "even" if table % 2 == 0 else "odd"
        return f"{first.id} {words.is_first}: on {which} tables it is the {placed}-placed, since nothing else decides."
    if first.balance != second.balance:
        return (
            f"{first.id} {words.is_first}, {words.having_been} {times(first.roles[0])} and {words.second} "
            f"{times(first.roles[1])}; {second.id} {times(second.roles[0])} and {times(second.roles[1])}."
        )
    role = words.first if second.last_role == FIRST else words.second
    whose = second if second.last_role == FIRST else first
    had = "had" if words is not USUAL else "was"
    return f"{first.id} {words.is_first}, since {whose.id} {had} {role} last time."


def why_chooses(chooser: Entrant, other: Entrant) -> str:
    if chooser.carried == other.carried:
        return f"{chooser.id} chooses the seat: both bring {said(chooser.carried)}, and {chooser.id} stood before {other.id}."
    return f"{chooser.id} chooses the seat, bringing {said(chooser.carried)}; {other.id} brings {said(other.carried)}."
