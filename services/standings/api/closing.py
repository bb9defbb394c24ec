"""How long a stage is, and that it is over."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.acting import REFUSED, Asked, Desk
from services.standings.api.bodies import Foreseen, Shorter, Stage
from services.standings.api.paths import RULE, StageId, TournamentId
from shared.http.door import Act, Door
from shared.http.responses import JSON, DryRun, written


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}", tags=["stages"])

    @router.post(
        "/shorten",
        summary="Play fewer rounds",
        description="No more rounds are paired than these, and then the stage can be closed. Not fewer than are published, "
        "or than the rules want at least; another number, up to what was planned, may be named later.",
        operation_id="shortenStage",
        response_model=Stage | Foreseen,
        responses=REFUSED,
    )
    async def shorten(
        tournament_id: TournamentId,
        stage: StageId,
        body: Shorter,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (before := await desk.rankings.repeated(act.key)):
            return written("standings", before, HTTPStatus.OK)
        asked = await Asked.of(desk, act, tournament_id, stage)
        if dry_run:
            return Response((await asked.foresee_shortening(body.rounds)).model_dump_json(), media_type=JSON)
        async with desk.notes.kept(tournament_id, body.reason, act.key) as note:
            return await asked.happen(asked.shortening(body.rounds, note or ""))

    @router.post(
        "/close",
        summary="Close a stage",
        description="Its order is decided, and told to all who build on it. Refused, with all reasons, while results are "
        "missing or ties wait. After a correction it may be closed once more, which tells the new order.",
        operation_id="closeStage",
        response_model=Stage | Foreseen,
        responses=REFUSED,
    )
    async def close(
        tournament_id: TournamentId,
        stage: StageId,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (before := await desk.rankings.repeated(act.key)):
            return written("standings", before, HTTPStatus.OK)
        asked = await Asked.of(desk, act, tournament_id, stage)
        if not dry_run:
            return await asked.happen(asked.closing())
        return Response((await asked.foresee_closing()).model_dump_json(), media_type=JSON)

    return router
