"""Two persons turn out to be one; and somebody is forgotten who asks for it."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api.forms import Foreseen, Person, PersonId
from services.registration.api.naming import name_persons
from services.registration.api.people import People
from services.registration.api.person_forms import Duplicate
from services.registration.api.persons import ERASE, RENAME, shown
from services.registration.domain import person
from services.registration.domain.person import ErasePerson, MergePerson
from shared.http.door import Act, Door
from shared.http.orders import run, with_body
from shared.http.responses import JSON, DryRun, changed


def routes(*, people: People, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/persons/{person_id}", tags=["persons"])
    persons = people.persons

    @router.post(
        "/merge",
        summary="Merge a duplicate into a person",
        description="Both ids stay in the history; the second one leads to this person from now on, and what is known of "
        "both is put together, this person's going first. It is for good. Refused where one person would then take part "
        "twice in a tournament, or be in the bases of two teams of a series.",
        operation_id="mergePersons",
        response_model=Person | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def merge(
        person_id: PersonId,
        body: Duplicate,
        act: Annotated[Act, Depends(door.acts(RENAME))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        order = await people.merging(person_id, body.duplicate, body.reason)
        state, _ = await persons.load(person_id)
        other = MergePerson(into=person_id, federation=person.known(state).federation)
        if dry_run:
            await persons.foresee(person_id, order)
            await persons.foresee(body.duplicate, other)
            return foreseen(await merged(person_id, body.duplicate))
        response = await run(
            persons,
            person_id,
            order,
            act,
            lambda state: shown(state, act.asker),
            beside=[persons.part(body.duplicate, other, scope=body.duplicate, origin=act.origin)],
        )
        await people.put_together(person_id)
        return await named(response)

    @router.delete(
        "",
        summary="Erase a person",
        description="For whoever asks to be forgotten: name, particulars, names of their pairs and teams that tell "
        "theirs, and all words about the tournaments in which they took part go, here at once and at the other services "
        "within moments. The ids stay in the history, and so do results and tables. `roundlog scrub` then takes the "
        "last bytes from the disks.",
        operation_id="erasePerson",
        response_model=Person | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def erase(
        person_id: PersonId,
        act: Annotated[Act, Depends(door.acts(ERASE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        identity = await people.kept(person_id)
        ids = await people.ids_of(identity)
        tournaments = await people.tournaments_of(ids)
        order = ErasePerson(also=ids[1:], tournaments=tuple(tournaments))
        if dry_run:
            await persons.foresee(identity, order)
            words = [f"The words that explain decisions in {state.plan.name}." for state in tournaments.values()]
            stays = [f"{state.plan.name}: entries and results stay, without a name." for state in tournaments.values()]
            lost = ["The name, and whatever else is known of them.", *words]
            return foreseen(Foreseen(changes=[f"Nobody knows any more who {' or '.join(ids)} is.", *stays], lost=lost))
        response = await run(persons, identity, order, act, lambda state: shown(state, act.asker))
        await people.views.caught_up()  # what keeps the tables of registration erases them
        people.names.have_changed()
        return with_body(response, Person.model_validate_json(bytes(response.body)))

    async def merged(identity: str, duplicate: str) -> Foreseen:
        tournaments = await people.tournaments_of(await people.ids_of(duplicate))
        return Foreseen(
            changes=[
                f"{duplicate} leads to {identity}.",
                *(f"{state.plan.name}: the entry is one of {identity}." for state in tournaments.values()),
            ],
            lost=[f"The name of {duplicate}, and particulars that differ; it is for good."],
        )

    async def named(response: Response) -> Response:
        body = Person.model_validate_json(bytes(response.body))
        await name_persons([body], people.shown)
        return with_body(response, body)

    return router


def foreseen(what: Foreseen) -> Response:
    return Response(what.model_dump_json(), media_type=JSON)
