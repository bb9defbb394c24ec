"""Who is there, one by one or together; and what becomes of an entry until the start."""

from collections.abc import Awaitable, Sequence
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Response

from services.registration.api import entrant_forms, may, showing
from services.registration.api.entrant_forms import Attendance, EntrantInFull
from services.registration.api.forms import EntrantId, TournamentId
from services.registration.api.naming import name_entrants
from services.registration.api.reading_details import require_lists_fit
from services.registration.api.reasons import reasoned
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.check_in import CheckIn, UndoCheckIn
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.entries import CorrectEntry, StrikeOff
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import known
from services.registration.eligibility.judge import Judge
from shared.commands.handler import Beside
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run, with_body
from shared.http.parameters import Absent
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown


class ToEntrant(Protocol):
    """How something happens to one entrant, who is then shown by name."""

    def __call__(
        self, tournament_id: str, entrant_id: str, order: Command, act: Act, beside: Sequence[Beside] = ()
    ) -> Awaitable[Response]: ...


def acts_on_entrants(tournaments: TournamentHandler, names: NamesShown) -> ToEntrant:
    async def to_entrant(
        tournament_id: str, entrant_id: str, order: Command, act: Act, beside: Sequence[Beside] = ()
    ) -> Response:
        response = await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: showing.entrant_in_full(state, entrant_id, act.asker),
            beside=beside,
        )
        entrant = EntrantInFull.model_validate_json(bytes(response.body))
        await name_entrants([entrant], names)
        return with_body(response, entrant)

    return to_entrant


def routes(
    *, tournaments: TournamentHandler, to_entrant: ToEntrant, judge: Judge, notes: Notes, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])

    @router.post(
        "/check-in",
        summary="Check in several, or everybody",
        description="All of them, or nobody. Who is there already is passed over.",
        operation_id="checkInEntrants",
        response_model=Attendance,
        responses=CHANGED,
    )
    async def check_in_several(
        tournament_id: TournamentId,
        body: entrant_forms.WhoIsThere,
        act: Annotated[Act, Depends(door.acts(may.CHECK_IN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        order = CheckIn(
            entrants=None if body.entrants is None else tuple(body.entrants),
            is_late=judge.is_late(known(state).plan),
        )
        return await run(tournaments, tournament_id, order, act, showing.attendance)

    @router.post(
        "/entrants/{entrant_id}/correct",
        summary="Correct what an entry says",
        description="This is all of it from now on. After the start the number stays.",
        operation_id="correctEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def correct(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entrant_forms.Correction,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        plan, roster = known(state).plan, known(state).roster
        persons, lists = entrant_of_id(roster, entrant_id).said.persons, tuple(sorted(set(body.lists)))
        require_lists_fit(lists, plan, (await judge.background(plan, persons)).of(persons))
        order = CorrectEntry(entrant=entrant_id, rating=body.rating, key=body.key, lists=lists)
        return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/check-in",
        summary="Check somebody in",
        description="They are there: only who has entered and checked in plays.",
        operation_id="checkInEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def check_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(may.CHECK_IN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        order = CheckIn(entrants=(entrant_id,), is_late=judge.is_late(known(state).plan))
        return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/undo-check-in",
        summary="Undo a check-in",
        description="They are not there after all.",
        operation_id="undoCheckIn",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def undo_check_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(may.CHECK_IN))],
    ) -> Response:
        return await to_entrant(tournament_id, entrant_id, UndoCheckIn(entrant=entrant_id), act)

    @router.post(
        "/entrants/{entrant_id}/strike-off",
        summary="Strike somebody off",
        description="For being absent without an excuse until the first round begins.",
        operation_id="strikeOffEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def strike_off(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
        body: entrant_forms.StrikingOff | Absent = None,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        released = judge.release([entrant_id], known(state), act)
        async with reasoned(notes, tournament_id, body.reason if body else None, act) as reason:
            order = StrikeOff(entrant=entrant_id, reason=reason)
            return await to_entrant(tournament_id, entrant_id, order, act, released)

    return router
