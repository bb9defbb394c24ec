"""What requests and answers about score sheets look like."""

from datetime import datetime
from typing import Annotated, Literal, override

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from services.results.calculate import Said, Seat
from shared.access.references import id_of

GAME = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-0b1f-7c52-9d3a-6b1e5f7a2c40"
ADA, BEN = "019aa4c2-11d0-7f6e-8a55-0f2b3c4d5e6f", "019aa4c2-22e1-7a7f-9b66-1a3c4d5e6f70"
IDS = r"^[0-9A-Za-z_-]{1,64}$"

type GameId = Annotated[
    str,
    Path(
        description="Of the game, as the published round names it.",
        pattern=IDS,
        json_schema_extra=id_of("game"),
        examples=[GAME],
    ),
]
type TournamentId = Annotated[
    str,
    Path(
        description="The id that announcing answered.",
        pattern=IDS,
        json_schema_extra=id_of("tournament"),
        examples=[TOURNAMENT],
    ),
]
type EntrantId = Annotated[
    str,
    Path(description="The id that entering answered.", pattern=IDS, json_schema_extra=id_of("entrant"), examples=[ADA]),
]
type RoundNumber = Annotated[int, Path(description="1, 2, 3 … within the stage.", ge=1, le=1000, examples=[3])]
type StageId = Annotated[
    str,
    Path(
        alias="stage",
        description="The id that the stage has in the ruleset.",
        pattern=r"^[a-z0-9-]{1,64}$",
        examples=["swiss"],
    ),
]
type GameStatus = Literal["pending", "started", "reported", "disputed", "final", "postponed", "voided", "recalled"]

STATUS = Field(
    description="Where it stands: `reported` waits for the other side, `disputed` for an official; `recalled` means "
    "that its round was taken back before the game had begun.",
    examples=["final"],
)
REASON = Field(
    min_length=1,
    max_length=2000,
    description="For those who look into it later. It is kept apart from the log, where it can be erased.",
    examples=["Both sheets were added up anew."],
)
FIRST = Field(
    default=None,
    pattern=IDS,
    json_schema_extra=id_of("entrant"),
    description="The entrant who really started, where you know it.",
    examples=[ADA],
)
ALLOWED = Field(description="What the caller may do with it now, and why not.")


def not_negative(points: int) -> int:
    if points < 0:
        raise ValueError("should not be below zero: no turn has fewer points than none (SK.RES-13)")
    return points


class Turn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seat: Seat
    points: Annotated[int, AfterValidator(not_negative)] = Field(
        le=10_000, description="A turn never has fewer than none.", examples=[86]
    )


class ToSay(Said):
    """How a game ended, and what the sheet says of it besides."""

    first: str | None = FIRST
    deciding: tuple[Literal[0, 1, "draw"], ...] = Field(
        default=(),
        max_length=5,
        description="Of a drawn match of a play-off: the seat that has won each deciding duel, or `draw`.",
        examples=[[]],
    )
    unmoved: tuple[Seat, ...] | None = Field(
        default=None,
        max_length=4,
        description="Seats that have not made a single move, where it matters whether they have.",
        examples=[None],
    )

    def as_told(self) -> Said:
        """As it is adjudicated."""
        return self


class ToReport(ToSay):
    """What happened at the table."""

    signed_by: tuple[Seat, ...] = Field(
        default=(),
        max_length=4,
        description="Seats that have signed the sheet. Entered by an official or a scorer, a sheet that all have "
        "signed is final at once.",
        examples=[[0, 1]],
    )
    flags: tuple[Seat, ...] = Field(default=(), max_length=4, description="Seats whose clock ran out.", examples=[[]])
    highest_turn: Turn | None = Field(default=None, description="The best turn of the game, and whose it was.")
    bingos: tuple[Turn, ...] = Field(default=(), max_length=40, description="Turns with all tiles of a rack.")


class GameReport(ToReport):
    """The same in a list of many games."""

    game: str = Field(pattern=IDS, json_schema_extra=id_of("game"), description="Its id.", examples=[GAME])


class ToReportMany(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reports: list[GameReport] = Field(min_length=1, max_length=200, description="Each is answered by itself.")


class ToDecide(ToSay):
    reason: str = REASON  # pyright: ignore[reportIncompatibleVariableOverride] - an official's words go by this name
    end_reason: str | None = Field(
        default=None,
        max_length=64,
        description="Why a game of gomoku ended: what is `reason` in a report.",
        examples=[None],
    )

    @override
    def as_told(self) -> Said:
        return self.model_copy(update={"reason": self.end_reason})


class ToConfirm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    report: int = Field(
        ge=1,
        description="The number of the report that you have seen, so that no other one is confirmed.",
        examples=[1],
    )


class ToDispute(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["The last turn is missing."])


class ToStart(BaseModel):
    model_config = ConfigDict(extra="forbid")

    first: str | None = FIRST


class ToPostpone(BaseModel):
    model_config = ConfigDict(extra="forbid")

    until: datetime | None = Field(
        default=None, description="When it goes on, if that is known.", examples=["2026-03-14T15:30:00+01:00"]
    )
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["A clock is broken."])


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
