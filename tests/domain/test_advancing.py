"""Whether the places of those who go on add up, level by level, and what is proposed."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.registration.domain.advancing import DividedPlaces, SeriesLevel, SeriesUnknown, divide, divided, level_of
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.states import known
from shared.rulesets import catalogue
from tests.rosters import TOURNAMENT, announced, state

BASE = SeriesLevel(
    tournament="",
    name="",
    rules="ot",
    region=None,
    entrants=0,
    has_begun=False,
    advance=None,
    announces=True,
    next_level=None,
    least=4,
    places=None,
    seeds_by_place=False,
    clause="PQ.REG-24",
)
GRF = replace(
    BASE,
    tournament="grf",
    name="Grand final",
    rules="grf",
    announces=False,
    least=32,
    places=32,
    seeds_by_place=True,
)


def area(name: str, advance: int | None, to: str | None = "kt", entrants: int = 8, **more: Any) -> SeriesLevel:
    said: dict[str, Any] = {
        "tournament": name,
        "name": name,
        "advance": advance,
        "next_level": to,
        "entrants": entrants,
    } | more
    return replace(BASE, **said)


def regional(name: str, advance: int | None, *, places: int | None = 8, **more: Any) -> SeriesLevel:
    return area(name, advance, "grf", 0, rules="kt", places=places, **more)


def faults(division: DividedPlaces) -> list[str]:
    return [*division.faults, *(fault for field in division.fields for fault in field.faults)]


@pytest.mark.rule("PQ.REG-24", "PQ.D83")
def test_what_area_tournaments_announce_adds_up_to_the_field_of_the_regional_one_and_those_to_the_final() -> None:
    levels = [GRF, regional("kt", 32, places=9), area("ot-1", 5), area("ot-2", 4)]
    division = divided(levels)
    assert division.adds_up
    assert [(one.level.name, one.announced, one.missing, one.too_many) for one in division.fields] == [
        ("Grand final", 32, 0, 0),
        ("kt", 9, 0, 0),
    ]


@pytest.mark.rule("PQ.REG-24")
def test_what_is_missing_or_too_much_is_named() -> None:
    levels = [GRF, regional("kt", 20), regional("south", 13), area("ot-1", 5), area("ot-2", 2), area("s-1", 8, "south")]
    assert faults(divided(levels)) == [
        "33 go on to Grand final, which has 32 places (PQ.REG-24): 1 are too many.",
        "7 go on to kt, which has 8 places (PQ.REG-24): 1 are missing.",
    ]
    open_yet = [GRF, regional("kt", None), area("ot-1", 8), area("ot-2", None), area("ot-3", 3, None)]
    assert faults(divided(open_yet)) == [
        "ot-3 leads nowhere (PQ.REG-24): name its next level.",
        "kt has not announced how many go on to Grand final (PQ.REG-24): announce it.",
        "ot-2 has not announced how many go on to kt (PQ.REG-24): announce it.",
        "8 go on to kt, and at least one of each of 1 others, which has 8 places (PQ.REG-24): 1 are too many.",
    ]
    alone = [replace(GRF, places=2), regional("kt", 1), regional("south", 1, region="s"), area("ot", 9, region="n")]
    alone[-1] = replace(alone[-1], next_level="south", has_begun=True)
    assert faults(divided(alone)) == [
        "Nobody comes to kt (PQ.REG-24): name it as the next level of others.",
        "ot is of another region than south, to which it leads (PQ.REG-24): name that of its own.",
        "ot lets 9 go on and has 8 entrants (PQ.REG-24): the others are missing.",
        "9 go on to south, which has 8 places (PQ.REG-24): 1 are too many.",
    ]
    with pytest.raises(SeriesUnknown, match="mend its name"):
        divided([])


@pytest.mark.rule("PQ.REG-24")
def test_a_regional_tournament_without_a_number_of_places_gets_at_least_as_many_as_it_is_held_with() -> None:
    final = replace(GRF, places=2)
    few = [final, regional("kt", 2, places=None), area("ot", 3)]
    assert faults(divided(few)) == ["3 go on to kt, which has at least 4 places (PQ.REG-24): 1 are missing."]
    assert divided([final, regional("kt", 2, places=None), area("ot", 30)]).adds_up


@pytest.mark.rule("PQ.REG-24")
def test_a_proposal_goes_by_the_teams_of_all_tournaments_that_lead_there() -> None:
    levels = [
        replace(GRF, places=8),
        *(regional(name, None, places=6) for name in ("north", "south", "west")),
        area("n-1", None, "north", 12),
        area("n-2", None, "north", 4),
        area("s-1", None, "south", 7),
        area("w-1", None, "west", 1),
    ]
    division = divided(levels)
    proposals = {one.level.name: [share.proposed for share in one.shares] for one in division.fields}
    assert proposals == {"Grand final": [5, 2, 1], "north": [5, 1], "south": [6], "west": [1]}


def test_ways_that_lead_in_a_circle_are_gone_once() -> None:
    """No order makes them one after the other; two in the same moment did once."""
    division = divided([area("one", 3, "other"), area("other", 2, "one"), area("round", 1, "round")])
    proposed = {field.level.name: [share.level.name for share in field.shares] for field in division.fields}
    assert proposed == {"one": ["other"], "other": ["one"], "round": ["round"]}


@given(places=st.integers(0, 40), weights=st.lists(st.integers(0, 30), max_size=8))
def test_a_proposal_gives_all_places_and_nobody_more_than_there_are(places: int, weights: list[int]) -> None:
    shares = divide(places, weights)
    there = [weight for weight in weights if weight]
    assert sum(shares) == min(max(places, len(there)), sum(weights))
    assert all(min(weight, 1) <= share <= weight for share, weight in zip(shares, weights, strict=True))
    heavier = sorted(zip(weights, shares, strict=True))
    assert all(one[1] <= other[1] + 1 for one, other in pairwise(heavier))


def test_a_tournament_is_read_as_a_level() -> None:
    ruleset = catalogue.load("pisqworky-2025-zs-grf")
    given_: list[facts.Event] = [announced(ruleset), facts.AdvanceAnnounced(tournament=TOURNAMENT, advance=3)]
    level = level_of(known(state(given_)))
    assert (level.least, level.places, level.seeds_by_place, level.announces) == (32, 32, True, False)
    assert (level.advance, level.clause, level.has_begun) == (3, "PQ.REG-24", False)
    assert level_of(known(state([announced(catalogue.load("pisqworky-2025-ss-kt"))]))).announces
