"""What persons are called: it stands beside the log, and comes into an answer when that leaves."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from services.registration.api.forms import Entrant, PersonListed


class Names(Protocol):
    async def remember(self, person: str, name: str, version: int) -> None:
        """Unless a later version of the person was named already."""
        ...

    async def of(self, persons: Sequence[str]) -> Mapping[str, str]:
        """The names of those who have one."""
        ...


async def name_persons(persons: Iterable[PersonListed], names: Names) -> None:
    found = list(persons)
    known = await names.of([person.id for person in found])
    for person in found:
        person.name = known.get(person.id)


async def name_entrants(entrants: Iterable[Entrant], names: Names) -> None:
    await name_persons((person for entrant in entrants for person in entrant.persons), names)
