"""What officials decide about a game, each time with a reason."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.results.api import forms, shown
from services.results.api.desk import Desk
from services.results.api.forms import GameId
from services.results.api.shown import RULE
from services.results.domain import orders
from services.results.domain.states import Final, Known
from shared.act import Act, Door
from shared.answers import JSON, DryRun, changed

CHANGED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}", tags=["games"])

    @router.post(
        "/decide",
        summary="Decide the result of a game",
        description="An official's word settles a dispute, or takes the place of reports: the result is final at once.",
        operation_id="decideResult",
        response_model=forms.Game,
        responses=CHANGED,
    )
    async def settle(game_id: GameId, body: forms.ToDecide, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        judged = await desk.judged(game_id, body, body.first, act)
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = orders.DecideResult(
                by=act.origin.actor, result=judged.result, reason=note or "", gone=judged.gone
            )
            return await desk.happen(game_id, command, act)

    @router.post(
        "/correct",
        summary="Correct a final result",
        description="Tables, and pairings that are not published yet, follow the correction. With `dry_run` only says "
        "what would change.",
        operation_id="correctResult",
        response_model=forms.Game | forms.Foreseen,
        responses=CHANGED,
    )
    async def correct(
        game_id: GameId,
        body: forms.ToDecide,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        judged = await desk.judged(game_id, body, body.first, act)
        if dry_run:
            command = orders.CorrectResult(by=act.origin.actor, result=judged.result, reason="", gone=judged.gone)
            becomes = f"The result becomes {scores(judged.result.scores)}."
            return await foresee(desk, game_id, command, becomes)
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = orders.CorrectResult(
                by=act.origin.actor, result=judged.result, reason=note or "", gone=judged.gone
            )
            return await desk.happen(game_id, command, act)

    @router.post(
        "/void",
        summary="Void a game, or order a replay",
        description="A voided game does not count and is no meeting. With a replay it is played anew and its sheet is "
        "open again; a round that was complete waits for it. With `dry_run` only says what would be lost.",
        operation_id="voidGame",
        response_model=forms.Game | forms.Foreseen,
        responses=CHANGED,
    )
    async def void(
        game_id: GameId,
        body: forms.ToVoid,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - as above
    ) -> Response:
        if dry_run:
            becomes = "The game is played anew." if body.replay else "The game is voided."
            return await foresee(desk, game_id, orders.VoidGame(replay=body.replay, reason=""), becomes)
        place = await desk.places.of(game_id)
        async with desk.notes.kept(act.asker.scope, body.reason, act) as note:
            command = orders.VoidGame(replay=body.replay, reason=note or "")
            beside = [desk.reopening(place, act)] if body.replay and place else []
            return await desk.happen(game_id, command, act, beside=beside)

    return router


async def foresee(desk: Desk, game: str, command: orders.Command, becomes: str) -> Response:
    """What would change, and what would not count any more."""
    state, events = await desk.games.foresee(game, command)
    changes = forms.Foreseen(
        changes=[becomes] if events else [], lost=lost(shown.require_known(state)) if events else []
    )
    return Response(changes.model_dump_json(), media_type=JSON)


def lost(state: Known) -> list[str]:
    if isinstance(state, Final):
        return [f"The result {scores(state.result.scores)}."]
    return [f"Report {said.number}, {scores(said.result.scores)}." for said in shown.reports_of(state)]


def scores(numbers: tuple[int | str, ...]) -> str:
    return ":".join(map(str, numbers))
