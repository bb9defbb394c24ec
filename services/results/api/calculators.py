"""What follows from one game by some ruleset, for who has no tournament here."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.results import calculate
from services.results.calculate import Adjudicated, Table
from shared.act import Asker, Door
from shared.answers import BAD, JSON
from shared.policy import SIGNED_IN


def routes(*, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["calculators"])

    @router.post(
        "/adjudicate",
        summary="Adjudicate a game",
        description="Turns what happened at one table into scores and points. Nothing is kept or changed; the command "
        "`roundlog adjudicate` does the same without a server.",
        operation_id="adjudicate",
        response_model=Adjudicated,
        responses=BAD,
    )
    async def adjudicate(body: Table, _: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        return Response(calculate.of_table(body).model_dump_json(), media_type=JSON)

    return router
