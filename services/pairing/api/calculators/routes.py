"""The next round of a tournament that is sent along: nothing is kept."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from services.pairing.calculate import PairingShown, paired_in_json
from shared.access.policy import SIGNED_IN
from shared.faults import UNREAD
from shared.http.authorization import Door
from shared.http.calculators import CalculatorRoute, computed
from shared.http.lazy_route import Router
from shared.http.problems import documented
from shared.http.responses import BAD, JSON
from shared.tournament.file.form import TournamentFile
from shared.workers import Workers

type WithAlternative = Annotated[bool, Query(description="Also the next best pairing, and what it would cost.")]
type EntrantOne = Annotated[str | None, Query(description="Who is to meet somebody else.", examples=["A"])]
type EntrantOther = Annotated[str | None, Query(description="And whom, or not where they do.", examples=["D"])]


def routes(*, workers: Workers, door: Door) -> APIRouter:
    router = Router(prefix="/v1", tags=["calculators"], route_class=CalculatorRoute)

    @router.post(
        "/pair",
        summary="Pair the next round of a tournament file",
        description="Pairs the round after the last one of the last stage in the body, which is not kept, and says "
        "why it is so. Lots follow from its seed: the same file, the same answer. `alternative` adds the next best "
        "pairing, or the best in which `entrant` meets somebody else, or `other`, or does not.",
        operation_id="pairTournamentFile",
        response_model=PairingShown,
        response_model_exclude_none=True,
        responses=BAD | documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    async def pair(
        body: Annotated[TournamentFile, UNREAD],
        request: Request,
        alternative: WithAlternative = False,
        entrant: EntrantOne = None,
        other: EntrantOther = None,
    ) -> Response:
        named = [one for one in (entrant, other) if one is not None]
        wanted = named if alternative or named else None
        return Response(await computed(workers, request, paired_in_json, body, wanted), media_type=JSON)

    return router
