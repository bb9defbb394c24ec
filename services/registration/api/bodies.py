"""What the bodies of several resources have in common: ids and other fields, reasons, and what a dry run answers."""

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, Field

from shared.access.references import Kind, id_of
from shared.access.roles import Role
from shared.access.tokens import SUBJECT
from shared.http.bodies import RequestBody

ID = r"^[0-9A-Za-z-]{1,64}$"
EARLIEST, LATEST = 1970, 2199
MOST_WORDS = 1_000

# Examples

FEDERATION = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
NEXT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c22"
OTHERWISE = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c23"
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"
PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b92"
OTHER_PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b93"

# Fields

type OnePlayer = Annotated[str, Field(pattern=ID, json_schema_extra=id_of("player"), examples=[PERSON])]
type OnePerson = Annotated[str, Field(pattern=ID, json_schema_extra=id_of("person"), examples=[PERSON])]

FEDERATION_ID = Field(
    pattern=ID,
    json_schema_extra=id_of("federation"),
    description="The federation that it belongs to.",
    examples=[FEDERATION],
)
WORDS = Field(
    default=None,
    min_length=1,
    max_length=MOST_WORDS,
    description="In your own words, which are kept where they can be erased.",
    examples=["The school needs its hall on that day."],
)


def optional_id(kind: Kind, description: str, *, example: str | None = None) -> Any:
    """The field for the id of something that may be left out."""
    return Field(default=None, pattern=ID, json_schema_extra=id_of(kind), description=description, examples=[example])


def next_page(example: str) -> Any:
    """The field of a page that leads to the next one."""
    return Field(description="Send it as `after` to get the next page; null on the last one.", examples=[example])


def in_reach(moment: date) -> date:
    if not EARLIEST <= moment.year <= LATEST:
        raise ValueError(f"should be in one of the years {EARLIEST} to {LATEST}")
    return moment


class Reason(RequestBody):
    code: str = Field(pattern=r"^[a-z0-9-]{1,64}$", examples=["hall-not-free"])
    words: str | None = WORDS
    clause: str | None = Field(
        default=None,
        max_length=64,
        pattern=r"^[!-~]+( [!-~]+)*$",
        description="Of the regulations that it goes by; otherwise the one of the ruleset, where it names one.",
        examples=["SK.REG-4"],
    )


class Official(RequestBody):
    subject: str = Field(
        pattern=SUBJECT,
        json_schema_extra=id_of("official"),
        description="The opaque id in their token, never a name.",
        examples=["d0f3c1"],
    )
    role: Role = Field(examples=[Role.ARBITER])


class NextLevel(RequestBody):
    tournament: str | None = Field(
        pattern=ID,
        json_schema_extra=id_of("tournament"),
        description="The one that its best go on to; null: nobody goes on.",
        examples=[NEXT],
    )
    otherwise: str | None = optional_id(
        "tournament", "The one that those go to who get no place there, such as championship B.", example=OTHERWISE
    )


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["d0f3c1 is no longer director."]])
    lost: list[str] = Field(description="What could not be done any more.", examples=[["d0f3c1: renameFederation"]])


class FileForeseen(BaseModel):
    """What an import would change; nothing has."""

    changes: list[str] = Field(examples=[["Coming in: 12 of 14.", "There already, and left as they are: 2 of 14."]])
    lost: list[str] = Field(description="Nothing is ever lost by an import.", examples=[[]])
