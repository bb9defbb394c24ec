"""Entrants: who takes part, and who is close to whom. Names are shown with them and kept elsewhere."""

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from services.registration.api import entrant_forms, may, showing
from services.registration.api.entrant_forms import ClosePair, ClosePairs, EntrantInFull, EntrantPage, EntrantStatus
from services.registration.api.forms import EntrantId, TournamentId
from services.registration.api.naming import name_entrants
from services.registration.api.people import People
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.close_persons import DeclareClosePersons, RevokeClosePersons
from services.registration.domain.tournament.states import known
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, After, Limit, page, read

type OrderOfEntrants = Literal["entry", "number", "name"]

IN_STANDING = Query(description="Only those who are so far.", examples=["checked-in"])
IN_ORDER = Query(description="In the order of their entry, by start number, or by name.", examples=["number"])


def routes(*, tournaments: TournamentHandler, people: People, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])
    names = people.shown

    @router.get(
        "/entrants",
        summary="The entrants of a tournament",
        description="Page by page, also those who have gone again.",
        operation_id="listEntrants",
        response_model=EntrantPage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(
        tournament_id: TournamentId,
        order: Annotated[OrderOfEntrants, IN_ORDER] = "entry",
        status: Annotated[EntrantStatus | Absent, IN_STANDING] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        found = known(state)
        everybody = [showing.listed(found, entrant) for entrant in found.roster.entrants.values()]
        await name_entrants(everybody, names)
        wanted = [entrant for entrant in in_order(everybody, order) if status in {None, entrant.status}]
        places = {entrant.id: place for place, entrant in enumerate(wanted, start=1)}
        begin = places.get(after, 0)
        items = wanted[begin : begin + limit]
        following = items[-1].id if begin + limit < len(wanted) else None
        query = {"order": order, "limit": limit} | ({"status": status} if status else {})
        path = f"/v1/tournaments/{tournament_id}/entrants"
        return page(EntrantPage(items=items, next=following), path, following, query)

    @router.get(
        "/entrants/{entrant_id}",
        summary="One entrant",
        description="As they stand now, with what the caller may do with them.",
        operation_id="getEntrant",
        response_model=EntrantInFull,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]
    ) -> Response:
        state, version = await tournaments.load(tournament_id)
        entrant = showing.entrant_in_full(state, entrant_id, asker)
        await name_entrants([entrant], names)
        return read(entrant, version)

    @router.post(
        "/close-persons",
        summary="Declare two persons close",
        description="Family, or of one household: where the rules say so, they must not meet in the last rounds.",
        operation_id="declareClosePersons",
        response_model=ClosePairs,
        responses=CHANGED,
    )
    async def declare(
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(may.ORGANISE))]
    ) -> Response:
        order = DeclareClosePersons(persons=await as_here(tournament_id, body))
        return await run(tournaments, tournament_id, order, act, showing.close_pairs)

    @router.post(
        "/close-persons/revoke",
        summary="Take back that two persons are close",
        description="Until the start.",
        operation_id="revokeClosePersons",
        response_model=ClosePairs,
        responses=CHANGED,
    )
    async def revoke(
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(may.ORGANISE))]
    ) -> Response:
        order = RevokeClosePersons(persons=await as_here(tournament_id, body))
        return await run(tournaments, tournament_id, order, act, showing.close_pairs)

    @router.get(
        "/close-persons",
        summary="Who is close to whom",
        description="What was declared, for officials.",
        operation_id="listClosePersons",
        response_model=ClosePairs,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def close(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        return read(showing.close_pairs(state), version)

    async def as_here(tournament_id: str, body: ClosePair) -> tuple[str, str]:
        """By the ids under which they take part."""
        state, _ = await tournaments.load(tournament_id)
        one, other = body.persons
        plan = known(state).plan
        return await people.known_here(one, plan) or one, await people.known_here(other, plan) or other

    return router


def in_order(entrants: list[entrant_forms.Entrant], order: OrderOfEntrants) -> list[entrant_forms.Entrant]:
    """Who has no number, or no name any more, comes last."""
    match order:
        case "entry":
            return entrants
        case "number":
            return sorted(entrants, key=lambda entrant: (entrant.number is None, entrant.number))
        case "name":
            return sorted(entrants, key=lambda entrant: (named_as(entrant) == "", named_as(entrant), entrant.id))


def named_as(entrant: entrant_forms.Entrant) -> str:
    return " ".join(person.name or "" for person in entrant.persons).strip().casefold()
