"""Persons of a federation as CSV: brought in, and taken out in the same columns."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Response
from pydantic import ValidationError

from services.registration.api.bodies import FileForeseen
from services.registration.api.parameters import FederationId
from services.registration.api.permissions import EXPORT_PERSONS, IMPORT_PERSONS
from services.registration.api.personal import names_kept
from services.registration.api.persons import bodies
from services.registration.api.persons.bodies import PersonOfLine, PersonsImported
from services.registration.api.persons.directory import Directory, whose
from services.registration.domain.names import LONGEST_NAME, UnusableName, readable
from services.registration.domain.person import ImportPersons, Register
from services.registration.domain.person import PersonsImported as ImportedFact
from shared.access.references import ids_in_columns
from shared.commands.handler import Handler
from shared.csv_lines import CSV, FORM, SENTENCE, Line, as_csv, read, written
from shared.faults import Faulty, InputFault
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import answer_in, run, run_against_newest, tried
from shared.http.problems import documented
from shared.http.responses import MOST_ITEMS, DryRun, changed
from shared.ids import NewId
from shared.personal.particulars import NOTHING_KNOWN, PARTICULARS, Particulars
from shared.refusals import Refusal
from shared.spelling import folded
from shared.values import Value

COLUMNS = ("person", "name", *PARTICULARS)
NEW = "new"  # instead of an id: they are not whoever else is called so
FORMS = {
    "person": "should be the id of somebody who is registered.",
    "name": f"should be a name of at most {LONGEST_NAME} characters.",
    "born": "should be a date such as 2011-05-17, or a year.",
    "citizenship": "should be countries of ISO 3166 with two capital letters, such as SK, with spaces between them.",
    "town": "should be a town of at most 100 characters.",
    "email": "should be an e-mail address.",
    "phone": "should be digits and spaces, with a plus in front if need be.",
    "licence": "should be a number of at most 40 characters, without spaces.",
}
EXAMPLE = "name,born\r\nMária Nováková,2011-05-17\r\n"
IMPORTED = changed(HTTPStatus.CREATED, HTTPStatus.CONFLICT)

type PersonsFile = Annotated[
    bytes,
    Body(media_type=CSV, description=FORM, examples=[EXAMPLE], json_schema_extra=ids_in_columns({"person": "person"})),
]
type RegisterHandler = Handler[Register, ImportPersons, ImportedFact]


class PersonLine(Value):
    line: Line
    name: str
    known: Particulars

    @property
    def said(self) -> tuple[str, Particulars]:
        return self.name, self.known


def persons_in(lines: Sequence[Line], faults: list[InputFault]) -> list[PersonLine]:
    found: list[PersonLine] = []
    for line in lines:
        try:
            name = readable(line.cells.get("name", ""))
        except UnusableName as unusable:
            faults.append(line.fault(str(unusable), "name"))
            name = ""
        try:
            known = bodies.ParticularsToKeep.model_validate(particulars_in(line)).known()
        except ValidationError as wrong:
            columns = dict.fromkeys(str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False))
            faults += [line.fault(FORMS[column], column) for column in columns]
            continue
        if name:
            found.append(PersonLine(line=line, name=name, known=known))
    return found


def particulars_in(line: Line) -> dict[str, Any]:
    return {
        column: line.listed(column) if column == "citizenship" else line.cells[column]
        for column in PARTICULARS
        if column in line.cells
    }


class KnownPersons(Value):
    """Everybody of the federation, in the order of their registration."""

    names: Mapping[str, str]
    known: Mapping[str, Particulars]

    def ids_of(self, lines: Sequence[PersonLine], faults: list[InputFault]) -> list[str | None]:
        """The id of each, and none of who is new. Of two who are called and known alike the first line is the first."""
        free: dict[tuple[str, Particulars], list[str]] = {}
        for person, name in self.names.items():
            free.setdefault((name, self.known.get(person, NOTHING_KNOWN)), []).append(person)
        there = [one.line.cells.get("person", NEW) for one in lines]
        taken = set(there)
        found: list[str | None] = []
        for one, wanted in zip(lines, there, strict=True):
            if wanted != NEW:
                faults += self._misnamed(one, wanted)
                found.append(wanted)
                continue
            same = next((person for person in free.get(one.said, ()) if person not in taken), None)
            found.append(same)
            taken |= {same} if same is not None else set()
        new = [one for one, person in zip(lines, found, strict=True) if person is None]
        faults += self.alike(new, taken)
        return found

    def _misnamed(self, one: PersonLine, person: str) -> Iterator[InputFault]:
        if person not in self.names:
            yield one.line.fault("the federation knows nobody under this id: leave it out if they are new.", "person")
            return
        if self.names[person] != one.name:
            yield one.line.fault("is not what this person is called: mend the id, or change their name first.", "name")
        known = self.known.get(person, NOTHING_KNOWN)
        for column in PARTICULARS:
            if getattr(one.known, column) != getattr(known, column):
                yield one.line.fault("is known otherwise: say it again as it is, or change it with the person.", column)

    def alike(self, new: Sequence[PersonLine], taken: Container[str]) -> Iterator[InputFault]:
        """Who may be the same as somebody who is known, and whom no line names, or as another line: only people can say."""
        called: dict[str, list[str]] = {}
        for person, name in self.names.items():
            called.setdefault(folded(name), []).append(person)
        said: dict[tuple[str, Particulars], Line] = {}
        for one in new:
            if one.line.cells.get("person") == NEW:
                continue
            if (before := said.setdefault(one.said, one.line)) is not one.line:
                yield one.line.fault(
                    f"says what line {before.number} says: leave one out, or write {NEW} as person.", "name"
                )
            for other in called.get(folded(one.name), ()):
                if other not in taken and not self._differ(one, other):
                    yield one.line.fault(
                        f"{other} is called so too: write that id as person, or {NEW} if this is somebody else.", "name"
                    )
                    break

    def _differ(self, one: PersonLine, other: str) -> bool:
        """Born in different years they are different persons."""
        born, known = one.known.born, self.known.get(other, NOTHING_KNOWN).born
        return born is not None and known is not None and born[:4] != known[:4]


async def known_persons(directory: Directory, federation: str, called: Container[str] | None = None) -> KnownPersons:
    """Everybody of a federation, or those who are called so, however that is spelled."""
    await directory.views.caught_up()
    persons, after = list[str](), 0
    while rows := await directory.views.page(federation=federation, after=after, limit=MOST_ITEMS):
        persons += [row.id for row in rows]
        after = rows[-1].position
    names = await directory.names.in_full(persons)
    wanted = [one for one in persons if one in names and (called is None or folded(names[one]) in called)]
    return KnownPersons(names={one: names[one] for one in wanted}, known=await directory.particulars.of(wanted))


def line_of(person: str, name: str, known: Particulars) -> dict[str, str]:
    said = {column: getattr(known, column) for column in PARTICULARS if column != "citizenship"}
    cells = {column: str(cell) for column, cell in said.items() if cell is not None}
    return {"person": person, "name": name, "citizenship": " ".join(known.citizenship)} | cells


async def licence_faults(
    lines: Iterable[tuple[Line, str | None]], federation: str, directory: Directory
) -> list[InputFault]:
    """A number that somebody else has, or another line, is a fault of its line. Lines come with whom they are about, where
    that is somebody known."""
    said = [(line, person) for line, person in lines if "licence" in line.cells]
    holders = await directory.holders(federation, {line.cells["licence"] for line, _ in said})
    first, faults = dict[str, Line](), list[InputFault]()
    for line, person in said:
        licence = line.cells["licence"]
        if (before := first.setdefault(licence, line)) is not line:
            faults.append(line.fault(f"stands in line {before.number} already: everybody has their own.", "licence"))
        elif licence in holders and (person is None or await directory.kept(person) != holders[licence]):
            faults.append(line.fault(whose(licence, holders[licence]), "licence"))
    return faults


class PersonImport(Value):
    directory: Directory
    registers: RegisterHandler
    new_id: NewId

    async def carry_out(self, federation: str, content: bytes, act: Act) -> Response:
        """The file is held against the register; when another file was faster it is held against what that one left."""

        async def once(_: Register, act: Act) -> Response:
            return await self._register(federation, *await self._read(federation, content), act)

        return await run_against_newest(self.registers, federation, act, once, status=HTTPStatus.CREATED)

    async def try_out(self, federation: str, content: bytes) -> Response:
        answer, _ = await self._read(federation, content)
        return tried(foreseen(answer))

    async def _read(self, federation: str, content: bytes) -> tuple[PersonsImported, dict[str, PersonLine]]:
        """What is answered if nobody is faster, and who is new."""
        faults: list[InputFault] = []
        lines = persons_in(read(content, COLUMNS, needed=["name"]), faults)
        known = (await known_persons(self.directory, federation)).ids_of(lines, faults)
        about = zip((one.line for one in lines), known, strict=True)
        faults += await licence_faults(about, federation, self.directory)
        if faults:
            raise Faulty(SENTENCE, sorted(faults, key=lambda fault: int(fault.pointer.split("/")[2])))
        ids = [identity or str(self.new_id()) for identity in known]
        answer = PersonsImported(
            registered=known.count(None),
            unchanged=len(known) - known.count(None),
            persons=[
                PersonOfLine(line=one.line.number, person=identity, is_new=before is None)
                for one, identity, before in zip(lines, ids, known, strict=True)
            ],
        )
        return answer, {
            identity: one for one, identity, before in zip(lines, ids, known, strict=True) if before is None
        }

    async def _register(
        self, federation: str, answer: PersonsImported, new: Mapping[str, PersonLine], act: Act
    ) -> Response:
        """All of them are registered in one append."""
        known = {person: one.known for person, one in new.items()}
        await self.directory.particulars.keep_all(known)
        try:
            async with names_kept(self.directory.names, {person: one.name for person, one in new.items()}):
                response = await run(
                    self.registers,
                    federation,
                    ImportPersons(federation=federation, persons=(*new,)),
                    act,
                    lambda _: answer,
                    status=HTTPStatus.CREATED,
                    also=self.directory.registering([*new], known, federation, act),
                )
        except Refusal:
            await self.directory.particulars.erase(new)
            raise
        answered = answer_in(response, PersonsImported)
        if unused := new.keys() - {one.person for one in answered.persons}:  # the same key: it registered others before
            await self.directory.names.erase(unused)
            await self.directory.particulars.erase(unused)
        return response


def foreseen(answer: PersonsImported) -> FileForeseen:
    changes = [f"Newly registered: {answer.registered}."] if answer.registered else []
    changes += [f"Registered already, and left as they are: {answer.unchanged}."] if answer.unchanged else []
    return FileForeseen(changes=changes, lost=[])


def routes(*, importing: PersonImport, door: Door) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/persons", tags=["persons"])

    @router.post(
        "/import",
        summary="Register whoever stands in a file",
        description="CSV, one line for each person: all of them, or nobody. Who may be somebody known is not registered "
        f"twice: write their id as person, or `new`. Columns: {', '.join(COLUMNS)}.",
        operation_id="importPersons",
        status_code=HTTPStatus.CREATED,
        response_model=PersonsImported,
        responses=IMPORTED | {HTTPStatus.OK.value: {"model": FileForeseen, "description": "What it would change."}},
    )
    async def bring_in(
        federation_id: FederationId,
        content: PersonsFile,
        act: Annotated[Act, Depends(door.acts(IMPORT_PERSONS))],
        dry_run: DryRun = False,
    ) -> Response:
        if dry_run:
            return await importing.try_out(federation_id, content)
        return await importing.carry_out(federation_id, content, act)

    @router.get(
        "/export",
        summary="Persons as a file",
        description="CSV in the columns of the import, of everybody who is registered and not erased.",
        operation_id="exportPersons",
        response_class=Response,
        responses=as_csv(EXAMPLE) | documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
        dependencies=[Depends(door.reads(EXPORT_PERSONS))],
    )
    async def take_out(federation_id: FederationId) -> Response:
        found = await known_persons(importing.directory, federation_id)
        rows = [line_of(one, name, found.known.get(one, NOTHING_KNOWN)) for one, name in found.names.items()]
        headers = {"Content-Disposition": f'attachment; filename="persons-{federation_id}.csv"'}
        return Response(written(COLUMNS, rows), media_type=CSV, headers=headers)

    return router
