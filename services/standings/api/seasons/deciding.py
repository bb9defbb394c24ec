"""What a federation decides about a season while it goes on: its champion, why somebody left, how many qualify."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.paths import LOOK
from services.standings.api.seasons.bodies import Champion, DepartureToJudge, FieldToAnnounce, SeasonBook, SeasonId
from services.standings.api.seasons.desk import Known
from services.standings.api.seasons.happening import ACTIONS, DECIDE, REFUSED, Happening
from services.standings.api.seasons.showing import season_book
from services.standings.domain.season import AnnounceField, JudgeDeparture, NameChampion
from shared.access.asker import Asker
from shared.http.door import Act, Door
from shared.http.moments import AtTime, moment
from shared.http.problems import documented
from shared.http.responses import READ, read
from shared.refusals import NotFound


class PersonUnknown(NotFound):
    """Registration knows nobody under this id, as far as is known here."""


def routes(*, happening: Happening, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/seasons/{season_id}", tags=["seasons"])
    desk = happening.desk

    @router.get(
        "/decisions",
        summary="What the federation has decided about a season",
        description="Which ratings it began with, what was held elsewhere, who is champion, and what was published. "
        "Also as it was at a time (`at`); then nothing can be done any more.",
        operation_id="getSeasonDecisions",
        response_model=SeasonBook,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def decisions(
        season_id: SeasonId, asker: Annotated[Asker, Depends(door.reads(LOOK))], at: AtTime = None
    ) -> Response:
        known = await desk.of(season_id, moment(at))
        shown = season_book(season_id, known.book, asker, ACTIONS if at is None else {})
        return read(shown, known.version)

    @router.post(
        "/champion",
        summary="Name the reigning champion",
        description="Who is qualified beforehand, where the rules of the season say so.",
        operation_id="nameChampion",
        response_model=SeasonBook,
        responses=REFUSED,
    )
    async def champion(
        season_id: SeasonId, body: Champion, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: Known) -> NameChampion:
            if body.person is not None and not await desk.own(known, [body.person]):
                raise PersonUnknown("Nobody of the federation is called by this id: look for them at registration.")
            return NameChampion(season=season_id, person=body.person)

        return await happening.happen(season_id, order, act)

    @router.post(
        "/departures",
        summary="Judge why somebody left a tournament early",
        description="Whoever withdraws gets no points for the place, unless the federation says that the reason was "
        "serious, where the rules of the season leave that to it.",
        operation_id="judgeDeparture",
        response_model=SeasonBook,
        responses=REFUSED,
    )
    async def departure(
        season_id: SeasonId, body: DepartureToJudge, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: Known) -> JudgeDeparture:
            return JudgeDeparture(
                season=season_id,
                tournament=body.tournament,
                person=body.person,
                is_serious=body.serious,
                has_left=known.has_left(body.tournament, body.person),
            )

        return await happening.happen(season_id, order, act)

    @router.post(
        "/field",
        summary="Announce how many qualify",
        description="Where that is another number than the rules of the season say, such as one more so that it is even.",
        operation_id="announceField",
        response_model=SeasonBook,
        responses=REFUSED,
    )
    async def field(
        season_id: SeasonId, body: FieldToAnnounce, act: Annotated[Act, Depends(door.acts(DECIDE))]
    ) -> Response:
        async def order(known: Known) -> AnnounceField:
            return AnnounceField(season=season_id, field=body.field, qualifies=known.rules.cut is not None)

        return await happening.happen(season_id, order, act)

    return router
