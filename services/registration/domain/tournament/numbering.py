"""The start numbers: by rating, by points brought along, by tiers, by lot or in the order of entry.

A key is what was read or drawn elsewhere: the place in the tournament before, where tiers or points brought along seed,
or a place in a draw that people made. A lot decides between those whose key is the same, of points those who bring as
many; where nobody has a key, between all.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from services.registration.domain.tournament.orders import StartTournament
from services.registration.domain.tournament.refusals import FieldChanged
from services.registration.domain.tournament.roster import Coming, Roster
from services.registration.domain.tournament.saying import Said
from shared.numbers import exact
from shared.rulesets.schema import Ruleset

BY_KEY = ("tiers", "lot")
PURPOSE = "start numbers"


def to_be_drawn(field: Roster, ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """Between whom a lot decides, by its purpose."""
    by = ruleset.entry.seeding.by
    if by not in (*BY_KEY, "carried"):
        return {}
    tiers: dict[str, list[str]] = {}
    for entrant in field.coming:
        with_points = f" with {points_of(field, entrant)} points" if by == "carried" else ""
        of_place = "" if entrant.said.key is None else f" of place {entrant.said.key}"
        tiers.setdefault(f"{PURPOSE}{of_place}{with_points}", []).append(entrant.entrant)
    return {purpose: tuple(entrants) for purpose, entrants in tiers.items() if len(entrants) > 1}


def points_of(field: Roster, entrant: Coming) -> Fraction:
    return exact(field.details_of(entrant.entrant).also.carried)


def numbered(field: Roster, ruleset: Ruleset, order: StartTournament) -> list[Coming]:
    """Highest first; equal ratings and points by the key; who is still equal in the order of entry, or as drawn."""
    position = {entrant: number for number, entrant in enumerate(order.drawn)}

    def seed(entrant: Coming) -> tuple[bool, int, bool, int]:
        rating, key = rated(entrant.said, ruleset, order.listed.get(entrant.entrant)).rating, entrant.said.key
        return rating is None, -(rating or 0), key is None, key or 0

    def brought(entrant: Coming) -> tuple[Fraction, bool, int, int]:
        key = entrant.said.key
        return -points_of(field, entrant), key is None, key or 0, position.get(entrant.entrant, 0)

    require_drawn(field, ruleset, order.drawn)
    match ruleset.entry.seeding.by:
        case "order":
            return field.coming
        case "rating":
            return sorted(field.coming, key=seed)
        case "carried":
            return sorted(field.coming, key=brought)
        case "tiers" | "lot":
            return sorted(field.coming, key=lambda one: (one.said.key or 0, position.get(one.entrant, 0)))


def require_drawn(field: Roster, ruleset: Ruleset, drawn: Sequence[str]) -> None:
    """Between everybody between whom a lot decides, one was drawn."""
    if {one for tier in to_be_drawn(field, ruleset).values() for one in tier} - set(drawn):
        raise FieldChanged("The field has changed while its start numbers were drawn: start once more.")


def rated(said: Said, ruleset: Ruleset, listed: int | None = None) -> Said:
    """Whoever says no rating gets that of the list, and who is not on it the one that the rules give to who is new."""
    unrated = ruleset.entry.seeding.unrated
    if said.rating is not None:
        return said
    if listed is not None:
        return replace(said, rating=listed, rated_by="list")
    return said if unrated is None else replace(said, rating=unrated, rated_by="rules")
