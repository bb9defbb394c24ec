"""Whole tournaments of every ruleset, for many sizes. A round is refused only where the rules leave none."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.pairing.engines import check
from shared.rulesets import catalogue
from tests.courses import Course, before_the_start
from tests.exploring import tries

SIZES = {
    "carcassonne-cz-final": (32,),
    "carcassonne-cz-qualification": (7, 24),
    "gomoku-cfp": (6, 9, 20),
    "othello-pl-2021": (9, 17, 30),
    "pisqworky-2025-individual": (9, 40),
    "pisqworky-2025-ss-grf": (16, 31),
    "pisqworky-2025-ss-kt": (11, 24),
    "pisqworky-2025-ss-ot": (12, 17),
    "pisqworky-2025-zs-grf": (20, 32),
    "pisqworky-2025-zs-kt": (13, 22),
    "pisqworky-2025-zs-ot": (12, 20),
    "scrabble-sk-2022-ms": (15, 34),
    "scrabble-sk-2022-online": (8, 16),
    "scrabble-sk-2022-qt": (10, 16, 51),
}
ANY = settings(max_examples=tries(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_every_ruleset_of_the_catalogue_is_played() -> None:
    assert SIZES.keys() == set(catalogue.ids())


def whole(ruleset: str, size: int, seed: int, *, is_disturbed: bool) -> tuple[Course, int]:
    """Played to its end, and how many rounds there were."""
    known = before_the_start(ruleset, size)
    course = Course(known=known, chance=random.Random(seed), is_disturbed=is_disturbed)
    rounds = 0
    for facts, stage, pairing in course.whole():
        assert [breach for breach in check(facts, stage, pairing) if breach.severity == "hard"] == []
        assert all(one.why for one in pairing.pairs)
        rounds += 1
    return course, rounds


@pytest.mark.parametrize(("ruleset", "size"), [(name, size) for name, sizes in SIZES.items() for size in sizes])
def test_a_tournament_runs_to_its_end(ruleset: str, size: int) -> None:
    course, rounds = whole(ruleset, size, size, is_disturbed=False)
    assert rounds >= 3
    assert course.refused == 0


@pytest.mark.parametrize(("ruleset", "size"), [(name, size) for name, sizes in SIZES.items() for size in sizes])
def test_withdrawals_late_arrivals_absences_and_corrections_do_not_keep_it_from_its_end(
    ruleset: str, size: int
) -> None:
    course, rounds = whole(ruleset, size, size, is_disturbed=True)
    assert rounds >= 3
    assert len(course.disturbances) == 4


@ANY
@given(
    ruleset=st.sampled_from(sorted(SIZES)),
    size=st.integers(4, 40),
    seed=st.integers(0, 10**6),
    is_disturbed=st.booleans(),
)
def test_so_does_any_other(ruleset: str, size: int, seed: int, is_disturbed: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    if size == 5 and ruleset == "carcassonne-cz-qualification":
        size = 6  # five fit at no tables
    whole(ruleset, 32 if ruleset == "carcassonne-cz-final" else size, seed, is_disturbed=is_disturbed)
