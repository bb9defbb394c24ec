"""What the places of a tournament bring, and which of several prizes somebody takes."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.awards.bodies import Awards, PrizeToTake
from services.standings.api.awards.files import awards_file
from services.standings.api.awards.views import UNNAMED, awards_view, with_names
from services.standings.api.parameters import Format
from services.standings.api.permissions import LOOK, RULE
from services.standings.api.responses import AWARDS_AS_CSV, with_etag
from services.standings.domain import ranking
from services.standings.tournaments import Tournaments
from shared.access.asker import Asker
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.moments import Moment, asked_for
from shared.http.orders import CHANGED, answered_before, run
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, read, sheet


def routes(
    *, rankings: Handler[ranking.State, ranking.Command, ranking.Event], tournaments: Tournaments, door: Door
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/awards", tags=["tables"])

    @router.get(
        "",
        summary="What the places of a tournament bring",
        description="Titles, cups, medals, prizes and accreditations of all rankings, who gets a diploma, and who has "
        "to choose between prizes in cash. While the tournament goes on, as things stand.",
        operation_id="getAwards",
        response_model=Awards,
        responses=FOUND | with_etag(AWARDS_AS_CSV),
    )
    async def show(
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(LOOK))],
        moment: Annotated[Moment, Depends(asked_for)],
        as_format: Format = None,
    ) -> Response:
        known = await tournaments.of(tournament_id, moment)
        found = await asyncio.to_thread(awards_view, known, await tournaments.names(tournament_id), asker)
        if as_format == "csv":
            return sheet(awards_file(found))
        if moment.is_past:
            _, version = await rankings.as_told(tournament_id, known.inputs.standings)
            return read(found.model_copy(update={"allowed_actions": {}}), version)
        _, version = await rankings.load(tournament_id)
        return read(found, version)

    @router.post(
        "/choices",
        summary="Write down which prize somebody takes",
        description="Who has a prize in cash in the ranking of all and in that of a list takes one; the other goes to "
        "nobody. Once the places are decided; another choice takes its place.",
        operation_id="choosePrize",
        response_model=Awards,
        responses=CHANGED,
    )
    async def choose(
        tournament_id: TournamentId, body: PrizeToTake, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        names = await tournaments.names(tournament_id)
        if before := await answered_before(rankings, act):
            return with_names(before, names)
        known = await tournaments.of(tournament_id)
        order = await asyncio.to_thread(known.choose, body.entrant, body.among)

        def view(state: ranking.State) -> Awards:
            return awards_view(known.with_decided(state), UNNAMED, act.asker)

        return with_names(await run(rankings, tournament_id, order, act, view), names)

    return router
