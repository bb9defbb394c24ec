"""The sums of a season that is sent along: nothing is kept."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from services.standings.seasons.calculate import SeasonStandings, summed_in_json
from services.standings.seasons.year import SeasonFile
from shared.access.policy import SIGNED_IN
from shared.http.calculators import UNREAD, CalculatorRoute, computed
from shared.http.door import Door
from shared.http.responses import BAD, JSON
from shared.workers import Workers


def routes(*, workers: Workers, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["calculators"], route_class=CalculatorRoute)

    @router.post(
        "/season",
        summary="Add up a season file",
        description="Computes the cup, who qualifies, and the ratings of the season in the body, which is not kept. "
        "`roundlog season` does the same without a server.",
        operation_id="addUpSeasonFile",
        response_model=SeasonStandings,
        response_model_exclude_none=True,
        responses=BAD,
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    async def season(body: Annotated[SeasonFile, UNREAD], request: Request) -> Response:
        return Response(await computed(workers, request, summed_in_json, body), media_type=JSON)

    return router
