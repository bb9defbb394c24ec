"""What bodies of several resources are made of, and the ids that examples show."""

from typing import Literal

from pydantic import BaseModel, Field

TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"
OTHER = "019aa4c2-a40c-7b8d-8a15-93c2e7d1f054"


class Unresolved(BaseModel):
    """Entrants whom all criteria so far leave equal."""

    entrants: list[str] = Field(examples=[[ENTRANT, OTHER]])
    needs: Literal["lot", "duel"] = Field(examples=["lot"])


class TableColumn(BaseModel):
    """How a column of a table is headed."""

    key: str = Field(description="By which it is found in the `values` of a row, or `beside`.", examples=["points"])
    title: str = Field(examples=["Points"])
    short: str = Field(description="For a narrow column.", examples=["Pts"])
    description: str = Field(
        examples=["All points: of the rounds, brought along, and less those of penalties."],
    )
    decides: bool = Field(description="Whether places depend on it, or it is shown beside.", examples=[True])


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The order of the stage is told: 24 entrants on 24 places."]])
    lost: list[str] = Field(
        description="What could not be had back.", examples=[["The order in which the stage was closed before."]]
    )
