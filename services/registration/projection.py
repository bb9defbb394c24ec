"""What registration shows in lists, and who may act there."""

from collections.abc import Mapping, Sequence

from sqlalchemy import BigInteger, Index, MetaData, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain import federation, person
from services.registration.domain.tournament import TOURNAMENT, facts
from services.registration.domain.tournament.phases import TournamentStatus
from shared import grants
from shared.event_store import Recorded
from shared.read_model import ReadModel, raw_connection

NAME = "registration"
VERSION = 4
TABLES = MetaData(schema="views")


class FederationRow(SQLModel, table=True):
    __tablename__ = "federations"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    name: str
    version: int


class PersonRow(SQLModel, table=True):
    """Pages go by the position of the registration: what comes later never appears before what was seen."""

    __tablename__ = "persons"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    __table_args__ = (Index("persons_of", "federation", "position"),)  # pyright: ignore[reportAssignmentType] - the same
    metadata = TABLES

    id: str = Field(primary_key=True)
    federation: str
    position: int = Field(sa_type=BigInteger)


class TournamentRow(SQLModel, table=True):
    __tablename__ = "tournaments"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    position: int = Field(sa_type=BigInteger, unique=True)
    federation: str = Field(index=True)
    name: str
    status: str
    ruleset: str
    starts_on: str


async def apply(session: AsyncSession, page: Sequence[Recorded]) -> None:
    federations: dict[str, dict[str, str | int]] = {}
    for recorded in page:
        if recorded.event.type in FEDERATION_EVENTS:
            event = federation.FEDERATION.read(recorded)
            row = {"id": event.federation, "name": event.name, "version": recorded.event.version}
            federations[event.federation] = row
    if federations:
        await (await session.connection()).execute(KEEP, list(federations.values()))
    await keep_persons(session, page)
    await keep_tournaments(session, page)
    await grants.apply(await raw_connection(session), [row.event.message for row in page if row.event.message])


async def keep_persons(session: AsyncSession, page: Sequence[Recorded]) -> None:
    registered = [
        (recorded.position, event)
        for recorded in page
        if recorded.event.type == person.PersonRegistered.__name__
        and isinstance(event := person.PERSON.read(recorded), person.PersonRegistered)
    ]
    if registered:
        rows = [
            {"id": event.person, "federation": event.federation, "position": position} for position, event in registered
        ]
        await (await session.connection()).execute(insert(PersonRow).on_conflict_do_nothing(), rows)


async def keep_tournaments(session: AsyncSession, page: Sequence[Recorded]) -> None:
    connection = await session.connection()
    for recorded in page:
        if recorded.event.type not in TOURNAMENT_EVENTS:
            continue
        event = TOURNAMENT.read(recorded)
        if isinstance(event, facts.TournamentAnnounced):
            row = announced(recorded.position, event)
            await connection.execute(insert(TournamentRow).values(row).on_conflict_do_nothing())
        elif (status := BECOMES.get(type(event))) is not None:
            moved = update(TournamentRow).where(col(TournamentRow.id) == event.tournament).values(status=status)
            await connection.execute(moved)


def announced(position: int, event: facts.TournamentAnnounced) -> dict[str, str | int]:
    return {
        "id": event.tournament,
        "position": position,
        "federation": event.federation,
        "name": event.name,
        "status": "draft",
        "ruleset": event.ruleset_id,
        "starts_on": event.starts_on,
    }


BECOMES: Mapping[type, TournamentStatus] = {
    facts.RegistrationOpened: "registration",
    facts.CheckInOpened: "check-in",
    facts.TournamentStarted: "running",
    facts.PlayResumed: "running",
    facts.ReviewBegun: "under-review",
    facts.TournamentCompleted: "completed",
    facts.TournamentCancelled: "cancelled",
}
TOURNAMENT_EVENTS = frozenset(kind.__name__ for kind in (facts.TournamentAnnounced, *BECOMES))
FEDERATION_EVENTS = frozenset(event.__name__ for event in federation.FEDERATION.events)


NEW = insert(FederationRow)
KEEP = NEW.on_conflict_do_update(
    index_elements=["id"], set_={"name": NEW.excluded.name, "version": NEW.excluded.version}
)


class Federations:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(self, *, after: str, limit: int) -> Sequence[FederationRow]:
        query = select(FederationRow).where(col(FederationRow.id) > after).order_by(col(FederationRow.id)).limit(limit)
        async with self._views.session() as session:
            return (await session.exec(query)).all()


class Persons:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(self, *, federation: str, after: int, limit: int) -> Sequence[PersonRow]:
        place = col(PersonRow.position)
        query = select(PersonRow).where(col(PersonRow.federation) == federation, place > after).order_by(place)
        async with self._views.session() as session:
            return (await session.exec(query.limit(limit))).all()


class Tournaments:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(
        self, *, federation: str | None, status: str | None, after: int, limit: int
    ) -> Sequence[TournamentRow]:
        place = col(TournamentRow.position)
        query = select(TournamentRow).where(place > after).order_by(place).limit(limit)
        if federation is not None:
            query = query.where(col(TournamentRow.federation) == federation)
        if status is not None:
            query = query.where(col(TournamentRow.status) == status)
        async with self._views.session() as session:
            return (await session.exec(query)).all()
