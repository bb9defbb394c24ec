"""`GET /v1/persons/{person_id}/export`: what a service knows of a person besides what registration has told it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import BaseModel, Field

from shared.access.asker import Asker
from shared.access.policy import roles
from shared.access.references import id_of
from shared.access.roles import Role
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.responses import FOUND, page
from shared.personal.export import PersonalFact, PersonalFacts

EXPORT = roles(Role.DIRECTOR, Role.COORDINATOR, scope="person_id")
PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b92"

type PersonId = Annotated[
    str,
    Path(
        description="The id that registration has given.",
        pattern=r"^[0-9A-Za-z-]{1,64}$",
        json_schema_extra=id_of("person"),
        examples=[PERSON],
    ),
]


class TakesPart(BaseModel):
    tournament: str = Field(examples=["019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"])
    entrants: list[str] = Field(
        description="As whom: a pair and a team have ids of their own.",
        examples=[["019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"]],
    )


class KnownHere(BaseModel):
    person: str = Field(examples=[PERSON])
    tournaments: list[TakesPart] = Field(description="In the order in which it was heard of them.")
    facts: list[PersonalFact] = Field(description="Oldest first.")


def routes(*, facts: PersonalFacts, door: Door) -> APIRouter:
    router = Router(prefix="/v1/persons", tags=["persons"])

    @router.get(
        "/{person_id}/export",
        summary="All that this service knows of a person",
        description="For the person: every fact of the log about them or an entrant that they are part of, and what "
        "they have done. Registration's export says under which ids to ask here.",
        operation_id="exportPerson",
        response_model=KnownHere,
        responses=FOUND,
    )
    async def export(person_id: PersonId, asker: Annotated[Asker, Depends(door.reads(EXPORT))]) -> Response:
        parts = await facts.takes_part(person_id)
        seasons = await facts.seasons_of(asker.scope)
        entrants = [entrant for there in parts.values() for entrant in there]
        known = KnownHere(
            person=person_id,
            tournaments=[TakesPart(tournament=one, entrants=list(there)) for one, there in parts.items()],
            facts=await facts.about([person_id, *entrants], [*parts, *seasons]),
        )
        return page(known, "", None, {})

    return router
