"""What requests and answers about penalties look like."""

from typing import Annotated, Self

from fastapi import Path
from pydantic import BaseModel, Field, model_validator

from services.results.api.parameters import ADA, BEN, IDS, REASON
from services.results.api.permissions import PENALTY_ACTIONS
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.rulesets.parts import Exact

PENALTY = "019aa4c2-9f10-7b2c-8d4e-3c5b6a7f8e90"


class ToWarn(RequestBody):
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


class ToImpose(RequestBody):
    entrant: str = Field(pattern=IDS, json_schema_extra=id_of("entrant"), examples=[ADA])
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=1, le=1000, description="From which round on the points are taken away.", examples=[3])
    points: Exact = Field(description="Below zero: what is added to the entrant's own points.", examples=[-1])
    reason: str = REASON


class ToLift(RequestBody):
    reason: str = REASON


class ToDisqualify(RequestBody):
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=0, le=1000, description="After which round the entrant plays no more.", examples=[3])
    reason: str = REASON


class ToRemove(RequestBody):
    """A player is named by entrant, a spectator in words."""

    entrant: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("entrant"),
        description="Who has to leave the hall; none: a spectator.",
        examples=[ADA],
    )
    spectator: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Who it is, where it is nobody who plays. Kept with the reason, where it can be erased.",
        examples=[None],
    )
    final: bool = Field(description="For good, or for a while.", examples=[False])
    minutes: int | None = Field(
        default=None,
        ge=1,
        le=24 * 60,
        description="For a while: for so many; otherwise until somebody lets them in again.",
        examples=[15],
    )
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=0, le=1000, description="In which it happened; 0 before the first.", examples=[3])
    reason: str = REASON

    @model_validator(mode="after")
    def names_one(self) -> Self:
        if (self.entrant is None) == (self.spectator is None):
            raise ValueError("needs `entrant`, or `spectator` instead: who has to leave the hall")
        if self.final and self.minutes is not None:
            raise ValueError("`minutes` go with a removal that is not `final`")
        return self


class Removal(BaseModel):
    id: str = Field(examples=[PENALTY])
    entrant: str | None = Field(description="Null: a spectator.", examples=[ADA])
    final: bool = Field(examples=[False])
    minutes: int | None = Field(examples=[15])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    over: bool = Field(description="Whether they were let in again.", examples=[False])
    words: str | None = Field(
        description="Why, and who a spectator is: for those who officiate, until it is erased.",
        examples=[None],
    )


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
        description="Whose expulsion was due, by their defaults or by disqualification; registration does it, and may "
        "take them back.",
        examples=[[BEN]],
    )
    persons_expelled: list[str] = Field(
        description="Persons of teams that play on without them.", examples=[["019aa4c2-33f2-7b80-8c77-2b4d5e6f7081"]]
    )
    removals: list[Removal] = Field(description="From the hall, of players and spectators, in their order.")
    allowed_actions: Actions = allowed(*PENALTY_ACTIONS)


type PenaltyId = Annotated[
    str,
    Path(
        description="The id that imposing answered.",
        pattern=IDS,
        json_schema_extra=id_of("penalty"),
        examples=[PENALTY],
    ),
]

type RemovalId = Annotated[
    str,
    Path(
        description="The id that removing answered.",
        pattern=IDS,
        json_schema_extra=id_of("penalty"),
        examples=[PENALTY],
    ),
]
