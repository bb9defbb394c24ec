"""What becomes of an entry where the rules ask for more than who plays: papers, line-up, place, money, lateness."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api import comer_forms, entry_forms, entry_money, entry_showing, may, showing
from services.registration.api.entries import approval
from services.registration.api.entry_forms import EntrySheet
from services.registration.api.entry_money import ToEntry
from services.registration.api.forms import EntrantId, Tournament, TournamentId
from services.registration.api.level_forms import ReserveToCall
from services.registration.api.naming import name_entrants
from services.registration.api.reading_details import also_said
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.check_in import ArriveLate, CheckIn
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.entries import DetailEntry, JudgeEligibility
from services.registration.domain.tournament.line_ups import BringIn, ChooseTeam, NameCaptain
from services.registration.domain.tournament.places_and_reserves import CallReserve, ConfirmPlace
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import AnnouncedTournament, known
from services.registration.eligibility.judge import Judge
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run, with_body
from shared.http.parameters import Absent
from shared.personal.shown_names import NamesShown


def routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])
    organised = Depends(door.acts(may.ORGANISE))

    async def state_of(tournament_id: str) -> AnnouncedTournament:
        state, _ = await tournaments.load(tournament_id)
        return known(state)

    async def to_entry(tournament_id: str, entrant_id: str, order: Command, act: Act) -> Response:
        today = judge.today((await state_of(tournament_id)).plan)
        response = await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: entry_showing.sheet(state, entrant_id, today, act.asker),
        )
        sheet = EntrySheet.model_validate_json(bytes(response.body))
        await name_entrants([sheet.entrant], names)
        return with_body(response, sheet)

    @router.post(
        "/entrants/{entrant_id}/detail",
        summary="Say what else there is to an entry",
        description="School, consents, needs and the like: this is all of it from now on. Line-ups have acts of their own.",
        operation_id="detailEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def detail(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: comer_forms.AsDetailed,
        act: Annotated[Act, organised],
    ) -> Response:
        state = await state_of(tournament_id)
        entrant_of_id(state.roster, entrant_id)
        before = state.roster.details_of(entrant_id).also
        background = await judge.background(state.plan, [])
        also = also_said(body, background, team=before.team, substitutes=before.substitutes, captain=before.captain)
        order = DetailEntry(
            entrant=entrant_id,
            also=also,
            verdicts=await judge.again(entrant_id, also, state),
            passed=judge.passed(state.plan),
            approval=approval([body], act, tournament_id),
        )
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/judge",
        summary="Judge anew whether they may play",
        description="By what is known of them now. Whoever turns out not to meet a condition cannot start.",
        operation_id="judgeEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def judge_anew(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, organised]
    ) -> Response:
        state = await state_of(tournament_id)
        entrant_of_id(state.roster, entrant_id)
        judged = await judge.again(entrant_id, state.roster.details_of(entrant_id).also, state)
        order = JudgeEligibility(entrant=entrant_id, verdicts=judged)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/call-reserve",
        summary="Call somebody who waits",
        description="The next in line, or who is named. Reserves are called by themselves when somebody withdraws; this "
        "is for a place that is free otherwise.",
        operation_id="callReserve",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def call(
        tournament_id: TournamentId, act: Annotated[Act, organised], body: ReserveToCall | Absent = None
    ) -> Response:
        return await run(
            tournaments,
            tournament_id,
            CallReserve(entrant=body.entrant if body else None),
            act,
            lambda state: showing.tournament(state, act.asker),
        )

    @router.post(
        "/entrants/{entrant_id}/confirm",
        summary="Confirm a place",
        description="They will come; this binds them. Whoever does not confirm in time withdraws, and a reserve is called.",
        operation_id="confirmPlace",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def confirm(tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, organised]) -> Response:
        state = await state_of(tournament_id)
        order = ConfirmPlace(entrant=entrant_id, passed=judge.passed(state.plan))
        return await to_entry(tournament_id, entrant_id, order, act)

    async def is_late(tournament_id: str) -> bool:
        return judge.is_late((await state_of(tournament_id)).plan)

    line_ups(router, to_entry, is_late, organised, door)
    entry_money.operations(router, to_entry, state_of, organised)
    return router


def line_ups(
    router: APIRouter, to_entry: ToEntry, is_late: Callable[[str], Awaitable[bool]], organised: object, door: Door
) -> None:
    @router.post(
        "/entrants/{entrant_id}/bring-in",
        summary="Bring in a substitute",
        description="For a base player who misses the whole tournament; only a registered substitute, and before the start.",
        operation_id="bringInSubstitute",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def bring_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entry_forms.Substitution,
        act: Annotated[Act, organised],
    ) -> Response:
        order = BringIn(entrant=entrant_id, substitute=body.substitute, instead_of=body.instead_of)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/choose",
        summary="Let somebody of two teams choose this one",
        description="They are taken out of the other teams of this tournament.",
        operation_id="chooseTeam",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def choose(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entry_forms.OneMember,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(tournament_id, entrant_id, ChooseTeam(entrant=entrant_id, person=body.person), act)

    @router.post(
        "/entrants/{entrant_id}/name-captain",
        summary="Name an acting captain",
        description="One of the players, when the captain misses the tournament.",
        operation_id="nameActingCaptain",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def name_captain(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entry_forms.OneMember,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(tournament_id, entrant_id, NameCaptain(entrant=entrant_id, person=body.person), act)

    @router.post(
        "/entrants/{entrant_id}/members-there",
        summary="Check a team in with its members",
        description="Which of them are there: a team is let in with as many as the rules say.",
        operation_id="checkInMembers",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def members_there(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entry_forms.MembersThere,
        act: Annotated[Act, Depends(door.acts(may.CHECK_IN))],
    ) -> Response:
        order = CheckIn(entrants=(entrant_id,), present=tuple(body.present), is_late=await is_late(tournament_id))
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/arrive-late",
        summary="Check in somebody who comes late",
        description="With what it costs them, as far as the rules leave that to the organiser.",
        operation_id="arriveLate",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def arrive_late(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: entry_forms.LateArrival,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(tournament_id, entrant_id, ArriveLate(entrant=entrant_id, effect=body.effect), act)
