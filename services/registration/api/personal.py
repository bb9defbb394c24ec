"""What is kept beside the log, where it can be erased: names and words, on their way in and out."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from fastapi import Response

from services.registration.api.bodies import Reason
from services.registration.api.entrants.bodies import Entrant, EntrantInFull
from services.registration.api.entries.bodies import EntrySheet, Imported
from services.registration.api.persons.bodies import Person, PersonListed
from services.registration.domain.tournament.reasons import NotedReason
from shared.http.authorization import Act
from shared.http.orders import answer_in, with_body
from shared.personal.names import Names
from shared.personal.notes import Notes
from shared.personal.shown_names import BETWEEN, NamesShown
from shared.refusals import Refusal


@asynccontextmanager
async def names_kept(names: Names, given: Mapping[str, str]) -> AsyncGenerator[None]:
    """Keeps the names of persons who become known by what happens inside; when that is refused, they are forgotten."""
    if not given:
        yield
        return
    await names.keep(given)
    try:
        yield
    except Refusal:
        await names.erase(given)
        raise


@asynccontextmanager
async def words_kept(notes: Notes, scope: str, given: Reason | None, act: Act) -> AsyncGenerator[NotedReason | None]:
    """Keeps the words of a reason; the log gets its code and its clause, and where the words are."""
    async with notes.kept(scope, given.words if given else None, act.key) as note:
        yield None if given is None else NotedReason(code=given.code, note=note, clause=given.clause)


async def named[Answer: (Person, EntrantInFull, EntrySheet, Imported)](
    response: Response, form: type[Answer], shown: NamesShown
) -> Response:
    """The answer to an order, with the names that whoever asks is shown: it is kept with its key without any."""
    return await named_body(response, answer_in(response, form), shown)


async def named_body(
    response: Response, body: Person | EntrantInFull | EntrySheet | Imported, shown: NamesShown
) -> Response:
    match body:
        case Person():
            await name_persons([body], shown)
        case EntrantInFull():
            await name_entrants([body], shown)
        case EntrySheet():
            await name_entrants([body.entrant], shown)
        case Imported():
            await name_entrants(body.entrants, shown)
    return with_body(response, body)


def called_together(entrant: str, persons: Iterable[str], names: Mapping[str, str]) -> str | None:
    """The name of an entrant's own, or those of all who play; none where they were erased."""
    return names.get(entrant) or BETWEEN.join(names[one] for one in persons if one in names) or None


async def name_persons(persons: Iterable[PersonListed], shown: NamesShown) -> None:
    """Names persons for the officials of their federation; nobody else is shown any."""
    found = list(persons)
    known = await shown.of_officials([person.id for person in found])
    for person in found:
        person.name = known.get(person.id)


async def name_entrants(entrants: Iterable[Entrant], shown: NamesShown) -> None:
    """Names the persons, and the teams and pairs that have a name of their own; all are of one tournament.

    Where spectators are not shown the names of persons, they are not shown either where somebody goes to school who does
    not play for the school.
    """
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
