"""Persons of a federation as files: brought in, and taken out in the same columns."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response
from msgspec.structs import replace

from services.registration.api.federations import FederationId
from services.registration.api.files.forms import FileForeseen, PersonOfLine, PersonsImported
from services.registration.api.files.licences import licence_faults
from services.registration.api.files.person_lines import COLUMNS, PersonLine, Register, line_of, persons_in
from services.registration.api.files.routes import AS_CSV, FORM
from services.registration.api.naming import named_first
from services.registration.api.people import People
from services.registration.domain import person
from services.registration.domain.person import ImportPersons
from shared.access.policy import roles
from shared.access.references import ids_in_columns
from shared.access.roles import Role
from shared.commands.handler import ChangedSince, Handler
from shared.csv_lines import CSV, SENTENCE, read, written
from shared.faults import Fault, Faulty
from shared.http.door import Act, Door
from shared.http.orders import run
from shared.http.problems import documented
from shared.http.responses import JSON, MOST_ITEMS, DryRun, changed
from shared.ids import NewId
from shared.personal.particulars import NOTHING_KNOWN
from shared.refusals import Refusal
from shared.values import Value

REGISTER = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="federation_id")
TAKE_OUT = roles(Role.DIRECTOR, Role.COORDINATOR, scope="federation_id")  # who are shown every field
CAME = changed(HTTPStatus.CREATED, HTTPStatus.CONFLICT)
ATTEMPTS = 5
EXAMPLE = "name,born\r\nMária Nováková,2011-05-17\r\n"

type Content = Annotated[
    bytes,
    Body(media_type=CSV, description=FORM, examples=[EXAMPLE], json_schema_extra=ids_in_columns({"person": "person"})),
]
type RegisterHandler = Handler[person.Register, ImportPersons, person.PersonsImported]


class Registering(Value):
    people: People
    registers: RegisterHandler
    new_id: NewId

    async def happens(self, federation: str, content: bytes, act: Act, *, is_tried: bool) -> Response:
        """Over the register that the file was held against; when another file was faster it is held against theirs."""
        for attempt in range(ATTEMPTS):
            _, version = await self.registers.load(federation)
            over = act if act.versions is not None else replace(act, versions=frozenset({version}))
            try:
                return await self._happens(federation, content, over, is_tried=is_tried)
            except ChangedSince:
                if act.versions is not None or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError

    async def _happens(self, federation: str, content: bytes, act: Act, *, is_tried: bool) -> Response:
        lines, known = await self._ready(federation, content)
        ids = [identity or str(self.new_id()) for identity in known]
        answer = PersonsImported(
            registered=known.count(None),
            unchanged=len(known) - known.count(None),
            persons=[
                PersonOfLine(line=one.line.number, person=identity, is_new=before is None)
                for one, identity, before in zip(lines, ids, known, strict=True)
            ],
        )
        if is_tried:
            return Response(foreseen(answer).model_dump_json(), media_type=JSON)
        new = {identity: one for one, identity, before in zip(lines, ids, known, strict=True) if before is None}
        response = await self._register(federation, new, answer, act)
        answered = PersonsImported.model_validate_json(bytes(response.body))
        if unused := new.keys() - {one.person for one in answered.persons}:  # the same key: it registered others before
            await self.people.names.erase(unused)
            await self.people.particulars.erase(unused)
        return response

    async def _register(
        self, federation: str, new: Mapping[str, PersonLine], answer: PersonsImported, act: Act
    ) -> Response:
        """All of them in one append."""
        known = {person: one.known for person, one in new.items()}
        await self.people.particulars.keep_all(known)
        try:
            async with named_first(self.people.names, {person: one.name for person, one in new.items()}):
                return await run(
                    self.registers,
                    federation,
                    ImportPersons(federation=federation, persons=(*new,)),
                    act,
                    lambda _: answer,
                    status=HTTPStatus.CREATED,
                    beside=self.people.registering([*new], known, federation, act),
                )
        except Refusal:
            await self.people.particulars.erase(new)
            raise

    async def _ready(self, federation: str, content: bytes) -> tuple[list[PersonLine], list[str | None]]:
        faults: list[Fault] = []
        lines = persons_in(read(content, COLUMNS, needed=["name"]), faults)
        ids = (await self.register(federation)).ids_of(lines, faults)
        about = zip((one.line for one in lines), ids, strict=True)
        faults += await licence_faults(about, federation, self.people)
        if faults:
            raise Faulty(SENTENCE, sorted(faults, key=lambda fault: int(fault.pointer.split("/")[2])))
        return lines, ids

    async def register(self, federation: str) -> Register:
        await self.people.views.caught_up()
        persons, after = list[str](), 0
        while rows := await self.people.views.page(federation=federation, after=after, limit=MOST_ITEMS):
            persons += [row.id for row in rows]
            after = rows[-1].position
        names = await self.people.names.in_full(persons)
        return Register(
            names={person: names[person] for person in persons if person in names},
            known=await self.people.particulars.of(persons),
        )


def routes(*, registering: Registering, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/federations/{federation_id}/persons", tags=["persons"])

    @router.post(
        "/import",
        summary="Register whoever stands in a file",
        description="CSV, one line for each person: all of them, or nobody. Every faulty line is named, with its column "
        "and what to do. The same file again changes nothing. Who may be somebody known is not registered twice: write "
        f"their id as person, or `new`. Columns: {', '.join(COLUMNS)}.",
        operation_id="importPersons",
        status_code=HTTPStatus.CREATED,
        response_model=PersonsImported,
        responses=CAME | {HTTPStatus.OK.value: {"model": FileForeseen, "description": "What it would change."}},
    )
    async def bring_in(
        federation_id: FederationId,
        content: Content,
        act: Annotated[Act, Depends(door.acts(REGISTER))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        return await registering.happens(federation_id, content, act, is_tried=dry_run)

    @router.get(
        "/export",
        summary="Persons as a file",
        description="CSV in the columns of the import, of everybody who is registered and not erased.",
        operation_id="exportPersons",
        response_class=Response,
        responses=AS_CSV | documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
        dependencies=[Depends(door.reads(TAKE_OUT))],
    )
    async def take_out(federation_id: FederationId) -> Response:
        found = await registering.register(federation_id)
        rows = [line_of(one, name, found.known.get(one, NOTHING_KNOWN)) for one, name in found.names.items()]
        headers = {"Content-Disposition": f'attachment; filename="persons-{federation_id}.csv"'}
        return Response(written(COLUMNS, rows), media_type=CSV, headers=headers)

    return router


def foreseen(answer: PersonsImported) -> FileForeseen:
    changes = [f"{answer.registered} are registered."] if answer.registered else []
    changes += [f"{answer.unchanged} are registered already and stay as they are."] if answer.unchanged else []
    return FileForeseen(changes=changes, lost=[])
