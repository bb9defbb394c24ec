"""What officials decide about a game, each time with a reason."""

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from services.results.api.context import Context, speaker
from services.results.api.games import bodies, views
from services.results.api.parameters import GameId
from services.results.api.penalties.views import warned
from services.results.api.permissions import RULE, TELL
from services.results.api.rulings.bodies import Foreseen, ToAnswer, ToComplain, ToDecide, ToVoid
from services.results.domain import rounds
from services.results.domain.sheet import orders
from services.results.domain.sheet.states import Final, KnownSheet
from shared.clock import Now
from shared.http.door import Act, Door
from shared.http.orders import CHANGED
from shared.http.responses import JSON, DryRun


def routes(*, desk: Context, door: Door, now: Now) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}", tags=["games"])

    @router.post(
        "/decide",
        summary="Decide the result of a game",
        description="An official's word settles a dispute, or takes the place of reports: the result is final at once. "
        "With `dry_run` only says what would change, and shows earlier warnings.",
        operation_id="decideResult",
        response_model=bodies.Game | Foreseen,
        responses=CHANGED,
    )
    async def settle(
        game_id: GameId,
        body: ToDecide,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        return await ruled(desk, game_id, orders.DecideResult, body, act, is_tried=dry_run)

    @router.post(
        "/correct",
        summary="Correct a final result",
        description="Tables, and pairings that are not published yet, follow the correction. With `dry_run` only says "
        "what would change.",
        operation_id="correctResult",
        response_model=bodies.Game | Foreseen,
        responses=CHANGED,
    )
    async def correct(
        game_id: GameId,
        body: ToDecide,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        return await ruled(desk, game_id, orders.CorrectResult, body, act, is_tried=dry_run)

    @router.post(
        "/void",
        summary="Void a game, or order a replay",
        description="A voided game does not count and is no meeting. With a replay it is played anew and its sheet is "
        "open again; a round that was complete waits for it. With `dry_run` only says what would be lost.",
        operation_id="voidGame",
        response_model=bodies.Game | Foreseen,
        responses=CHANGED,
    )
    async def void(
        game_id: GameId,
        body: ToVoid,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,  # noqa: FBT002 - as above
    ) -> Response:
        if dry_run:
            becomes = "The game is played anew." if body.replay else "The game is voided."
            return await foresee(desk, game_id, orders.VoidGame(replay=body.replay, reason=""), becomes)
        place = await desk.places.of(game_id)
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            command = orders.VoidGame(replay=body.replay, reason=note or "")
            beside = [desk.reopening(place, act)] if body.replay and place else []
            return await desk.happen(game_id, command, act, beside=beside)

    lot_and_complaints(router, desk, door, now)
    return router


def lot_and_complaints(router: APIRouter, desk: Context, door: Door, now: Now) -> None:
    @router.post(
        "/draw-winner",
        summary="Draw who goes on from a drawn match",
        description="When all deciding duels were drawn too, and reported so. The lot is recorded and can be drawn "
        "again by everybody when the tournament is over.",
        operation_id="drawWinner",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def draw_winner(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        drawing = await desk.lots.begin(act.asker.scope, act.origin)
        order = tuple(drawing.draw(f"winner of game {game_id}", await desk.seats(game_id)))
        command = orders.DrawWinner(by=act.origin.actor, order=order)
        return await desk.happen(game_id, command, act, beside=[drawing.recorded()])

    @router.post(
        "/complain",
        summary="Complain about a final result",
        description="As long as the rules leave time for it: until the next round is published, and in the last round "
        "some minutes after the time for its games is over. The result stands until an official corrects it.",
        operation_id="complainAboutResult",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def complain(game_id: GameId, body: ToComplain, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        in_time = await is_in_time(desk, game_id, act, now())
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            command = orders.Complain(by=speaker(act), reason=note or "", in_time=in_time)
            return await desk.happen(game_id, command, act)

    @router.post(
        "/complaints/{number}/answer",
        summary="Answer a complaint",
        description="Upheld or not. What is wrong with the result is corrected by itself.",
        operation_id="answerComplaint",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def answer(
        game_id: GameId,
        number: Annotated[int, Path(ge=1, le=1000, description="Of the complaint, on this sheet.", examples=[1])],
        body: ToAnswer,
        act: Annotated[Act, Depends(door.acts(RULE))],
    ) -> Response:
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            command = orders.AnswerComplaint(number=number, upheld=body.upheld, reason=note or "")
            return await desk.happen(game_id, command, act)


async def ruled[Order: (orders.DecideResult, orders.CorrectResult)](
    desk: Context, game: str, kind: type[Order], body: ToDecide, act: Act, *, is_tried: bool
) -> Response:
    """An official's result, whether it is the first one or takes the place of another."""
    judged = await desk.judged(game, body, act)
    if is_tried:
        becomes = f"The result becomes {scores(judged.result.scores)}."
        return await foresee(desk, game, judged.ordered(kind, act), becomes)
    async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
        return await desk.happen(game, judged.ordered(kind, act, note), act)


async def is_in_time(desk: Context, game: str, act: Act, moment: datetime) -> bool:
    """Whether the rules still take a complaint about this game."""
    place, known = await desk.place(game, act)
    holds = known.settings(place.stage)
    if holds.results.complaint == "none":
        return False
    following = rounds.identity(place.tournament, place.stage, place.round + 1)
    if not isinstance((await desk.rounds.load(following))[0], rounds.UnopenedRound):
        return False
    state, _ = await desk.games.load(game)
    starts_at = views.require_known(state).sheet.starts_at
    minutes = holds.results.complaint_minutes
    if minutes is None or starts_at is None or place.round != holds.rounds:
        return True
    over = datetime.fromisoformat(starts_at) + timedelta(minutes=(holds.results.limit or 0) + minutes)
    return moment <= over


async def foresee(desk: Context, game: str, command: orders.Command, becomes: str) -> Response:
    """What would change, what would not count any more, and of what those at the table were warned before."""
    state, events = await desk.games.foresee(game, command)
    known = views.require_known(state)
    penalties, _ = await desk.penalties.load(known.sheet.tournament)
    changes = Foreseen(
        changes=[becomes] if events else [],
        lost=lost(known) if events else [],
        warnings=warned(penalties, set(known.sheet.seats)),
    )
    return Response(changes.model_dump_json(), media_type=JSON)


def lost(state: KnownSheet) -> list[str]:
    if isinstance(state, Final):
        return [f"The result {scores(state.result.scores)}."]
    return [f"Report {said.number}, {scores(said.result.scores)}." for said in views.reports_of(state)]


def scores(numbers: tuple[int | str, ...]) -> str:
    return ":".join(map(str, numbers))
