"""Tournaments in lists: found by words, days and where they are held, in the order that somebody wants.

A page says where it ends by what it was ordered by, not by how many came before, so that what is announced meanwhile
moves nothing.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, and_, false, literal, not_, or_, text, tuple_, update
from sqlalchemy.dialects.postgresql import TSQUERY, insert
from sqlmodel import cast, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.registration.domain.homes import HOMES, HomeChanged, HomeRegistered, OfHome
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.states import TournamentStatus
from services.registration.projection.tables import FederationRow, HomeRow, TournamentRow
from shared.log.read_model import ReadModel
from shared.log.store import Recorded
from shared.spelling import folded
from shared.values import Value

type TournamentOrder = Literal["next", "date", "latest", "name", "announced"]

# Keeping them


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
    for kind in (
        facts.TournamentAnnounced,
        facts.PlanChanged,
        facts.SeriesNamed,
        facts.HallChanged,
        facts.TournamentPlaced,
        *BECOMES,
    )
)
HOME_EVENTS = frozenset((HomeRegistered.__name__, HomeChanged.__name__))
# The lexemes are put together here and not by a parser, which would take some names for numbers or addresses.
FIND_BY = text("""
  update views.tournaments t set
    place = coalesce(old.said_place, hall.name, host.name, region.name),
    words = array_to_tsvector(array_remove(string_to_array(
      concat_ws(' ', old.folded, cast(:said as text), hall.folded, host.folded, region.folded), ' '), '')),
    place_words = array_to_tsvector(array_remove(string_to_array(
      concat_ws(' ', cast(:said as text), hall.folded, host.folded, region.folded), ' '), ''))
  from views.tournaments old
    left join views.homes hall on hall.id = old.hall
    left join views.homes host on host.id = old.host
    left join views.homes region on region.id = old.region
  where t.id = old.id and old.id = :id
""")


class GameOf(msgspec.Struct):
    """All that a list says of the rules besides their id."""

    game: str


async def keep_homes(session: AsyncSession, page: Sequence[Recorded]) -> Collection[str]:
    """Those of which this page says something."""
    said: dict[str, str] = {}
    for recorded in page:
        if recorded.event.type in HOME_EVENTS and isinstance(event := HOMES.read(recorded), OfHome):
            said[event.home] = event.name
    if said:
        new = insert(HomeRow)
        kept = new.on_conflict_do_update(
            index_elements=["id"], set_={"name": new.excluded.name, "folded": new.excluded.folded}
        )
        rows = [{"id": home, "name": name, "folded": folded(name)} for home, name in said.items()]
        await (await session.connection()).execute(kept, rows)
    return said.keys()


async def keep_tournaments(session: AsyncSession, page: Sequence[Recorded], *, homes: Collection[str]) -> None:
    connection = await session.connection()
    moved: set[str] = set()
    for recorded in page:
        if recorded.event.type not in TOURNAMENT_EVENTS:
            continue
        event = TOURNAMENT.read(recorded)
        if isinstance(event, facts.TournamentAnnounced):
            row = announced(recorded.position, event)
            await connection.execute(insert(TournamentRow).values(row).on_conflict_do_nothing())
            moved.add(event.tournament)
        else:
            values = becomes(event)
            await connection.execute(
                update(TournamentRow).where(col(TournamentRow.id) == event.tournament).values(values)
            )
            moved |= set() if type(event) in BECOMES else {event.tournament}
    if homes:
        places = (col(TournamentRow.hall), col(TournamentRow.host), col(TournamentRow.region))
        there = select(TournamentRow.id).where(or_(*(place.in_(homes) for place in places)))
        moved |= {*(await session.exec(there)).all()}
    if moved:
        said = select(TournamentRow.id, TournamentRow.said_place).where(col(TournamentRow.id).in_(moved))
        for tournament, place in (await session.exec(said)).all():
            await connection.execute(FIND_BY, {"id": tournament, "said": folded(place or "")})


def becomes(event: facts.Event) -> Mapping[str, str | bool | None]:
    match event:
        case facts.PlanChanged():
            return {
                "name": event.name,
                "folded": folded(event.name),
                "starts_on": event.starts_on,
                "competition": event.competition,
                "variant": event.variant,
                "said_place": event.place,
            }
        case facts.TournamentPlaced():
            return {
                "competition": event.competition,
                "variant": event.variant,
                "series": event.series,
                "host": event.host,
                "hall": event.hall,
                "region": event.region,
                "said_place": event.place,
            }
        case facts.HallChanged():
            return {"hall": event.hall}
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
        "folded": folded(event.name),
        "status": "draft",
        "ruleset": event.ruleset_id,
        "game": msgspec.json.decode(event.ruleset, type=GameOf).game,
        "starts_on": event.starts_on,
        "season": event.season,
    }


# Looking for them


UNDER_WAY = ("check-in", "running", "under-review")
TO_COME = ("draft", "registration")
STATUS, DAY, POSITION = col(TournamentRow.status), col(TournamentRow.starts_on), col(TournamentRow.position)


class Wanted(Value):
    """What a tournament has to be to be listed; what is not said makes no difference."""

    exactly: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # by column
    statuses: Collection[TournamentStatus] = ()
    words: str | None = None
    place: str | None = None
    since: str | None = None  # a day
    until: str | None = None
    scopes: Collection[str] | None = None  # only these tournaments, and those of these federations

    def clauses(self) -> Iterator[ColumnElement[bool]]:
        yield from (col(getattr(TournamentRow, name)) == value for name, value in self.exactly.items())
        if self.statuses:
            yield STATUS.in_(self.statuses)
        if self.words is not None:
            yield has_words(TournamentRow.words, self.words)
        if self.place is not None:
            yield has_words(TournamentRow.place_words, self.place)
        if self.since is not None:
            yield self.since <= DAY
        if self.until is not None:
            yield self.until >= DAY
        if self.scopes is not None:
            yield within(self.scopes)


class PageEnd(Value):
    """Where a page ends: in which part of its order, and at what."""

    order: TournamentOrder
    today: str  # as it was on the first page
    part: int = 0
    key: str | int | None = None
    position: int = 0

    @property
    def cursor(self) -> str:
        return urlsafe_b64encode(msgspec.json.encode(msgspec.structs.astuple(self))).decode().rstrip("=")


LARGEST = 2**62


class NoCursor(Exception):
    """It was not got from a page of this list in this order."""


def page_end(cursor: str, order: TournamentOrder) -> PageEnd:
    form = tuple[str, str, int, str | int, int]
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        of, today, part, key, position = msgspec.json.decode(urlsafe_b64decode(padded), type=form)
    except (msgspec.DecodeError, NoBase64, ValueError) as unreadable:
        raise NoCursor(cursor) from unreadable
    numbers = [one for one in (position, key) if isinstance(one, int)]
    fits = isinstance(key, int) is (order == "announced") and all(0 <= one < LARGEST for one in numbers)
    if of != order or not fits or "\x00" in f"{today}{key}" or not 0 <= part < len(parts(order, today)):
        raise NoCursor(cursor)
    return PageEnd(order=order, today=today, part=part, key=key, position=position)


class Part(Value):
    """A stretch of an order: by what it goes, and whether backwards."""

    key: Any
    where: Any = None
    backwards: bool = False


def parts(order: TournamentOrder, today: str) -> Sequence[Part]:
    match order:
        case "next":
            under_way, to_come = STATUS.in_(UNDER_WAY), and_(STATUS.in_(TO_COME), today <= DAY)
            rest = not_(or_(under_way, to_come))
            return (
                Part(key=DAY, where=under_way),
                Part(key=DAY, where=to_come),
                Part(key=DAY, where=rest, backwards=True),
            )
        case "date":
            return (Part(key=DAY),)
        case "latest":
            return (Part(key=DAY, backwards=True),)
        case "name":
            return (Part(key=col(TournamentRow.folded)),)
        case "announced":
            return (Part(key=POSITION),)


def has_words(column: Any, wanted: str) -> ColumnElement[bool]:
    """Each of them, or what begins with it."""
    words = folded(wanted).split()
    if not words:
        return false()
    return col(column).op("@@")(cast(literal(" & ".join(f"'{word}':*" for word in words)), TSQUERY))


def within(scopes: Collection[str]) -> ColumnElement[bool]:
    return or_(col(TournamentRow.federation).in_(scopes), col(TournamentRow.id).in_(scopes))


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
        self, wanted: Wanted, *, after: PageEnd, limit: int, officiating: Collection[str] | None
    ) -> tuple[Sequence[TournamentRow], PageEnd | None]:
        """List what fits, and say where the page ends if there is more. Drafts are listed only for these federations and
        tournaments; without any, all are."""
        clauses = [*wanted.clauses()]
        if officiating is not None:
            clauses.append(or_(col(TournamentRow.is_open), within(officiating)))
        rows: list[TournamentRow] = []
        ends: list[PageEnd] = []
        async with self._views.session() as session:
            for number, part in enumerate(parts(after.order, after.today)):
                if number < after.part or len(rows) > limit:
                    continue
                query = select(TournamentRow, part.key).where(*clauses)
                if part.where is not None:
                    query = query.where(part.where)
                if number == after.part and after.key is not None:
                    place, end = tuple_(part.key, POSITION), tuple_(literal(after.key), literal(after.position))
                    query = query.where(place < end if part.backwards else place > end)
                by = (part.key.desc(), POSITION.desc()) if part.backwards else (part.key, POSITION)
                for row, key in (await session.exec(query.order_by(*by).limit(limit + 1 - len(rows)))).all():
                    rows.append(row)
                    ends.append(replace(after, part=number, key=key, position=row.position))
        return rows[:limit], ends[limit - 1] if len(rows) > limit else None

    async def federations(self, ids: Collection[str]) -> Mapping[str, str]:
        """What they are called."""
        query = select(FederationRow.id, FederationRow.name).where(col(FederationRow.id).in_(ids))
        async with self._views.session() as session:
            return dict((await session.exec(query)).all())
