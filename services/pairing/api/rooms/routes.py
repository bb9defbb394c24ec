"""Where a tournament is played: rooms, and what stands on their tables."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.pairing.api.permissions import PAIR, SEE, allowed_on_rooms
from services.pairing.api.rooms.bodies import Room, RoomsShown, RoomsToName
from services.pairing.domain import rooms as domain
from services.pairing.tournaments import Tournaments
from shared.access.asker import Asker
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import run
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, changed, read

type RoomHandler = Handler[domain.Rooms, domain.NameRooms, domain.RoomsNamed]


def routes(*, rooms: RoomHandler, tournaments: Tournaments, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/rooms", tags=["rooms"])

    @router.get(
        "",
        summary="The rooms of a tournament",
        description="Table 1 of a round is the first table of the first room, and so on.",
        operation_id="getRooms",
        response_model=RoomsShown,
        responses=FOUND,
    )
    async def look(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(SEE))]) -> Response:
        await tournaments.opened(tournament_id, asker)
        state, version = await rooms.load(tournament_id)
        return read(rooms_view(state, tournament_id, asker), version)

    @router.post(
        "/name",
        summary="Say in which rooms it is played",
        description="And what stands on their tables, in the order in which a round fills them. Rounds and printed "
        "sheets show it from now on, published ones too; the last word holds.",
        operation_id="nameRooms",
        response_model=RoomsShown,
        responses=changed(HTTPStatus.OK),
    )
    async def name(
        tournament_id: TournamentId, body: RoomsToName, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        named = tuple(domain.Room(name=room.name, tables=tuple(room.tables)) for room in body.rooms)
        order = domain.NameRooms(tournament=tournament_id, rooms=named)
        return await run(rooms, tournament_id, order, act, lambda state: rooms_view(state, tournament_id, act.asker))

    return router


def rooms_view(state: domain.Rooms, tournament: str, asker: Asker) -> RoomsShown:
    return RoomsShown(
        tournament=tournament,
        rooms=[Room(name=room.name, tables=list(room.tables)) for room in state.rooms],
        allowed_actions=allowed_on_rooms(tournament, asker),
    )
