"""Entries: somebody comes in, many at once, or one after the start."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from services.registration.api import comer_forms, entrant_forms, may, showing
from services.registration.api.entering import Comers, Entrance
from services.registration.api.entrant_forms import EntrantInFull, Imported
from services.registration.api.entry_money import payment
from services.registration.api.forms import TournamentId
from services.registration.api.naming import name_entrants
from services.registration.api.seeding import Seeding
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.admission import RegionReason
from services.registration.domain.tournament.entries import Enter
from services.registration.domain.tournament.presence import AdmitLate
from services.registration.domain.tournament.states import AnnouncedTournament, known
from services.registration.eligibility.deadlines import as_stored
from shared.access.policy import NotPermitted
from shared.clock import Now
from shared.http.door import Act, Door
from shared.http.orders import CREATED, run, with_body
from shared.personal.notes import Notes


def routes(
    *, tournaments: TournamentHandler, entrance: Entrance, seeding: Seeding, notes: Notes, door: Door, now: Now
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants", tags=["entrants"])

    @router.post(
        "",
        summary="Enter somebody",
        description="Somebody known by their id, or somebody new by a name: then they are registered with it. Entering "
        "once more with the same changes nothing. After entries have closed it takes a decision of the organiser.",
        operation_id="enterTournament",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def enter(
        tournament_id: TournamentId,
        body: comer_forms.EntryToMake,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers([body], state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note:
            order = Enter(
                entries=comers.entries,
                at=as_stored(now()),
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval([body], act, tournament_id),
                note=note,
            )
            return await come(tournament_id, order, comers, act)

    @router.post(
        "/import",
        summary="Enter many at once",
        description="All of them, or nobody; everything that is wrong is named at once.",
        operation_id="importEntrants",
        status_code=HTTPStatus.CREATED,
        response_model=Imported,
        responses=CREATED,
    )
    async def enter_many(
        tournament_id: TournamentId,
        body: comer_forms.EntriesToMake,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers(body.entrants, state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note, entrance.coming(comers) as came:
            order = Enter(
                entries=comers.entries,
                at=as_stored(now()),
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval(body.entrants, act, tournament_id),
                note=note,
            )
            response = await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: Imported(
                    entrants=[showing.entrant(state, entrant) for entrant in comers.entrants(state)]
                ),
                status=HTTPStatus.CREATED,
                beside=comers.beside,
            )
            imported = Imported.model_validate_json(bytes(response.body))
            came += imported.entrants
        return await named(response, imported, imported.entrants)

    @router.post(
        "/admit",
        summary="Admit somebody after the start",
        description="They get the next start number and play from a round on.",
        operation_id="admitLateEntrant",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def admit(
        tournament_id: TournamentId,
        body: comer_forms.LateEntry,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers([body], state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note:
            (entry,) = comers.entries
            order = AdmitLate(
                entry=entry,
                from_round=body.from_round,
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval([body], act, tournament_id),
                note=note,
                listed=await seeding.of_persons(entry.said.persons, state.plan),
                payment=payment(entry.entrant, body.payment, state.plan) if body.payment else None,
            )
            return await come(tournament_id, order, comers, act)

    async def come(tournament_id: str, order: Enter | AdmitLate, comers: Comers, act: Act) -> Response:
        """One entrant, who is shown."""
        async with entrance.coming(comers) as came:
            response = await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: showing.entrant_in_full(state, comers.entrants(state)[0], act.asker),
                status=HTTPStatus.CREATED,
                beside=comers.beside,
            )
            came.append(entrant := EntrantInFull.model_validate_json(bytes(response.body)))
        return await named(response, entrant, [entrant])

    async def state_of(tournament_id: str) -> AnnouncedTournament:
        state, _ = await tournaments.load(tournament_id)
        return known(state)

    async def named(
        response: Response, body: BaseModel, entrants: list[entrant_forms.Entrant] | list[EntrantInFull]
    ) -> Response:
        await name_entrants(entrants, entrance.people.shown)
        return with_body(response, body)

    return router


def approval(sent: Sequence[comer_forms.AsDetailed], act: Act, tournament_id: str) -> RegionReason | None:
    """Only a coordinator lets somebody play outside their own region; of several sent at once one reason is said."""
    reasons = [entry.region_approval for entry in sent if entry.region_approval is not None]
    if not reasons:
        return None
    if (why_not := act.asker.why_not(may.APPROVE, tournament_id)) is not None:
        raise NotPermitted(why_not)
    return reasons[0]
