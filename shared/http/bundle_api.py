"""`GET /v1/tournaments/{tournament_id}/bundle`: a service's part of what proves a tournament."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from shared.access.asker import Asker
from shared.access.policy import roles
from shared.access.roles import Role
from shared.bundle.part import BundleParts
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.problems import documented

ZIP = "application/zip"
AUDIT = roles(Role.AUDITOR, Role.DIRECTOR, Role.COUNCIL, scope="tournament_id", operators=True)

type WithOpened = Annotated[
    bool,
    Query(description="Also what lies beside the log about persons, as far as it was not erased.", examples=[False]),
]


def routes(*, parts: BundleParts, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["log"])

    @router.get(
        "/bundle",
        summary="What proves a tournament here",
        description="A zip by docs/bundle-format.md, of this log alone, as far as it is signed, which is within a minute; `roundlog export` joins all four.",
        operation_id="getBundle",
        response_class=StreamingResponse,
        responses={200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}, "example": "PK\x03\x04"}}}}
        | documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    async def bundle(
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(AUDIT))],
        opened: WithOpened = False,
    ) -> StreamingResponse:
        above = asker.above.get(tournament_id)
        kept = await parts.checkpoint(tournament_id, above)
        pieces = parts.pieces(tournament_id, above, kept, is_opened=opened)
        named = {"Content-Disposition": f'attachment; filename="{tournament_id}.zip"'}
        return StreamingResponse(pieces, media_type=ZIP, headers=named)

    return router
