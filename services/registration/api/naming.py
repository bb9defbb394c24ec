"""What persons are called: kept beside the log before the log knows them, and shown when an answer leaves."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from services.registration.api.entrant_forms import Entrant
from services.registration.api.forms import PersonListed
from shared.decider import Refusal
from shared.names import Names


@asynccontextmanager
async def named_first(names: Names, given: Mapping[str, str]) -> AsyncGenerator[None]:
    """Names of persons who become known by what happens inside; when that is refused, they are forgotten again."""
    if not given:
        yield
        return
    await names.keep(given)
    try:
        yield
    except Refusal:
        await names.erase(given)
        raise


async def name_persons(persons: Iterable[PersonListed], names: Names) -> None:
    found = list(persons)
    known = await names.of([person.id for person in found])
    for person in found:
        person.name = known.get(person.id)


async def name_entrants(entrants: Iterable[Entrant], names: Names) -> None:
    """Persons, and teams and pairs that have a name of their own."""
    found = list(entrants)
    persons = [person for entrant in found for person in (*entrant.persons, *entrant.substitutes)]
    several = [entrant for entrant in found if len(entrant.persons) != 1]
    known = await names.of([person.id for person in persons] + [entrant.id for entrant in several])
    for person in persons:
        person.name = known.get(person.id)
    for entrant in several:
        entrant.name = known.get(entrant.id)
