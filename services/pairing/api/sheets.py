"""Pairing sheets: a round to be printed and hung up, or to be opened as a spreadsheet."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from services.pairing.api.bodies import Round, RoundNumber, StageId, TournamentId
from services.pairing.api.desk import SEE, Desk
from services.pairing.api.looking import ONE, PREFIX, as_told, visible
from services.pairing.api.printing import COLUMNS, STYLE, By, Heading, lines, page
from services.pairing.api.shown import round_of
from services.pairing.api.situation import Situation
from shared.access.asker import Asker
from shared.contracts.registration import TournamentAnnounced, TournamentReplanned
from shared.csv_lines import CSV, as_csv, written
from shared.http import responses
from shared.http.door import Door
from shared.http.moments import Moment, asked_for
from shared.http.problems import documented
from shared.tournament.stages import require_stage

HTML = "text/html"
AS_HTML = {
    HTTPStatus.OK.value: {
        "description": "A page that needs nothing else.",
        "content": {HTML: {"schema": {"type": "string"}, "example": "<!doctype html>…"}},
    }
}
SPREADSHEET = as_csv(
    "table,room,label,seat,entrant,name,first\r\n1,Library,L1,1,A,Ada,yes\r\n1,Library,L1,2,D,Dora,\r\n"
)
STYLED = responses.page_policy(style=responses.hash_of(STYLE))
REFUSED = documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE)

type Sorted = Annotated[
    By, Query(description="By table for those who run the round, by name for the players.", examples=["name"])
]


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["rounds"])

    async def shown(tournament: str, stage: str, number: int, asker: Asker, moment: Moment) -> tuple[Round, Situation]:
        situation = await desk.situations.of(tournament, moment)
        require_stage(situation.facts, stage)
        if moment.is_past:
            return as_told(situation, stage, number), situation
        state, _ = await visible(desk, situation, stage, number, asker)
        return round_of(state, situation, stage, number, asker), situation

    @router.get(
        f"{ONE}/sheet",
        summary="A round to be printed",
        description="A page for the wall or the desk, in the tournament's own time. Drafts are shown to officials only. Also as "
        "it was published once (`inputs`, `at`).",
        operation_id="printRound",
        response_class=Response,
        responses=AS_HTML | REFUSED,
    )
    async def printed(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
        by: Sorted = "table",
    ) -> Response:
        found, situation = await shown(tournament_id, stage, number, asker, moment)
        return Response(page(found, heading(situation, stage), by), media_type=f"{HTML}; charset=utf-8", headers=STYLED)

    @router.get(
        f"{ONE}/sheet.csv",
        summary="A round as a spreadsheet",
        description="CSV, one line a seat, and one for everybody without a table. Also as it was published once (`inputs`, "
        "`at`).",
        operation_id="exportRound",
        response_class=Response,
        responses=SPREADSHEET | REFUSED,
    )
    async def exported(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        found, _ = await shown(tournament_id, stage, number, asker, moment)
        name = f"{tournament_id}-{stage}-{number}.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(written(COLUMNS, lines(found)), media_type=CSV, headers=headers)

    return router


def heading(situation: Situation, stage: str) -> Heading:
    announced = situation.history.of(TournamentAnnounced)
    plans = situation.history.of(TournamentAnnounced, TournamentReplanned)
    (title,) = (one.title for one in situation.facts.ruleset.stages if one.id == stage)
    return Heading(
        tournament=plans[-1].name if plans else situation.tournament,
        stage=title,
        time_zone=announced[-1].time_zone if announced else "UTC",
    )
