"""Why a round cannot be paired: the smallest group of entrants who have too few opponents left between them.

By Tutte and Berge such a group exists whenever there is no perfect matching, and by Gallai and Edmonds it is found
among those whom some largest matching leaves over: they fall into circles of an odd number, and what all of them
can still meet outside are fewer opponents than there are circles.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb

from services.pairing.engines.attendance import nobody
from services.pairing.engines.byes import due, is_due
from services.pairing.engines.explaining import few
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.matching import Opponents, left_over
from services.pairing.engines.paired_round import NoPairing

BYE = "the bye"
MOST_NAMED = 20
MOST_LOOKED_AT = 150_000  # circles in groups of equal size, which are looked at one by one, smallest first


def refusal(field: Field) -> NoPairing:
    if not field.players:
        return NoPairing(nobody(field.round))
    circles, outside = smallest_alone(field) or smallest(opponents_of(field))
    members = [one for circle in circles for one in circle]
    what = f"{sentence(field, circles, outside)} {way_out(field)}"
    return NoPairing(what, entrants=tuple(in_order(field, members)))


def alone(field: Field) -> list[FieldPlayer]:
    """Who may meet nobody. Counted from whom they have met and must not meet, which are few."""
    others = len(field.players) - 1
    return [player for player in field.players if len(impossible(field, player)) == others]


def impossible(field: Field, player: FieldPlayer) -> set[str]:
    """Whom somebody may not meet."""
    others = {*player.met, *field.banned(field.round).get(player.id, ())}
    return {one for one in others if one in field.by_id and not field.may_meet(player, field.by_id[one])}


def smallest_alone(field: Field) -> tuple[list[set[str]], set[str]] | None:
    """The obstacle that is seen at once: one who may meet nobody, or several to whom only the bye is left."""
    lonely = alone(field)
    stuck = [player for player in lonely if not (has_bye(field) and is_due(field, player))]
    if stuck:
        return [{stuck[0].id}], set()
    return ([{player.id} for player in lonely[:2]], {BYE}) if len(lonely) > 1 else None


def has_bye(field: Field) -> bool:
    return len(field.players) % 2 == 1 and field.settings.pairing.bye != "none"


def opponents_of(field: Field) -> Mapping[str, set[str]]:
    """Whom each may meet in this round; the bye of an odd field is an opponent too."""
    found = possible_opponents(field, field.players)
    if has_bye(field):
        found[BYE] = {player.id for player in due(field)}
        for one in found[BYE]:
            found[one].add(BYE)
    return found


def possible_opponents(field: Field, players: Sequence[FieldPlayer]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {player.id: set() for player in players}
    for one, other in combinations(players, 2):
        if field.may_meet(one, other):
            found[one.id].add(other.id)
            found[other.id].add(one.id)
    return found


def smallest(opponents: Opponents) -> tuple[list[set[str]], set[str]]:
    """Circles of odd numbers with fewer opponents outside than there are circles, as few circles as possible."""
    members, _ = left_over(opponents)
    circles = sorted(connected(opponents, members), key=lambda circle: (len(circle), sorted(circle)))
    sizes = (n for n in range(1, len(circles) + 1) if n * comb(len(circles), n) <= MOST_LOOKED_AT)
    groups = chain.from_iterable(combinations(circles, several) for several in sizes)
    found = next((group for group in groups if len(around(opponents, group)) < len(group)), circles)
    return list(found), around(opponents, found)


def connected(opponents: Opponents, among: set[str]) -> Iterator[set[str]]:
    unseen = set(among)
    while unseen:
        circle, edge = set[str](), {unseen.pop()}
        while edge:
            circle |= edge
            edge = {other for one in edge for other in opponents[one] & among} - circle
        unseen -= circle
        yield circle


def around(opponents: Opponents, circles: Sequence[set[str]]) -> set[str]:
    return {other for circle in circles for one in circle for other in opponents[one]} - set().union(*circles)


def sentence(field: Field, circles: Sequence[set[str]], outside: set[str]) -> str:
    everybody = in_order(field, [one for circle in circles for one in circle])
    if len(everybody) == 1:
        return f"{everybody[0]} {why_alone(field, everybody[0])}, so nobody is left to meet in round {field.round}."
    if len(circles) == 1:
        return f"{few(everybody, MOST_NAMED)} may meet only one another in round {field.round}, and they are an odd number."
    others = in_order(field, outside)
    left = (
        f"only {few(others, MOST_NAMED)} {'is' if len(others) == 1 else 'are'} left for them"
        if others
        else "nobody is left"
    )
    if all(len(circle) == 1 for circle in circles):
        return f"{few(everybody, MOST_NAMED)} {why_apart(field, everybody)}, and in round {field.round} {left}."
    apart = "; ".join(few(in_order(field, circle), MOST_NAMED) for circle in circles)
    return f"In round {field.round} these are groups of odd numbers with no pairs between them: {apart}; outside them {left}."


def way_out(field: Field) -> str:
    ended = f"end the stage after round {field.round - 1}, or " if field.round > 1 else ""
    return f"Officials can {ended}make this round by hand, with a reason."


def why_alone(field: Field, one: str) -> str:
    player = field.by_id[one]
    others = [other.id for other in field.players if other.id != one]
    banned = [other for other in others if field.is_banned(one, other, field.round)]
    met = [other for other in others if other in player.met and other not in banned]
    reasons = [
        *([f"has met {few(met, MOST_NAMED)}"] if met else []),
        *([f"must not meet {few(banned, MOST_NAMED)}"] if banned else []),
        *(["has had a bye"] if has_bye(field) and not is_due(field, player) else []),
    ]
    return " and ".join(reasons) or "is alone"


def why_apart(field: Field, several: Sequence[str]) -> str:
    """`have all met one another`, unless somebody is kept apart for another reason."""
    if BYE in several:
        return "have met, must not meet or have had a bye"
    pairs = list(combinations([field.by_id[one] for one in several], 2))
    if all(other.id in one.met for one, other in pairs):
        return "have all met one another"
    if any(other.id in one.met for one, other in pairs):
        return "have met or must not meet one another"
    return "must not meet one another"


def why_not(field: Field, one: str, other: str) -> str:
    """Why these two do not meet in any pairing."""
    if field.is_banned(one, other, field.round):
        return "they must not meet in this round"
    if not field.may_meet(field.by_id[one], field.by_id[other]):
        return "they have met"
    return "the others could not be paired then, now or in a later round"


def in_order(field: Field, several: set[str] | Sequence[str]) -> list[str]:
    places = {player.id: player.place for player in field.players}
    return sorted(several, key=lambda one: places.get(one, len(places)))
