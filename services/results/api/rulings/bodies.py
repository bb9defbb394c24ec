"""What requests and answers about the rulings of officials look like."""

from typing import override

from pydantic import BaseModel, ConfigDict, Field

from services.results.api.games.bodies import ToSay
from services.results.api.parameters import REASON
from services.results.games.adjudication import AnyAccount


class ToDecide(ToSay):
    reason: str = REASON  # pyright: ignore[reportIncompatibleVariableOverride] - an official's words go by this name
    end_reason: str | None = Field(
        default=None,
        max_length=64,
        description="Why a game of gomoku ended: what is `reason` in a report.",
        examples=[None],
    )

    @override
    def as_account(self) -> AnyAccount:
        return self.model_copy(update={"reason": self.end_reason})


class ToComplain(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str = REASON


class ToAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    upheld: bool = Field(examples=[False])
    reason: str = REASON


class ToVoid(BaseModel):
    model_config = ConfigDict(extra="forbid")

    replay: bool = Field(
        default=False, description="Whether it is played anew, on the same sheet. Otherwise it is no meeting at all."
    )
    reason: str = REASON


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The game is voided."]])
    lost: list[str] = Field(description="What would not count any more.", examples=[["The result 380:350."]])
    warnings: list[str] = Field(
        description="Given earlier to those whom it is about.",
        examples=[["Round 1 of swiss: a warning by 4.8 to ada."]],
    )
