"""What is sent and answered where two persons turn out to be one, or somebody asks what is known of them."""

from pydantic import BaseModel, Field

from services.registration.api import comer_forms
from services.registration.api.entry_forms import EntryListed
from services.registration.api.forms import FEDERATION, OTHER_PERSON, PERSON, TOURNAMENT, OnePerson
from services.registration.api.sent import Sent
from services.registration.domain.person import MergeReason
from shared.personal.export import PersonalFact


class Duplicate(Sent):
    duplicate: OnePerson = Field(
        description="The id that is to lead to this person from now on.", examples=[OTHER_PERSON]
    )
    reason: MergeReason = Field(description="Why there were two.", examples=["registered-twice"])


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
        examples=[f"/v1/persons/{PERSON}/export"],
    )
    what: str = Field(examples=["All that it knows of them."])


class PersonExport(BaseModel):
    """All that registration knows of one person, for that person, and where the others say what they know."""

    id: str = Field(examples=[PERSON])
    duplicates: list[str] = Field(description="Other ids of theirs.", examples=[[OTHER_PERSON]])
    federation: str = Field(examples=[FEDERATION])
    name: str | None = Field(examples=["Mária Nováková"])
    particulars: comer_forms.Particulars
    tournaments: list[TakingPart] = Field(description="In the order of their entries.")
    facts: list[PersonalFact] = Field(
        description="All that the log says of them and of their entries, oldest first: what was decided and paid, consents, "
        "claims, and what became of them."
    )
    elsewhere: list[Elsewhere] = Field(description="What other services answer.")
