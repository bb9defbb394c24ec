"""What the places bring, as it is answered, and which prize somebody takes."""

from pydantic import BaseModel, Field

from services.standings.api.bodies import ENTRANT, TOURNAMENT
from services.standings.api.parameters import ID
from services.standings.api.permissions import AWARD_ACTIONS
from services.standings.api.tables.bodies import AwardWon, Somebody
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.moments import INPUTS
from shared.http.responses import Actions, allowed


class PrizesToChoose(Somebody):
    """Somebody who could have prizes in cash in several rankings."""

    lists: list[str | None] = Field(
        description="The lists in which they have one; null: the ranking of all.", examples=[[None, "women"]]
    )
    chosen: bool = Field(description="Whether it is recorded which one they take.", examples=[True])
    among: str | None = Field(
        description="The list whose prize they take; null: that of all, or not chosen yet.", examples=["women"]
    )


class Awards(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    completed: bool = Field(
        description="Until then the awards are those of the moment.",
        examples=[True],
    )
    inputs: str = Field(description="What it rests on.", examples=[INPUTS])
    awards: list[AwardWon] = Field(description="What the places bring, of all lists, as the rules name it.")
    to_choose: list[PrizesToChoose] = Field(description="Who could have several prizes in cash.")
    allowed_actions: Actions = allowed(*AWARD_ACTIONS)


class PrizeToTake(RequestBody):
    entrant: str = Field(
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="Who could have prizes in cash in several rankings.",
        examples=[ENTRANT],
    )
    among: str | None = Field(
        max_length=64,
        description="The list whose prize they take; null: that of the ranking of all.",
        examples=["women"],
    )
