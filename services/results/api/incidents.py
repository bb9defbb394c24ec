"""Incidents: what happened at a table beside the moves, put on record."""

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.results.api.context import Context
from services.results.api.parameters import GameId
from services.results.api.permissions import LOOK, NOTE
from services.results.domain.incidents import (
    ClockStopped,
    Event,
    IncidentNoted,
    IncidentsState,
    NoteIncident,
    PositionReconstructed,
    require_seat,
)
from services.results.games.ending_accounts import Seat
from services.results.streams import IncidentHandler
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run
from shared.http.responses import FOUND, read

type What = Literal[
    "clock-stopped",
    "position-reconstructed",
    "limit-passed",
    "clock-brought",
    "clock-faulty",
    "clock-stopped-alone",
    "tiles-spilled",
    "conduct",
]


class ToNote(RequestBody):
    what: What = Field(
        description="`clock-stopped`: both; `position-reconstructed`: stones were put back; `limit-passed`: of a "
        "move; `clock-brought`: to a slow table; `clock-faulty`: obviously wrong; `clock-stopped-alone`: without the "
        "director.",
        examples=["clock-stopped"],
    )
    seat: Seat | None = Field(default=None, description="Whose doing it was; none: nobody's.", examples=[0])
    why: Literal["interruption", "director-called", "position-lost", "faulty-clock"] = Field(
        default="interruption", description="Of a clock that was stopped.", examples=["director-called"]
    )
    minutes: int | None = Field(
        default=None, ge=0, le=10_000, description="For which the clocks stood still.", examples=[4]
    )
    words: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description="What happened. They may be about persons, so they are kept apart from the log.",
        examples=["The lights went out."],
    )


class Incident(BaseModel):
    what: What = Field(examples=["clock-stopped"])
    seat: int | None = Field(examples=[None])
    why: str | None = Field(description="Of a clock that was stopped.", examples=["interruption"])
    minutes: int | None = Field(examples=[4])
    words: str | None = Field(description="Null where nothing was written, or it was erased.", examples=[None])


class IncidentsShown(BaseModel):
    incidents: list[Incident] = Field(description="In the order in which they were put on record.")


def incidents_shown(state: IncidentsState, words: Mapping[str, str]) -> IncidentsShown:
    return IncidentsShown(incidents=[incident(one, words.get(one.words or "")) for one in state.noted])


def incident(one: Event, words: str | None) -> Incident:
    if isinstance(one, ClockStopped):
        return Incident(what="clock-stopped", seat=None, why=one.why, minutes=one.minutes, words=words)
    what: What = "position-reconstructed" if isinstance(one, PositionReconstructed) else one.kind
    return Incident(what=what, seat=one.seat, why=None, minutes=None, words=words)


def routes(*, context: Context, incidents: IncidentHandler, door: Door) -> APIRouter:
    router = Router(prefix="/v1/games/{game_id}/incidents", tags=["incidents"])

    @router.post(
        "",
        summary="Put an incident on record",
        description="It has no effect on the result: what follows from it is decided on the score sheet.",
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
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def several(game_id: GameId) -> Response:
        state, version = await incidents.load(game_id)
        tournament = await context.places.tournament(game_id) or ""
        written_about = {one.words for one in state.noted if one.words is not None}
        return read(incidents_shown(state, await context.notes.read(tournament, written_about)), version)

    return router


def happened(game: str, tournament: str, body: ToNote, words: str | None) -> Event:
    match body.what:
        case "clock-stopped":
            return ClockStopped(game=game, tournament=tournament, why=body.why, minutes=body.minutes, words=words)
        case "position-reconstructed":
            return PositionReconstructed(game=game, tournament=tournament, seat=body.seat, words=words)
        case _:
            return IncidentNoted(game=game, tournament=tournament, kind=body.what, seat=body.seat, words=words)
