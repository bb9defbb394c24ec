"""What is known of a person besides the name: kept where it can be erased, each field shown to those who need it."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import fields, replace
from pydantic import Field

from services.registration.api import comer_forms
from services.registration.api.forms import PERSON, PersonId
from services.registration.api.people import People
from services.registration.api.reading_details import particulars_of
from services.registration.domain import person
from services.registration.domain.person import ChangeParticulars, Registered
from shared.access.asker import Asker
from shared.access.policy import Policy, roles
from shared.access.roles import Role
from shared.http.door import Act, Door
from shared.http.orders import run, with_body
from shared.http.problems import documented
from shared.http.responses import READ, changed, read
from shared.personal.particulars import NOTHING_KNOWN, Particulars
from shared.refusals import Refusal

ORGANISERS = (Role.DIRECTOR, Role.COORDINATOR)
CHANGE = roles(*ORGANISERS, scope="person_id")
JUDGE = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")
RECOGNISE = roles(*ORGANISERS, Role.COUNCIL, Role.ARBITER, Role.SCORER, scope="person_id")
SEEN: Mapping[str, Policy] = {  # by whom each field is needed
    "born": JUDGE,
    "citizenship": JUDGE,
    "town": JUDGE,
    "email": CHANGE,
    "phone": CHANGE,
    "licence": RECOGNISE,
}


class ParticularsShown(comer_forms.Particulars):
    person: str = Field(examples=[PERSON])
    hidden: list[str] = Field(description="Fields that the caller is not shown.", examples=[[]])


def routes(*, people: People, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/persons/{person_id}/particulars", tags=["persons"])
    persons, particulars = people.persons, people.particulars

    @router.post(
        "",
        summary="Say what else is known of a person",
        description="This is all of it from now on. The log says that something is known, and not what: birth dates, "
        "addresses and numbers are kept where they can be erased. A licence is one person's in a federation.",
        operation_id="changeParticulars",
        response_model=ParticularsShown,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def change(
        person_id: PersonId, body: comer_forms.Particulars, act: Annotated[Act, Depends(door.acts(CHANGE))]
    ) -> Response:
        said, identity = particulars_of(body), await people.kept(person_id)
        known = (await particulars.of([identity])).get(identity, NOTHING_KNOWN)
        state, _ = await persons.load(identity)
        if isinstance(state, Registered) and said.licence and not await persons.repeated(act.key):
            await people.claim(state.federation, {identity: said.licence})
        try:
            response = await run(
                persons,
                identity,
                ChangeParticulars(differ=known != said),
                act,
                lambda state: ParticularsShown(person=person.known(state).person, hidden=[]),
            )
        except Refusal:
            await particulars.settle([identity], identity, known.licence)
            raise
        _, version = await persons.load(identity)
        if response.headers["ETag"] == f'"{version}"':  # otherwise somebody has said something else since
            await people.keep(identity, known=said)
        return with_body(response, shown(identity, said))

    @router.get(
        "",
        summary="What else is known of a person",
        description="Each field for those who need it: how to reach them for directors and coordinators, what "
        "conditions are judged by also for the council, the licence also for arbiters and scorers.",
        operation_id="getParticulars",
        response_model=ParticularsShown,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(person_id: PersonId, asker: Annotated[Asker, Depends(door.reads(RECOGNISE))]) -> Response:
        identity = await people.kept(person_id)
        state, version = await persons.load(identity)
        person.known(state)
        known = (await particulars.of([identity])).get(identity, NOTHING_KNOWN)
        hidden = [name for name, policy in SEEN.items() if not asker.may(policy, asker.scope)]
        return read(shown(identity, known, hidden), version)

    return router


def shown(identity: str, known: Particulars, hidden: list[str] | None = None) -> ParticularsShown:
    nothing = {field.name: field.default for field in fields(Particulars) if field.name in (hidden or [])}
    seen = replace(known, **nothing)
    return ParticularsShown(
        person=identity,
        hidden=hidden or [],
        born=seen.born,
        citizenship=seen.citizenship,
        town=seen.town,
        email=seen.email,
        phone=seen.phone,
        licence=seen.licence,
    )
