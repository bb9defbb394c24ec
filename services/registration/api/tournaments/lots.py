"""What the lots of a tournament are mixed with: named, moved to something later, and written down once the field is fixed."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api.permissions import CANCEL
from services.registration.api.tournaments.bodies import LaterLotSource, LotValue, Tournament, TournamentForeseen
from services.registration.api.tournaments.lifecycle import carry_out, try_out
from services.registration.api.tournaments.views import TournamentsShown
from services.registration.domain.tournament.lots import MoveLotSource, OpenLots, named
from services.registration.domain.tournament.states import AnnouncedTournament
from services.registration.streams import TournamentHandler, announced
from shared.clock import Now
from shared.contracts.lots import LotSeedCommitted
from shared.faults import Faulty, InputFault
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED
from shared.http.parameters import TournamentId
from shared.http.responses import DryRun
from shared.lots import source as sources
from shared.lots.drawing import Lots
from shared.lots.source import SourceUnclear, ValueUnfit
from shared.messaging.history import Histories


def routes(
    *, tournaments: TournamentHandler, shown: TournamentsShown, lots: Lots, heard: Histories, door: Door, now: Now
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["tournaments"])

    @router.post(
        "/move-lot-source",
        summary="Name a later source of the lots",
        description="Of dice until check-in begins, of a round until it is known.",
        operation_id="moveLotSource",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def move(
        tournament_id: TournamentId, body: LaterLotSource, act: Annotated[Act, Depends(door.acts(CANCEL))]
    ) -> Response:
        source = source_of(body)
        order = MoveLotSource(source=source, now=int(now().timestamp()))
        return await carry_out(shown, tournament_id, order, act, [lots.committing(tournament_id, source, act.origin)])

    @router.post(
        "/open-lots",
        summary="Open the lots",
        description="Once everybody has checked in, or play has begun: what the source of the lots says is written "
        "down, and from then on lots are drawn. Until the start the field stays as it is.",
        operation_id="openLots",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def open_lots(
        tournament_id: TournamentId,
        body: LotValue,
        act: Annotated[Act, Depends(door.acts(CANCEL))],
        dry_run: DryRun = False,
    ) -> Response:
        here = await announced(tournaments, tournament_id)
        value = value_of(here, body)
        found = await committed_to(heard, lots, tournament_id, here.plan.lot_source)
        order = OpenLots(value=value, now=int(now().timestamp()), commitments=found)
        if dry_run:
            return await try_out(tournaments, tournament_id, order)
        return await carry_out(shown, tournament_id, order, act)

    return router


def source_of(body: LaterLotSource) -> str:
    try:
        return sources.parse(body.source).text
    except SourceUnclear as unclear:
        raise Faulty(
            "The source cannot be moved: mend what errors name.", [InputFault("/source", str(unclear))]
        ) from None


def value_of(state: AnnouncedTournament, body: LotValue) -> str:
    try:
        return named(state).value(body.value)
    except ValueUnfit as unfit:
        raise Faulty("The lots cannot be opened: mend what errors name.", [InputFault("/value", str(unfit))]) from None


async def committed_to(heard: Histories, lots: Lots, tournament_id: str, source: str | None) -> dict[str, str]:
    """What each service has published of the secret that it has fixed for this source."""
    told = (await heard.of(tournament_id)).events
    found = {
        one.source: one.contract.commitment
        for one in told
        if isinstance(one.contract, LotSeedCommitted) and one.contract.source == source
    }
    own = await lots.commitment(tournament_id)
    return {**found, **({} if own is None else {lots.service: own})}
