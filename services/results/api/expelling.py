"""Who has to go: an entrant, or somebody of a team."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from services.results.api import forms
from services.results.api.desk import Desk
from services.results.api.forms import EntrantId, TournamentId
from services.results.api.penalties import (
    IMPOSE,
    happen,
    require_of_team,
    require_rule,
    require_taking_part,
    warned,
)
from services.results.api.penalty_forms import Penalties, ToDisqualify
from services.results.api.seen import Foreseen
from services.results.domain import penalties
from shared.access.references import id_of
from shared.http.door import Act, Door
from shared.http.orders import CHANGED
from shared.http.responses import JSON, DryRun


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}", tags=["penalties"])

    @router.post(
        "/disqualify",
        summary="Disqualify an entrant",
        description="For unsporting behaviour: the entrant is expelled, with the consequences that the ruleset has. "
        "With `dry_run` only says what would change, and shows earlier warnings.",
        operation_id="disqualifyEntrant",
        response_model=Penalties | Foreseen,
        responses=CHANGED,
    )
    async def disqualify(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: ToDisqualify,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        known = await desk.tournaments.of(tournament_id)
        require_taking_part(known, entrant_id)
        require_rule(known, "expel", act)
        if dry_run:
            return await foresee(desk, tournament_id, entrant_id)
        clause = next((expulsion.rule_id for expulsion in known.rules().results.expulsions), None)
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            command = penalties.Disqualify(
                tournament=tournament_id,
                entrant=entrant_id,
                stage=body.stage,
                round=body.round,
                clause=clause or "",
                reason=note or "",
            )
            return await happen(desk, tournament_id, command, act)

    @router.post(
        "/persons/{person_id}/expel",
        summary="Expel a person of a team",
        description="The team plays on without: this person is taken into no line-up any more.",
        operation_id="expelPerson",
        response_model=Penalties,
        responses=CHANGED,
    )
    async def expel_person(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        person_id: Annotated[
            str,
            Path(
                description="One of the team.",
                pattern=forms.IDS,
                json_schema_extra=id_of("player"),
                examples=["019aa4c2-33f2-7b80-8c77-2b4d5e6f7081"],
            ),
        ],
        body: ToDisqualify,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        known = await desk.tournaments.of(tournament_id)
        require_taking_part(known, entrant_id)
        require_of_team(known, entrant_id, person_id)
        require_rule(known, "expel", act)
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            command = penalties.ExpelPerson(
                tournament=tournament_id,
                entrant=entrant_id,
                person=person_id,
                stage=body.stage,
                round=body.round,
                reason=note or "",
            )
            return await happen(desk, tournament_id, command, act)

    return router


async def foresee(desk: Desk, tournament: str, entrant: str) -> Response:
    """What an expulsion would change, and what was said to the entrant before."""
    state, _ = await desk.penalties.load(tournament)
    is_new = entrant not in state.disqualified
    changes = ["The entrant is expelled: it plays no more, and its place brings nothing."] if is_new else []
    found = Foreseen(changes=changes, lost=[], warnings=warned(state, {entrant}))
    return Response(found.model_dump_json(), media_type=JSON)
