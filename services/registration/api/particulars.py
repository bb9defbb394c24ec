"""What is known of a person besides the name: kept where it can be erased, read by few."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from services.registration.api import comer_forms
from services.registration.api.eligible import particulars_of
from services.registration.api.forms import PERSON, PersonId
from services.registration.api.happening import happen, with_body
from services.registration.api.persons import PersonHandler
from services.registration.domain import person
from services.registration.domain.person import ChangeParticulars
from shared.act import Act, Door
from shared.answers import READ, changed, read
from shared.particulars import NOTHING_KNOWN, Particulars, ParticularsOf
from shared.policy import roles
from shared.problems import documented
from shared.roles import Role

KNOW = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="person_id")


class ParticularsShown(comer_forms.Particulars):
    person: str = Field(examples=[PERSON])


def routes(*, persons: PersonHandler, particulars: ParticularsOf, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/persons/{person_id}/particulars", tags=["persons"])

    @router.post(
        "",
        summary="Say what else is known of a person",
        description="This is all of it from now on. The log says that something is known, and not what: birth dates, "
        "addresses and numbers are kept where they can be erased.",
        operation_id="changeParticulars",
        response_model=ParticularsShown,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def change(
        person_id: PersonId, body: comer_forms.Particulars, act: Annotated[Act, Depends(door.acts(KNOW))]
    ) -> Response:
        said = particulars_of(body)
        known = (await particulars.of([person_id])).get(person_id, NOTHING_KNOWN)
        response = await happen(
            persons,
            person_id,
            ChangeParticulars(differ=known != said),
            act,
            lambda state: ParticularsShown(person=person.known(state).person),
        )
        _, version = await persons.load(person_id)
        if response.headers["ETag"] == f'"{version}"':  # otherwise somebody has said something else since
            await particulars.keep(person_id, said)
        return with_body(response, shown(person_id, said))

    @router.get(
        "",
        summary="What else is known of a person",
        description="For those of the federation who prepare its tournaments.",
        operation_id="getParticulars",
        response_model=ParticularsShown,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(KNOW))],
    )
    async def one(person_id: PersonId) -> Response:
        state, version = await persons.load(person_id)
        person.known(state)
        known = (await particulars.of([person_id])).get(person_id, NOTHING_KNOWN)
        return read(shown(person_id, known), version)

    return router


def shown(identity: str, known: Particulars) -> ParticularsShown:
    return ParticularsShown(
        person=identity,
        born=known.born,
        citizenship=known.citizenship,
        town=known.town,
        email=known.email,
        phone=known.phone,
    )
