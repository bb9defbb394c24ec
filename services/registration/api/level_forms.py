"""What requests and answers about the way from one tournament to the next look like."""

from typing import Literal

from pydantic import BaseModel, Field

from services.registration.api.entrant_forms import EntrantStatus
from services.registration.api.forms import ENTRANT, ID, TOURNAMENT
from services.registration.api.sent import Sent
from services.registration.domain.tournament import facts
from shared.access.references import id_of

NEXT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c22"
OTHERWISE = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c23"


class NextLevel(Sent):
    tournament: str | None = Field(
        pattern=ID,
        json_schema_extra=id_of("tournament"),
        description="The one that its best go on to; null: nobody goes on.",
        examples=[NEXT],
    )
    otherwise: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("tournament"),
        description="The one that those go to who get no place there, such as championship B.",
        examples=[OTHERWISE],
    )


class ToTakeIn(Sent):
    tournament: str = Field(
        pattern=ID,
        json_schema_extra=id_of("origin"),
        description="The one that they come from, or the season.",
        examples=[TOURNAMENT],
    )
    advance: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="So many by right, where nobody had said so; otherwise as many as there is room for.",
        examples=[None],
    )


class ReserveToCall(Sent):
    entrant: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="This one; otherwise the next in line.",
        examples=[ENTRANT],
    )


class Qualifier(BaseModel):
    former: str = Field(description="The entrant that they were; of a season the person.", examples=[ENTRANT])
    name: str | None = Field(description="As it is shown; null when it was erased.", examples=["Gymnázium Brno 1"])
    place: int = Field(description="That they had there.", examples=[1])
    claim: facts.Claim = Field(
        description="To a place by right; as a reserve of that tournament; or next in line for a place that is left.",
        examples=["by-right"],
    )
    entrant: str | None = Field(description="Who they are here; null: not entered.", examples=[ENTRANT])
    status: EntrantStatus | Literal["not-entered"] = Field(examples=["entered"])
    confirmed: bool = Field(description="Whether they have said that they will come.", examples=[False])
    why: str | None = Field(
        description="What has to be decided about them by an official, where something has.", examples=[None]
    )


class Origin(BaseModel):
    tournament: str = Field(description="Or the season in which they have qualified.", examples=[TOURNAMENT])
    name: str = Field(examples=["Area tournament Brno"])
    decided: bool = Field(description="Whether its order is known.", examples=[True])
    advance: int | None = Field(
        description="How many go on by right; null: nobody has said so, or as many as there is room for.", examples=[2]
    )
    qualifiers: list[Qualifier] = Field(description="Best first.")


class Qualifiers(BaseModel):
    """Who comes from the tournaments before."""

    tournament: str = Field(examples=[NEXT])
    origins: list[Origin]
    open: int = Field(description="About how many of them an official has to decide.", examples=[0])
