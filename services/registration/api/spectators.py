"""Who may look on: approved beforehand, and written down."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api import may
from services.registration.api.forms import PERSON, TournamentId
from services.registration.api.reasons import MOST_WORDS
from services.registration.api.sent import Sent
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.entries import ApproveSpectator
from services.registration.domain.tournament.states import known
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.problems import documented
from shared.http.responses import READ, read
from shared.personal.notes import Notes


class SpectatorToApprove(Sent):
    who: str = Field(
        min_length=1,
        max_length=MOST_WORDS,
        description="Kept where it can be erased, and never in the log.",
        examples=["The parents of Mária Nováková"],
    )


class Spectator(BaseModel):
    id: str = Field(examples=[PERSON])
    who: str | None = Field(
        description="Null where it was erased; listed for officials.", examples=["The parents of Mária Nováková"]
    )


class Spectators(BaseModel):
    items: list[Spectator] = Field(description="In the order in which they were approved.")


class Approved(BaseModel):
    approved: int = Field(description="How many spectators are approved by now.", examples=[1])


def routes(*, tournaments: TournamentHandler, notes: Notes, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/spectators", tags=["tournaments"])

    @router.post(
        "/approve",
        summary="Approve spectators",
        description="Beforehand. The log says that somebody was approved, by whom and when, and not who it is.",
        operation_id="approveSpectator",
        response_model=Approved,
        responses=CHANGED,
    )
    async def approve(
        tournament_id: TournamentId, body: SpectatorToApprove, act: Annotated[Act, Depends(door.acts(may.ORGANISE))]
    ) -> Response:
        async with notes.kept(tournament_id, body.who, act.key) as note:
            return await run(
                tournaments,
                tournament_id,
                ApproveSpectator(spectator=note or "", note=note or ""),
                act,
                lambda state: Approved(approved=len(known(state).roster.spectators)),
            )

    @router.get(
        "",
        summary="Who may look on",
        description="For officials.",
        operation_id="listSpectators",
        response_model=Spectators,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def several(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        approved = known(state).roster.spectators
        words = await notes.read(tournament_id, approved.values())
        items = [Spectator(id=one, who=words.get(note)) for one, note in approved.items()]
        return read(Spectators(items=items), version)

    return router
