"""The sums of a season that is sent along: nothing is kept."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.seasons.calculate import SeasonStandings, summed
from services.standings.seasons.year import SeasonFile
from shared.act import Door
from shared.answers import BAD, JSON
from shared.policy import SIGNED_IN
from shared.unread import UNREAD


def routes(*, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["calculators"])

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
    def season(body: Annotated[SeasonFile, UNREAD]) -> Response:
        return Response(summed(body).model_dump_json(exclude_none=True), media_type=JSON)

    return router
