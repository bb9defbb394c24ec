"""Tables, as they are and as they were, and the reasons for a place."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from msgspec.structs import replace

from services.standings.api import as_csv, bodies, listening
from services.standings.api.asked import Situation, Situations
from services.standings.api.explaining import explanation
from services.standings.api.listening import Listening
from services.standings.api.paths import (
    LOOK,
    Among,
    EntrantId,
    IfNoneMatch,
    LastEventId,
    StageId,
    Through,
    TournamentId,
)
from services.standings.api.showing import Showing
from services.standings.api.tags import NOT_MODIFIED, Shown, answer, in_brief
from services.standings.projection.waking import Waking
from shared.access.asker import ASKING, Asker
from shared.access.tokens import Unauthenticated
from shared.csv_lines import CSV
from shared.http.door import Door
from shared.http.moments import Moment, asked_for
from shared.http.problems import documented
from shared.http.responses import READ
from shared.http.sse import EventStream, OpenStreams
from shared.messaging import history


def routes(*, showing: Showing, situations: Situations, waking: Waking, streams: OpenStreams, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}/standings", tags=["standings"])
    told = Listening(showing, waking)

    @router.get(
        "",
        summary="The table of a stage",
        description="As it is now, or as it was: after a round, with what was known once (`inputs`), or at a time "
        "(`at`); with `format=csv` for spreadsheets. `inputs` names what it rests on, and so does its `ETag`.",
        operation_id="getStandings",
        response_model=bodies.Table,
        responses=READ | as_csv.ANSWERS | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def table(
        tournament_id: TournamentId,
        stage: StageId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
        as_format: as_csv.Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        is_plain = through is None and moment.at is None and among is None
        shown = await showing.now(tournament_id, stage) if is_plain else None
        if shown is None or (moment.is_past and str(moment.inputs) != shown.inputs):
            situation = await situations.of(tournament_id, moment)
            shown = await showing.of(situation, stage, through=through, among=among)
        if as_format == "csv":
            return answer(replace(shown, content=as_csv.table(shown.content)), if_none_match, CSV)
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

        async def seen_by() -> str:
            """Who listens may have been appointed or dismissed meanwhile."""
            try:
                await door.asker(request, LOOK, None)
            except Unauthenticated:  # the stream will end; until then they are nobody in particular
                ASKING.set(None)
            return (await situations.told(tournament_id)).seen_by

        return EventStream(
            told.behind(tournament_id, stage, last_event_id, seen_by),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, LOOK),
            behind=last_event_id or str(history.NOTHING),
        )

    @router.get(
        "/entrants/{entrant_id}",
        summary="Why an entrant stands where it stands",
        description="Each value with what it is made of, and what separates the entrant from the next ones. Of the table as it "
        "is now, or as it was: after a round, with what was known once (`inputs`), or at a time (`at`).",
        operation_id="explainStanding",
        response_model=bodies.Explanation,
        responses=READ | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def explain(
        tournament_id: TournamentId,
        stage: StageId,
        entrant_id: EntrantId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        situation: Situation = await situations.of(tournament_id, moment)
        names = await situations.names(situation.tournament)
        found = explanation(situation, stage, entrant_id, names, through=through, among=among)
        content = found.model_dump_json().encode()
        return answer(Shown(inputs=found.inputs, content=content, names=in_brief(names.values())), if_none_match)

    return router
