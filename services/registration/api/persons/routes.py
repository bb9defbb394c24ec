"""Persons: registered once by their federation, and known by an id from then on."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from services.registration.api.bodies import Foreseen
from services.registration.api.parameters import AfterPosition, FederationId, PersonId
from services.registration.api.permissions import (
    CHANGE_PARTICULARS,
    CHANGE_PERSON,
    ERASE_PERSON,
    LIST_PERSONS,
    RECOGNISE_PERSON,
    REGISTER_PERSON,
    SEE_PARTICULARS,
    SEE_PERSON,
)
from services.registration.api.personal import name_persons, named, named_body, names_kept
from services.registration.api.persons.bodies import (
    Duplicate,
    ParticularsShown,
    ParticularsToKeep,
    Person,
    PersonListed,
    PersonName,
    PersonPage,
    PersonToRegister,
)
from services.registration.api.persons.directory import Directory
from services.registration.api.persons.views import particulars_view, person_view
from services.registration.domain import person
from services.registration.domain.names import readable
from services.registration.domain.person import (
    ChangeParticulars,
    ErasePerson,
    MergePerson,
    RegisterPerson,
    RenamePerson,
    TakeOver,
)
from shared.access.asker import Asker
from shared.access.policy import NotPermitted
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answer_in, run, run_against_newest, tried, with_body
from shared.http.parameters import Absent
from shared.http.responses import FOUND, PAGE, DryRun, Limit, changed, page, read, read_by_content
from shared.ids import NewId
from shared.personal.particulars import NOTHING_KNOWN
from shared.refusals import Refusal

LICENCE = Query(pattern=r"^[!-~]{1,40}$", description="The number of a licence, as it stands.", examples=["SK-1042"])


def routes(*, directory: Directory, door: Door, new_id: NewId) -> APIRouter:
    router = Router(prefix="/v1", tags=["persons"])
    persons, names, shown = directory.persons, directory.names, directory.shown

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
    async def register(body: PersonToRegister, act: Annotated[Act, Depends(door.acts(REGISTER_PERSON))]) -> Response:
        identity = str(new_id())
        order = RegisterPerson(person=identity, federation=body.federation)
        async with names_kept(names, {identity: readable(body.name)}):
            response = await run(
                persons,
                identity,
                order,
                act,
                lambda state: person_view(state, act.asker),
                status=HTTPStatus.CREATED,
            )
        answered = answer_in(response, Person)
        if answered.id != identity:  # the same request under the same key: it has registered somebody before
            await names.erase([identity])
        return await named_body(response, answered, shown)

    @router.post(
        "/persons/{person_id}/rename",
        summary="Change the name of a person",
        description="The log says that there is another name, and not which one. Giving the name that there is "
        "changes nothing.",
        operation_id="renamePerson",
        response_model=Person,
        responses=CHANGED,
    )
    async def rename(
        person_id: PersonId, body: PersonName, act: Annotated[Act, Depends(door.acts(CHANGE_PERSON))]
    ) -> Response:
        name, identity = readable(body.name), await directory.kept(person_id)
        differs = (await names.in_full([identity])).get(identity) != name
        order = RenamePerson(differs=differs)
        response = await run(persons, identity, order, act, lambda state: person_view(state, act.asker))
        _, version = await persons.load(identity)
        if response.headers["ETag"] == f'"{version}"':  # otherwise somebody has given another name since
            await directory.keep(identity, name=name)
        return await named(response, Person, shown)

    @router.get(
        "/persons/{person_id}",
        summary="One person",
        description="For the officials of their federation. An id that was merged leads to the one that was kept.",
        operation_id="getPerson",
        response_model=Person,
        responses=FOUND,
    )
    async def one(person_id: PersonId, asker: Annotated[Asker, Depends(door.reads(SEE_PERSON))]) -> Response:
        state, version = await persons.load(await directory.kept(person_id))
        found = person_view(state, asker)
        await name_persons([found], shown)
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
        asker: Annotated[Asker, Depends(door.reads(LIST_PERSONS))],
        licence: Annotated[str | Absent, LICENCE] = None,
        after: AfterPosition = 0,
        limit: Limit = 100,
    ) -> Response:
        if licence is not None:
            return await with_licence(licence, federation_id, asker)
        rows = await directory.views.page(federation=federation_id, after=after, limit=limit + 1)
        items = [PersonListed(id=row.id, name=None) for row in rows[:limit]]
        await name_persons(items, shown)
        following = str(rows[limit - 1].position) if len(rows) > limit else None
        path = f"/v1/federations/{federation_id}/persons"
        return page(PersonPage(items=items, next=following), path, following, {"limit": limit})

    async def with_licence(licence: str, federation: str, asker: Asker) -> Response:
        if (why_not := asker.why_not(RECOGNISE_PERSON, federation)) is not None:
            raise NotPermitted(why_not)
        holders = await directory.holders(federation, [licence])
        items = [PersonListed(id=holder, name=None) for holder in holders.values()]
        await name_persons(items, shown)
        return read_by_content(PersonPage(items=items, next=None))

    return router


def merge_routes(*, directory: Directory, door: Door) -> APIRouter:
    router = Router(prefix="/v1/persons/{person_id}", tags=["persons"])
    persons = directory.persons

    @router.post(
        "/merge",
        summary="Merge a duplicate into a person",
        description="For good: the second id leads to this person from now on, and what is known of both is put "
        "together, this person's going first. Refused where one person would then take part twice in a tournament, or "
        "be in two teams of a series.",
        operation_id="mergePersons",
        response_model=Person | Foreseen,
        responses=CHANGED,
    )
    async def merge(
        person_id: PersonId,
        body: Duplicate,
        act: Annotated[Act, Depends(door.acts(CHANGE_PERSON))],
        dry_run: DryRun = False,
    ) -> Response:
        order = TakeOver(duplicate=body.duplicate, reason=body.reason)
        state, _ = await persons.load(person_id)
        other = MergePerson(into=person_id, federation=person.known(state).federation)
        if dry_run:
            await persons.foresee(person_id, order)
            await persons.foresee(body.duplicate, other)
            await directory.nowhere_both(person_id, body.duplicate)
            tournaments = await directory.tournaments_of(await directory.ids_of(body.duplicate))
            stay = [f"{state.plan.name}: the entry is one of {person_id}." for state in tournaments.values()]
            signs_in = state.account if isinstance(state, person.Registered) else None
            stay += [f"Whoever signs in as {signs_in} acts for both from then on."] if signs_in else []
            lost = f"The name of {body.duplicate}, and particulars that differ; it is for good."
            gone, _ = await persons.load(body.duplicate)
            left = gone.account if isinstance(gone, person.Registered) else None
            nobody = [f"Whoever signs in as {left} is nobody here until an official links them anew."] if left else []
            return tried(Foreseen(changes=[f"{body.duplicate} leads to {person_id}.", *stay], lost=[lost, *nobody]))
        response = await run(
            persons,
            person_id,
            order,
            act,
            lambda state: person_view(state, act.asker),
            also=[persons.part(body.duplicate, other, scope=body.duplicate, origin=act.origin)],
            relying=lambda: directory.nowhere_both(person_id, body.duplicate),
        )
        await directory.put_together(person_id)
        return await named(response, Person, directory.shown)

    @router.delete(
        "",
        summary="Erase a person",
        description="For whoever asks to be forgotten: name, particulars, names of teams that tell theirs, and all "
        "words about their tournaments go, here at once and elsewhere within moments. The ids stay in the history, "
        "and so do results and tables.",
        operation_id="erasePerson",
        response_model=Person | Foreseen,
        responses=CHANGED,
    )
    async def erase(
        person_id: PersonId,
        act: Annotated[Act, Depends(door.acts(ERASE_PERSON))],
        dry_run: DryRun = False,
    ) -> Response:
        identity = await directory.kept(person_id)
        if dry_run:
            ids = await directory.ids_of(identity)
            tournaments = await directory.tournaments_of(ids)
            await persons.foresee(identity, ErasePerson(also=ids[1:], tournaments=tuple(tournaments)))
            words = [f"The words that explain decisions in {state.plan.name}." for state in tournaments.values()]
            stays = [f"{state.plan.name}: entries and results stay, without a name." for state in tournaments.values()]
            lost = ["The name, and whatever else is known of them.", *words]
            return tried(Foreseen(changes=[f"Nobody knows any more who {' or '.join(ids)} is.", *stays], lost=lost))

        async def once(_: person.State, over: Act) -> Response:
            """Over one version: somebody else may be merged into them meanwhile, whose names would stay for ever."""
            ids = await directory.ids_of(identity)
            order = ErasePerson(also=ids[1:], tournaments=tuple(await directory.tournaments_of(ids)))
            return await run(persons, identity, order, over, lambda state: person_view(state, act.asker))

        response = await run_against_newest(persons, identity, act, once)
        await directory.views.caught_up()  # what keeps the tables of registration erases them
        directory.forget()
        directory.names.have_changed()
        return response

    return router


def particulars_routes(*, directory: Directory, door: Door) -> APIRouter:
    router = Router(prefix="/v1/persons/{person_id}/particulars", tags=["persons"])
    persons, particulars = directory.persons, directory.particulars

    @router.post(
        "",
        summary="Say what else is known of a person",
        description="This is all of it from now on. The log says that something is known, and not what. A licence is "
        "one person's in a federation.",
        operation_id="changeParticulars",
        response_model=ParticularsShown,
        responses=CHANGED,
    )
    async def change(
        person_id: PersonId, body: ParticularsToKeep, act: Annotated[Act, Depends(door.acts(CHANGE_PARTICULARS))]
    ) -> Response:
        said, identity = body.known(), await directory.kept(person_id)
        known = (await particulars.of([identity])).get(identity, NOTHING_KNOWN)
        state, _ = await persons.load(identity)
        if isinstance(state, person.Registered) and said.licence and not await persons.repeated(act.key):
            await directory.claim(state.federation, {identity: said.licence})
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
            await directory.keep(identity, known=said)
        return with_body(response, particulars_view(identity, said))

    @router.get(
        "",
        summary="What else is known of a person",
        description="Each field for those who need it: how to reach them for directors and coordinators, what "
        "conditions are judged by also for the council, the licence also for arbiters and scorers.",
        operation_id="getParticulars",
        response_model=ParticularsShown,
        responses=FOUND,
    )
    async def one(person_id: PersonId, asker: Annotated[Asker, Depends(door.reads(RECOGNISE_PERSON))]) -> Response:
        identity = await directory.kept(person_id)
        state, version = await persons.load(identity)
        person.known(state)
        known = (await particulars.of([identity])).get(identity, NOTHING_KNOWN)
        hidden = [name for name, policy in SEE_PARTICULARS.items() if not asker.may(policy, asker.scope)]
        return read(particulars_view(identity, known, hidden), version)

    return router
