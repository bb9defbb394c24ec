"""The officials of one tournament, besides those of its federation, who act in all of its tournaments."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api.federations import OfficialsHandler
from services.registration.api.forms import Foreseen, TournamentId
from services.registration.api.officials import Official, Officials, shown, tokens_lost
from services.registration.domain.officials import AppointOfficial, DismissOfficial
from shared.access.asker import Asker
from shared.access.policy import roles
from shared.access.roles import OFFICES, Role
from shared.http.door import Act, Door
from shared.http.orders import run
from shared.http.problems import documented
from shared.http.responses import JSON, READ, DryRun, changed, read

DIRECT = roles(Role.DIRECTOR, scope="tournament_id")
LOOK = roles(*OFFICES, scope="tournament_id")
ACTIONS = {"appointTournamentOfficial": DIRECT, "dismissTournamentOfficial": DIRECT}

type RequireTournament = Callable[[str], Awaitable[object]]  # raises when there is none


def routes(*, offices: OfficialsHandler, require_tournament: RequireTournament, door: Door) -> APIRouter:
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
        tournament_id: TournamentId, body: Official, act: Annotated[Act, Depends(door.acts(DIRECT))]
    ) -> Response:
        await require_tournament(tournament_id)
        command = AppointOfficial(
            scope=tournament_id, subject=body.subject, role=body.role, by=act.origin.actor, overseen=True
        )
        return await run(
            offices, tournament_id, command, act, lambda state: shown(tournament_id, state, act.asker, ACTIONS)
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
        act: Annotated[Act, Depends(door.acts(DIRECT))],
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
            offices, tournament_id, command, act, lambda state: shown(tournament_id, state, act.asker, ACTIONS)
        )

    @router.get(
        "",
        summary="The officials of one tournament",
        description="Who was appointed for it alone, and as what. Those of its federation act here too.",
        operation_id="listTournamentOfficials",
        response_model=Officials,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(LOOK))]) -> Response:
        await require_tournament(tournament_id)
        state, version = await offices.load(tournament_id)
        return read(shown(tournament_id, state, asker, ACTIONS), version)

    return router
