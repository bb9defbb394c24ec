"""The order of those who bring points along: it begins their stage, and says who chooses the seat in it.

1. Who brings more points comes first.
2. Of those with equal points who come from an earlier stage, the better placed there comes first.
3. Anybody else with equal points goes by start number, which comes from a lot where nothing else gives it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from shared.tournament.facts import Entrant, Facts
from shared.tournament.ledger import bringing_points
from shared.tournament.ranking import order_before
from shared.tournament.stages import settings_of


def in_order(facts: Facts, stage: str) -> list[Entrant]:
    """With the points that they bring."""
    entrants = bringing_points(facts, stage, settings_of(facts, stage)).values()
    by_number = sorted(entrants, key=lambda one: (-one.carried, one.number, one.id))
    places = {one: place for place, one in enumerate(order_before(facts, stage))}
    groups = (tuple(equal) for _, equal in groupby(by_number, key=lambda one: one.carried))
    return [one for equal in groups for one in as_placed_before(equal, places)]


def as_placed_before(equal: Sequence[Entrant], places: Mapping[str, int]) -> Iterator[Entrant]:
    """Those who have a place from before change theirs with each other only."""
    placed = iter(sorted((one for one in equal if one.id in places), key=lambda one: places[one.id]))
    yield from (next(placed) if one.id in places else one for one in equal)
