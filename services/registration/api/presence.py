"""Who is there while a tournament runs: gone, back, off for a round."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from fastapi.exceptions import RequestValidationError

from services.registration.api import entrant_forms, may
from services.registration.api.attendance import ToEntrant
from services.registration.api.entrant_forms import EntrantInFull
from services.registration.api.forms import EntrantId, TournamentId
from services.registration.api.reasons import reasoned
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.decider import Command, not_now
from services.registration.domain.tournament.entrants import Leaving
from services.registration.domain.tournament.entries import WithdrawEntry
from services.registration.domain.tournament.presence import BeAbsent, BePresent, Leave, Return
from services.registration.domain.tournament.reasons import StatedReason
from services.registration.domain.tournament.states import known
from services.registration.eligibility.judge import Judge
from shared.http.door import Act, Door
from shared.http.orders import CHANGED
from shared.numbers import stored
from shared.personal.notes import Notes


def routes(
    *, tournaments: TournamentHandler, to_entrant: ToEntrant, judge: Judge, notes: Notes, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}", tags=["entrants"])

    async def withdrawal(
        tournament_id: str, entrant_id: str, body: entrant_forms.Withdrawal, reason: StatedReason | None
    ) -> Command:
        state, _ = await tournaments.load(tournament_id)
        if not_now(known(state), Leave) is not None:
            return WithdrawEntry(entrant=entrant_id, passed=judge.passed(known(state).plan), reason=reason)
        if body.after_round is None:
            fault = "should say after which round they leave, since the tournament runs: 0 is before the first"
            raise RequestValidationError([{"loc": ("body", "after_round"), "msg": fault}])
        return leaving(entrant_id, body.after_round, body.stage, Leaving.WITHDREW, reason)

    @router.post(
        "/withdraw",
        summary="Withdraw",
        description="Before the start the entry is withdrawn. Afterwards say after which round they leave: what they have "
        "played stays, and published games that have not begun are lost where the rules say how.",
        operation_id="withdrawEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def withdraw(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.Withdrawal,
        act: Annotated[Act, Depends(door.acts(may.RUN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = await withdrawal(tournament_id, entrant_id, body, reason)
            before = isinstance(order, WithdrawEntry)
            released = judge.release([entrant_id], known(state), act) if before else ()
            return await to_entrant(tournament_id, entrant_id, order, act, released)

    @router.post(
        "/expel",
        summary="Expel somebody",
        description="They are paired no more after a round, and the rules may take more from them than from who withdraws.",
        operation_id="expelEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def expel(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.EntrantExpulsion,
        act: Annotated[Act, Depends(door.acts(may.EXPEL))],
    ) -> Response:
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = leaving(entrant_id, body.after_round, body.stage, Leaving.EXPELLED, reason)
            return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/return",
        summary="Let somebody return",
        description="Who has left is paired again from the next round on: where the rules let somebody return, or where leaving was a mistake or was overturned.",
        operation_id="returnEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def come_back(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.ComingBack,
        act: Annotated[Act, Depends(door.acts(may.RUN))],
    ) -> Response:
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = Return(entrant=entrant_id, why=body.why, reason=reason)
            return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/absent",
        summary="Take a round off",
        description="They will not be there in one round; with points where such a bye was requested and granted.",
        operation_id="markAbsent",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def be_absent(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.RoundOff,
        act: Annotated[Act, Depends(door.acts(may.RUN))],
    ) -> Response:
        return await to_entrant(tournament_id, entrant_id, absence(entrant_id, body), act)

    @router.post(
        "/present",
        summary="Be there in a round after all",
        description="The round off is taken back.",
        operation_id="markPresent",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def be_present(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.RoundOn,
        act: Annotated[Act, Depends(door.acts(may.RUN))],
    ) -> Response:
        return await to_entrant(
            tournament_id, entrant_id, BePresent(entrant=entrant_id, round=body.round, stage=body.stage), act
        )

    return router


def leaving(entrant: str, after_round: int, stage: str | None, why: Leaving, reason: StatedReason | None) -> Leave:
    return Leave(entrant=entrant, after_round=after_round, stage=stage, why=why, reason=reason)


def absence(entrant: str, body: entrant_forms.RoundOff) -> BeAbsent:
    points = None if body.points is None else stored(body.points)
    return BeAbsent(entrant=entrant, round=body.round, points=points, stage=body.stage)
