"""Bodies about persons: their names, and what else is known of them."""

from datetime import date
from typing import Annotated

import msgspec
from pydantic import BaseModel, Field, field_validator

from services.registration.api.bodies import FEDERATION, FEDERATION_ID, OTHER_PERSON, PERSON, OnePerson, next_page
from services.registration.api.permissions import PERSON_ACTIONS
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.person import MergeReason
from shared.access.references import id_of
from shared.access.tokens import SUBJECT
from shared.clock import now
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.personal import particulars
from shared.rulesets.entry import known_countries

PERSON_NAME = Field(
    min_length=1,
    max_length=LONGEST_NAME,
    description="As it is shown. It is kept where it can be erased, and never in the log.",
    examples=["Mária Nováková"],
)


class PersonToRegister(RequestBody):
    federation: str = FEDERATION_ID
    name: str = PERSON_NAME


class PersonName(RequestBody):
    name: str = PERSON_NAME


class Duplicate(RequestBody):
    duplicate: OnePerson = Field(
        description="The id that is to lead to this person from now on.", examples=[OTHER_PERSON]
    )
    reason: MergeReason = Field(description="Why there were two.", examples=["registered-twice"])


class AccountOf(RequestBody):
    subject: str = Field(
        pattern=SUBJECT,
        json_schema_extra=id_of("official"),
        description="As their token calls them, which they see under `…/me` of the federation.",
        examples=["b7a20e"],
    )


class PersonListed(BaseModel):
    id: str = Field(examples=[PERSON])
    name: str | None = Field(description="As it is shown; null when it was erased.", examples=["Mária Nováková"])


class Person(PersonListed):
    federation: str = Field(examples=[FEDERATION])
    duplicates: list[str] = Field(
        description="Ids that were registered for the same person and lead here since.", examples=[[]]
    )
    account: str | None = Field(
        description="Who signs in as them: the opaque id in their token. Null: nobody.", examples=["b7a20e"]
    )
    account_is_vouched: bool = Field(
        description="Whether an official has said so; otherwise they have registered themselves.", examples=[True]
    )
    erased: bool = Field(description="Whether nothing is known of them any more.", examples=[False])
    allowed_actions: Actions = allowed(*PERSON_ACTIONS)


class PersonPage(BaseModel):
    items: list[PersonListed] = Field(description="In the order in which they were registered.")
    next: str | None = next_page("12873")


class Particulars(RequestBody):
    """What is known of a person besides the name, kept where it can be erased."""

    born: str | None = Field(
        default=None,
        pattern=r"^(19|20)[0-9]{2}(-[0-9]{2}-[0-9]{2})?$",
        description="A date, or a year.",
        examples=["2011-05-17"],
    )
    citizenship: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = Field(
        default=(), max_length=5, description="Countries, as ISO 3166 writes them; `XK` is Kosovo.", examples=[["PL"]]
    )
    town: str | None = Field(default=None, min_length=1, max_length=100, examples=["Kraków"])
    email: str | None = Field(
        default=None, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$", examples=["maria@example.org"]
    )
    phone: str | None = Field(default=None, pattern=r"^\+?[0-9 ]{5,20}$", examples=["+421 900 000 000"])
    licence: str | None = Field(
        default=None, pattern=r"^[!-~]{1,40}$", description="Its number with the federation.", examples=["SK-1042"]
    )

    @field_validator("born")
    @classmethod
    def is_a_day(cls, born: str | None) -> str | None:
        if born is not None and len(born) > len("2011"):
            date.fromisoformat(born)
        if born is not None and born > now().date().isoformat():
            raise ValueError("is in the future")
        return born

    @field_validator("citizenship")
    @classmethod
    def is_each_once(cls, countries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(countries))

    def known(self) -> particulars.Particulars:
        return msgspec.convert(self, particulars.Particulars, from_attributes=True)


class ParticularsToKeep(Particulars):
    """The same as it is said, for which a country has to be there."""

    @field_validator("citizenship")
    @classmethod
    def is_there(cls, countries: tuple[str, ...]) -> tuple[str, ...]:
        if strange := [country for country in countries if country not in known_countries()]:
            raise ValueError(f"should be countries of ISO 3166, and {', '.join(strange)} is none")
        return countries


class ParticularsShown(Particulars):
    person: str = Field(examples=[PERSON])
    hidden: list[str] = Field(description="Fields that the caller is not shown.", examples=[[]])


class PersonOfLine(BaseModel):
    line: int = Field(description="In the file.", examples=[2])
    person: str = Field(examples=[PERSON])
    is_new: bool = Field(examples=[True])


class PersonsImported(BaseModel):
    registered: int = Field(description="How many are new.", examples=[1])
    unchanged: int = Field(description="How many had been registered with just this.", examples=[0])
    persons: list[PersonOfLine] = Field(description="Each line, in the order of the file.")
