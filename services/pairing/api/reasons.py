"""The reason for an act: a code that stands in the log, and words that are kept beside it, where they can be erased."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from services.pairing.api.bodies import ReasonGiven
from services.pairing.domain.round_sheet import StatedReason
from shared.http.authorization import Act
from shared.personal.notes import Notes


@asynccontextmanager
async def stated(
    notes: Notes, tournament: str, given: ReasonGiven | None, act: Act
) -> AsyncGenerator[StatedReason | None]:
    words = given.words if given else None
    async with notes.kept(tournament, words, act.key) as note:
        yield given and StatedReason(code=given.code, note=note)
