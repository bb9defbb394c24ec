"""What officials do with some tables of a published round: exchange those who sit there, as long as nobody plays."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.pairing.api import foresight
from services.pairing.api.acts import REFUSALS, WHATEVER
from services.pairing.api.asked import Asked, answered_before, asked
from services.pairing.api.bodies import Foreseen, Repair, Round, RoundNumber, StageId, TournamentId
from services.pairing.api.desk import PAIR, Desk
from services.pairing.api.looking import ONE, PREFIX
from services.pairing.domain.round.orders import AskRepair
from services.pairing.domain.round.states import Published
from services.pairing.domain.sheet import Breach, Doubt, Table, repaired, require_seats
from shared.http.door import Act, Door
from shared.http.responses import DryRun
from shared.tournament.facts import Facts
from shared.tournament.stages import away_from, settings_of

WHY = "Put together by hand after the round was published."


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix=PREFIX + ONE, tags=["rounds"])

    @router.post(
        "/repair",
        summary="Change some tables of a published round",
        description="Who sits at them changes places, and may change with a bye; who has left or is absent may be left "
        "out, and then is missing. The rest of the round stands. Results "
        "answers: when none of these games has begun, their score sheets are opened anew under the ids that they "
        "have; otherwise all of them stay as they are, and `refused` of the round says why. Until then the round counts "
        "as it was published. Where one of the games is known to have begun this is refused at once.",
        operation_id="repairTables",
        response_model=Round | Foreseen,
        responses=REFUSALS,
    )
    async def repair(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: Repair,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (answered := await answered_before(desk, act)):
            return answered
        wanted = await asked(desk, act, tournament_id, stage, number)
        command = AskRepair(
            repair=str(desk.new_id()),
            tables=tuple(
                Table(table=one.table, seats=tuple(one.seats), first=one.first, option=one.option, why=(WHY,))
                for one in body.tables
            ),
            byes=None if body.byes is None else tuple(body.byes),
            away=frozenset(away_from(wanted.situation.facts, stage, number)),
            idle=wanted.idle,
            begun=wanted.situation.begun(),
            reason=WHATEVER,
        )
        breaches = checked(wanted, command)
        if dry_run:
            foreseen = foresight.of_repair(wanted.state, command, breaches)
            return await wanted.foresee(command, foreseen)
        against = tuple(Doubt(kind=breach.rule, detail=breach.detail) for breach in breaches if breach.binds)
        async with desk.explained(tournament_id, body.reason, act) as reason:
            return await wanted.happen(replace(command, doubts=against, reason=reason or WHATEVER))

    return router


def checked(wanted: Asked, command: AskRepair) -> tuple[Breach, ...]:
    """The rules that the round would break, as if it were paired now."""
    if not isinstance(wanted.state, Published):
        return ()
    facts = wanted.situation.facts
    sheet = repaired(wanted.state.plan.sheet, command.tables, command.byes, command.away, command.idle)
    require_seats(sheet, *settings_of(facts, wanted.stage).contest.seats)
    return wanted.desk.check(without(facts, wanted.stage, wanted.number), wanted.stage, wanted.number, sheet)


def without(facts: Facts, stage: str, number: int) -> Facts:
    """Before this round was published, or a later one."""
    return replace(
        facts,
        rounds={place: one for place, one in facts.rounds.items() if place[0] != stage or place[1] < number},
    )
