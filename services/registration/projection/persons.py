"""Persons in lists, in which tournaments they were, and what goes from every table when they are erased."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain.person import PERSON, PersonErased, PersonMerged, PersonRegistered
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.projection.tables import EntryOfHomeRow, LineUpRow, PersonRow
from shared.log.connection import Connection
from shared.log.read_model import ReadModel, raw_connection
from shared.log.store import Recorded
from shared.personal import names, notes, openings, particulars
from shared.personal.shown_names import tells
from shared.spelling import folded, words_of

PERSON_EVENTS = frozenset(kind.__name__ for kind in (PersonRegistered, PersonMerged, PersonErased))
LINE_UP_EVENTS = frozenset(
    kind.__name__
    for kind in (
        facts.EntrantEntered,
        facts.EntrantAdmitted,
        facts.EntrantChanged,
        facts.EntryDetailed,
        facts.LineUpChanged,
    )
)
DETAILED = facts.EntryDetailed.__name__
SHORTEST = 3  # letters of a word that tells whose it is
NAMES = "select id, name from names.names where name is not null and (id = any($1) or id = any($2))"


async def keep_persons(session: AsyncSession, page: Sequence[Recorded]) -> None:
    """Events are taken in the order in which they happened."""
    connection = await session.connection()
    for recorded in page:
        if recorded.event.type in LINE_UP_EVENTS and (rows := in_line_up(TOURNAMENT.read(recorded))):
            await connection.execute(insert(LineUpRow).on_conflict_do_nothing(), rows)
        if recorded.event.type == DETAILED and (homes := of_homes(TOURNAMENT.read(recorded))):
            await connection.execute(insert(EntryOfHomeRow).on_conflict_do_nothing(), homes)
        if recorded.event.type not in PERSON_EVENTS:
            continue
        match PERSON.read(recorded):
            case PersonRegistered() as event:
                row = {"id": event.person, "federation": event.federation, "position": recorded.position}
                await connection.execute(insert(PersonRow).values(row).on_conflict_do_nothing())
            case PersonMerged() as event:
                await connection.execute(delete(PersonRow).where(col(PersonRow.id) == event.person))
            case PersonErased() as event:
                await connection.execute(delete(PersonRow).where(col(PersonRow.id) == event.person))
                await erase(session, event)
            case _:
                pass


def in_line_up(event: object) -> list[dict[str, Any]]:
    match event:
        case facts.EntrantEntered() | facts.EntrantAdmitted() | facts.EntrantChanged():
            persons = event.persons
        case facts.EntryDetailed():
            persons = event.substitutes
        case facts.LineUpChanged():
            persons = (*event.persons, *event.substitutes)
        case _:
            return []
    return [{"person": one, "entrant": event.entrant, "tournament": event.tournament} for one in persons]


def of_homes(event: object) -> list[dict[str, Any]]:
    if not isinstance(event, facts.EntryDetailed):
        return []
    homes = {one for one in (event.school, event.club) if one is not None}
    return [{"home": one, "entrant": event.entrant, "tournament": event.tournament} for one in sorted(homes)]


async def erase(session: AsyncSession, event: PersonErased) -> None:
    """Whatever is known of them here goes. Once more does no harm, so a service that was killed meanwhile goes on with
    it."""
    ids = [event.person, *event.also]
    line_ups = (await session.exec(select(LineUpRow).where(col(LineUpRow.person).in_(ids)))).all()
    entrants = [row.entrant for row in line_ups]
    connection = await raw_connection(session)
    telling = await that_tell(connection, ids, entrants)
    await names.keep(connection, dict.fromkeys([*ids, *telling]))
    await particulars.erase(connection, ids)
    # Who was entered in the moment of the erasure stands here, and not in the event.
    await notes.erase_all(connection, {*event.tournaments, *(row.tournament for row in line_ups)})
    await openings.erase(connection, [*ids, *entrants])


async def that_tell(connection: Connection, ids: Sequence[str], entrants: Iterable[str]) -> list[str]:
    """Find pairs and teams whose own name has a part of theirs in it, be it without accents or with another ending."""
    known = {row["id"]: row["name"] for row in await connection.fetch(NAMES, list(ids), list(entrants))}
    theirs = [known.pop(one) for one in ids if one in known]
    parts = {word for name in theirs for word in words_of(name) if len(word) >= SHORTEST}
    return [
        entrant
        for entrant, name in known.items()
        if any(part in folded(name) for part in parts) or any(tells(name, one, "") for one in theirs)
    ]


class Persons:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(self, *, federation: str, after: int, limit: int) -> Sequence[PersonRow]:
        place = col(PersonRow.position)
        query = select(PersonRow).where(col(PersonRow.federation) == federation, place > after).order_by(place)
        async with self._views.session() as session:
            return (await session.exec(query.limit(limit))).all()

    async def registered(self, persons: Iterable[str]) -> frozenset[str]:
        """Who of them has neither been merged into somebody else nor erased."""
        query = select(PersonRow.id).where(col(PersonRow.id).in_(list(persons)))
        async with self._views.session() as session:
            return frozenset((await session.exec(query)).all())

    async def line_ups(self, persons: Iterable[str]) -> Sequence[LineUpRow]:
        query = select(LineUpRow).where(col(LineUpRow.person).in_(list(persons)))
        async with self._views.session() as session:
            return (await session.exec(query.order_by(col(LineUpRow.entrant)))).all()

    async def entries_of(self, homes: Iterable[str]) -> Sequence[EntryOfHomeRow]:
        query = select(EntryOfHomeRow).where(col(EntryOfHomeRow.home).in_(list(homes)))
        async with self._views.session() as session:
            return (await session.exec(query.order_by(col(EntryOfHomeRow.entrant)))).all()

    async def caught_up(self) -> None:
        await self._views.caught_up()
