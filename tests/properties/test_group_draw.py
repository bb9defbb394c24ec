"""The draw of groups leaves as few pairs of one school together as any draw could."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.tournament.groups import conflicts, drawn, fewest, sizes
from tests.exploring import tries

type Drawn = list[list[str]]

FEW = settings(max_examples=tries(150), deadline=None)
MANY = settings(max_examples=tries(300), deadline=None)


def every_draw(entrants: Sequence[str], of_sizes: Sequence[int]) -> Iterator[Drawn]:
    """All ways to fill groups of these sizes."""
    if not of_sizes:
        yield []
        return
    for members in combinations(entrants, of_sizes[0]):
        rest = [one for one in entrants if one not in members]
        yield from ([list(members), *more] for more in every_draw(rest, of_sizes[1:]))


@st.composite
def fields(draw: st.DrawFn, most: int) -> tuple[list[str], dict[str, str], int]:
    """Entrants in the order of a lot, the schools of most of them, and a number of groups."""
    size = draw(st.integers(4, most))
    order = [f"T{number}" for number in range(size)]
    named = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    schools = {one: f"S{school}" for one, school in zip(order, named, strict=True) if school}
    return order, schools, draw(st.sampled_from([1, 2, 4]))


@pytest.mark.rule("PQ.PAI-2")
@FEW
@given(field=fields(most=8))
def test_no_draw_has_fewer_pairs_of_one_school(field: tuple[list[str], dict[str, str], int]) -> None:
    """Held against every way to fill the groups."""
    order, schools, groups = field
    least = min(conflicts(other, schools) for other in every_draw(order, sizes(len(order), groups)))
    assert conflicts(drawn(order, groups, schools), schools) == least == fewest(order, groups, schools)


@MANY
@given(field=fields(most=40))
def test_every_school_is_spread_as_evenly_as_the_groups_allow(field: tuple[list[str], dict[str, str], int]) -> None:
    order, schools, groups = field
    found = drawn(order, groups, schools)
    assert sorted(one for members in found for one in members) == sorted(order)
    assert [len(members) for members in found] == sizes(len(order), groups)
    for school in set(schools.values()):
        counts = [sum(schools.get(one) == school for one in members) for members in found]
        assert max(counts) - min(counts) <= 1


def test_every_draw_that_keeps_schools_apart_can_come_out() -> None:
    entrants, schools = ["T1", "T2", "T3", "T4", "T5"], {"T1": "S", "T2": "S"}
    possible = {as_sets(one) for one in every_draw(entrants, [3, 2]) if conflicts(one, schools) == 0}
    assert {as_sets(drawn(order, 2, schools)) for order in permutations(entrants)} == possible


def as_sets(groups: Drawn) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, groups))
