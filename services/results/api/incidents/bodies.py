"""What requests and answers about incidents look like."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.accounts import Seat

type What = Literal[
    "clock-stopped",
    "position-reconstructed",
    "limit-passed",
    "clock-brought",
    "clock-faulty",
    "clock-stopped-alone",
    "tiles-spilled",
    "conduct",
]


class ToNote(BaseModel):
    model_config = ConfigDict(extra="forbid")

    what: What = Field(
        description="`clock-stopped`: both clocks stood still; `position-reconstructed`: stones were put back; "
        "`limit-passed`: a limit per move ran out; `clock-brought`: a slow table got clocks; `clock-faulty`: a clock is "
        "obviously wrong; `clock-stopped-alone`: without calling the director; "
        "`tiles-spilled`; `conduct`.",
        examples=["clock-stopped"],
    )
    seat: Seat | None = Field(default=None, description="Whose doing it was; none: nobody's.", examples=[0])
    why: Literal["interruption", "director-called", "position-lost", "faulty-clock"] = Field(
        default="interruption", description="Of a clock that was stopped.", examples=["director-called"]
    )
    minutes: int | None = Field(
        default=None, ge=0, le=10_000, description="For which the clocks stood still.", examples=[4]
    )
    words: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description="What happened. They may be about persons, so they are kept apart from the log.",
        examples=["The lights went out."],
    )


class Incident(BaseModel):
    what: What = Field(examples=["clock-stopped"])
    seat: int | None = Field(examples=[None])
    why: str | None = Field(description="Of a clock that was stopped.", examples=["interruption"])
    minutes: int | None = Field(examples=[4])
    words: str | None = Field(description="Null where nothing was written, or it was erased.", examples=[None])


class IncidentsShown(BaseModel):
    incidents: list[Incident] = Field(description="In the order in which they were put on record.")
