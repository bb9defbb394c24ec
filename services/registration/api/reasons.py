"""Why somebody decided something: the code and the clause stand in the log, the words beside it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic import Field

from services.registration.api.sent import Sent
from services.registration.domain.tournament.reasons import StatedReason
from shared.http.door import Act
from shared.personal.notes import Notes

MOST_WORDS = 1_000
WORDS = Field(
    default=None,
    min_length=1,
    max_length=MOST_WORDS,
    description="In your own words. They may be about people, so they are kept apart from the log.",
    examples=["The school needs its hall on that day."],
)


class Reason(Sent):
    code: str = Field(pattern=r"^[a-z0-9-]{1,64}$", examples=["hall-not-free"])
    words: str | None = WORDS
    clause: str | None = Field(
        default=None,
        max_length=64,
        pattern=r"^[!-~]+( [!-~]+)*$",
        description="Of the regulations that it goes by; otherwise the one of the ruleset, where it names one.",
        examples=["SK.REG-4"],
    )


@asynccontextmanager
async def reasoned(notes: Notes, scope: str, given: Reason | None, act: Act) -> AsyncGenerator[StatedReason | None]:
    async with notes.kept(scope, given.words if given else None, act.key) as note:
        yield None if given is None else StatedReason(code=given.code, note=note, clause=given.clause)
