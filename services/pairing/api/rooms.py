"""Where a tournament is played: rooms, and what stands on their tables."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, ConfigDict, Field

from services.pairing.api.bodies import MOST_TABLES, TournamentId
from services.pairing.api.desk import PAIR, SEE, Desk
from services.pairing.domain import rooms
from shared.access.asker import Asker
from shared.http.door import Act, Door
from shared.http.responses import READ, Action, action, answer, changed, read, written

MOST_ROOMS = 100
LONGEST = 80

type Label = Annotated[str, Field(min_length=1, max_length=LONGEST, pattern=r"^\S(.*\S)?$")]


class Room(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Label = Field(examples=["Library"])
    tables: list[Label] = Field(
        min_length=1,
        max_length=MOST_TABLES,
        description="What stands on its tables, in the order in which they are filled.",
        examples=[["L1", "L2", "L3"]],
    )


class RoomsToName(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rooms: list[Room] = Field(
        max_length=MOST_ROOMS,
        description="All of them, in the order in which they are filled; none takes back what was said.",
    )


class RoomsShown(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    rooms: list[Room] = Field(description="None where nobody has named any: tables have a number only.")
    allowed_actions: list[Action] = Field(description="What the caller may do with them now, and why not.")


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/rooms", tags=["rooms"])

    @router.get(
        "",
        summary="The rooms of a tournament",
        description="Table 1 of a round is the first table of the first room, and so on.",
        operation_id="getRooms",
        response_model=RoomsShown,
        responses=READ,
    )
    async def look(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(SEE))]) -> Response:
        state, version = await desk.rooms.load(tournament_id)
        return read(shown(state, tournament_id, asker), version)

    @router.post(
        "/name",
        summary="Say in which rooms it is played",
        description="And what stands on their tables, in the order in which a round fills them. Rounds and sheets to be "
        "printed show it from now on, those that are published too. May be said at any time; the last word holds.",
        operation_id="nameRooms",
        response_model=RoomsShown,
        responses=changed(HTTPStatus.OK),
    )
    async def name(
        tournament_id: TournamentId, body: RoomsToName, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        named = tuple(rooms.Room(name=room.name, tables=tuple(room.tables)) for room in body.rooms)
        handled = await desk.rooms.handle(
            tournament_id,
            rooms.NameRooms(tournament=tournament_id, rooms=named),
            scope=tournament_id,
            origin=act.origin,
            respond=lambda state, version: answer(shown(state, tournament_id, act.asker), version),
            key=act.key,
            versions=act.versions,
        )
        return written("pairing", handled, HTTPStatus.OK)

    return router


def shown(state: rooms.Rooms, tournament: str, asker: Asker) -> RoomsShown:
    return RoomsShown(
        tournament=tournament,
        rooms=[Room(name=room.name, tables=list(room.tables)) for room in state.rooms],
        allowed_actions=[action("nameRooms", asker.why_not(PAIR, tournament))],
    )
