"""How the whole event ends: the final ranking with what it brings, and who goes on."""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from services.standings.api.asked import EntrantNames, Situation, Situations
from services.standings.api.outcome_bodies import FinalRanking, Progression
from services.standings.api.paths import LOOK, Among, AtInputs, AtTime, IfNoneMatch, TournamentId, moment
from services.standings.api.putting_together import final_ranking, progression
from services.standings.api.tags import NOT_MODIFIED, Shown, answer, in_brief
from shared import heard
from shared.act import Door
from shared.answers import READ
from shared.problems import documented

ANSWERS = READ | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND)

type PutTogether = Callable[[Situation, EntrantNames], BaseModel]


def routes(*, situations: Situations, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["standings"])

    async def asked(tournament: str, inputs: str | None, at: str | None, put_together: PutTogether) -> Shown:
        situation = await situations.of(tournament, until=heard.parse(inputs) if inputs else None, at=moment(at))
        names = await situations.names(situation.persons)
        found = await asyncio.to_thread(put_together, situation, names)
        content = found.model_dump_json().encode()
        return Shown(inputs=str(situation.inputs), content=content, names=in_brief(names.values()))

    @router.get(
        "/final",
        summary="The final ranking of a tournament",
        description="Put together from its stages as the rules say: medals before the list, or stage by stage. With the "
        "titles, prizes and accreditations that follow. While the tournament goes on, all of it is as things stand.",
        operation_id="getFinalRanking",
        response_model=FinalRanking,
        responses=ANSWERS,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def final(
        tournament_id: TournamentId,
        among: Among = None,
        inputs: AtInputs = None,
        at: AtTime = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        return answer(await asked(tournament_id, inputs, at, partial(final_ranking, among=among)), if_none_match)

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
        tournament_id: TournamentId, inputs: AtInputs = None, at: AtTime = None, if_none_match: IfNoneMatch = None
    ) -> Response:
        return answer(await asked(tournament_id, inputs, at, progression), if_none_match)

    return router
