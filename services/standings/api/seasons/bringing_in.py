"""What is brought into a season as a file: all of it, or nothing."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.paths import SLUG
from services.standings.api.seasons.bodies import OTHER, PERSON, SeasonBook, SeasonId
from services.standings.api.seasons.desk import Known
from services.standings.api.seasons.files import (
    LIST,
    RATINGS,
    RESULTS,
    contests,
    first_ratings,
    is_date,
    persons_of,
    rating_list,
)
from services.standings.api.seasons.games_file import GAMES, SEATS, games
from services.standings.api.seasons.happening import DECIDE, REFUSED, Happening
from services.standings.domain.season import ImportRatings, PublishRatings, RatingList, RecordContests, RecordGames
from shared.access.references import ids_in_columns
from shared.csv_lines import CSV, SENTENCE
from shared.faults import Fault, Faulty
from shared.http.door import Act, Door
from shared.http.responses import DryRun

FORM = "UTF-8, with commas or semicolons, and in the first line the names of the columns."
SOME_RATINGS = f"{','.join(RATINGS)}\r\n{PERSON},Zuzana Kováčová,1720,1600,49,0\r\n"
SOME_RESULTS = f"{','.join(RESULTS)}\r\nps-1,written,2026-10-01,{PERSON},Zuzana Kováčová,1,,,\r\n"

SOME_GAMES = f"{','.join(GAMES)}\r\nms-b,1,{PERSON},Zuzana Kováčová,{OTHER},Ján Novák,1\r\n"
SOME_LIST = f"{','.join(LIST)}\r\n{PERSON},Zuzana Kováčová,1720,49\r\n"
NEEDED_OF_GAMES = ("contest", "round", "person", "opponent", "points")

PERSONS = ids_in_columns({"person": "person"})
PLAYERS = ids_in_columns({"person": "person", "opponent": "person"})

type RatingsFile = Annotated[
    bytes, Body(media_type=CSV, description=FORM, examples=[SOME_RATINGS], json_schema_extra=PERSONS)
]
type ResultsFile = Annotated[
    bytes, Body(media_type=CSV, description=FORM, examples=[SOME_RESULTS], json_schema_extra=PERSONS)
]
type GamesFile = Annotated[
    bytes, Body(media_type=CSV, description=FORM, examples=[SOME_GAMES], json_schema_extra=PLAYERS)
]
type ListFile = Annotated[
    bytes, Body(media_type=CSV, description=FORM, examples=[SOME_LIST], json_schema_extra=PERSONS)
]
type ListCalled = Annotated[
    str, Query(alias="list", pattern=SLUG, description="As rulesets call it in their seeding.", examples=["screlo"])
]
type ListDate = Annotated[str, Query(max_length=10, description="The day of the list.", examples=["2026-10-01"])]


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
        async def order(known: Known) -> ImportRatings:
            lines, named = persons_of(content, RATINGS, needed=["person"])
            return ImportRatings(season=season_id, ratings=first_ratings(lines, await desk.own(known, named)))

        return await happening.happen_or_try(season_id, order, other_ratings, act, is_tried=dry_run)

    @router.post(
        "/contests/import",
        summary="Bring in results of what was held elsewhere",
        description="CSV, one line for each person of a contest or tournament: the place, and whether they have organised "
        "it; its games are a file of their own. All of it, or nothing. A contest that is there is replaced; "
        "the same file again changes nothing. "
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
            return RecordContests(season=season_id, contests=contests(lines, await desk.own(known, named), known.rules))

        return await happening.happen_or_try(season_id, order, other_contests, act, is_tried=dry_run)

    @router.post(
        "/games/import",
        summary="Bring in games of what was held elsewhere",
        description="CSV, one line for each game of a contest that is recorded, with the points of the person: they move "
        "ratings on the day of the contest. All of it, or nothing. The games of a contest that has some are replaced; the "
        f"same file again changes nothing. Columns: {', '.join(GAMES)}.",
        operation_id="importGames",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def import_games(
        season_id: SeasonId,
        content: GamesFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        async def order(known: Known) -> RecordGames:
            lines, named = persons_of(content, GAMES, NEEDED_OF_GAMES, SEATS)
            found = games(lines, await desk.own(known, named), known.book.contests, known.rules)
            return RecordGames(season=season_id, games=found)

        return await happening.happen_or_try(season_id, order, other_games, act, is_tried=dry_run)

    @router.post(
        "/ratings/lists/import",
        summary="Publish a rating list that the federation keeps itself",
        description="CSV, one line for each person, in whole numbers: all of it, or nothing. It is published as it is, "
        "dated, and the newest list is that by which tournaments seed. An older one is kept as history. The same file "
        f"again changes nothing. Columns: {', '.join(LIST)}.",
        operation_id="importRatingList",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def import_list(
        season_id: SeasonId,
        content: ListFile,
        called: ListCalled,
        on: ListDate,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        async def order(known: Known) -> PublishRatings:
            if not is_date(on) or on > desk.today():
                raise Faulty(SENTENCE, [Fault("/query/on", "should be a date such as 2026-10-01, and not to come.")])
            lines, named = persons_of(content, LIST, needed=["person", "rating"])
            ratings = rating_list(lines, await desk.own(known, named))
            return PublishRatings(
                season=season_id,
                federation=known.opened.federation,
                on=on,
                lists=(RatingList(list=called, ratings=ratings),),
            )

        return await happening.happen_or_try(season_id, order, another_list, act, is_tried=dry_run)

    return router


def other_games(known: Known, order: RecordGames) -> Foreseen:
    found = {one: several for one, several in order.games.items() if known.book.games.get(one) != several}
    return Foreseen(
        changes=[f"{one} is recorded with {len(several)} games, which move ratings." for one, several in found.items()],
        lost=[f"The games that were recorded of {one} before." for one in found if one in known.book.games],
    )


def another_list(known: Known, order: PublishRatings) -> Foreseen:
    (one,) = order.lists
    again = (one.list, order.on) in known.book.lists
    return Foreseen(
        changes=[f"{one.list} of {order.on} is published with {len(one.ratings)} ratings."],
        lost=[f"{one.list} of {order.on} as it was published before."] if again else [],
    )


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
