"""Seasons: who leads, how ratings stand, which lists were published, and what the federation decides about them.

Reading needs no token. What is brought in as a file comes in as a whole, or not at all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Depends, Path, Query, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.parameters import ID, SLUG, Format
from services.standings.api.permissions import DECIDE, LOOK, allowed_in_season
from services.standings.api.responses import with_etag
from services.standings.api.seasons import orders
from services.standings.api.seasons.bodies import (
    OTHER,
    PERSON,
    SEASON,
    Champion,
    CutToDecide,
    DepartureToJudge,
    FieldToAnnounce,
    RatingLists,
    RatingListShown,
    SeasonBook,
    SeasonRatings,
    SeasonTable,
)
from services.standings.api.seasons.files import GAMES, LIST, RATINGS, RESULTS, SHEETS, as_sheet, ratings_sheet
from services.standings.api.seasons.known import Books, KnownSeason, KnownSeasons
from services.standings.api.seasons.views import (
    foreseen_closing,
    foreseen_contests,
    foreseen_games,
    foreseen_list,
    foreseen_publication,
    foreseen_qualification,
    foreseen_ratings,
    rating_list_view,
    rating_lists_view,
    season_book,
    season_ratings,
    season_table,
)
from services.standings.domain import season as stream
from services.standings.domain.season import AnnounceField, CloseSeason, Command, JudgeDeparture, SettleCut
from shared.access.asker import Asker
from shared.access.references import id_of, ids_in_columns
from shared.clock import Now
from shared.commands.handler import ActPart
from shared.csv_lines import CSV, FORM, as_csv
from shared.faults import DAY_PATTERN
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.moments import AtTime, moment
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import Absent
from shared.http.responses import FOUND, Actions, DryRun, read, read_by_content
from shared.lots.drawing import Lots

SOME_RATINGS = f"{','.join(RATINGS)}\r\n{PERSON},Zuzana Kováčová,1720,1600,49,0\r\n"
SOME_RESULTS = f"{','.join(RESULTS)}\r\nps-1,written,2026-10-01,{PERSON},Zuzana Kováčová,1,,,\r\n"
SOME_GAMES = f"{','.join(GAMES)}\r\nms-b,1,{PERSON},Zuzana Kováčová,{OTHER},Ján Novák,1\r\n"
SOME_LIST = f"{','.join(LIST)}\r\n{PERSON},Zuzana Kováčová,1720,49\r\n"

PURPOSE = "order at the cut"  # of a lot
SEASON_AS_CSV = with_etag(as_csv(f"place,person,name,points\r\n1,{PERSON},Zuzana Kováčová,304\r\n"))
LIST_AS_CSV = with_etag(as_csv(f"person,name,rating,games\r\n{PERSON},Zuzana Kováčová,1695,56\r\n"))
NOTHING_FORESEEN = Foreseen(changes=[], lost=[])

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
type SeasonId = Annotated[
    str,
    Path(
        description="The id that opening it at registration answered.",
        pattern=ID,
        json_schema_extra=id_of("season"),
        examples=[SEASON],
    ),
]
type Sheet = Annotated[
    Literal["cup", "qualification"],
    Query(description="With `format=csv`: which of the two tables.", examples=["qualification"]),
]
type OfList = Annotated[
    str | Absent, Query(alias="list", pattern=SLUG, description="Only this one.", examples=["live"])
]
type ListId = Annotated[str, Path(pattern=SLUG, description="As rulesets call it.", examples=["screlo"])]
type OnDay = Annotated[
    str | Absent,
    Query(
        pattern=DAY_PATTERN,
        description="The list that held on this day; otherwise the newest.",
        examples=["2026-12-01"],
    ),
]


@dataclass(frozen=True, kw_only=True, eq=False)
class SeasonActs:
    """Carries out what a federation orders of its season, or says what it would change."""

    books: Books
    seasons: KnownSeasons
    lots: Lots

    async def decide[Order: Command](
        self,
        season: str,
        act: Act,
        make: Callable[[KnownSeason], Awaitable[Order]],
        *also: ActPart,
        foreseen: Callable[[KnownSeason, Order], Foreseen] | None = None,
    ) -> Response:
        """The order is made of what is known of the season. With `foreseen` it is a dry run."""
        if foreseen is None and (before := await answered_before(self.books, act)):
            return before
        known = await self.seasons.of(season)
        order = await make(known)
        if foreseen is None:
            return await self.carry_out(known, order, act, *also)
        return tried(foreseen(known, order) if stream.SEASON.decide(known.book, order) else NOTHING_FORESEEN)

    async def carry_out(self, known: KnownSeason, order: Command, act: Act, *also: ActPart) -> Response:
        """It happens to the season for which the order was made: what is published adds up with all that was decided."""
        reveals = isinstance(order, CloseSeason) and bool(also)
        allowed = await self.allowed(known.season, act.asker, reveals=reveals)
        return await run(
            self.books,
            known.season,
            order,
            act,
            lambda book: season_book(known.season, book, allowed),
            versions={known.version} if act.versions is None else act.versions & {known.version},
            also=also,
        )

    async def allowed(self, season: str, asker: Asker, *, reveals: bool = False) -> Actions:
        is_secret_shown = reveals or await self.lots.are_shown(season)
        return allowed_in_season(season, asker, is_secret_shown=is_secret_shown)


def routes(  # noqa: C901 - many short operations
    *, books: Books, seasons: KnownSeasons, lots: Lots, now: Now, door: Door
) -> APIRouter:
    router = Router(prefix="/v1/seasons/{season_id}", tags=["seasons"])
    acts = SeasonActs(books=books, seasons=seasons, lots=lots)

    def today() -> str:
        return now().date().isoformat()

    @router.get(
        "",
        summary="Who leads in a season",
        description="Its tournaments, the cup with the results that count, who qualifies, and the reserves in their "
        "order. Persons who turned out to be one count as one.",
        operation_id="getSeasonTable",
        response_model=SeasonTable,
        responses=FOUND | SEASON_AS_CSV,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def table(season_id: SeasonId, at: AtTime = None, as_format: Format = None, sheet: Sheet = "cup") -> Response:
        known = await seasons.of(season_id, moment(at))
        sums = await known.standings()
        body = season_table(
            known,
            sums,
            await seasons.called(known, known.persons),
            is_corrected=await asyncio.to_thread(orders.is_corrected, known, sums),
        )
        if as_format == "csv":
            rows = body.cup if sheet == "cup" else body.qualification
            return read_by_content(as_sheet(rows, SHEETS[sheet]), CSV)
        return read_by_content(body)

    @router.get(
        "/ratings",
        summary="How ratings stand in a season",
        description="Exactly, with everything that is completed; what idleness costs is taken off when the season is "
        "closed. What was published last, in whole numbers, is what tournaments seed by.",
        operation_id="getSeasonRatings",
        response_model=SeasonRatings,
        responses=FOUND | SEASON_AS_CSV,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def ratings(
        season_id: SeasonId, at: AtTime = None, only: OfList = None, as_format: Format = None
    ) -> Response:
        known = await seasons.of(season_id, moment(at))
        sums = await known.standings()
        body = season_ratings(known, sums, await seasons.called(known, (row.player for row in sums.ratings)), only)
        if as_format == "csv":
            persons = await seasons.own(known, {row.person for row in body.ratings})
            return read_by_content(ratings_sheet(body, persons), CSV)
        return read_by_content(body)

    @router.get(
        "/ratings/lists",
        summary="The rating lists that were published",
        description="List by list, with their days; also those that the federation brought in.",
        operation_id="listRatingLists",
        response_model=RatingLists,
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def rating_lists(season_id: SeasonId) -> Response:
        known = await seasons.of(season_id)
        return read_by_content(rating_lists_view(season_id, known.book))

    @router.get(
        "/ratings/lists/{list_id}",
        summary="A rating list as it was published",
        description="The newest one, or that which held on a day (`on`).",
        operation_id="getRatingList",
        response_model=RatingListShown,
        responses=FOUND | LIST_AS_CSV,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def rating_list(season_id: SeasonId, list_id: ListId, on: OnDay = None, as_format: Format = None) -> Response:
        known = await seasons.of(season_id)
        found = known.rating_list(list_id, on)
        body = rating_list_view(found, await seasons.called(known, (row.person for row in found.ratings)))
        if as_format == "csv":
            persons = await seasons.own(known, {row.person for row in body.ratings})
            return read_by_content(as_sheet((row for row in body.ratings if row.person in persons), LIST), CSV)
        return read_by_content(body)

    @router.post(
        "/ratings/import",
        summary="Bring in the ratings at the beginning of a season",
        description="CSV, one line for each person: all of it, or nothing. Who is in no line keeps what they have. "
        f"Columns: {', '.join(RATINGS)}.",
        operation_id="importFirstRatings",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def import_ratings(
        season_id: SeasonId,
        content: RatingsFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.import_ratings(seasons, known, content),
            foreseen=foreseen_ratings if dry_run else None,
        )

    @router.post(
        "/contests/import",
        summary="Bring in results of what was held elsewhere",
        description="CSV, one line for each person of a contest or tournament: all of it, or nothing. A place is given "
        "once, in a tournament of pairs twice. A contest that is there is replaced. "
        f"Columns: {', '.join(RESULTS)}.",
        operation_id="importContests",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def import_contests(
        season_id: SeasonId,
        content: ResultsFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.record_contests(seasons, known, content, today=today()),
            foreseen=foreseen_contests if dry_run else None,
        )

    @router.post(
        "/games/import",
        summary="Bring in games of what was held elsewhere",
        description="CSV, one line for each game of a contest that is recorded, with the points of the person: they move "
        "ratings on its day. All of it, or nothing; the games of a contest that has some are replaced. "
        f"Columns: {', '.join(GAMES)}.",
        operation_id="importGames",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def import_games(
        season_id: SeasonId,
        content: GamesFile,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.record_games(seasons, known, content),
            foreseen=foreseen_games if dry_run else None,
        )

    @router.post(
        "/ratings/lists/import",
        summary="Publish a rating list that the federation keeps itself",
        description="CSV, one line for each person, in whole numbers: all of it, or nothing. It is published as it is, "
        f"and the newest list is that by which tournaments seed. Columns: {', '.join(LIST)}.",
        operation_id="importRatingList",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def import_list(
        season_id: SeasonId,
        content: ListFile,
        called: ListCalled,
        on: ListDate,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.publish_list(seasons, known, content, called=called, on=on, today=today()),
            foreseen=foreseen_list if dry_run else None,
        )

    @router.get(
        "/decisions",
        summary="What the federation has decided about a season",
        description="Which ratings it began with, what was held elsewhere, who is champion, and what was published.",
        operation_id="getSeasonDecisions",
        response_model=SeasonBook,
        responses=FOUND,
    )
    async def decisions(
        season_id: SeasonId, asker: Annotated[Asker, Depends(door.reads(LOOK))], at: AtTime = None
    ) -> Response:
        known = await seasons.of(season_id, moment(at))
        allowed = await acts.allowed(season_id, asker) if at is None else {}
        return read(season_book(season_id, known.book, allowed), known.version)

    @router.post(
        "/champion",
        summary="Name the reigning champion",
        description="Who is qualified beforehand, where the rules of the season say so.",
        operation_id="nameChampion",
        response_model=SeasonBook,
        responses=CHANGED,
    )
    async def champion(
        season_id: SeasonId, body: Champion, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        return await acts.decide(season_id, act, lambda known: orders.name_champion(seasons, known, body.person))

    @router.post(
        "/departures",
        summary="Judge why somebody left a tournament early",
        description="Whoever withdraws gets no points for the place, unless the federation says that the reason was "
        "serious, where the rules of the season leave that to it.",
        operation_id="judgeDeparture",
        response_model=SeasonBook,
        responses=CHANGED,
    )
    async def departure(
        season_id: SeasonId, body: DepartureToJudge, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: KnownSeason) -> JudgeDeparture:
            return JudgeDeparture(
                season=season_id,
                tournament=body.tournament,
                person=known.judged_as(body.tournament, body.person),
                is_serious=body.serious,
                has_left=known.has_left(body.tournament, body.person),
            )

        return await acts.decide(season_id, act, order)

    @router.post(
        "/field",
        summary="Announce how many qualify",
        description="Where that is another number than the rules of the season say, such as one more so that it is even.",
        operation_id="announceField",
        response_model=SeasonBook,
        responses=CHANGED,
    )
    async def field(
        season_id: SeasonId, body: FieldToAnnounce, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: KnownSeason) -> AnnounceField:
            return AnnounceField(season=season_id, field=body.field, qualifies=known.rules.cut is not None)

        return await acts.decide(season_id, act, order)

    @router.post(
        "/cut/draw",
        summary="Draw a lot between those who are equal at the cut",
        description="Where the rules do not let all of them advance. Nobody can choose it, and everybody can check it "
        "once the season is closed.",
        operation_id="drawLotAtCut",
        response_model=SeasonBook,
        responses=CHANGED,
    )
    async def draw_lot(season_id: SeasonId, act: Annotated[Act, Depends(door.acts(DECIDE))]) -> Response:
        if before := await answered_before(books, act):
            return before
        known = await seasons.of(season_id)
        sums = await known.standings()
        waiting = await orders.waiting_for_lot(known, sums, lots)
        drawing = await lots.begin(season_id, act.origin)
        order = orders.settle_cut(known, sums, "lot", drawing.draw(PURPOSE, waiting))
        return await acts.carry_out(known, order, act, drawing.recorded())

    @router.post(
        "/cut/decide",
        summary="Decide between those who are equal at the cut",
        description="Instead of a lot, with a reason. All of them are named, best first; what was decided wrongly is mended "
        "by deciding once more. A lot that was drawn stands.",
        operation_id="decideCut",
        response_model=SeasonBook,
        responses=CHANGED,
    )
    async def decide_cut(
        season_id: SeasonId, body: CutToDecide, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: KnownSeason) -> SettleCut:
            return orders.settle_cut(known, await known.standings(), "decision", body.order, body.reason)

        return await acts.decide(season_id, act, order)

    @router.post(
        "/qualification/publish",
        summary="Publish who has qualified",
        description="With the reserves in their order; registration enters them in the championship. Refused while a "
        "tournament that counts for it is under way, or a tie at the cut waits. After a correction it may be "
        "published once more.",
        operation_id="publishQualification",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def publish_qualification(
        season_id: SeasonId, act: Annotated[Act, Depends(door.acts(DECIDE))], dry_run: DryRun = False
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.publish_qualification(known, today()),
            foreseen=foreseen_qualification if dry_run else None,
        )

    @router.post(
        "/ratings/publish",
        summary="Publish the rating lists",
        description="As they stand today, in whole numbers. From then on tournaments seed by them.",
        operation_id="publishRatings",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def publish_ratings(
        season_id: SeasonId, act: Annotated[Act, Depends(door.acts(DECIDE))], dry_run: DryRun = False
    ) -> Response:
        return await acts.decide(
            season_id,
            act,
            lambda known: orders.publish_ratings(known, today()),
            foreseen=foreseen_publication if dry_run else None,
        )

    @router.post(
        "/close",
        summary="Close a season",
        description="Its cup and who has qualified are told as final, and the ratings with what idleness costs. "
        "Refused while one of its tournaments is under way, or a tie at the cut waits. After a correction it may be "
        "closed once more.",
        operation_id="closeSeason",
        response_model=SeasonBook | Foreseen,
        responses=CHANGED,
    )
    async def close(
        season_id: SeasonId, act: Annotated[Act, Depends(door.acts(DECIDE))], dry_run: DryRun = False
    ) -> Response:
        revealed = () if dry_run else await lots.revealed(season_id, act.origin)
        return await acts.decide(
            season_id,
            act,
            lambda known: asyncio.to_thread(orders.close_season, known, today()),
            *revealed,
            foreseen=foreseen_closing if dry_run else None,
        )

    return router
