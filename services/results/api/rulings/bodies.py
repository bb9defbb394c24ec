"""What requests and answers about the rulings of officials look like."""

from typing import override

from pydantic import BaseModel, Field

from services.results.api.games.bodies import Family, Result, ToSay
from services.results.api.parameters import REASON
from services.results.games.adjudication import AnyAccount
from shared.http.bodies import RequestBody


class ToDecide(ToSay):
    """What an official decides, and why."""

    called = "Ruling"

    reason: str = REASON  # pyright: ignore[reportIncompatibleVariableOverride] - an official's words go by this name

    @classmethod
    @override
    def fields_of(cls, game: Family) -> set[str]:
        return super().fields_of(game) | {"reason"}

    @override
    def as_account(self) -> AnyAccount:
        return self.with_reason()


class ToComplain(RequestBody):
    reason: str = REASON


class ToAnswer(RequestBody):
    upheld: bool = Field(examples=[False])
    reason: str = REASON


class ToVoid(RequestBody):
    replay: bool = Field(
        default=False, description="Whether it is played anew, on the same sheet. Otherwise it is no meeting at all."
    )
    reason: str = REASON


class RoundPublishedSince(BaseModel):
    """A round that was paired by results of which this is one."""

    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[4])
    complete: bool = Field(description="Whether all its games have a result.", examples=[False])


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(
        description="On the sheet; empty where the act changes nothing.",
        examples=[["Table 7: Zuzana Kováčová 380:390 Boris Novák instead of Zuzana Kováčová 380:350 Boris Novák."]],
    )
    lost: list[str] = Field(
        description="What would not count any more.", examples=[["The result Zuzana Kováčová 380:350 Boris Novák."]]
    )
    warnings: list[str] = Field(
        description="Given earlier to those whom it is about.",
        examples=[["Round 1 of swiss: a warning by 4.8 to ada."]],
    )


class RulingForeseen(Foreseen):
    """What a ruling about a game would change; nothing has."""

    before: Result | None = Field(description="The result that stands; null where none does.")
    after: Result | None = Field(description="The one that would stand; null where none would.")
    rounds: list[RoundPublishedSince] = Field(
        description="Published rounds that were paired by what stands now: they stay as they are."
    )
