"""What is answered about files that were imported."""

from typing import Literal

from pydantic import BaseModel, Field

from services.registration.api.forms import ENTRANT, PERSON

type Outcome = Literal["entered", "waiting", "unchanged", "gone"]


class OutcomeOfEntry(BaseModel):
    line: int = Field(description="The first line of the entry in the file.", examples=[2])
    entrant: str | None = Field(description="Null where they are gone.", examples=[ENTRANT])
    outcome: Outcome = Field(
        description="`entered`; `waiting` for a place; `unchanged`: it had been entered with just this; `gone`: it had "
        "withdrawn or was struck off since, and is passed over.",
        examples=["entered"],
    )


class FileImported(BaseModel):
    entered: int = Field(description="How many came in.", examples=[1])
    waiting: int = Field(description="How many wait for a place.", examples=[0])
    unchanged: int = Field(description="How many had been entered with just this.", examples=[0])
    gone: int = Field(description="How many are passed over, since they are gone again.", examples=[0])
    entries: list[OutcomeOfEntry] = Field(description="Each entry, in the order of the file.")


class FileForeseen(BaseModel):
    """What an import would change; nothing has."""

    changes: list[str] = Field(examples=[["12 of 14 come in.", "2 of 14 are there already and stay as they are."]])
    lost: list[str] = Field(description="Nothing is ever lost by an import.", examples=[[]])


class PersonOfLine(BaseModel):
    line: int = Field(description="In the file.", examples=[2])
    person: str = Field(examples=[PERSON])
    is_new: bool = Field(examples=[True])


class PersonsImported(BaseModel):
    registered: int = Field(description="How many are new.", examples=[1])
    unchanged: int = Field(description="How many had been registered with just this.", examples=[0])
    persons: list[PersonOfLine] = Field(description="Each line, in the order of the file.")
