"""Answers with tables that are put together before the tables are kept."""

import asyncio
from typing import Any, cast

import pytest
from msgspec.structs import replace

from services.standings.api.tables.answers import TableAnswers
from services.standings.projection.fold_cache import TournamentFold
from services.standings.projection.tables import Made, TableAtHand
from shared.background import meanwhile
from shared.personal.shown_names import NamesToShow
from tests.played import STAGE, started

CUP = "cup"


class Kept:
    """The tables, the names and the log that answers are made of."""

    at_hand_now: TableAtHand | None = None

    def at_hand(self, tournament: str, stage: str) -> TableAtHand | None:
        assert (tournament, stage) == (CUP, STAGE)
        return self.at_hand_now

    async def told(self, tournament: str, *, reached: int | None = None) -> NamesToShow:
        assert (tournament, reached) == (CUP, 3)
        return NamesToShow(names={"A": "Ada"}, seen_by="full", own_names=frozenset(), schools=frozenset())


def made(results: int) -> Made:
    fold = TournamentFold()
    for number, told in enumerate(started(CUP, ("A", "B")), start=1):
        fold.hear("registration", number, told)
    (table,) = fold.made(CUP)
    return replace(table, inputs=f"reg3.pai1.res{results}.sta0")


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def answers(kept: Kept) -> TableAnswers:
    given = cast("Any", kept)
    return TableAnswers(given, given, own=given)


async def test_what_was_put_together_beforehand_is_the_answer_once_it_is_kept(
    answers: TableAnswers, kept: Kept
) -> None:
    kept.at_hand_now = made(7).written("4710")
    foreseen = await answers.foreseen(made(8))
    kept.at_hand_now = made(8).written("4711")
    assert await answers.as_made(CUP, STAGE) is foreseen


async def test_what_was_put_together_and_never_kept_is_not_shown(answers: TableAnswers, kept: Kept) -> None:
    kept.at_hand_now = made(7).written("4711")
    before = await answers.as_made(CUP, STAGE)
    await answers.foreseen(made(8))
    assert await answers.as_made(CUP, STAGE) == before
    assert before is not None
    assert before.inputs == "reg3.pai1.res7.sta0"


async def test_what_knows_more_of_registration_is_not_put_together_beforehand(
    answers: TableAnswers, kept: Kept
) -> None:
    kept.at_hand_now = replace(made(8), inputs="reg2.pai1.res7.sta0").written("4711")
    assert await answers.foreseen(made(8)) is None


async def test_what_goes_on_meanwhile_ends_with_what_is_waited_for() -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        await asyncio.Event().wait()
        ended.set()

    async with meanwhile(work()):
        await began.wait()
    assert not ended.is_set()


async def test_what_fails_meanwhile_is_said_and_fails_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        raise ValueError("it will be seen where it is needed")

    async with meanwhile(work()):
        await asyncio.sleep(0)
    assert "it will be seen where it is needed" in caplog.text
