"""What follows from one game by some ruleset, for who has no tournament here."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from services.results import calculate
from services.results.calculate import Adjudicated, TableToAdjudicate
from shared.access.policy import SIGNED_IN
from shared.faults import UNREAD
from shared.http.authorization import Door
from shared.http.calculators import CalculatorRoute, computed
from shared.http.lazy_route import Router
from shared.http.responses import BAD, JSON
from shared.workers import Workers


def routes(*, workers: Workers, door: Door) -> APIRouter:
    router = Router(prefix="/v1", tags=["calculators"], route_class=CalculatorRoute)

    @router.post(
        "/adjudicate",
        summary="Adjudicate a game",
        description="Turns what happened at one table into scores and points. Nothing is kept or changed.",
        operation_id="adjudicate",
        response_model=Adjudicated,
        response_model_exclude_unset=True,
        responses=BAD,
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    async def adjudicate(body: Annotated[TableToAdjudicate, UNREAD], request: Request) -> Response:
        return Response(await computed(workers, request, calculate.adjudicated, body), media_type=JSON)

    return router
