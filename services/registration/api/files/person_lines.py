"""Persons in a file, one in each line; and who of them is registered already."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import ValidationError

from services.registration.api import comer_forms
from services.registration.api.files.entry_lines import FORMS, OF_PARTICULARS, SEVERAL
from services.registration.api.reading_details import particulars_of
from services.registration.domain.names import UnusableName, readable
from shared.csv_lines import Line
from shared.faults import Fault
from shared.personal.particulars import NOTHING_KNOWN, Particulars
from shared.values import Value

COLUMNS = ("person", "name", *OF_PARTICULARS)
NEW = "new"  # instead of an id: they are not whoever else is called so


class PersonLine(Value):
    line: Line
    name: str
    known: Particulars

    @property
    def said(self) -> tuple[str, Particulars]:
        return self.name, self.known


def persons_in(lines: Sequence[Line], faults: list[Fault]) -> list[PersonLine]:
    found: list[PersonLine] = []
    for line in lines:
        try:
            name = readable(line.cells.get("name", ""))
        except UnusableName as unusable:
            faults.append(line.fault(str(unusable), "name"))
            name = ""
        cells = {
            column: line.listed(column) if column in SEVERAL else line.cells[column]
            for column in OF_PARTICULARS
            if column in line.cells
        }
        try:
            known = particulars_of(comer_forms.Particulars.model_validate(cells))
        except ValidationError as wrong:
            columns = dict.fromkeys(str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False))
            faults += [line.fault(FORMS[column], column) for column in columns]
            continue
        if name:
            found.append(PersonLine(line=line, name=name, known=known))
    return found


class Register(Value):
    """Everybody of the federation, in the order of their registration."""

    names: Mapping[str, str]
    known: Mapping[str, Particulars]

    def ids_of(self, lines: Sequence[PersonLine], faults: list[Fault]) -> list[str | None]:
        """Of each the id; none of who is new. Of two who are called and known alike the first is the first."""
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
        faults += self._alike(lines, found, taken)
        return found

    def _misnamed(self, one: PersonLine, person: str) -> Iterator[Fault]:
        if person not in self.names:
            yield one.line.fault("the federation knows nobody under this id: leave it out if they are new.", "person")
            return
        if self.names[person] != one.name:
            yield one.line.fault("is not what this person is called: mend the id, or change their name first.", "name")
        known = self.known.get(person, NOTHING_KNOWN)
        for column in OF_PARTICULARS:
            if getattr(one.known, column) != getattr(known, column):
                yield one.line.fault("is known otherwise: say it again as it is, or change it with the person.", column)

    def _alike(self, lines: Sequence[PersonLine], found: Sequence[str | None], taken: set[str]) -> Iterator[Fault]:
        """Who may be the same as somebody who is known, or as another line: only people can say."""
        called: dict[str, list[str]] = {}
        for person, name in self.names.items():
            called.setdefault(name, []).append(person)
        said: dict[tuple[str, Particulars], Line] = {}
        for one, person in zip(lines, found, strict=True):
            if person is not None or one.line.cells.get("person") == NEW:
                continue
            if (before := said.setdefault(one.said, one.line)) is not one.line:
                yield one.line.fault(
                    f"says what line {before.number} says: leave one out, or write {NEW} as person.", "name"
                )
            for other in called.get(one.name, ()):
                if other not in taken and not self._differ(one, other):
                    yield one.line.fault(
                        f"{other} is called so too: write that id as person, or {NEW} if this is somebody else.", "name"
                    )
                    break

    def _differ(self, one: PersonLine, other: str) -> bool:
        """Born in different years they are different persons."""
        born, known = one.known.born, self.known.get(other, NOTHING_KNOWN).born
        return born is not None and known is not None and born[:4] != known[:4]


def line_of(person: str, name: str, known: Particulars) -> dict[str, str]:
    said = {column: getattr(known, column) for column in OF_PARTICULARS if column != "citizenship"}
    cells = {column: str(cell) for column, cell in said.items() if cell is not None}
    return {"person": person, "name": name, "citizenship": " ".join(known.citizenship)} | cells
