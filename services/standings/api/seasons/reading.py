"""Seasons to read: who leads in the cup, who qualifies, and how ratings stand. No token is needed."""

from hashlib import blake2b
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel

from services.standings.api.as_csv import Format
from services.standings.api.paths import LOOK, SLUG, IfNoneMatch
from services.standings.api.seasons.bodies import PERSON, SeasonId, SeasonRatings, SeasonTable
from services.standings.api.seasons.desk import SeasonDesk
from services.standings.api.seasons.showing import as_sheet, ratings_sheet, season_ratings, season_table
from services.standings.api.tags import NOT_MODIFIED, Shown, answer
from shared.csv_lines import CSV, as_csv
from shared.http.door import Door
from shared.http.moments import AtTime, moment
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import ETAG, JSON, READ

CUP = ("place", "person", "name", "points")
QUALIFICATION = ("place", "person", "name", "points", "qualified", "champion")
SHEETS = {"cup": CUP, "qualification": QUALIFICATION}
EXAMPLE = f"place,person,name,points\r\n1,{PERSON},Zuzana Kováčová,304\r\n"
SHEET = {code: described | {"headers": ETAG} for code, described in as_csv(EXAMPLE).items()}
FOUND = READ | SHEET | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND)

type Sheet = Annotated[
    Literal["cup", "qualification"],
    Query(description="With `format=csv`: which of the two tables.", examples=["qualification"]),
]
type OfList = Annotated[
    str | Absent, Query(alias="list", pattern=SLUG, description="Only this one.", examples=["live"])
]


def routes(*, desk: SeasonDesk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}", tags=["seasons"])

    @router.get(
        "",
        summary="Who leads in a season",
        description="Its tournaments, the cup with the results that count, who qualifies, and the reserves in their order, "
        "as things stand, or as they stood at a time (`at`). Persons who turned out to be one count as one. `format=csv` is "
        "one of the tables as a sheet.",
        operation_id="getSeasonTable",
        response_model=SeasonTable,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def table(
        season_id: SeasonId,
        at: AtTime = None,
        as_format: Format = None,
        sheet: Sheet = "cup",
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        known = await desk.of(season_id, moment(at))
        sums = await desk.added_up(known)
        body = season_table(known, sums, await desk.called(known, (player.id for player in known.year.players)))
        if as_format == "csv":
            rows = body.cup if sheet == "cup" else body.qualification
            return tagged(as_sheet(rows, SHEETS[sheet]), if_none_match, CSV)
        return tagged(body, if_none_match)

    @router.get(
        "/ratings",
        summary="How ratings stand in a season",
        description="Exactly, on each list, with everything that is completed; what idleness costs is taken off when the "
        "season is closed. What was published last, in whole numbers, is what tournaments seed by. With `format=csv` the "
        "answer has the columns in which the next season takes ratings. Also as they stood at a time (`at`).",
        operation_id="getSeasonRatings",
        response_model=SeasonRatings,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def ratings(
        season_id: SeasonId,
        at: AtTime = None,
        only: OfList = None,
        as_format: Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        known = await desk.of(season_id, moment(at))
        sums = await desk.added_up(known)
        body = season_ratings(known, sums, await desk.called(known, (row.player for row in sums.ratings)), only)
        if as_format == "csv":
            return tagged(ratings_sheet(body), if_none_match, CSV)
        return tagged(body, if_none_match)

    return router


def tagged(body: BaseModel | bytes, if_none_match: str | None, media_type: str = JSON) -> Response:
    """Whatever it rests on, the same answer has the same tag."""
    content = body if isinstance(body, bytes) else body.model_dump_json().encode()
    return answer(Shown(inputs=blake2b(content, digest_size=8).hexdigest(), content=content), if_none_match, media_type)
