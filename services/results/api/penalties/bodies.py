"""What requests and answers about penalties look like."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from services.results.api.parameters import ADA, ALLOWED, BEN, IDS, REASON
from shared.access.references import id_of
from shared.http.responses import Action
from shared.rulesets.parts import Exact

PENALTY = "019aa4c2-9f10-7b2c-8d4e-3c5b6a7f8e90"


class ToWarn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entrant: str = Field(pattern=IDS, json_schema_extra=id_of("entrant"), examples=[ADA])
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=0, le=1000, description="In which it happened; 0 before the first.", examples=[3])
    clause: str | None = Field(default=None, max_length=32, description="Of the regulations.", examples=["4.8"])
    person: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("player"),
        description="Of a team, where it was one of them.",
        examples=[None],
    )
    reason: str = REASON


class ToImpose(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entrant: str = Field(pattern=IDS, json_schema_extra=id_of("entrant"), examples=[ADA])
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=1, le=1000, description="From which round on the points are taken away.", examples=[3])
    points: Exact = Field(description="Below zero: what is added to the entrant's own points.", examples=[-1])
    reason: str = REASON


class ToLift(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str = REASON


class ToDisqualify(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=0, le=1000, description="After which round the entrant plays no more.", examples=[3])
    reason: str = REASON


class Penalty(BaseModel):
    id: str = Field(examples=[PENALTY])
    entrant: str = Field(examples=[ADA])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    points: float = Field(examples=[-1])
    lifted: bool = Field(description="Whether it was wrong, and so never counted.", examples=[False])


class Warned(BaseModel):
    id: str = Field(examples=[PENALTY])
    entrant: str = Field(examples=[ADA])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    clause: str | None = Field(examples=["4.8"])
    person: str | None = Field(examples=[None])


class Penalties(BaseModel):
    warnings: list[Warned] = Field(description="In the order in which they were given.")
    penalties: list[Penalty] = Field(description="In the order in which they were imposed.")
    expelled: list[str] = Field(
        description="Entrants whose expulsion is due, by their defaults or by disqualification; registration does it.",
        examples=[[BEN]],
    )
    persons_expelled: list[str] = Field(
        description="Persons of teams that play on without them.", examples=[["019aa4c2-33f2-7b80-8c77-2b4d5e6f7081"]]
    )
    allowed_actions: list[Action] = ALLOWED


type PenaltyId = Annotated[
    str,
    Path(
        description="The id that imposing answered.",
        pattern=IDS,
        json_schema_extra=id_of("penalty"),
        examples=[PENALTY],
    ),
]
