"""Records of games: attached, held against what was reported, and drawn."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Response

from services.results.api.context import Context
from services.results.api.parameters import GameId
from services.results.api.permissions import TELL, speaker
from services.results.api.records.bodies import RecordId, Records, ToAttach
from services.results.api.records.views import RecordContent, records, shows
from services.results.domain.records import AttachRecord, State
from services.results.games.drawing import picture
from services.results.games.records import drawable
from services.results.streams import RecordHandler
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run
from shared.http.problems import documented
from shared.http.responses import FOUND, read
from shared.log.contents import Contents
from shared.refusals import NotFound
from shared.rulesets.play import Contest
from shared.values import Value

SVG = "image/svg+xml"
PICTURE = {
    HTTPStatus.OK.value: {
        "description": "The board after the last move.",
        "content": {SVG: {"schema": {"type": "string"}, "example": "<svg>…</svg>"}},
    }
}


class RecordUnknown(NotFound):
    """No such record is attached to this game."""


RECORD_CONTENT = msgspec.json.Decoder(RecordContent)


class RecordContext(Value):
    """What the operations on records work with."""

    context: Context
    records: RecordHandler
    contents: Contents

    async def read(self, state: State) -> Mapping[str, RecordContent]:
        found = await self.contents.read({one.content for one in state})
        return {digest: RECORD_CONTENT.decode(content) for digest, content in found.items()}


def routes(*, archive: RecordContext, door: Door) -> APIRouter:
    router = Router(prefix="/v1/games/{game_id}/records", tags=["records"])
    context = archive.context

    @router.post(
        "",
        summary="Attach the record of a game",
        description="By a side of the table, or an official. It is held against what was reported, and changes "
        "nothing.",
        operation_id="attachRecord",
        response_model=Records,
        responses=CHANGED,
    )
    async def attach(game_id: GameId, body: ToAttach, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        game = await context.requested(game_id, act)
        content = content_of(body, game.settings.contest)
        shows(content, game.place.stage, game.known)
        digest = await archive.contents.keep(msgspec.json.encode(content))
        sheet = await context.sheet(game_id)
        before, _ = await archive.records.load(game_id)
        contents = {**await archive.read(before), digest: content}
        order = AttachRecord(
            game=game_id,
            tournament=game.place.tournament,
            seats=sheet.sheet.seats,
            content=digest,
            by=speaker(act),
            first=body.first or sheet.sheet.first or sheet.sheet.seats[0],
            board=body.board,
            duel=body.duel,
        )
        return await run(
            archive.records,
            game_id,
            order,
            act,
            lambda state: records(state, contents, sheet, game.known, act.asker),
            scope=game.place.tournament,
        )

    @router.get(
        "",
        summary="The records of a game",
        description="Each with what it shows, and whether that is what was reported.",
        operation_id="listRecords",
        response_model=Records,
        responses=FOUND,
    )
    async def several(game_id: GameId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        sheet = await context.sheet(game_id)
        state, version = await archive.records.load(game_id)
        known = await context.tournaments.of(sheet.sheet.tournament)
        return read(records(state, await archive.read(state), sheet, known, asker), version)

    @router.get(
        "/{record_id}/board.svg",
        summary="The board of a record",
        description="A drawing of the board after the last move: stones with the number of their move, or discs.",
        operation_id="drawRecord",
        response_class=Response,
        responses=PICTURE
        | documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def drawn(game_id: GameId, record_id: RecordId) -> Response:
        sheet = await context.sheet(game_id)
        state, _ = await archive.records.load(game_id)
        content = (await archive.read(tuple(one for one in state if one.content == record_id))).get(record_id)
        if content is None:
            raise RecordUnknown("No such record is attached to this game: look into its list of records.")
        known = await context.tournaments.of(sheet.sheet.tournament)
        drawing = picture(drawable(known.rules().game), content.moves, content.opening)
        return Response(drawing, media_type=SVG)

    return router


def content_of(body: ToAttach, contest: Contest) -> RecordContent:
    if body.variant is not None:
        return RecordContent(variant=body.variant.model_dump(mode="json"))
    seconds = None if body.seconds is None else list(body.seconds)
    return RecordContent(moves=list(body.moves or ()), opening=body.opening or contest.opening, seconds=seconds)
