"""What persons are called: kept beside the log before the log knows them, and shown when an answer leaves."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from services.registration.api.bodies import Reason
from services.registration.api.entrants.bodies import Entrant
from services.registration.api.persons.bodies import PersonListed
from services.registration.domain.tournament import plan_orders
from shared.http.door import Act
from shared.personal.names import Names
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown
from shared.refusals import Refusal


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


async def name_persons(persons: Iterable[PersonListed], shown: NamesShown) -> None:
    """For the officials of their federation."""
    found = list(persons)
    known = await shown.of_officials([person.id for person in found])
    for person in found:
        person.name = known.get(person.id)


async def name_entrants(entrants: Iterable[Entrant], shown: NamesShown) -> None:
    """Persons, and teams and pairs that have a name of their own; all of one tournament. Where spectators are not shown
    the names of persons, they are not shown either where somebody goes to school who does not play for the school."""
    found = list(entrants)
    if not found:
        return
    told = await shown.of_tournament(found[0].tournament)
    for entrant in found:
        for person in (*entrant.persons, *entrant.substitutes):
            person.name = told.names.get(person.id)
        if len(entrant.persons) != 1 and entrant.id in told.own_names:
            entrant.name = told.names[entrant.id]
        if entrant.id not in told.schools:
            entrant.school = None


@asynccontextmanager
async def reasoned(
    notes: Notes, scope: str, given: Reason | None, act: Act
) -> AsyncGenerator[plan_orders.Reason | None]:
    async with notes.kept(scope, given.words if given else None, act.key) as note:
        yield None if given is None else plan_orders.Reason(code=given.code, note=note, clause=given.clause)
