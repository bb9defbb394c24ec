"""The records of a tournament, from what sheets say."""

from typing import Any

import pytest

from services.results.domain.sheet.states import Details, Final, GivenReport, Result, ScoredTurn, Sheet, Speaker
from services.results.domain.tournament_records import BestAchieved, achieved, bests, noted


def final(
    table: int, seats: str, *scores: int, number: int = 1, end: str = "played", told: Details | None = None, **more: Any
) -> Final:
    """Reported by one voice with these details, unless another report is said."""
    result = Result(scores=scores, points=(), end=end)
    report = GivenReport(
        number=1, by=Speaker(person="sue"), result=more.pop("reported", result), details=told or Details()
    )
    stage = more.pop("stage", "swiss")
    sheet = Sheet(
        game=f"g{number}.{table}", tournament="cup", stage=stage, round=number, table=table, seats=tuple(seats)
    )
    return Final(sheet=sheet, result=result, reports=(report, *more.pop("besides", ())), said=1)


def turns(*bingos: tuple[int, int], best: tuple[int, int] | None = None) -> Details:
    return Details(
        highest_turn=ScoredTurn(seat=best[0], points=best[1]) if best else None,
        bingos=tuple(ScoredTurn(seat=seat, points=points) for seat, points in bingos),
    )


def found(*sheets: Final) -> list[tuple[str, int, str, str | None]]:
    return [brief(best) for best in bests([achieved(sheet) for sheet in sheets])]


def brief(best: BestAchieved) -> tuple[str, int, str, str | None]:
    return best.kind, int(best.value), "".join(best.holders), best.at.game if best.at else None


PLAYED = (
    final(1, "AB", 480, 320, told=turns((0, 86), (0, 92), (1, 74), best=(0, 101))),
    final(2, "CD", 410, 405, told=turns((1, 64))),
    final(1, "CA", 300, 480, number=2, told=turns((1, 70), (1, 66), best=(0, 101))),
)


@pytest.mark.rule("SK.REG-18")
def test_best_turn_highest_score_highest_joint_score_and_most_bingos() -> None:
    assert found(*PLAYED) == [
        ("turn", 101, "A", "g1.1"),
        ("turn", 101, "C", "g2.1"),
        ("score", 480, "A", "g1.1"),
        ("score", 480, "A", "g2.1"),
        ("joint-score", 815, "CD", "g1.2"),
        ("bingos-of-game", 2, "A", "g1.1"),
        ("bingos-of-game", 2, "A", "g2.1"),
        ("bingos-of-tournament", 4, "A", None),
    ]


def test_equal_records_stand_as_their_stages_followed_each_other() -> None:
    several = (final(1, "AB", 500, 200, stage="swiss"), final(2, "CD", 500, 200, stage="final"))
    assert [where for kind, _, _, where in found(*several) if kind == "score"] == ["g1.1", "g1.2"]


@pytest.mark.rule("SK.REG-18")
def test_a_bingo_may_be_the_best_turn_and_scores_that_an_ending_sets_are_no_record() -> None:
    sheets = (
        final(1, "AB", 0, 999, end="resigned", told=turns((0, 120))),
        final(2, "CD", 300, 290),
    )
    assert found(*sheets) == [
        ("turn", 120, "A", "g1.1"),
        ("score", 300, "C", "g1.2"),
        ("joint-score", 590, "CD", "g1.2"),
        ("bingos-of-game", 1, "A", "g1.1"),
        ("bingos-of-tournament", 1, "A", None),
    ]
    known = noted([achieved(sheet) for sheet in sheets])
    assert (known.games, known.scores, known.turns, known.bingos) == (2, 1, 1, 1)


def test_both_sheets_are_read_and_what_was_overruled_is_not() -> None:
    result = Result(scores=(400, 350), points=())
    other = GivenReport(number=2, by=Speaker(person="ben"), result=result, details=turns((0, 80), (0, 62)))
    (both,) = [achieved(final(1, "AB", 400, 350, told=turns((0, 80), best=(1, 90)), besides=(other,)))]
    assert (both.turns, both.bingos) == (((0, 80), (1, 90), (0, 62)), (0, 0))
    wrong = final(1, "AB", 400, 350, told=turns((0, 200)), reported=Result(scores=(500, 350), points=()))
    assert achieved(wrong).turns == ()
    assert found() == []
