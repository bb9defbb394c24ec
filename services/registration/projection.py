"""What registration shows in lists."""

from collections.abc import Sequence

from sqlalchemy import MetaData
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain import federation
from shared.event_store import Recorded
from shared.read_model import ReadModel

NAME = "registration"
VERSION = 1
TABLES = MetaData(schema="views")


class FederationRow(SQLModel, table=True):
    __tablename__ = "federations"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    name: str
    version: int


async def apply(session: AsyncSession, page: Sequence[Recorded]) -> None:
    for recorded in page:
        if recorded.event.type not in FEDERATION_EVENTS:
            continue
        event = federation.FEDERATION.read(recorded)
        await session.merge(FederationRow(id=event.federation, name=event.name, version=recorded.event.version))


FEDERATION_EVENTS = frozenset(event.__name__ for event in federation.FEDERATION.events)


class Federations:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def page(self, *, after: str, limit: int) -> Sequence[FederationRow]:
        query = select(FederationRow).where(col(FederationRow.id) > after).order_by(col(FederationRow.id)).limit(limit)
        async with self._views.session() as session:
            return (await session.exec(query)).all()
