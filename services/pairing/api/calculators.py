"""The next round of a tournament that is sent along: nothing is kept."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.pairing.calculate import PairingShown, paired
from shared.act import Door
from shared.answers import BAD, JSON
from shared.policy import SIGNED_IN
from shared.problems import documented
from shared.tournament.file.shape import TournamentFile
from shared.unread import UNREAD


def routes(*, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["calculators"])

    @router.post(
        "/pair",
        summary="Pair the next round of a tournament file",
        description="Pairs the round after the last one of the last stage in the body, which is not kept, and says why "
        "it is so. Lots follow from the seed in the file: the same file, the same answer. `roundlog pair` does the same "
        "without a server.",
        operation_id="pairTournamentFile",
        response_model=PairingShown,
        response_model_exclude_none=True,
        responses=BAD | documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    def pair(body: Annotated[TournamentFile, UNREAD]) -> Response:
        return Response(paired(body).model_dump_json(exclude_none=True), media_type=JSON)

    return router
