"""Entries as officials read them: one, or a page of them by what they lack."""

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from services.registration.api import entry_showing, may
from services.registration.api.entrant_forms import EntrantStatus
from services.registration.api.entry_forms import EntryListed, EntryPage, EntrySheet
from services.registration.api.forms import ID, EntrantId, TournamentId
from services.registration.api.naming import name_entrants
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.states import known
from services.registration.eligibility.judge import Judge
from shared.access.asker import Asker
from shared.access.references import id_of
from shared.http.door import Door
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, After, Limit, page, read
from shared.personal.shown_names import NamesShown

type OrderOfEntries = Literal["entry", "name", "school", "rating", "lacks"]

LACKING = Query(
    pattern=r"^[a-z-]{1,40}$", description="Only those that lack this; `any`: anything.", examples=["unpaid"]
)
IN_STANDING = Query(description="Only those that are so far.", examples=["entered"])
OF_HOME = Query(
    pattern=ID, json_schema_extra=id_of("home"), description="Only those of this school, club or region.", examples=[""]
)
PAID = Query(description="Only those who owe nothing any more; or only those who do.", examples=[False])
ON_LIST = Query(pattern=r"^[a-z0-9-]{1,64}$", description="Only those on this list.", examples=["women"])
IN_ORDER = Query(
    description="In the order of entry; by name; by school; by rating, the highest first; or those that lack most first.",
    examples=["lacks"],
)


def routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])

    @router.get(
        "/entries",
        summary="Entries, with what they still lack",
        description="For officials, page by page: line-ups, money, verdicts, and what is missing before each may start.",
        operation_id="listEntries",
        response_model=EntryPage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def several(
        tournament_id: TournamentId,
        *,
        order: Annotated[OrderOfEntries, IN_ORDER] = "entry",
        status: Annotated[EntrantStatus | Absent, IN_STANDING] = None,
        lacking: Annotated[str | Absent, LACKING] = None,
        home: Annotated[str | Absent, OF_HOME] = None,
        list: Annotated[str | Absent, ON_LIST] = None,  # noqa: A002 - as it stands in the query
        paid: Annotated[bool | Absent, PAID] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        found = known(state)
        today = judge.today(found.plan)
        everything = entry_showing.everything(found, today)
        await name_entrants((one.entrant for one in everything), names)
        wanted = [
            one
            for one in in_order(everything, order)
            if status in {None, one.entrant.status}
            and home in {None, one.entrant.school, one.club, one.region}
            and (list is None or list in one.entrant.lists)
            and (paid is None or paid is not bool(one.due))
            and (lacking is None or lacking in {"any" if one.lacks else "", *(lack.kind for lack in one.lacks)})
        ]
        places = {one.entrant.id: place for place, one in enumerate(wanted, start=1)}
        begin = places.get(after, 0)
        items = wanted[begin : begin + limit]
        following = items[-1].entrant.id if begin + limit < len(wanted) else None
        asked = {"order": order, "status": status, "lacking": lacking, "home": home, "list": list}
        query = {name: value for name, value in asked.items() if value is not None} | {"limit": limit}
        query |= {} if paid is None else {"paid": str(paid).lower()}
        return page(
            EntryPage(items=items, next=following), f"/v1/tournaments/{tournament_id}/entries", following, query
        )

    @router.get(
        "/entrants/{entrant_id}/entry",
        summary="One entry in full",
        description="For officials: what was said, paid and judged, what it still lacks, and what may be done with it.",
        operation_id="getEntry",
        response_model=EntrySheet,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(may.LOOK))]
    ) -> Response:
        state, version = await tournaments.load(tournament_id)
        sheet = entry_showing.sheet(state, entrant_id, judge.today(known(state).plan), asker)
        await name_entrants([sheet.entrant], names)
        return read(sheet, version)

    return router


def in_order(entries: list[EntryListed], order: OrderOfEntries) -> list[EntryListed]:
    """Without a name or a school one comes last."""
    match order:
        case "entry":
            return entries
        case "name":
            return sorted(entries, key=lambda one: (named(one) == "", named(one), one.entrant.id))
        case "school":
            return sorted(entries, key=lambda one: (one.entrant.school is None, one.entrant.school or ""))
        case "rating":
            return sorted(entries, key=lambda one: -(one.entrant.rating or 0))
        case "lacks":
            return sorted(entries, key=lambda one: -len(one.lacks))


def named(one: EntryListed) -> str:
    persons = " ".join(person.name or "" for person in one.entrant.persons)
    return (one.entrant.name or persons).strip().casefold()
