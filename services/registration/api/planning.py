"""A plan is changed after it was announced, with a reason; and what spectators see of persons is decided."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api import may, showing
from services.registration.api.announcing import changed_plan
from services.registration.api.forms import ShownNamesToDecide, Tournament, TournamentForeseen, TournamentId
from services.registration.api.plan_forms import PlanToChange
from services.registration.api.reasons import reasoned
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.lifecycle import DecideShownNames
from services.registration.domain.tournament.plan import ChangePlan, differences, planned
from services.registration.domain.tournament.reasons import StatedReason
from services.registration.eligibility.judge import HomesHandler
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.responses import JSON, DryRun
from shared.personal.notes import Notes


def routes(*, tournaments: TournamentHandler, halls: HomesHandler, notes: Notes, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["tournaments"])

    @router.post(
        "/change-plan",
        summary="Change what was announced",
        description="Until the start: name, days, hall, rounds, fees, deadlines, places. Only what is named changes, and what "
        "entries rest on already stays. Who waits comes in where there are more places now.",
        operation_id="changePlan",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def change(
        tournament_id: TournamentId,
        body: PlanToChange,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        plan = tournament.known(state).plan
        homes, _ = await halls.load(plan.federation)
        seen, now, reason = planned(plan), changed_plan(body, plan, homes), body.reason
        if dry_run:
            order = ChangePlan(seen=seen, planned=now, reason=StatedReason(code=reason.code))
            _, events = await tournaments.foresee(tournament_id, order)
            called = sum(isinstance(event, facts.ReserveCalled) for event in events)
            changes = differences(seen, now, homes) + ([f"{called} who wait come in."] if called else [])
            return Response(TournamentForeseen(changes=changes, lost=[]).model_dump_json(), media_type=JSON)
        async with reasoned(notes, tournament_id, reason, act) as said:
            order = ChangePlan(seen=seen, planned=now, reason=said or StatedReason(code=reason.code))
            return await run(tournaments, tournament_id, order, act, lambda state: showing.tournament(state, act.asker))

    @router.post(
        "/decide-shown-names",
        summary="Decide what spectators see of persons",
        description="Full names, the first name with an initial, or start numbers only; by the officials of the federation. "
        "It holds at once, in every answer of every service, for whoever holds no office here; captains see their own "
        "entrant in full. It may be decided anew at any time, also when all is played.",
        operation_id="decideShownNames",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def decide_shown_names(
        tournament_id: TournamentId, body: ShownNamesToDecide, act: Annotated[Act, Depends(door.acts(may.DECIDE))]
    ) -> Response:
        order = DecideShownNames(shown_names=body.shown_names)
        return await run(tournaments, tournament_id, order, act, lambda state: showing.tournament(state, act.asker))

    return router
