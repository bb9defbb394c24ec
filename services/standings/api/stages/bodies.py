"""A stage as it is answered, and what is sent to decide about it."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from services.standings.api.bodies import ENTRANT, OTHER, TOURNAMENT, Unresolved
from services.standings.api.permissions import STAGE_ACTIONS
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.moments import INPUTS
from shared.http.responses import Actions, allowed

ORDER_EXAMPLE = [[ENTRANT], [OTHER]]

type Order = list[list[str]]


class Stage(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    status: Literal["open", "closed"] = Field(examples=["open"])
    round: int = Field(description="The last one published; 0 before the first.", examples=[7])
    rounds: int | None = Field(description="How many there will be, where the rules fix a number.", examples=[7])
    complete: bool = Field(description="Whether every game of that round has its result.", examples=[True])
    obstacles: list[str] = Field(
        description="What keeps it from being closed.", examples=[["Round 7 has no result yet at table 4."]]
    )
    unresolved: list[Unresolved]
    order: Order | None = Field(
        description="Place by place, as it was closed; null while it is open.", examples=[ORDER_EXAMPLE]
    )
    closed_on: str | None = Field(description="The inputs that the closed order rests on.", examples=[INPUTS])
    groups: list[str] | None = Field(description="Of each of these places, where there are groups.", examples=[None])
    up_to_date: bool | None = Field(
        description="Whether the table still has the order in which the stage was closed; otherwise close it once "
        "more. Null while it is open.",
        examples=[True],
    )
    inputs: str = Field(description="What this rests on.", examples=[INPUTS])
    allowed_actions: Actions = allowed(*STAGE_ACTIONS)


class DuelPlayed(RequestBody):
    order: list[list[Annotated[str, Field(json_schema_extra=id_of("entrant"))]]] = Field(
        min_length=1,
        max_length=100,
        description="Best first; inside an inner list they stay equal, as after a drawn duel.",
        examples=[ORDER_EXAMPLE],
    )


class LotWanted(RequestBody):
    entrants: list[Annotated[str, Field(json_schema_extra=id_of("entrant"))]] = Field(
        min_length=2, max_length=1000, description="A tie that waits for a lot.", examples=[[ENTRANT, OTHER]]
    )


class Shorter(RequestBody):
    rounds: int = Field(ge=1, le=1000, description="So many and no more.", examples=[5])
    reason: str = Field(
        min_length=1,
        max_length=2000,
        description="Why, in your own words, which are kept where they can be erased.",
        examples=["The hall closes at six."],
    )
