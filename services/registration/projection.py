"""What registration shows in lists, and who may act there."""

from collections.abc import Sequence

from sqlalchemy import MetaData
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain import federation
from shared import grants
from shared.event_store import Recorded
from shared.read_model import ReadModel, raw_connection

NAME = "registration"
VERSION = 3
TABLES = MetaData(schema="views")


class FederationRow(SQLModel, table=True):
    __tablename__ = "federations"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    name: str
    version: int


async def apply(session: AsyncSession, page: Sequence[Recorded]) -> None:
    federations: dict[str, dict[str, str | int]] = {}
    for recorded in page:
        if recorded.event.type in FEDERATION_EVENTS:
            event = federation.FEDERATION.read(recorded)
            row = {"id": event.federation, "name": event.name, "version": recorded.event.version}
            federations[event.federation] = row
    if federations:
        await (await session.connection()).execute(KEEP, list(federations.values()))
    await grants.apply(await raw_connection(session), [row.event.message for row in page if row.event.message])


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
