"""What is brought into a season as a file: all of it, or nothing."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.seasons.bodies import PERSON, SeasonBook, SeasonId
from services.standings.api.seasons.desk import Known
from services.standings.api.seasons.files import RATINGS, RESULTS, contests, first_ratings, persons_of
from services.standings.api.seasons.happening import DECIDE, REFUSED, Happening
from services.standings.seasons.book import ImportRatings, RecordContests
from shared.act import Act, Door
from shared.answers import DryRun
from shared.csv_lines import CSV

FORM = "UTF-8, with commas or semicolons, and in the first line the names of the columns."
SOME_RATINGS = f"{','.join(RATINGS)}\r\n{PERSON},Zuzana Kováčová,1720,1600,49,0\r\n"
SOME_RESULTS = f"{','.join(RESULTS)}\r\nps-1,written,2026-10-01,{PERSON},Zuzana Kováčová,1,,\r\n"

type RatingsFile = Annotated[bytes, Body(media_type=CSV, description=FORM, examples=[SOME_RATINGS])]
type ResultsFile = Annotated[bytes, Body(media_type=CSV, description=FORM, examples=[SOME_RESULTS])]


def routes(*, happening: Happening, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}", tags=["seasons"])
    desk = happening.desk

    @router.post(
        "/ratings/import",
        summary="Bring in the ratings at the beginning of a season",
        description="CSV, one line for each person: all of it, or nothing, with every faulty line named. Who is in no line "
        f"keeps what they have; the same file again changes nothing. Columns: {', '.join(RATINGS)}.",
        operation_id="importFirstRatings",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def import_ratings(
        season_id: SeasonId,
        content: RatingsFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        async def order(_: Known) -> ImportRatings:
            lines, named = persons_of(content, RATINGS, needed=["person"])
            return ImportRatings(season=season_id, ratings=first_ratings(lines, await desk.called(named)))

        if dry_run:
            return await happening.would(season_id, order, other_ratings)
        return await happening.happen(season_id, order, act)

    @router.post(
        "/contests/import",
        summary="Bring in results of what was held elsewhere",
        description="CSV, one line for each person of a contest or tournament: the place, and whether they have organised "
        "it. All of it, or nothing. A contest that is there is replaced; the same file again changes nothing. "
        f"Columns: {', '.join(RESULTS)}.",
        operation_id="importContests",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def import_contests(
        season_id: SeasonId,
        content: ResultsFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        async def order(known: Known) -> RecordContests:
            lines, named = persons_of(content, RESULTS, needed=["contest", "kind", "on", "person"])
            return RecordContests(season=season_id, contests=contests(lines, await desk.called(named), known.rules))

        if dry_run:
            return await happening.would(season_id, order, other_contests)
        return await happening.happen(season_id, order, act)

    return router


def other_ratings(known: Known, order: ImportRatings) -> Foreseen:
    new = sum(known.book.ratings.get(one.person) != one for one in order.ratings)
    return Foreseen(changes=[f"{new} of {len(order.ratings)} begin the season with other ratings."], lost=[])


def other_contests(known: Known, order: RecordContests) -> Foreseen:
    found = [one for one in order.contests if known.book.contests.get(one.contest) != one]
    again = [one.contest for one in found if one.contest in known.book.contests]
    return Foreseen(
        changes=[f"{one.contest} is recorded with {len(one.places)} places." for one in found],
        lost=[f"What was recorded of {one} before." for one in again],
    )
