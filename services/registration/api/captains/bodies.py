"""Bodies about captains: tokens for whoever speaks for one entrant, or for a whole field."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, HttpUrl

from services.registration.api.bodies import ENTRANT, TOURNAMENT
from services.registration.api.entrants.bodies import MOST_ENTRIES
from services.registration.api.permissions import CAPTAIN_ACTIONS
from shared.access.references import id_of
from shared.access.roles import Role
from shared.http.bodies import RequestBody
from shared.http.parameters import ENTRANT_PATTERN
from shared.http.responses import Actions, allowed

GENERATION = Field(
    description="Of the tokens that are good. It grows with each dismissal; 0 while nobody was ever named.",
    examples=[1],
)
SERIAL = Field(description="1, 2, 3 … of this entrant: under it the log has who issued it.", examples=[2])
ISSUED_IN = Field(description="Where you hold it: the tournament, or its federation.", examples=[TOURNAMENT])
TERM = Field(description="Which of your terms in this office it is, counted from 0.", examples=[0])
TOKEN = Field(
    description="Hand it to the captain, and keep it nowhere: `Authorization: Bearer …`.",
    examples=["eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4Q3JmVlMifQ.eyJzdWIiOiJjYXB0YWluOjAxOWFhIn0.c2lnbmF0dXJl"],
)


class Captain(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    entrant: str = Field(examples=[ENTRANT])
    named: bool = Field(description="Whether somebody speaks for the entrant.", examples=[True])
    generation: int = GENERATION
    allowed_actions: Actions = allowed(*CAPTAIN_ACTIONS)


class Issued(BaseModel):
    """All of it but the token itself, which is kept nowhere."""

    expires_at: datetime = Field(description="When to come for another one.", examples=["2026-11-21T21:00:00Z"])
    subject: str = Field(
        description="How the log names who acts with it.",
        examples=[f"captain:{ENTRANT}:1:2"],
    )
    serial: int = SERIAL
    issued_as: Role = Field(
        description="Your office: when you are dismissed from it, the token is void.",
        examples=[Role.DIRECTOR],
    )
    issued_in: str = ISSUED_IN
    term: int = TERM
    captain: Captain


class IssuedToken(Issued):
    token: str = TOKEN


class CaptainForeseen(BaseModel):
    """What a dismissal would change; nothing has."""

    changes: list[str] = Field(examples=[["Nobody speaks for the entrant until a new token is issued."]])
    lost: list[str] = Field(
        description="What could not be done any more.", examples=[["All tokens of generation 1 are void at once."]]
    )


def without_fragment(page: HttpUrl | None) -> HttpUrl | None:
    if page is not None and (page.fragment is not None or page.username is not None or page.password is not None):
        raise ValueError("should have no part behind a #, which is where the token comes, and no user")
    return page


type PageOfLinks = Annotated[
    HttpUrl | None,
    Field(
        description="A page that takes a token from behind the `#` of its address; otherwise the one that the "
        "operators have set. Without any there are no links.",
        examples=["https://play.example.org/captain"],
    ),
    AfterValidator(without_fragment),
]


class TokensToIssue(RequestBody):
    entrants: list[Annotated[str, Field(pattern=ENTRANT_PATTERN, json_schema_extra=id_of("entrant"))]] | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_ENTRIES,
        description="For whom, by id or start number; null: for everybody who takes part.",
        examples=[[ENTRANT, "number:7"]],
    )
    page: PageOfLinks = None


class SerialOf(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    generation: int = GENERATION
    serial: int = SERIAL


class FieldIssued(BaseModel):
    """All of it but the tokens themselves, which are kept nowhere."""

    expires_at: datetime = Field(description="When to come for others.", examples=["2026-11-21T21:00:00Z"])
    issued_as: Role = Field(
        description="Your office: when you are dismissed from it, they are void.",
        examples=[Role.DIRECTOR],
    )
    issued_in: str = ISSUED_IN
    term: int = TERM


class SerialsIssued(FieldIssued):
    items: list[SerialOf]


class FieldToken(SerialOf):
    number: int | None = Field(description="The start number, from the start on.", examples=[7])
    name: str | None = Field(
        description="Of the team, or of all who play; null when it was erased.", examples=["Mária Nováková"]
    )
    token: str = TOKEN
    link: str | None = Field(
        description="The page with the token behind `#token=`, which browsers send to nobody. Null where no page is known.",
        examples=["https://play.example.org/captain#token=eyJhbGciOiJFZERTQSJ9.eyJzdWIi.c2lnbmF0dXJl"],
    )


class FieldTokens(FieldIssued):
    items: list[FieldToken] = Field(description="By start number, or before the start in the order of entry.")
