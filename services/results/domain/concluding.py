"""A result as it becomes final: with what the sheet knows besides, such as who began and who goes on."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from services.results.domain.facts import ResultAgreed, ResultCorrected, ResultDecided
from services.results.domain.fitting import draw_wins
from services.results.domain.report import DUELS, Result, Speaker
from services.results.domain.states import Open, Sheet, Started, before_reports


def agreed(state: Open, result: Result, *, how: str, confirmed_by: Speaker | None = None) -> ResultAgreed:
    sheet, whole = state.sheet, completed(state, result)
    return ResultAgreed(
        game=sheet.game,
        tournament=sheet.tournament,
        stage=sheet.stage,
        round=sheet.round,
        seats=sheet.seats,
        scores=whole.scores,
        points=whole.points,
        end=whole.end,
        by=whole.by,
        first=whole.first,
        winner=whole.winner,
        decided_by=whole.decided_by,
        draw_wins=whole.draw_wins,
        deciding=whole.deciding,
        unmoved=whole.unmoved,
        how=how,
        confirmed_by=confirmed_by,
    )


def completed(state: Open, result: Result) -> Result:
    """With what the sheet knows besides: who began, for whom a draw wins, who has won the deciding duels."""
    first, by_draw = starter(state, result), draw_wins(state.sheet, result)
    is_whole = (first, by_draw) == (result.first, result.draw_wins)
    return with_winner(state.sheet, result if is_whole else replace(result, first=first, draw_wins=by_draw))


def with_winner(sheet: Sheet, result: Result) -> Result:
    last = result.deciding[-1] if result.deciding else None
    if not isinstance(last, int):
        return result
    return replace(result, winner=sheet.seats[last], decided_by=DUELS[len(result.deciding) - 1])


def starter(state: Open, result: Result) -> str | None:
    """Who really started: by the result, or as it was said when the game began."""
    before = before_reports(state)
    return result.first or (before.first if isinstance(before, Started) else None) or state.sheet.prepared.first


def ruled[E: (ResultDecided, ResultCorrected)](
    kind: type[E], sheet: Sheet, result: Result, reason: str, said: Mapping[str, Any]
) -> E:
    """By the word of an official."""
    return kind(
        game=sheet.game,
        tournament=sheet.tournament,
        stage=sheet.stage,
        round=sheet.round,
        seats=sheet.seats,
        scores=result.scores,
        points=result.points,
        end=result.end,
        by=result.by,
        first=result.first,
        winner=result.winner,
        decided_by=result.decided_by,
        draw_wins=result.draw_wins,
        deciding=result.deciding,
        unmoved=result.unmoved,
        said=said,
        reason=reason,
    )
