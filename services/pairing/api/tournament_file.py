"""A tournament as a file, from which the calculators repeat what the services did."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query, Response

from services.pairing.api.permissions import SEE_DRAFTS
from services.pairing.tournaments import Tournaments
from shared.access.asker import Asker
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.moments import Moment, asked_for
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import JSON, READ, tag_of
from shared.lots.drawing import Lots
from shared.lots.known import LotsKnown
from shared.tournament.file.form import TournamentFile
from shared.tournament.file.writing import written
from shared.tournament.stages import require_stage

type LastStage = Annotated[
    str | None,
    Query(
        max_length=64,
        description="With which the file ends, also before its first round; otherwise the last that has begun.",
        examples=["play-off"],
    ),
]


def routes(*, tournaments: Tournaments, lots: Lots, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["calculators"])

    @router.get(
        "/file",
        summary="The tournament as a file",
        description="In the form that `POST /v1/pair`, `POST /v1/rank` and the command `roundlog` take: the rounds "
        "that are complete, who will miss the next, and what was decided.",
        operation_id="getTournamentFile",
        response_model=TournamentFile,
        responses=READ | documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def file(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        asker: Annotated[Asker, Depends(door.reads(SEE_DRAFTS))],
        stage: LastStage = None,
    ) -> Response:
        known = await tournaments.of(tournament_id, moment)
        if stage is not None:
            require_stage(known.facts, stage)
        key = await lots.key(tournament_id, is_trusted=asker.is_operator)
        found = await asyncio.to_thread(
            written,
            known.facts,
            names=known.names,
            key=key and key.key.hex(),
            lots=key and mixed_with(tournament_id, await lots.known(tournament_id)),
            stage=stage,
        )
        content = msgspec.json.encode(found)
        return Response(content, media_type=JSON, headers={"ETag": tag_of(content)})

    return router


def mixed_with(tournament: str, known: LotsKnown) -> Mapping[str, str] | None:
    if known.source is None or known.value is None:
        return None
    return {"tournament": tournament, "source": known.source, "value": known.value}
