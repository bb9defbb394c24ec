"""What happened at a table beside the moves, put on record."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.results.api.context import Context
from services.results.api.incidents.bodies import IncidentsShown, ToNote
from services.results.api.incidents.views import incidents_shown, notes
from services.results.api.parameters import GameId
from services.results.api.permissions import LOOK, NOTE
from services.results.domain.incidents import (
    ClockStopped,
    Event,
    IncidentNoted,
    NoteIncident,
    PositionReconstructed,
    require_seat,
)
from services.results.streams import IncidentHandler
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.problems import documented
from shared.http.responses import READ, read


def routes(*, context: Context, incidents: IncidentHandler, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}/incidents", tags=["incidents"])

    @router.post(
        "",
        summary="Put an incident on record",
        description="It has no effect on the result: what follows from it is decided on the score sheet. The answer has the "
        "incidents without their words, as it is kept for who repeats the request.",
        operation_id="noteIncident",
        response_model=IncidentsShown,
        responses=CHANGED,
    )
    async def note(game_id: GameId, body: ToNote, act: Annotated[Act, Depends(door.acts(NOTE))]) -> Response:
        game = await context.requested(game_id, act)
        require_seat(body.seat, (await context.sheet(game_id)).sheet.seats)
        async with context.notes.kept(game.place.tournament, body.words, act.key) as kept:
            return await run(
                incidents,
                game_id,
                NoteIncident(incident=happened(game_id, game.place.tournament, body, kept)),
                act,
                lambda state: incidents_shown(state, {}),
                scope=game.place.tournament,
            )

    @router.get(
        "",
        summary="The incidents of a game",
        description="Those that were put on record, for whoever officiates or plays.",
        operation_id="listIncidents",
        response_model=IncidentsShown,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def several(game_id: GameId) -> Response:
        state, version = await incidents.load(game_id)
        tournament = await context.places.tournament(game_id) or ""
        return read(incidents_shown(state, await context.notes.read(tournament, notes(state))), version)

    return router


def happened(game: str, tournament: str, body: ToNote, words: str | None) -> Event:
    match body.what:
        case "clock-stopped":
            return ClockStopped(game=game, tournament=tournament, why=body.why, minutes=body.minutes, words=words)
        case "position-reconstructed":
            return PositionReconstructed(game=game, tournament=tournament, seat=body.seat, words=words)
        case _:
            return IncidentNoted(game=game, tournament=tournament, kind=body.what, seat=body.seat, words=words)
