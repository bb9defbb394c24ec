"""Tournaments: announced, listed, shown, and what stands in the way of their start."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from services.registration.api import may, showing
from services.registration.api.announcing import announcement
from services.registration.api.forms import (
    ID,
    AfterPosition,
    StartCheck,
    Tournament,
    TournamentId,
    TournamentListed,
    TournamentPage,
)
from services.registration.api.grounds import Planning
from services.registration.api.leading import Leader, leading_on
from services.registration.api.plan_forms import TournamentToAnnounce
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament.states import TournamentStatus, Unannounced
from services.registration.levels import Levels
from services.registration.projection import Tournaments
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.access.references import id_of
from shared.commands.handler import Handler
from shared.http.door import Act, Door
from shared.http.orders import run
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, Limit, changed, page, read, read_as_shown
from shared.ids import NewId

type TournamentHandler = Handler[tournament.State, tournament.Command, tournament.Event]
type IsDirected = Callable[[str], Awaitable[bool]]  # whether somebody was named for this very tournament

OF_FEDERATION = Query(
    pattern=ID, json_schema_extra=id_of("federation"), description="Only those of this federation.", examples=[""]
)
IN_CALENDAR = Query(pattern=ID, description="Only those that are this in the calendar.", examples=["live"])
IN_SERIES = Query(pattern=ID, description="Of a series; name the federation too.", examples=["pisqworky-2025"])
IN_SEASON = Query(
    pattern=ID, json_schema_extra=id_of("season"), description="Those that count in a season.", examples=[None]
)
IN_VARIANT = Query(pattern=ID, description="Only those in this variant.", examples=["classic"])
IN_STATUS = Query(description="Only those that are so far.", examples=["running"])


def routes(
    *,
    tournaments: TournamentHandler,
    planning: Planning,
    views: Tournaments,
    is_directed: IsDirected,
    levels: Levels,
    door: Door,
    new_id: NewId,
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments", tags=["tournaments"])

    @router.post(
        "",
        summary="Announce a tournament",
        description="It begins as a draft, with a ruleset of the list or one of its own, whole, and with what it "
        "changes in it. The ruleset that it has now is the one that it is played by, whatever is posted later.",
        operation_id="announceTournament",
        status_code=HTTPStatus.CREATED,
        response_model=Tournament,
        responses=changed(HTTPStatus.CREATED, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def announce(body: TournamentToAnnounce, act: Annotated[Act, Depends(door.acts(may.ANNOUNCE))]) -> Response:
        order = announcement(str(new_id()), body, await planning.grounds_of(body))
        leader = Leader(identity=order.tournament, federation=order.federation, entry=order.ruleset.entry)
        leading = await leading_on(levels, leader, (order.next_level, order.otherwise), act.origin)
        return await run(
            tournaments,
            order.tournament,
            order,
            act,
            lambda state: showing.tournament(state, act.asker),
            status=HTTPStatus.CREATED,
            beside=leading,
        )

    @router.get(
        "",
        summary="All tournaments",
        description="Page by page, in the order in which they were announced. Drafts are listed for officials of their "
        "federations.",
        operation_id="listTournaments",
        response_model=TournamentPage,
        responses=PAGE,
    )
    async def several(  # noqa: PLR0917 - query parameters have names
        asker: Annotated[Asker, Depends(door.reads(ANYBODY))],
        federation: Annotated[str | Absent, OF_FEDERATION] = None,
        status: Annotated[TournamentStatus | Absent, IN_STATUS] = None,
        competition: Annotated[str | Absent, IN_CALENDAR] = None,
        variant: Annotated[str | Absent, IN_VARIANT] = None,
        series: Annotated[str | Absent, IN_SERIES] = None,
        season: Annotated[str | Absent, IN_SEASON] = None,
        after: AfterPosition = 0,
        limit: Limit = 100,
    ) -> Response:
        wanted = {
            "federation": federation,
            "status": status,
            "competition": competition,
            "variant": variant,
            "series": series,
            "season": season,
        }
        rows = await views.page(wanted, after=after, limit=limit + 1, officiating=officiating(asker))
        items = [TournamentListed.model_validate(row, from_attributes=True) for row in rows[:limit]]
        following = str(rows[limit - 1].position) if len(rows) > limit else None
        query = {name: value for name, value in {**wanted, "limit": limit}.items() if value is not None}
        return page(TournamentPage(items=items, next=following), "/v1/tournaments", following, query)

    @router.get(
        "/{tournament_id}",
        summary="One tournament",
        description="As it is now, with what the caller may do with it.",
        operation_id="getTournament",
        response_model=Tournament,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await tournaments.load(tournament_id)
        shown = showing.tournament(state, asker)
        if not asker.may(may.SEE_DRAFTS, tournament_id):
            shown.next_level = await as_far_as_open(shown.next_level)
            shown.otherwise = await as_far_as_open(shown.otherwise)
        return read_as_shown(shown, version)

    @router.get(
        "/{tournament_id}/start-check",
        summary="What stands in the way of the start",
        description="Everything at once, and what to do about it. What single entries lack is shown to officials only.",
        operation_id="checkStart",
        response_model=StartCheck,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def check(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await tournaments.load(tournament_id)
        has_director = await is_directed(tournament_id)
        seen = asker.within(tournament_id, tournament.known(state).plan.federation)
        in_full = seen.may(may.LOOK, tournament_id)
        return read(showing.start_check(state, has_director=has_director, in_full=in_full), version)

    async def as_far_as_open(tournament_id: str | None) -> str | None:
        """The next tournament may be a draft yet."""
        state, _ = await tournaments.load(tournament_id or "")
        return tournament_id if not isinstance(state, Unannounced) and state.plan.is_open else None

    return router


def officiating(asker: Asker) -> frozenset[str] | None:
    """Federations and tournaments whose drafts somebody may see; none for whoever may see all."""
    if asker.is_operator:
        return None
    scopes = {grant.scope for grant in asker.grants}
    if asker.caller and asker.caller.captain:
        scopes.add(asker.caller.captain.tournament)
    return frozenset(scopes)
