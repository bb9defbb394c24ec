"""How the whole event ends: the final ranking with what it brings, and who goes on."""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from services.standings.api import as_csv
from services.standings.api.as_csv import Format
from services.standings.api.outcome_bodies import FinalRanking, Progression
from services.standings.api.paths import LOOK, Among, IfNoneMatch, TournamentId
from services.standings.api.putting_together import final_ranking, progression
from services.standings.api.tags import NOT_MODIFIED, Shown, answer, in_brief
from services.standings.tournaments import EntrantNames, KnownTournament, Tournaments
from shared.csv_lines import CSV
from shared.http.door import Door
from shared.http.moments import Moment, asked_for
from shared.http.problems import documented
from shared.http.responses import READ

ANSWERS = READ | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND)


def in_json(found: BaseModel) -> bytes:
    return found.model_dump_json().encode()


def routes(*, situations: Tournaments, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["standings"])

    async def asked[Found: BaseModel](
        tournament: str,
        moment: Moment,
        put_together: Callable[[KnownTournament, EntrantNames], Found],
        written: Callable[[Found], bytes] = in_json,
    ) -> Shown:
        situation = await situations.of(tournament, moment)
        names = await situations.names(situation.tournament)
        found = await asyncio.to_thread(put_together, situation, names)
        return Shown(inputs=str(situation.inputs), content=written(found), names=in_brief(names.values()))

    @router.get(
        "/final",
        summary="The final ranking of a tournament",
        description="Put together from its stages as the rules say: medals before the list, or stage by stage. With the "
        "titles, prizes and accreditations that follow. While the tournament goes on, all of it is as things stand. With "
        "`format=csv` the ranking as a sheet.",
        operation_id="getFinalRanking",
        response_model=FinalRanking,
        responses=ANSWERS | as_csv.ANSWERS,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def final(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        among: Among = None,
        as_format: Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        put_together = partial(final_ranking, among=among)
        if as_format == "csv":
            sheet = await asked(tournament_id, moment, put_together, as_csv.final_ranking)
            return answer(sheet, if_none_match, CSV)
        return answer(await asked(tournament_id, moment, put_together), if_none_match)

    @router.get(
        "/progression",
        summary="Who goes on",
        description="To each later stage, and to another tournament: who, on what ground, who are the reserves, and what "
        "has to be drawn, played or closed before. Pairing opens a stage by the same rules.",
        operation_id="getProgression",
        response_model=Progression,
        responses=ANSWERS,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def going_on(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        return answer(await asked(tournament_id, moment, progression), if_none_match)

    return router
