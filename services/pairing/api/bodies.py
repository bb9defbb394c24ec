"""What several resources have in common: path parameters, players, the reason for an act, and the answer of a dry run."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, Field

from services.pairing.domain.round_sheet import ReasonCode
from shared.access.references import id_of
from shared.http.bodies import RequestBody

ID = r"^[0-9A-Za-z-]{1,64}$"
MOST_TABLES = 2_000
MOST_WORDS = 1_000
STAGE_PATH = "/v1/tournaments/{tournament_id}/stages/{stage}"

type StageId = Annotated[
    str,
    Path(
        alias="stage",
        description="The id that the stage has in the ruleset.",
        pattern=r"^[a-z0-9-]{1,64}$",
        examples=["swiss"],
    ),
]
type EntrantId = Annotated[str, Field(pattern=ID, json_schema_extra=id_of("entrant"), examples=["A"])]
type Points = float | int

ENTRANT = Field(pattern=ID, json_schema_extra=id_of("entrant"), examples=["019aa4c2-8a01-7c11-9d22-3b4c5d6e7f01"])


class ReasonGiven(RequestBody):
    """Why an act is to happen although something speaks against it."""

    code: ReasonCode = Field(examples=["announcement"])
    words: str | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_WORDS,
        description="In your own words, which are kept where they can be erased.",
        examples=["The break was shortened in the announcement."],
    )


class Player(BaseModel):
    entrant: str = ENTRANT
    number: int | None = Field(description="The start number.", examples=[12])
    name: str | None = Field(description="Null where it is not known, or was erased.", examples=["Zuzana Kováčová"])
    home: str | None = Field(
        description="The name of their school or club, as far as that is shown.",
        examples=["Gymnázium Poštová 9"],
    )


class PlayerWithPoints(Player):
    points: Points = Field(examples=[0.5])


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["Round 3 is published with 12 games."]])
    lost: list[str] = Field(description="What could not be had back.", examples=[[]])
    doubts: list[str] = Field(
        description="What speaks against it, so that it needs a reason.",
        examples=[["The last result of round 2 came less than 5 minutes before this start."]],
    )
    remarks: list[str] = Field(description="What else is worth knowing.", examples=[[]])
