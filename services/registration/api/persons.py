"""Persons: registered once by their federation, and known by an id from then on."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from services.registration.api import forms
from services.registration.api.federations import FederationId
from services.registration.api.forms import Person, PersonId, PersonListed, PersonName, PersonPage, PersonToRegister
from services.registration.api.naming import name_persons, named_first
from services.registration.api.particulars import RECOGNISE
from services.registration.api.people import People
from services.registration.domain import person
from services.registration.domain.names import readable
from services.registration.domain.person import Erased, RegisterPerson, RenamePerson
from shared.access.asker import Asker
from shared.access.policy import NotPermitted, roles
from shared.access.roles import OFFICES, Role
from shared.http.door import Act, Door
from shared.http.orders import run, with_body
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, Limit, action, changed, page, read
from shared.ids import NewId

REGISTER = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="federation", in_body=True)
RENAME = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="person_id")
ERASE = roles(Role.DIRECTOR, scope="person_id")
LOOK = roles(*OFFICES, scope="person_id")
LIST = roles(*OFFICES, scope="federation_id")
LICENCE = Query(pattern=r"^[!-~]{1,40}$", description="The number of a licence, as it stands.", examples=["SK-1042"])
ACTIONS = {"renamePerson": RENAME, "mergePersons": RENAME, "erasePerson": ERASE}


def routes(*, people: People, door: Door, new_id: NewId) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["persons"])
    persons, names, shown_names = people.persons, people.names, people.shown

    @router.post(
        "/persons",
        summary="Register a person",
        description="With a name and nothing else. The log gets the id only; the name can be erased. Somebody new can "
        "also be registered by entering a tournament.",
        operation_id="registerPerson",
        status_code=HTTPStatus.CREATED,
        response_model=Person,
        responses=changed(HTTPStatus.CREATED),
    )
    async def register(body: PersonToRegister, act: Annotated[Act, Depends(door.acts(REGISTER))]) -> Response:
        identity = str(new_id())
        command = RegisterPerson(person=identity, federation=body.federation)
        async with named_first(names, {identity: readable(body.name)}):
            response = await run(
                persons,
                identity,
                command,
                act,
                lambda state: shown(state, act.asker),
                status=HTTPStatus.CREATED,
            )
        answered = Person.model_validate_json(bytes(response.body))
        if answered.id != identity:  # the same request under the same key: it has registered somebody before
            await names.erase([identity])
        return await named(response, answered)

    @router.post(
        "/persons/{person_id}/rename",
        summary="Change the name of a person",
        description="The log says that there is another name, and not which one. Giving the name that there is "
        "changes nothing.",
        operation_id="renamePerson",
        response_model=Person,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def rename(
        person_id: PersonId, body: PersonName, act: Annotated[Act, Depends(door.acts(RENAME))]
    ) -> Response:
        name, identity = readable(body.name), await people.kept(person_id)
        differs = (await names.in_full([identity])).get(identity) != name
        response = await run(
            persons, identity, RenamePerson(differs=differs), act, lambda state: shown(state, act.asker)
        )
        _, version = await persons.load(identity)
        if response.headers["ETag"] == f'"{version}"':  # otherwise somebody has given another name since
            await people.keep(identity, name=name)
        return await named(response, Person.model_validate_json(bytes(response.body)))

    @router.get(
        "/persons/{person_id}",
        summary="One person",
        description="For the officials of their federation. An id that was merged leads to the one that was kept.",
        operation_id="getPerson",
        response_model=Person,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(person_id: PersonId, asker: Annotated[Asker, Depends(door.reads(LOOK))]) -> Response:
        state, version = await persons.load(await people.kept(person_id))
        found = shown(state, asker)
        await name_persons([found], shown_names)
        return read(found, version)

    @router.get(
        "/federations/{federation_id}/persons",
        summary="The persons of a federation",
        description="Page by page, in the order in which they were registered; for its officials. With `licence` whoever "
        "has it, for those who are shown licences.",
        operation_id="listPersons",
        response_model=PersonPage,
        responses=PAGE,
    )
    async def several(
        federation_id: FederationId,
        asker: Annotated[Asker, Depends(door.reads(LIST))],
        licence: Annotated[str | Absent, LICENCE] = None,
        after: forms.AfterPosition = 0,
        limit: Limit = 100,
    ) -> Response:
        if licence is not None:
            return await with_licence(licence, federation_id, people, asker)
        rows = await people.views.page(federation=federation_id, after=after, limit=limit + 1)
        items = [PersonListed(id=row.id, name=None) for row in rows[:limit]]
        await name_persons(items, shown_names)
        following = str(rows[limit - 1].position) if len(rows) > limit else None
        path = f"/v1/federations/{federation_id}/persons"
        return page(PersonPage(items=items, next=following), path, following, {"limit": limit})

    async def named(response: Response, body: Person) -> Response:
        await name_persons([body], shown_names)
        return with_body(response, body)

    return router


async def with_licence(licence: str, federation: str, people: People, asker: Asker) -> Response:
    if (why_not := asker.why_not(RECOGNISE, federation)) is not None:
        raise NotPermitted(why_not)
    holders = await people.particulars.holders(federation, [licence])
    items = [PersonListed(id=holder, name=None) for holder in holders.values()]
    await name_persons(items, people.shown)
    return page(PersonPage(items=items, next=None), "", None, {})


def shown(state: person.State, asker: Asker) -> Person:
    """Without the name, which is kept nowhere else than in its own table."""
    found = person.known(state)
    seen = asker.within(found.person, found.federation)
    erased = isinstance(found, Erased)
    gone = "They were erased: nothing can be done with them any more." if erased else None
    return Person(
        id=found.person,
        name=None,
        federation=found.federation,
        duplicates=[] if erased else list(found.duplicates),
        erased=erased,
        allowed_actions=[action(name, seen.why_not(policy, found.person) or gone) for name, policy in ACTIONS.items()],
    )
