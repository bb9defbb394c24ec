"""The officials of a federation, who act in all of its tournaments, and those of one tournament alone."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import Foreseen, Official
from services.registration.api.federations import FederationHandler, OfficialsHandler, require_federation
from services.registration.api.parameters import FederationId
from services.registration.api.permissions import (
    APPOINT_OFFICIAL,
    APPOINT_TOURNAMENT_OFFICIAL,
    DISMISS_OFFICIAL,
    FEDERATION_ACTIONS,
    LIST_OFFICIALS,
    NAME_CAPTAIN,
    OFFICIAL_ACTIONS,
    OFFICIATE,
    TOURNAMENT_OFFICIAL_ACTIONS,
    allowed_actions,
)
from services.registration.domain import officials
from services.registration.domain.officials import AppointOfficial, DismissOfficial
from shared.access.asker import Asker
from shared.access.policy import Policy
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run, tried
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, Actions, DryRun, allowed, changed, read

type RequireTournament = Callable[[str], Awaitable[object]]  # raises when there is none


class Officials(BaseModel):
    officials: list[Official] = Field(description="In the order of their appointment.")
    allowed_actions: Actions = allowed(*OFFICIAL_ACTIONS, *TOURNAMENT_OFFICIAL_ACTIONS)


def federation_routes(*, federations: FederationHandler, offices: OfficialsHandler, door: Door) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/officials", tags=["federations"])

    @router.post(
        "",
        summary="Appoint an official",
        description="Directors appoint whom they like. An operator may appoint a director where there is none.",
        operation_id="appointOfficial",
        response_model=Officials,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def appoint(
        federation_id: FederationId, body: Official, act: Annotated[Act, Depends(door.acts(APPOINT_OFFICIAL))]
    ) -> Response:
        await require_federation(federations, federation_id)
        order = AppointOfficial(scope=federation_id, subject=body.subject, role=body.role, by=act.origin.actor)
        return await run(offices, federation_id, order, act, lambda state: view(federation_id, state, act.asker))

    @router.post(
        "/dismiss",
        summary="Dismiss an official",
        description="They may no longer act in that role. The last director stays.",
        operation_id="dismissOfficial",
        response_model=Officials | Foreseen,
        responses=CHANGED,
    )
    async def dismiss(
        federation_id: FederationId,
        body: Official,
        act: Annotated[Act, Depends(door.acts(DISMISS_OFFICIAL))],
        dry_run: DryRun = False,
    ) -> Response:
        order = DismissOfficial(subject=body.subject, role=body.role)
        if dry_run:
            await offices.foresee(federation_id, order)
            lost = [
                f"{body.subject}: {name}" for name, policy in FEDERATION_ACTIONS.items() if body.role in policy.roles
            ]
            changes = [f"{body.subject} is no longer {body.role}."]
            return tried(Foreseen(changes=changes, lost=[*lost, *tokens_lost(body)]))
        return await run(offices, federation_id, order, act, lambda state: view(federation_id, state, act.asker))

    @router.get(
        "",
        summary="The officials of a federation",
        description="Who acts for it, and as what.",
        operation_id="listOfficials",
        response_model=Officials,
        responses=FOUND,
    )
    async def several(
        federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(LIST_OFFICIALS))]
    ) -> Response:
        await require_federation(federations, federation_id)
        state, version = await offices.load(federation_id)
        return read(view(federation_id, state, asker), version)

    def view(federation_id: str, state: officials.State, asker: Asker) -> Officials:
        return officials_view(state, federation_id, OFFICIAL_ACTIONS, asker)

    return router


def tournament_routes(*, offices: OfficialsHandler, require_tournament: RequireTournament, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/officials", tags=["tournaments"])

    @router.post(
        "",
        summary="Appoint an official for one tournament",
        description="For this tournament alone: officials of the federation need no appointment here.",
        operation_id="appointTournamentOfficial",
        response_model=Officials,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def appoint(
        tournament_id: TournamentId,
        body: Official,
        act: Annotated[Act, Depends(door.acts(APPOINT_TOURNAMENT_OFFICIAL))],
    ) -> Response:
        await require_tournament(tournament_id)
        order = AppointOfficial(
            scope=tournament_id, subject=body.subject, role=body.role, by=act.origin.actor, overseen=True
        )
        return await run(offices, tournament_id, order, act, lambda state: view(tournament_id, state, act.asker))

    @router.post(
        "/dismiss",
        summary="Dismiss an official of one tournament",
        description="They may no longer act in that role here, unless they hold it in the federation.",
        operation_id="dismissTournamentOfficial",
        response_model=Officials | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def dismiss(
        tournament_id: TournamentId,
        body: Official,
        act: Annotated[Act, Depends(door.acts(APPOINT_TOURNAMENT_OFFICIAL))],
        dry_run: DryRun = False,
    ) -> Response:
        order = DismissOfficial(subject=body.subject, role=body.role, overseen=True)
        if dry_run:
            await offices.foresee(tournament_id, order)
            who, role = body.subject, body.role
            lost = [f"{who}: what the {role} of this tournament may do, unless the federation appointed them"]
            return tried(Foreseen(changes=[f"{who} is no longer {role} here."], lost=[*lost, *tokens_lost(body)]))
        return await run(offices, tournament_id, order, act, lambda state: view(tournament_id, state, act.asker))

    @router.get(
        "",
        summary="The officials of one tournament",
        description="Who was appointed for it alone, and as what. Those of its federation act here too.",
        operation_id="listTournamentOfficials",
        response_model=Officials,
        responses=FOUND,
    )
    async def several(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(OFFICIATE))]) -> Response:
        await require_tournament(tournament_id)
        state, version = await offices.load(tournament_id)
        return read(view(tournament_id, state, asker), version)

    def view(tournament_id: str, state: officials.State, asker: Asker) -> Officials:
        return officials_view(state, tournament_id, TOURNAMENT_OFFICIAL_ACTIONS, asker)

    return router


def officials_view(state: officials.State, scope: str, actions: Mapping[str, Policy], asker: Asker) -> Officials:
    match state:
        case officials.Vacant():
            held: tuple[officials.Office, ...] = ()
        case officials.Staffed():
            held = state.offices
    return Officials(
        officials=[Official(subject=office.subject, role=office.role) for office in held],
        allowed_actions=allowed_actions(actions, scope, asker),
    )


def tokens_lost(dismissed: Official) -> list[str]:
    sentence = f"All tokens of captains that {dismissed.subject} has issued as {dismissed.role} are void at once."
    return [sentence] if dismissed.role in NAME_CAPTAIN.roles else []
