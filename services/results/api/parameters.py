"""What the paths of results name, and what many of its bodies have in common."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from shared.access.references import id_of

GAME = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
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

type TableNumber = Annotated[
    int,
    Path(
        description="The number of the table in this round, as pairing has published it.", ge=1, le=10_000, examples=[7]
    ),
]


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
