"""Words for tests of score sheets: who speaks, what they say, and what has happened."""

from collections.abc import Sequence

import pytest

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.states import Details, GivenReport, Result, ScoredTurn, Speaker, State, UnknownSheet
from shared.refusals import Refusal

SUE, SAM = Speaker(person="sue"), Speaker(person="sam")  # scorers
ADA, BEN, EVA = (Speaker(person=f"captain:{name}:1", entrant=name) for name in ("ada", "ben", "eva"))

WON = Result(scores=(380, 350), points=(1, 0))
WON_MORE = Result(scores=(390, 350), points=(1, 0))
DRAWN = Result(scores=(350, 350), points=("1/2", "1/2"))
DEFAULT = Result(scores=(0, 100), points=(0, 1), end="no_show", by=(0,))

OPEN = orders.OpenSheet(game="g", tournament="cup", stage="swiss", round=1, table=1, seats=("ada", "ben"), first="ada")
OPENED = facts.SheetOpened(
    game="g", tournament="cup", stage="swiss", round=1, table=1, seats=("ada", "ben"), first="ada"
)
STARTED = facts.GameStarted(game="g", tournament="cup", first="ben")


def says(by: Speaker, result: Result = WON, *, signed_by: tuple[int, ...] = ()) -> orders.ReportResult:
    return orders.ReportResult(by=by, result=result, signed_by=signed_by)


def said(
    number: int,
    by: Speaker,
    result: Result = WON,
    *,
    then: str = "reported",
    signed_by: tuple[int, ...] = (),
) -> facts.ResultReported:
    return facts.ResultReported(
        game="g", report=GivenReport(number=number, by=by, result=result, signed_by=signed_by), then=then
    )


def agreed(
    result: Result = WON, *, how: str = "reports", by: Speaker | None = None, first: str | None = None
) -> facts.ResultAgreed:
    return facts.ResultAgreed(
        game="g",
        tournament="cup",
        stage="swiss",
        round=1,
        seats=("ada", "ben"),
        scores=result.scores,
        points=result.points,
        end=result.end,
        by=result.by,
        first=first or result.first,
        how=how,
        confirmed_by=by,
    )


def decided(result: Result = WON) -> facts.ResultDecided:
    return facts.ResultDecided(
        game="g",
        tournament="cup",
        stage="swiss",
        round=1,
        seats=("ada", "ben"),
        scores=result.scores,
        points=result.points,
        end=result.end,
        by=result.by,
        reason="note",
    )


def state(*given: facts.Event) -> State:
    return GAME.fold(given, UnknownSheet())


def when(given: Sequence[facts.Event], command: orders.Command) -> list[facts.Event]:
    return list(GAME.decide(state(*given), command))


def refuses(refusal: type[Refusal], given: Sequence[facts.Event], command: orders.Command) -> None:
    with pytest.raises(refusal):
        when(given, command)


FULL_DETAILS = Details(flags=(1,), highest_turn=ScoredTurn(seat=0, points=86), bingos=(ScoredTurn(seat=0, points=86),))
