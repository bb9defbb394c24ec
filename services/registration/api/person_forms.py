"""What is sent and answered where two persons turn out to be one, or somebody asks what is known of them."""

from datetime import datetime

from pydantic import BaseModel, Field

from services.registration.api import comer_forms
from services.registration.api.entry_forms import EntryListed
from services.registration.api.forms import ENTRANT, FEDERATION, OTHER_PERSON, PERSON, TOURNAMENT, OnePerson
from services.registration.domain.person import MergeReason


class Duplicate(BaseModel):
    duplicate: OnePerson = Field(
        description="The id that is to lead to this person from now on.", examples=[OTHER_PERSON]
    )
    reason: MergeReason = Field(description="Why there were two.", examples=["registered-twice"])


class Happened(BaseModel):
    at: datetime = Field(examples=["2026-11-21T09:00:00Z"])
    person: str = Field(description="Under which id.", examples=[PERSON])
    what: str = Field(description="The type of the event in the log.", examples=["PersonRegistered"])


class TakingPart(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(examples=["Košice Cup"])
    starts_on: str = Field(examples=["2026-11-21"])
    status: str = Field(examples=["completed"])
    entries: list[EntryListed] = Field(description="Those that they were ever in the line-up of.")
    close_to: list[str] = Field(description="Persons who were declared close to them.", examples=[[]])


class Elsewhere(BaseModel):
    service: str = Field(examples=["standings"])
    path: str = Field(
        examples=[f"/v1/tournaments/{TOURNAMENT}/stages/swiss/standings/entrants/{ENTRANT}"],
    )
    what: str = Field(examples=["Why they stand where they stand."])


class PersonExport(BaseModel):
    """All that the platform knows of one person, for that person."""

    id: str = Field(examples=[PERSON])
    duplicates: list[str] = Field(description="Other ids of theirs.", examples=[[OTHER_PERSON]])
    federation: str = Field(examples=[FEDERATION])
    name: str | None = Field(examples=["Mária Nováková"])
    particulars: comer_forms.Particulars
    tournaments: list[TakingPart] = Field(description="In the order of their entries.")
    history: list[Happened] = Field(description="What the log says of the person as such.")
    elsewhere: list[Elsewhere] = Field(description="What other services have, by the ids of the entries above.")
