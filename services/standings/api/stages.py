"""A stage, and how ties in it end that no criterion breaks."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.acting import REFUSED, Asked, Desk, stage_of_table
from services.standings.api.bodies import DuelPlayed, LotWanted, Stage
from services.standings.api.paths import LOOK, RULE, StageId, TournamentId
from shared.access.asker import Asker
from shared.http.door import Act, Door
from shared.http.moments import Moment, asked_for
from shared.http.problems import documented
from shared.http.responses import READ, read, written
from shared.personal.sentences import all_spoken


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}", tags=["stages"])

    @router.get(
        "",
        summary="A stage, and what keeps it from being closed",
        description="Whether its order is decided, which ties wait, and what the caller may do about it. Also as it was "
        "known once (`inputs`), or at a time (`at`); then nothing can be done any more.",
        operation_id="getStage",
        response_model=Stage,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(LOOK))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        table = await situation.table(stage)
        if moment.is_past:
            state, version = await desk.rankings.as_told(tournament_id, situation.inputs.standings)
        else:
            state, version = await desk.rankings.load(tournament_id)
        names = await desk.situations.names(situation.tournament)
        shown = stage_of_table(situation, stage, table, state, asker)
        spoken = {"obstacles": all_spoken(shown.obstacles, names)}
        return read(shown.model_copy(update=spoken | ({"allowed_actions": []} if moment.is_past else {})), version)

    @router.post(
        "/ties",
        summary="Write down how a duel ended",
        description="Of entrants who wait for one. Those who are equal after it share an inner list, and go on as the "
        "rules say. What was written down wrongly is mended by writing it down once more.",
        operation_id="settleTie",
        response_model=Stage,
        responses=REFUSED,
    )
    async def settle(
        tournament_id: TournamentId, stage: StageId, body: DuelPlayed, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        if before := await desk.rankings.repeated(act.key):
            return written("standings", before, HTTPStatus.OK)
        asked = await Asked.of(desk, act, tournament_id, stage)
        order = tuple(tuple(equal) for equal in body.order)
        return await asked.happen(asked.settling("duel", order))

    @router.post(
        "/lots",
        summary="Draw a lot",
        description="Among entrants who wait for one. It follows from a secret that was fixed before the first lot of "
        "the tournament and is shown in the end: nobody can choose it, and everybody can check it. The same tie "
        "gets the same lot.",
        operation_id="drawLot",
        response_model=Stage,
        responses=REFUSED,
    )
    async def draw(
        tournament_id: TournamentId, stage: StageId, body: LotWanted, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        if before := await desk.rankings.repeated(act.key):
            return written("standings", before, HTTPStatus.OK)
        asked = await Asked.of(desk, act, tournament_id, stage)
        return await asked.draw(body.entrants)

    return router
