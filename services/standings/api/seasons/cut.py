"""Who qualifies: in what order where all criteria leave them equal, and that it is told."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.seasons.bodies import CutToDecide, SeasonBook, SeasonId
from services.standings.api.seasons.desk import Known, SeasonDesk
from services.standings.api.seasons.ending import obstacles, qualification_of
from services.standings.api.seasons.happening import DECIDE, REFUSED, Happening
from services.standings.domain.season import NoSuchTie, PublishQualification, SettleCut, SettledBy
from services.standings.seasons.calculate import SeasonStandings
from shared.http.door import Act, Door
from shared.http.responses import DryRun, written
from shared.lots.drawing import Lots

PURPOSE = "order at the cut"


def routes(*, happening: Happening, lots: Lots, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}", tags=["seasons"])
    desk = happening.desk

    @router.post(
        "/cut/draw",
        summary="Draw a lot between those who are equal at the cut",
        description="Where the rules do not let all of them advance. It follows from a secret that was fixed before and is "
        "shown when the season is closed: nobody can choose it, and everybody can check it.",
        operation_id="drawLotAtCut",
        response_model=SeasonBook,
        responses=REFUSED,
    )
    async def draw(season_id: SeasonId, act: Annotated[Act, Depends(door.acts(DECIDE))]) -> Response:
        if before := await desk.books.repeated(act.key):
            return written("standings", before, HTTPStatus.OK)
        waiting = equal_at_the_cut(await desk.added_up(await desk.of(season_id)))
        if not waiting:
            raise NoSuchTie("Nobody is equal at the cut: there is no lot to draw.")
        drawing = await lots.begin(season_id, act.origin)
        drawn = drawing.draw(PURPOSE, waiting)

        async def order(known: Known) -> SettleCut:
            return await settling(desk, known, "lot", drawn)

        return await happening.happen(season_id, order, act, beside=[drawing.recorded()])

    @router.post(
        "/cut/decide",
        summary="Decide between those who are equal at the cut",
        description="Instead of a lot, with a reason. All of them are named, best first; what was decided wrongly is mended "
        "by deciding once more. A lot that was drawn stands.",
        operation_id="decideCut",
        response_model=SeasonBook,
        responses=REFUSED,
    )
    async def decide(
        season_id: SeasonId, body: CutToDecide, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: Known) -> SettleCut:
            return await settling(desk, known, "decision", body.order, body.reason)

        return await happening.happen(season_id, order, act)

    @router.post(
        "/qualification/publish",
        summary="Publish who has qualified",
        description="With the reserves in the order in which they are called; the season goes on. Registration enters them "
        "in the championship that was named for the season. Refused while a tournament that counts for it is under way, "
        "or a tie at the cut waits. After a correction it may be published once more.",
        operation_id="publishQualification",
        response_model=SeasonBook | Foreseen,
        responses=REFUSED,
    )
    async def publish(
        season_id: SeasonId,
        act: Annotated[Act, Depends(door.acts(DECIDE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        making = partial(publishing, desk)
        return await happening.happen_or_try(season_id, making, would_be_published, act, is_tried=dry_run)

    return router


async def settling(
    desk: SeasonDesk, known: Known, by: SettledBy, order: Sequence[str], reason: str | None = None
) -> SettleCut:
    return SettleCut(
        season=known.season,
        by=by,
        order=tuple(order),
        waiting=equal_at_the_cut(await desk.added_up(known)),
        obstacles=before_the_cut(known),
        reason=reason,
    )


async def publishing(desk: SeasonDesk, known: Known) -> PublishQualification:
    sums = await desk.added_up(known)
    return PublishQualification(
        season=known.season,
        federation=known.opened.federation,
        on=desk.today(),
        qualification=qualification_of(sums),
        obstacles=(*before_the_cut(known), *ties(sums)),
    )


def before_the_cut(known: Known) -> tuple[str, ...]:
    """What is still to be played or drawn in what counts for it."""
    cut = known.rules.cut
    return ("Nobody qualifies by the rules of this season.",) if cut is None else obstacles(known, cut.kinds)


def equal_at_the_cut(sums: SeasonStandings) -> tuple[str, ...]:
    return tuple(player for one in sums.unresolved for player in one.players)


def ties(sums: SeasonStandings) -> tuple[str, ...]:
    return tuple(
        f"{', '.join(one.players)} are equal at the cut: draw a lot, or decide between them." for one in sums.unresolved
    )


def would_be_published(known: Known, order: PublishQualification) -> Foreseen:
    through = sum(row.qualified for row in order.qualification)
    return Foreseen(
        changes=[f"{through} have qualified, and {len(order.qualification) - through} are reserves."],
        lost=["Who had qualified as it was told before."] if known.book.qualification else [],
    )
