"""What is published of a season: its rating lists, and in the end its tables."""

import asyncio
from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.seasons.bodies import SeasonBook, SeasonId
from services.standings.api.seasons.desk import Known
from services.standings.api.seasons.happening import DECIDE, REFUSED, Happening
from services.standings.domain.season import CloseSeason, PublishRatings, RatingList
from services.standings.seasons.calculate import SeasonStandings
from services.standings.seasons.ratings import ratings
from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson
from shared.http.door import Act, Door
from shared.http.responses import DryRun
from shared.lots.drawing import Lots
from shared.numbers import exact, stored, whole
from shared.rulesets.season import Kinds


def routes(*, happening: Happening, lots: Lots, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}", tags=["seasons"])
    desk = happening.desk

    async def publishing(known: Known) -> PublishRatings:
        found = await asyncio.to_thread(lists, known, is_over=known.book.is_closed)
        return PublishRatings(season=known.season, federation=known.opened.federation, on=desk.today(), lists=found)

    async def closing(known: Known) -> CloseSeason:
        return await asyncio.to_thread(at_the_end, known, desk.today())

    @router.post(
        "/ratings/publish",
        summary="Publish the rating lists",
        description="As they stand today, in whole numbers. From then on tournaments seed by them.",
        operation_id="publishRatings",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def publish(
        season_id: SeasonId,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        return await happening.happen_or_try(season_id, publishing, would_be_published, act, is_tried=dry_run)

    @router.post(
        "/close",
        summary="Close a season",
        description="Its cup and who has qualified are told as final, and the ratings with what idleness costs. Refused "
        "while one of its tournaments is under way. After a correction it may be closed once more, which tells all anew.",
        operation_id="closeSeason",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def close(
        season_id: SeasonId,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if dry_run:
            return await happening.would(season_id, closing, would_be_closed)
        revealed = await lots.revealed(season_id, act.origin)
        return await happening.happen(season_id, closing, act, beside=revealed)

    return router


def at_the_end(known: Known, on: str) -> CloseSeason:
    sums = known.added_up(is_over=True)
    return CloseSeason(
        season=known.season,
        federation=known.opened.federation,
        on=on,
        cup=tuple(CupPlace(place=row.place, person=row.player, points=stored(exact(row.points))) for row in sums.cup),
        qualification=qualification_of(sums),
        unresolved=tuple(player for one in sums.unresolved for player in one.players),
        lists=lists(known, is_over=True),
        obstacles=obstacles(known, tuple(known.rules.kinds)),
    )


def qualification_of(sums: SeasonStandings) -> tuple[QualificationPlace, ...]:
    return tuple(
        QualificationPlace(
            place=row.place,
            person=row.player,
            points=stored(exact(row.points)),
            qualified=row.qualified,
            champion=bool(row.champion),
        )
        for row in sums.qualification
    )


def lists(known: Known, *, is_over: bool) -> tuple[RatingList, ...]:
    """Whoever has ever played for the list, or came with a rating."""
    rows = ratings(known.rules, known.year, is_over=is_over)
    return tuple(
        RatingList(
            list=rating.called or rating.id,
            ratings=tuple(
                RatedPerson(person=row.player, rating=whole(Fraction(row.after)), games=row.games)
                for row in rows
                if row.list == rating.id and (row.games or row.before != rating.start)
            ),
        )
        for rating in known.rules.ratings
    )


def obstacles(known: Known, kinds: Kinds) -> tuple[str, ...]:
    return tuple(
        f"{one.announced.name} is under way: complete or cancel it first."
        if not one.is_completed
        else f"In {one.announced.name} a lot is still to be drawn between equal places: draw it first."
        for one in known.held.values()
        if one.announced.kind in kinds and not (one.is_completed and one.is_settled)
    )


def would_be_published(_: Known, order: PublishRatings) -> Foreseen:
    return Foreseen(
        changes=[f"{len(one.ratings)} ratings are published on {one.list}." for one in order.lists], lost=[]
    )


def would_be_closed(known: Known, order: CloseSeason) -> Foreseen:
    through = sum(row.qualified for row in order.qualification)
    return Foreseen(
        changes=[
            f"The cup is told with {len(order.cup)} places, and that {through} have qualified.",
            "Who has played no tournament of the season that counts for it loses rating, and the lists are published.",
        ],
        lost=["The tables as they were told before: the new ones take their place."] if known.book.is_closed else [],
    )
