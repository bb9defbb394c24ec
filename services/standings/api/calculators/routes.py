"""The table of a tournament and the sums of a season that are sent along: nothing is kept."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from services.standings.api.parameters import Format
from services.standings.api.responses import TABLE_AS_CSV
from services.standings.calculate import RankingOptions, ranked_in_json, ranked_sheet
from services.standings.calculate.bodies import Ranking
from services.standings.seasons.calculate import SeasonStandings, summed_in_json
from services.standings.seasons.file import SeasonFile
from shared.access.policy import SIGNED_IN
from shared.csv_lines import CSV
from shared.faults import UNREAD
from shared.http.authorization import Door
from shared.http.calculators import CalculatorRoute, computed
from shared.http.lazy_route import Router
from shared.http.problems import documented
from shared.http.responses import BAD, JSON
from shared.tournament.file.form import TournamentFile
from shared.workers import Workers

type StageOfFile = Annotated[
    str | None, Query(max_length=64, description="Otherwise the last one in the file.", examples=["swiss"])
]
type ListOfFile = Annotated[
    str | None, Query(alias="list", max_length=64, description="Only the table of a list.", examples=["women"])
]
type WholeEvent = Annotated[bool, Query(description="The ranking of the whole event.")]
type Explain = Annotated[
    bool, Query(description="With the addends of every value, and why each stands above the next.")
]
type WithRounds = Annotated[bool, Query(alias="crosstable", description="With everybody's rounds: who met whom.")]


def routes(*, workers: Workers, door: Door) -> APIRouter:
    router = Router(prefix="/v1", tags=["calculators"], route_class=CalculatorRoute)

    @router.post(
        "/rank",
        summary="Rank a tournament file",
        description="Computes the table of the tournament in the body, which is not kept. It never draws a lot: ties "
        "that need one, or a duel, are listed as unresolved.",
        operation_id="rankTournamentFile",
        response_model=Ranking,
        response_model_exclude_none=True,
        responses=BAD | TABLE_AS_CSV | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    async def rank(
        body: Annotated[TournamentFile, UNREAD],
        request: Request,
        stage: StageOfFile = None,
        list_id: ListOfFile = None,
        final: WholeEvent = False,
        explain: Explain = False,
        crosstable: WithRounds = False,
        as_format: Format = None,
    ) -> Response:
        options: RankingOptions = {
            "stage": stage,
            "list_id": list_id,
            "final_order": final,
            "explanations": explain,
            "crosstable": crosstable,
        }
        if as_format == "csv":
            return Response(await computed(workers, request, ranked_sheet, body, **options), media_type=CSV)
        return Response(await computed(workers, request, ranked_in_json, body, **options), media_type=JSON)

    @router.post(
        "/season",
        summary="Add up a season file",
        description="Computes the cup, who qualifies, and the ratings of the season in the body, which is not kept.",
        operation_id="addUpSeasonFile",
        response_model=SeasonStandings,
        response_model_exclude_none=True,
        responses=BAD,
        dependencies=[Depends(door.reads(SIGNED_IN))],
    )
    async def season(body: Annotated[SeasonFile, UNREAD], request: Request) -> Response:
        return Response(await computed(workers, request, summed_in_json, body), media_type=JSON)

    return router
