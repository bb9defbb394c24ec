"""Tables, as they are and as they were, and the reasons for a place."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse

from services.standings.api import bodies, listening
from services.standings.api.asked import Situation, Situations
from services.standings.api.explaining import explanation
from services.standings.api.listening import Listening
from services.standings.api.paths import (
    LOOK,
    Among,
    AtInputs,
    AtTime,
    EntrantId,
    IfNoneMatch,
    LastEventId,
    StageId,
    Through,
    TournamentId,
    moment,
)
from services.standings.api.showing import Showing, Shown
from services.standings.projection.waking import Waking
from shared import heard
from shared.act import Asker, Door
from shared.answers import JSON, READ
from shared.live import EventStream, Streams
from shared.problems import documented

NOT_MODIFIED = {304: {"description": "There is no other table than the one that you have."}}


def routes(*, showing: Showing, situations: Situations, waking: Waking, streams: Streams, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}/standings", tags=["standings"])
    told = Listening(showing, waking)

    @router.get(
        "",
        summary="The table of a stage",
        description="As it is now, or as it was: after a round, with what was known once (`inputs`), or at a time "
        "(`at`). Its `ETag` names what it rests on, and so does `inputs`.",
        operation_id="getStandings",
        response_model=bodies.Table,
        responses=READ | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def table(
        tournament_id: TournamentId,
        stage: StageId,
        through: Through = None,
        inputs: AtInputs = None,
        at: AtTime = None,
        among: Among = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        is_plain = through is None and at is None and among is None
        shown = await showing.now(tournament_id, stage) if is_plain else None
        if shown is None or inputs not in (None, shown.inputs):
            until = None if inputs is None else heard.parse(inputs)
            situation = await situations.of(tournament_id, until=until, at=moment(at))
            shown = await showing.of(situation, stage, through=through, among=among)
        return answer(shown, if_none_match)

    @router.get(
        "/live",
        summary="The table of a stage, whenever it changes",
        description=listening.HOW,
        operation_id="followStandings",
        response_class=StreamingResponse,
        responses=listening.ANSWER | documented(HTTPStatus.NOT_FOUND),
    )
    async def live(
        request: Request,
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(LOOK))],
        last_event_id: LastEventId = None,
    ) -> EventStream:
        if await showing.now(tournament_id, stage) is None:
            await (await situations.of(tournament_id)).table(stage)  # which says why there is none
        return EventStream(
            told.behind(tournament_id, stage, last_event_id),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, LOOK),
            behind=last_event_id or str(heard.NOTHING),
        )

    @router.get(
        "/entrants/{entrant_id}",
        summary="Why an entrant stands where it stands",
        description="Each value with what it is made of, and what separates the entrant from the next ones.",
        operation_id="explainStanding",
        response_model=bodies.Explanation,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def explain(
        tournament_id: TournamentId,
        stage: StageId,
        entrant_id: EntrantId,
        through: Through = None,
        inputs: AtInputs = None,
        at: AtTime = None,
        among: Among = None,
    ) -> Response:
        until = None if inputs is None else heard.parse(inputs)
        situation: Situation = await situations.of(tournament_id, until=until, at=moment(at))
        names = await situations.names(situation.persons)
        found = explanation(situation, stage, entrant_id, names, through=through, among=among)
        return Response(found.model_dump_json(), media_type=JSON, headers={"ETag": f'"{found.inputs}"'})

    return router


def answer(shown: Shown, if_none_match: str | None) -> Response:
    tag = f'"{shown.inputs}"'
    if if_none_match is not None and has(if_none_match, tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    return Response(shown.content, media_type=JSON, headers={"ETag": tag})


def has(if_none_match: str, tag: str) -> bool:
    """A proxy may have made a weak tag of ours."""
    tags = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return tag in tags or tags == ["*"]
