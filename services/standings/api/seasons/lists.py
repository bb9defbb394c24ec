"""The rating lists that were published in a season, each as it was on its day. No token is needed."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from services.standings.api.as_csv import Format
from services.standings.api.paths import LOOK, SLUG, IfNoneMatch
from services.standings.api.seasons.bodies import (
    PERSON,
    ListPublished,
    RatedShown,
    RatingLists,
    RatingListShown,
    SeasonId,
)
from services.standings.api.seasons.desk import SeasonDesk
from services.standings.api.seasons.files import LIST
from services.standings.api.seasons.reading import tagged
from services.standings.api.seasons.showing import as_sheet
from services.standings.api.tags import NOT_MODIFIED
from services.standings.domain.season import Book, RatingListPublished
from shared.csv_lines import CSV, as_csv
from shared.http.door import Door
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import ETAG, READ
from shared.refusals import NotFound

EXAMPLE = f"person,name,rating,games\r\n{PERSON},Zuzana Kováčová,1695,56\r\n"
SHEET = {code: described | {"headers": ETAG} for code, described in as_csv(EXAMPLE).items()}
FOUND = READ | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND)

type ListId = Annotated[str, Path(pattern=SLUG, description="As rulesets call it.", examples=["screlo"])]
type OnDay = Annotated[
    str | Absent,
    Query(
        pattern=r"^\d{4}-\d{2}-\d{2}$",
        description="The list that held on this day; otherwise the newest.",
        examples=["2026-12-01"],
    ),
]


class ListUnpublished(NotFound):
    """No such list was published by then."""


def routes(*, desk: SeasonDesk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}/ratings/lists", tags=["seasons"])

    @router.get(
        "",
        summary="The rating lists that were published",
        description="List by list, with their days; also those that the federation brought in.",
        operation_id="listRatingLists",
        response_model=RatingLists,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def listed(season_id: SeasonId, if_none_match: IfNoneMatch = None) -> Response:
        lists = (await desk.of(season_id)).book.lists
        newest = sorted(sorted(lists, key=lambda one: one[1], reverse=True), key=lambda one: one[0])
        items = [ListPublished(list=name, on=on, ratings=len(lists[name, on].ratings)) for name, on in newest]
        return tagged(RatingLists(season=season_id, items=items), if_none_match)

    @router.get(
        "/{list_id}",
        summary="A rating list as it was published",
        description="The newest one, or that which held on a day (`on`). With `format=csv` as a sheet, in the columns in "
        "which such a list is brought in.",
        operation_id="getRatingList",
        response_model=RatingListShown,
        responses=FOUND | SHEET,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def one(
        season_id: SeasonId,
        list_id: ListId,
        on: OnDay = None,
        as_format: Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        known = await desk.of(season_id)
        told = held(known.book, list_id, on)
        body = shown(told, await desk.called(known, (row.person for row in told.ratings)))
        if as_format == "csv":
            return tagged(as_sheet(body.ratings, LIST), if_none_match, CSV)
        return tagged(body, if_none_match)

    return router


def held(book: Book, called: str, on: str | None) -> RatingListPublished:
    days = [day for name, day in book.lists if name == called and (on is None or day <= on)]
    if not days:
        when = "" if on is None else f" until {on}"
        raise ListUnpublished(
            f"No list {called} was published in this season{when}: look into the lists for those that were."
        )
    return book.lists[called, max(days)]


def shown(told: RatingListPublished, names: Mapping[str, str]) -> RatingListShown:
    return RatingListShown(
        season=told.season,
        list=told.list,
        on=told.on,
        ratings=[
            RatedShown(
                place=1 + sum(other.rating > row.rating for other in told.ratings),
                person=row.person,
                name=names.get(row.person),
                rating=row.rating,
                games=row.games,
            )
            for row in told.ratings
        ],
    )
