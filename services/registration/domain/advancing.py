"""The places of those who go on, divided among tournaments: whether they add up to the field of each next level.

What is announced is held against the places there, and a proposal stands beside it, in proportion to the entrants.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from services.registration.domain.tournament.reasons import cite
from services.registration.domain.tournament.states import AnnouncedTournament, Completed, Running, UnderReview
from shared.refusals import NotFound
from shared.values import Value


class SeriesUnknown(NotFound):
    """No tournament of the federation names it."""


class SeriesLevel(Value):
    """One tournament of a series, as far as its places and those who go on from it are concerned."""

    tournament: str
    name: str
    rules: str  # the id of its ruleset: tournaments of the same are of one level
    region: str | None
    entrants: int
    has_begun: bool  # and so nobody comes any more
    advance: int | None  # how many it has announced
    announces: bool  # whether its rules leave it to the announcement
    next_level: str | None
    least: int
    places: int | None  # none: as many as come
    seeds_by_place: bool  # and so everybody comes from another one
    clause: str | None


class FieldShare(Value):
    """One of those from which somebody comes to a next level."""

    level: SeriesLevel
    proposed: int | None  # none where nothing is known to divide by


class NextField(Value):
    """The field of a next level, and what leads to it."""

    level: SeriesLevel
    shares: tuple[FieldShare, ...]
    announced: int
    missing: int
    too_many: int
    faults: tuple[str, ...]


class DividedPlaces(Value):
    fields: tuple[NextField, ...]
    faults: tuple[str, ...]  # about tournaments that lead nowhere

    @property
    def adds_up(self) -> bool:
        return not self.faults and not any(field.faults for field in self.fields)


def level_of(state: AnnouncedTournament) -> SeriesLevel:
    plan, entry = state.plan, state.plan.ruleset.entry
    return SeriesLevel(
        tournament=plan.tournament,
        name=plan.name,
        rules=plan.ruleset.id,
        region=plan.region,
        entrants=len(state.roster.taking_part),
        has_begun=isinstance(state, Running | UnderReview | Completed),
        advance=plan.advance,
        announces=plan.ruleset.final.advance == "announced",
        next_level=plan.next_level,
        least=entry.size.least,
        places=entry.size.most,
        seeds_by_place=entry.seeding.by == "tiers",
        clause=entry.rule_ids.get("advancing"),
    )


def divided(levels: Sequence[SeriesLevel]) -> DividedPlaces:
    """Those to which others lead, and all of their level: one to which nothing leads lacks its whole field."""
    if not levels:
        raise SeriesUnknown("No tournament of the federation is of this series: look into the list, and mend its name.")
    by_id = {one.tournament: one for one in levels}
    led_to = {by_id[one.next_level].rules for one in levels if one.next_level in by_id}
    targets = [one for one in levels if one.rules in led_to or one.seeds_by_place]
    return DividedPlaces(
        fields=tuple(field_of(one, levels) for one in targets),
        faults=tuple(
            f"{one.name} leads nowhere{cite(one.clause)}: name its next level."
            for one in levels
            if one.announces and one.next_level not in by_id
        ),
    )


def field_of(target: SeriesLevel, levels: Sequence[SeriesLevel]) -> NextField:
    origins = [one for one in levels if one.next_level == target.tournament]
    announced = sum(one.advance or 0 for one in origins)
    pending = sum(one.advance is None for one in origins)
    most = target.places
    missing = 0 if pending else max((most or target.least) - announced, 0)
    too_many = max(announced + pending - most, 0) if most is not None else 0
    weights = [teams_before(one, levels) for one in origins]
    proposed: Mapping[int, int] = dict(enumerate(divide(most, weights))) if most is not None else {}
    return NextField(
        level=target,
        shares=tuple(
            FieldShare(level=one, proposed=proposed.get(number) if weights[number] else None)
            for number, one in enumerate(origins)
        ),
        announced=announced,
        missing=missing,
        too_many=too_many,
        faults=tuple(faults_of(target, origins, missing=missing, too_many=too_many)),
    )


def faults_of(target: SeriesLevel, origins: Sequence[SeriesLevel], *, missing: int, too_many: int) -> Iterator[str]:
    clause, places = cite(target.clause), f"{target.places or f'at least {target.least}'} places"
    if not origins:
        yield f"Nobody comes to {target.name}{clause}: name it as the next level of others."
        return
    for one in origins:
        if one.advance is None:
            yield f"{one.name} has not announced how many go on to {target.name}{clause}: announce it."
        if None not in {one.region, target.region} and one.region != target.region:
            yield f"{one.name} is of another region than {target.name}, to which it leads{clause}: name that of its own."
        if one.has_begun and one.advance is not None and one.advance > one.entrants:
            yield f"{one.name} lets {one.advance} go on and has {one.entrants} entrants{clause}: the others are missing."
    announced = sum(one.advance or 0 for one in origins)
    if missing:
        yield f"{announced} go on to {target.name}, which has {places}{clause}: {missing} are missing."
    if too_many:
        yield (
            f"{announced} go on to {target.name}{and_of_each(origins)}, which has {places}{clause}: {too_many} are too many."
        )


def and_of_each(origins: Sequence[SeriesLevel]) -> str:
    pending = sum(one.advance is None for one in origins)
    return f", and at least one of each of {pending} others" if pending else ""


def teams_before(one: SeriesLevel, levels: Sequence[SeriesLevel]) -> int:
    """How many there are on the way that leads here: those of all tournaments before, or its own. A way that leads in a circle is
    gone once."""
    others = [other for other in levels if other is not one]
    before = [other for other in others if other.next_level == one.tournament]
    return sum(teams_before(other, others) for other in before) if before else one.entrants


def divide(places: int, weights: Sequence[int]) -> list[int]:
    """In proportion to the weights, by the largest remainders; at least one for everybody who has any weight."""
    whole = sum(weights)
    if not whole:
        return [0 for _ in weights]
    places = min(places, whole)
    quotas = [Fraction(places * weight, whole) for weight in weights]
    shares = Counter({number: max(int(quota), min(weights[number], 1)) for number, quota in enumerate(quotas)})
    order = sorted(range(len(quotas)), key=lambda number: (int(quotas[number]) - quotas[number], number))
    while (left := places - shares.total()) > 0:
        shares.update(order[:left])
    while shares.total() > places and (above := [number for number in order if shares[number] > 1]):
        shares[min(above, key=lambda number: (quotas[number] - shares[number], -number))] -= 1
    return [shares[number] for number in range(len(quotas))]
