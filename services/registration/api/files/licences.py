"""Licences in a file: a number that somebody else has, or another line, is a fault of its line."""

from collections.abc import Iterable

from services.registration.api.people import People, whose
from shared.csv_lines import Line
from shared.faults import Fault


async def licence_faults(lines: Iterable[tuple[Line, str | None]], federation: str, people: People) -> list[Fault]:
    """Of each line with whom it is about, where that is somebody known."""
    said = [(line, person) for line, person in lines if "licence" in line.cells]
    holders = await people.particulars.holders(federation, {line.cells["licence"] for line, _ in said})
    first, faults = dict[str, Line](), list[Fault]()
    for line, person in said:
        licence = line.cells["licence"]
        if (before := first.setdefault(licence, line)) is not line:
            faults.append(line.fault(f"stands in line {before.number} already: everybody has their own.", "licence"))
        elif licence in holders and (person is None or await people.kept(person) != holders[licence]):
            faults.append(line.fault(whose(licence, holders[licence]), "licence"))
    return faults
