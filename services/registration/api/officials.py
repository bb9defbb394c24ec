"""The officials of a federation."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import FederationId, Foreseen, Sent, TournamentId
from services.registration.api.federations import FederationHandler, OfficialsHandler, require_founded
from services.registration.api.permissions import (
    APPOINT_OFFICIAL,
    APPOINT_TOURNAMENT_OFFICIAL,
    DISMISS_OFFICIAL,
    FEDERATION_ACTIONS,
    ISSUE_TOKEN,
    LIST_OFFICIALS,
    LIST_TOURNAMENT_OFFICIALS,
    OFFICIAL_ACTIONS,
    TOURNAMENT_OFFICIAL_ACTIONS,
)
from services.registration.domain import officials
from services.registration.domain.officials import AppointOfficial, DismissOfficial
from shared.access.asker import Asker
from shared.access.policy import Policy
from shared.access.references import id_of
from shared.access.roles import Role
from shared.access.tokens import SUBJECT
from shared.http.door import Act, Door
from shared.http.orders import run
from shared.http.problems import documented
from shared.http.responses import JSON, READ, Action, DryRun, action, changed, read


class Official(Sent):
    subject: str = Field(
        pattern=SUBJECT,
        json_schema_extra=id_of("official"),
        description="The opaque id in their token, never a name.",
        examples=["d0f3c1"],
    )
    role: Role = Field(examples=[Role.ARBITER])


class Officials(BaseModel):
    officials: list[Official] = Field(description="In the order of their appointment.")
    allowed_actions: list[Action] = Field(description="What the caller may do here now, and why not.")


def routes(*, federations: FederationHandler, offices: OfficialsHandler, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/federations/{federation_id}/officials", tags=["federations"])

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
        state, _ = await federations.load(federation_id)
        require_founded(state)
        command = AppointOfficial(scope=federation_id, subject=body.subject, role=body.role, by=act.origin.actor)
        return await run(
            offices, federation_id, command, act, lambda state: shown(federation_id, state, act.asker, OFFICIAL_ACTIONS)
        )

    @router.post(
        "/dismiss",
        summary="Dismiss an official",
        description="They may no longer act in that role. The last director stays.",
        operation_id="dismissOfficial",
        response_model=Officials | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def dismiss(
        federation_id: FederationId,
        body: Official,
        act: Annotated[Act, Depends(door.acts(DISMISS_OFFICIAL))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        command = DismissOfficial(subject=body.subject, role=body.role)
        if dry_run:
            await offices.foresee(federation_id, command)
            return Response(foreseen(body).model_dump_json(), media_type=JSON)
        return await run(
            offices, federation_id, command, act, lambda state: shown(federation_id, state, act.asker, OFFICIAL_ACTIONS)
        )

    @router.get(
        "",
        summary="The officials of a federation",
        description="Who acts for it, and as what.",
        operation_id="listOfficials",
        response_model=Officials,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(
        federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(LIST_OFFICIALS))]
    ) -> Response:
        state, _ = await federations.load(federation_id)
        require_founded(state)
        offices_now, version = await offices.load(federation_id)
        return read(shown(federation_id, offices_now, asker, OFFICIAL_ACTIONS), version)

    return router


def shown(scope: str, state: officials.State, asker: Asker, actions: Mapping[str, Policy]) -> Officials:
    match state:
        case officials.Vacant():
            held: tuple[officials.Office, ...] = ()
        case officials.Staffed():
            held = state.offices
    return Officials(
        officials=[Official(subject=office.subject, role=office.role) for office in held],
        allowed_actions=[action(name, asker.why_not(policy, scope)) for name, policy in actions.items()],
    )


def foreseen(dismissed: Official) -> Foreseen:
    lost = [
        f"{dismissed.subject}: {name}" for name, policy in FEDERATION_ACTIONS.items() if dismissed.role in policy.roles
    ]
    return Foreseen(
        changes=[f"{dismissed.subject} is no longer {dismissed.role}."], lost=[*lost, *tokens_lost(dismissed)]
    )


def tokens_lost(dismissed: Official) -> list[str]:
    sentence = f"All tokens of captains that {dismissed.subject} has issued as {dismissed.role} are void at once."
    return [sentence] if dismissed.role in ISSUE_TOKEN.roles else []


type RequireTournament = Callable[[str], Awaitable[object]]  # raises when there is none


def tournament_routes(*, offices: OfficialsHandler, require_tournament: RequireTournament, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/officials", tags=["tournaments"])

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
        command = AppointOfficial(
            scope=tournament_id, subject=body.subject, role=body.role, by=act.origin.actor, overseen=True
        )
        return await run(
            offices,
            tournament_id,
            command,
            act,
            lambda state: shown(tournament_id, state, act.asker, TOURNAMENT_OFFICIAL_ACTIONS),
        )

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
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        command = DismissOfficial(subject=body.subject, role=body.role, overseen=True)
        if dry_run:
            await offices.foresee(tournament_id, command)
            lost = [
                f"{body.subject}: what a {body.role} of this tournament may do, unless the federation appointed them"
            ]
            foreseen = Foreseen(
                changes=[f"{body.subject} is no longer {body.role} here."], lost=[*lost, *tokens_lost(body)]
            )
            return Response(foreseen.model_dump_json(), media_type=JSON)
        return await run(
            offices,
            tournament_id,
            command,
            act,
            lambda state: shown(tournament_id, state, act.asker, TOURNAMENT_OFFICIAL_ACTIONS),
        )

    @router.get(
        "",
        summary="The officials of one tournament",
        description="Who was appointed for it alone, and as what. Those of its federation act here too.",
        operation_id="listTournamentOfficials",
        response_model=Officials,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(
        tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(LIST_TOURNAMENT_OFFICIALS))]
    ) -> Response:
        await require_tournament(tournament_id)
        state, version = await offices.load(tournament_id)
        return read(shown(tournament_id, state, asker, TOURNAMENT_OFFICIAL_ACTIONS), version)

    return router
