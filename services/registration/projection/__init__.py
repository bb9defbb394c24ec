"""What registration shows in lists, and who may act there."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import or_, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain.federation import FEDERATION
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.states import TournamentStatus
from services.registration.projection.persons import Persons, keep_persons
from services.registration.projection.rulesets import Rulesets, keep_rulesets
from services.registration.projection.tables import TABLES, FederationRow, TournamentRow
from shared.access import grants
from shared.log.read_model import ReadModel, raw_connection
from shared.log.store import Recorded

__all__ = ["NAME", "TABLES", "VERSION", "Federations", "Persons", "Rulesets", "Tournaments", "apply"]

NAME = "registration"
VERSION = 8


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
    await keep_tournaments(session, page)
    await keep_rulesets(session, page)
    await grants.apply(await raw_connection(session), [row.event.message for row in page if row.event.message])


async def keep_tournaments(session: AsyncSession, page: Sequence[Recorded]) -> None:
    connection = await session.connection()
    for recorded in page:
        if recorded.event.type not in TOURNAMENT_EVENTS:
            continue
        event = TOURNAMENT.read(recorded)
        if isinstance(event, facts.TournamentAnnounced):
            row = announced(recorded.position, event)
            await connection.execute(insert(TournamentRow).values(row).on_conflict_do_nothing())
        else:
            values = becomes(event)
            moved = update(TournamentRow).where(col(TournamentRow.id) == event.tournament).values(values)
            await connection.execute(moved)


def becomes(event: facts.Event) -> Mapping[str, str | bool | None]:
    match event:
        case facts.PlanChanged():
            in_calendar = {"competition": event.competition, "variant": event.variant}
            return {"name": event.name, "starts_on": event.starts_on} | in_calendar
        case facts.TournamentPlaced():
            return {"competition": event.competition, "variant": event.variant, "series": event.series} | {
                "host": event.host
            }
        case facts.SeriesNamed():
            return {"series": event.series}
        case facts.RegistrationOpened():
            return {"status": BECOMES[type(event)], "is_open": True}
        case _:
            return {"status": BECOMES[type(event)]}


def announced(position: int, event: facts.TournamentAnnounced) -> dict[str, str | int | None]:
    return {
        "id": event.tournament,
        "position": position,
        "federation": event.federation,
        "name": event.name,
        "status": "draft",
        "ruleset": event.ruleset_id,
        "starts_on": event.starts_on,
        "season": event.season,
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
TOURNAMENT_EVENTS = frozenset(
    kind.__name__
    for kind in (facts.TournamentAnnounced, facts.PlanChanged, facts.SeriesNamed, facts.TournamentPlaced, *BECOMES)
)
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


class Tournaments:
    def __init__(self, views: ReadModel) -> None:
        self._views = views

    async def of_series(self, federation: str, series: str) -> Sequence[TournamentRow]:
        """All that are not cancelled, in the order of their announcement."""
        query = select(TournamentRow).where(
            col(TournamentRow.federation) == federation,
            col(TournamentRow.series) == series,
            col(TournamentRow.status) != "cancelled",
        )
        async with self._views.session() as session:
            return (await session.exec(query.order_by(col(TournamentRow.position)))).all()

    async def hosts(self, federation: str, series: str) -> frozenset[str]:
        """The schools that host a tournament of a series."""
        return frozenset(row.host for row in await self.of_series(federation, series) if row.host is not None)

    async def page(
        self, wanted: Mapping[str, str | None], *, after: int, limit: int, officiating: Collection[str] | None
    ) -> Sequence[TournamentRow]:
        """List what fits the query parameters. Drafts are listed only for these federations and tournaments; without
        any, all are."""
        place = col(TournamentRow.position)
        query = select(TournamentRow).where(place > after).order_by(place).limit(limit)
        if officiating is not None:
            own = or_(col(TournamentRow.federation).in_(officiating), col(TournamentRow.id).in_(officiating))
            query = query.where(or_(col(TournamentRow.is_open), own))
        for name, value in wanted.items():
            if value is not None:
                query = query.where(col(getattr(TournamentRow, name)) == value)
        async with self._views.session() as session:
            return (await session.exec(query)).all()
