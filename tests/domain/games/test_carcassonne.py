"""Placement points, success rates, and the game of two whose flag has fallen."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from services.results.games.carcassonne.counting import Cap, counted, places
from shared.faults import Faulty

QUALIFICATION = tuple(map(Fraction, (4, 3, 2, 1)))
FINAL = tuple(map(Fraction, (4, 2)))
HALF = Fraction(1, 2)


def exact(scores: Sequence[float]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, scores))


@pytest.mark.rule("CC.RES-2", "CC.RES-3", "CC.RES-5")
@pytest.mark.parametrize(
    ("example", "scores", "points"),
    [
        ("CC.V1", (45, 80, 66, 34), (2, 4, 3, 1)),
        ("CC.V2", (70, 55, 55, 40), (4, 5 * HALF, 5 * HALF, 1)),
        ("CC.V3", (50, 50, 50, 50), (5 * HALF,) * 4),
        ("CC.V3", (60, 60, 60, 30), (3, 3, 3, 1)),
        ("CC.V3", (60, 60, 30, 30), (7 * HALF, 7 * HALF, 3 * HALF, 3 * HALF)),
        ("CC.V4", (60, 45, 30), (4, 3, 2)),
        ("three, tied", (60, 45, 45), (4, 5 * HALF, 5 * HALF)),
        ("CC.V7", (88, 75), (4, 2)),
        ("CC.V7", (60, 60), (3, 3)),
    ],
)
def test_placement_points(example: str, scores: tuple[int, ...], points: tuple[Fraction, ...]) -> None:
    worth = FINAL if len(scores) == 2 else QUALIFICATION
    assert counted(exact(scores), worth).points == points, example


@pytest.mark.rule("CC.RES-4", "CC.RES-6")
@pytest.mark.parametrize(
    ("scores", "success"),
    [
        ((45, 80, 66, 34), (Fraction(45, 225), Fraction(80, 225), Fraction(66, 225), Fraction(34, 225))),
        ((60, 45, 30), (Fraction(1, 3), Fraction(1, 4), Fraction(1, 6))),
        ((90, 70), (Fraction(9, 16), Fraction(7, 16))),
        ((0, 0, 0, 0), (Fraction(1, 4),) * 4),
        ((0, 0, 0), (Fraction(1, 4),) * 3),
        ((0, 0), (HALF, HALF)),
    ],
)
def test_success_rates(scores: tuple[int, ...], success: tuple[Fraction, ...]) -> None:
    """CC.V1, CC.V4, CC.D8."""
    assert counted(exact(scores), FINAL if len(scores) == 2 else QUALIFICATION).success == success


@pytest.mark.parametrize(
    ("board", "flag", "cap", "scores", "points", "success"),
    [
        ((90, 70), 0, "counted", (69, 70), (2, 4), Fraction(69, 139)),
        ((40, 70), 0, "counted", (40, 70), (2, 4), Fraction(4, 11)),
        ((70, 90), 1, "counted", (70, 69), (4, 2), Fraction(70, 139)),
        ((60, 60), 1, "counted", (60, 59), (4, 2), Fraction(60, 119)),
        ((5, 0), 0, "counted", (0, 0), (2, 4), HALF),
        ((90, 70), 0, "success-only", (90, 70), (2, 4), Fraction(69, 139)),
    ],
)
def test_whose_flag_has_fallen_has_lost(
    board: tuple[int, int],
    flag: int,
    cap: Cap,
    scores: tuple[int, int],
    points: tuple[int, int],
    success: Fraction,
) -> None:
    """CC.V7, CC.D7."""
    found = counted(exact(board), FINAL, flag=flag, cap=cap)
    assert (found.board, found.scores, found.points, found.success[0]) == (board, scores, points, success)


def test_equal_scores_share_the_best_place() -> None:
    """CC.D3."""
    assert places(exact((60, 60, 30, 30))) == (1, 1, 3, 3)
    assert places(exact((70, 55, 55, 40))) == (1, 2, 2, 4)


@pytest.mark.rule("CC.RES-1")
@pytest.mark.parametrize(
    ("scores", "worth", "flag", "pointer"),
    [
        ((1,), QUALIFICATION, None, "/scores"),
        ((1, 2, 3, 4, 5), (*QUALIFICATION, Fraction(0)), None, "/scores"),
        ((1, 2, 3), FINAL, None, "/scores"),
        ((1, -2), FINAL, None, "/scores/1"),
        ((1.5, 2), FINAL, None, "/scores/0"),
        ((1, 2, 3), QUALIFICATION, 0, "/flag"),
        ((1, 2), FINAL, 2, "/flag"),
    ],
)
def test_what_cannot_have_happened_at_a_table(
    scores: tuple[float, ...], worth: tuple[Fraction, ...], flag: int | None, pointer: str
) -> None:
    with pytest.raises(Faulty) as error:
        counted(exact(scores), worth, flag=flag)
    assert [fault.pointer for fault in error.value.faults] == [pointer]
