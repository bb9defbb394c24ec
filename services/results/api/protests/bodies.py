"""What requests and answers about protests and public votes look like."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, Field

from services.results.api.parameters import ADA, GAME, IDS, REASON
from services.results.api.permissions import PROTEST_ACTIONS
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed

PROTEST_ID = "019aa4c2-9f10-7b2c-8d4e-3c5b6a7f8e91"


class ToProtest(RequestBody):
    entrant: str = Field(pattern=IDS, json_schema_extra=id_of("entrant"), description="Who protests.", examples=[ADA])
    game: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("game"),
        description="About which game.",
        examples=[GAME],
    )
    reason: str = REASON


class Member(RequestBody):
    member: str = Field(
        pattern=IDS,
        json_schema_extra=id_of("official"),
        description="An opaque id of the person.",
        examples=["d0f3c1"],
    )
    upholds: bool = Field(description="Whether this member is for the protest.", examples=[True])
    entrant: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("entrant"),
        description="Of a member who plays here too.",
        examples=[None],
    )
    is_chief: bool = Field(default=False, description="The chief judge, who always belongs to it.", examples=[True])


class ToDecideProtest(RequestBody):
    council: tuple[Member, ...] = Field(
        max_length=9,
        description="The three members and their votes.",
        examples=[
            [
                {"member": "d0f3c1", "upholds": True, "is_chief": True},
                {"member": "5b82e7", "upholds": True},
                {"member": "a94c06", "upholds": False},
            ]
        ],
    )
    reason: str = REASON


class ToRecordVote(RequestBody):
    question: str = Field(min_length=1, max_length=2000, examples=["Is the round played again?"])
    in_favour: int = Field(ge=0, le=10_000, examples=[11])
    against: int = Field(ge=0, le=10_000, examples=[4])


class Protest(BaseModel):
    id: str = Field(examples=[PROTEST_ID])
    entrant: str = Field(examples=[ADA])
    game: str | None = Field(examples=[GAME])
    words: str | None = Field(description="Unless they were erased.", examples=["The clock was wrong."])
    council: list[Member] | None = Field(description="Who has decided it; null while nobody has.")
    upheld: bool | None = Field(examples=[None])
    decision: str | None = Field(description="Its words, unless they were erased.", examples=[None])


class PublicVote(BaseModel):
    id: str = Field(examples=[PROTEST_ID])
    question: str | None = Field(description="Unless it was erased.", examples=["Is the round played again?"])
    in_favour: int = Field(examples=[11])
    against: int = Field(examples=[4])
    carried: bool = Field(description="More for it than against it.", examples=[True])


class Protests(BaseModel):
    protests: list[Protest]
    votes: list[PublicVote]
    allowed_actions: Actions = allowed(*PROTEST_ACTIONS)


class Done(BaseModel):
    """What was recorded now."""

    id: str = Field(description="Of the protest or vote.", examples=[PROTEST_ID])
    upheld: bool | None = Field(description="Of a protest that is decided, or a vote.", examples=[None])


type ProtestId = Annotated[
    str,
    Path(
        description="The id that filing answered.",
        pattern=IDS,
        json_schema_extra=id_of("protest"),
        examples=[PROTEST_ID],
    ),
]
