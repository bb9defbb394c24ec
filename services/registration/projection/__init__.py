"""What registration shows in lists, and who may act there."""

from collections.abc import Sequence

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain.federation import FEDERATION
from services.registration.projection.persons import Persons, keep_persons
from services.registration.projection.rulesets import Rulesets, keep_rulesets
from services.registration.projection.tables import TABLES, FederationRow
from services.registration.projection.tournaments import Tournaments, keep_homes, keep_tournaments
from shared.access import grants
from shared.log.read_model import ReadModel, raw_connection
from shared.log.store import Recorded

__all__ = ["NAME", "TABLES", "VERSION", "Federations", "Persons", "Rulesets", "Tournaments", "apply"]

NAME = "registration"
VERSION = 9


async def apply(session: AsyncSession, page: Sequence[Recorded]) -> None:
    federations: dict[str, dict[str, str | int]] = {}
    for recorded in page:
        if recorded.event.type in FEDERATION_EVENTS:
            event = FEDERATION.read(recorded)
            row = {"id": event.federation, "name": event.name, "version": recorded.event.version}
            federations[event.federation] = row
    if federations:
        await (await session.connection()).execute(KEEP, list(federations.values()))
    await keep_persons(session, page)
    await keep_tournaments(session, page, homes=await keep_homes(session, page))
    await keep_rulesets(session, page)
    await grants.apply(await raw_connection(session), [row.event.message for row in page if row.event.message])


FEDERATION_EVENTS = frozenset(event.__name__ for event in FEDERATION.events)


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
