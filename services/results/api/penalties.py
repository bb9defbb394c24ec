"""What is imposed on entrants: points taken away, and disqualification."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from services.results.api import forms
from services.results.api.desk import Desk
from services.results.api.forms import EntrantId, TournamentId
from services.results.domain import penalties
from services.results.tournaments import Known
from shared.act import Act, Asker, Door
from shared.answers import READ, Action, action, answer, changed, read, written
from shared.decider import Conflict, NotFound
from shared.exact import exact, shown, stored
from shared.policy import ANYBODY, roles
from shared.problems import documented
from shared.roles import Role
from shared.rulesets.parts import Exact

IMPOSE = roles(Role.ARBITER, Role.DIRECTOR, scope="tournament_id")
ACTIONS = ("imposePenalty", "liftPenalty", "disqualifyEntrant")
PENALTY = "019aa4c2-9f10-7b2c-8d4e-3c5b6a7f8e90"
CHANGED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)

type PenaltyId = Annotated[
    str, Path(description="The id that imposing answered.", pattern=forms.IDS, examples=[PENALTY])
]


class NotInTheseRules(Conflict):
    """The ruleset does not know such a penalty."""


class EntrantUnknown(NotFound):
    """Nobody of that id takes part."""


class ToImpose(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entrant: str = Field(pattern=forms.IDS, examples=[forms.ADA])
    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=1, le=1000, description="From which round on the points are taken away.", examples=[3])
    points: Exact = Field(description="Below zero: what is added to the entrant's own points.", examples=[-1])
    reason: str = forms.REASON


class ToLift(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str = forms.REASON


class ToDisqualify(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stage: str = Field(max_length=64, examples=["swiss"])
    round: int = Field(ge=0, le=1000, description="After which round the entrant plays no more.", examples=[3])
    reason: str = forms.REASON


class Penalty(BaseModel):
    id: str = Field(examples=[PENALTY])
    entrant: str = Field(examples=[forms.ADA])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    points: float = Field(examples=[-1])
    lifted: bool = Field(description="Whether it was wrong, and so never counted.", examples=[False])


class Penalties(BaseModel):
    penalties: list[Penalty] = Field(description="In the order in which they were imposed.")
    expelled: list[str] = Field(
        description="Entrants whose expulsion is due, by their defaults or by disqualification; registration does it.",
        examples=[[forms.BEN]],
    )
    allowed_actions: list[Action] = forms.ALLOWED


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["penalties"])

    async def happen(tournament: str, command: penalties.Command, act: Act) -> Response:
        handled = await desk.penalties.handle(
            tournament,
            command,
            scope=tournament,
            origin=act.origin,
            respond=lambda state, version: answer(seen(state, act.asker, tournament), version),
            key=act.key,
            versions=act.versions,
        )
        return written("results", handled, HTTPStatus.OK)

    @router.post(
        "/penalties",
        summary="Impose a penalty on points",
        description="It changes the entrant's own points, not what others have from games with it.",
        operation_id="imposePenalty",
        response_model=Penalties,
        responses=CHANGED,
    )
    async def impose(
        tournament_id: TournamentId, body: ToImpose, act: Annotated[Act, Depends(door.acts(IMPOSE))]
    ) -> Response:
        known = await desk.tournaments.of(tournament_id)
        require_taking_part(known, body.entrant)
        require_rule(known, "points")
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = penalties.ImposePenalty(
                penalty=str(desk.new_id()),
                tournament=tournament_id,
                entrant=body.entrant,
                stage=body.stage,
                round=body.round,
                points=stored(body.points),
                reason=note or "",
            )
            return await happen(tournament_id, command, act)

    @router.post(
        "/penalties/{penalty_id}/lift",
        summary="Lift a penalty",
        description="It was wrong, and counts as never imposed.",
        operation_id="liftPenalty",
        response_model=Penalties,
        responses=CHANGED,
    )
    async def lift(
        tournament_id: TournamentId,
        penalty_id: PenaltyId,
        body: ToLift,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = penalties.LiftPenalty(penalty=penalty_id, tournament=tournament_id, reason=note or "")
            return await happen(tournament_id, command, act)

    @router.post(
        "/entrants/{entrant_id}/disqualify",
        summary="Disqualify an entrant",
        description="For unsporting behaviour: the entrant is expelled, with the consequences that the ruleset has.",
        operation_id="disqualifyEntrant",
        response_model=Penalties,
        responses=CHANGED,
    )
    async def disqualify(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: ToDisqualify,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        known = await desk.tournaments.of(tournament_id)
        require_taking_part(known, entrant_id)
        require_rule(known, "expel")
        clause = next((expulsion.rule_id for expulsion in known.rules().results.expulsions), None)
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = penalties.Disqualify(
                tournament=tournament_id,
                entrant=entrant_id,
                stage=body.stage,
                round=body.round,
                clause=clause or "",
                reason=note or "",
            )
            return await happen(tournament_id, command, act)

    @router.get(
        "/penalties",
        summary="The penalties of a tournament",
        description="Also those that were lifted, and who has to be expelled.",
        operation_id="listPenalties",
        response_model=Penalties,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await desk.penalties.load(tournament_id)
        return read(seen(state, asker, tournament_id), version)

    return router


def require_taking_part(known: Known, entrant: str) -> None:
    known.rules()
    if entrant not in known.entrants:
        raise EntrantUnknown("Nobody of that id takes part in this tournament: look into its list of entrants.")


def require_rule(known: Known, penalty: str) -> None:
    allowed = known.rules().results.penalties
    if penalty not in allowed:
        raise NotInTheseRules(f"The rules of this tournament know no such penalty: they know {', '.join(allowed)}.")


def seen(state: penalties.Penalties, asker: Asker, tournament: str) -> Penalties:
    why_not = asker.why_not(IMPOSE, tournament)
    return Penalties(
        penalties=[
            Penalty(
                id=name,
                entrant=one.entrant,
                stage=one.stage,
                round=one.round,
                points=shown(exact(one.points)),
                lifted=name in state.lifted,
            )
            for name, one in state.imposed.items()
        ],
        expelled=sorted(state.by_defaults | state.disqualified),
        allowed_actions=[action(name, why_not) for name in ACTIONS],
    )
