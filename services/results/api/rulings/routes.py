"""What officials decide about a game, each time with a reason."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from msgspec.structs import replace

from services.results.api.context import Context, NamedGame, RequestedGame, citing
from services.results.api.games import bodies, views
from services.results.api.games.addresses import BY_ID, GameAddress
from services.results.api.games.report_orders import judged
from services.results.api.parameters import GameId
from services.results.api.penalties.views import warned
from services.results.api.permissions import RULE, TELL, directs, speaker
from services.results.api.rulings.bodies import RulingForeseen, ToAnswer, ToComplain, ToDecide, ToVoid
from services.results.api.rulings.views import changes, lost, published_since
from services.results.domain import rounds
from services.results.domain.sheet import orders
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.facts import ResultAgreed, ResultDecided
from services.results.domain.sheet.states import Final, KnownSheet, open_complaints
from shared.clock import Now
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, tried
from shared.http.responses import DryRun


def decisions(*, address: GameAddress, context: Context, door: Door, now: Now) -> APIRouter:
    """What the result is by the word of an official."""
    router = Router(prefix=address.prefix, tags=["games"])

    @router.post(
        "/decide",
        summary="Decide the result of a game",
        description=address.told(
            "decideResult",
            "An official's word settles a dispute, or takes the place of reports: the result is final at "
            "once. A dry run shows earlier warnings. What the rules leave to the director, such as defaults online, "
            "nobody else decides.",
        ),
        operation_id=address.operation("decideResult"),
        response_model=bodies.Game | RulingForeseen,
        responses=CHANGED,
    )
    async def settle(
        named: Annotated[NamedGame, Depends(address.game)],
        body: ToDecide,
        act: Annotated[Act, Depends(door.acts(address.policy(RULE)))],
        dry_run: DryRun = False,
    ) -> Response:
        game = await context.requested(named, act)
        found = await judged(context, game, body, act)
        return await ruled(context, game, partial(found.ordered, orders.DecideResult, act), body, act, is_tried=dry_run)

    @router.post(
        "/correct",
        summary="Correct a final result",
        description=address.told(
            "correctResult",
            "Tables, and pairings that are not published yet, follow. A dry run names the published rounds "
            "that were paired by what stands now.",
        ),
        operation_id=address.operation("correctResult"),
        response_model=bodies.Game | RulingForeseen,
        responses=CHANGED,
    )
    async def correct(
        named: Annotated[NamedGame, Depends(address.game)],
        body: ToDecide,
        act: Annotated[Act, Depends(door.acts(address.policy(RULE)))],
        dry_run: DryRun = False,
    ) -> Response:
        game = await context.requested(named, act)
        found, settled = await judged(context, game, body, act), await is_settled(context, game, now())

        def correction(note: str | None) -> orders.CorrectResult:
            return replace(found.ordered(orders.CorrectResult, act, note), settled=settled)

        return await ruled(context, game, correction, body, act, is_tried=dry_run)

    return router


def routes(*, context: Context, door: Door, now: Now) -> APIRouter:
    router = Router(prefix=BY_ID.prefix, tags=["games"])

    @router.post(
        "/void",
        summary="Void a game, or order a replay",
        description="A voided game does not count and is no meeting. With a replay its sheet is open again, and a "
        "round that was complete waits for it.",
        operation_id="voidGame",
        response_model=bodies.Game | RulingForeseen,
        responses=CHANGED,
    )
    async def void(
        game_id: GameId,
        body: ToVoid,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,
    ) -> Response:
        game = await context.requested(game_id, act)
        order = orders.VoidGame(
            replay=body.replay,
            reason="",
            directs=directs(act.asker, act.asker.scope),
            settled=await is_settled(context, game, now()),
            terms=await context.terms(game),
        )
        if dry_run:
            becomes = "The game is played anew." if body.replay else "The game is voided."
            return await foresee(context, game, order, becomes)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = replace(order, reason=note or "")
            also = [context.reopening(game.place, act)] if body.replay else []
            return await context.run(game, order, act, also=also)

    @router.post(
        "/draw-winner",
        summary="Draw who goes on from a drawn match",
        description="When all deciding duels were drawn too, and reported so.",
        operation_id="drawWinner",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def draw_winner(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        game = await context.requested(game_id, act)
        drawing = await context.lots.begin(act.asker.scope, act.origin)
        order = tuple(drawing.draw(views.of_winner(game_id), (await context.sheet(game_id)).sheet.seats))
        order = orders.DrawWinner(by=act.origin.actor, order=order)
        return await context.run(game, order, act, also=[drawing.recorded()])

    @router.post(
        "/complain",
        summary="Complain about a final result",
        description="Until the next round is published, and in the last round some minutes after the time for its "
        "games, as the rules say. The result stands until an official corrects it.",
        operation_id="complainAboutResult",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def complain(game_id: GameId, body: ToComplain, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        game = await context.requested(game_id, act)
        in_time, by = await is_in_time(context, game, now()), speaker(act)
        said = [one.reason for one in open_complaints(await context.sheet(game.id), by.voice)]
        words = await context.notes.read(act.asker.scope, said)
        if (before := next((one for one in said if words.get(one) == body.reason), None)) is not None:
            return await context.run(game, orders.Complain(by=by, reason=before, in_time=in_time), act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            return await context.run(game, orders.Complain(by=by, reason=note or "", in_time=in_time), act)

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
        game = await context.requested(game_id, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = orders.AnswerComplaint(number=number, upheld=body.upheld, reason=note or "")
            return await context.run(game, order, act)

    return router


async def ruled(
    context: Context,
    game: RequestedGame,
    ordered: Callable[[str | None], orders.DecideResult | orders.CorrectResult],
    body: ToDecide,
    act: Act,
    *,
    is_tried: bool,
) -> Response:
    """An official's result, whether it is the first one or takes the place of another."""
    if is_tried:
        return await foresee(context, game, ordered(None))
    async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
        return await context.run(game, ordered(note), act)


async def is_settled(context: Context, game: RequestedGame, moment: datetime) -> bool:
    """Whether the rules leave a result as it is from when complaints are over."""
    return game.settings.results.complaint_settles and not await is_in_time(context, game, moment)


async def is_in_time(context: Context, game: RequestedGame, moment: datetime) -> bool:
    """Whether the rules still take a complaint about this game."""
    place, holds = game.place, game.settings
    if holds.results.complaint == "none":
        return False
    following = rounds.identity(place.tournament, place.stage, place.round + 1)
    is_published = not isinstance((await context.rounds.load(following))[0], rounds.UnopenedRound)
    starts_at = (await context.sheet(game.id)).sheet.starts_at if place.round == holds.rounds else None
    time_of_games = timedelta(minutes=holds.results.limit or 0)
    until = complaints_until(
        became_final=views.last_at(await context.games.recorded(game.id), ResultAgreed, ResultDecided),
        next_round=views.last_at(await context.rounds.recorded(following), rounds.RoundOpened)
        if is_published
        else None,
        limit=datetime.fromisoformat(starts_at) + time_of_games if starts_at else None,
        minutes=holds.results.complaint_minutes,
    )
    return until is None or moment <= until


def complaints_until(
    *, became_final: datetime | None, next_round: datetime | None, limit: datetime | None, minutes: int | None
) -> datetime | None:
    """When the time for complaints ends: with the publication of the next round, in the last one some minutes after the time for
    its games. A result that came later than that is open for so many minutes from then, or nobody could have complained."""
    more = timedelta(minutes=minutes or 0)
    if next_round is not None:
        over = next_round
    elif limit is not None and minutes is not None:
        over = limit + more
    else:
        return None
    return over if became_final is None or became_final <= over else became_final + more


async def foresee(context: Context, game: RequestedGame, order: orders.Command, becomes: str | None = None) -> Response:
    """What would change and what would not count any more, what rests on it, and of what those at the table were warned
    before."""
    with citing(game.known, game.place.stage):
        state, events = await context.games.foresee(game.id, order)
    known = views.require_known(state)
    place, called = game.place, (await context.names.of_tournament(game.place.tournament)).names
    after = views.require_known(GAME.fold(events, state))
    published = await context.projection.rounds(place.tournament)
    penalties, _ = await context.penalties.load(place.tournament)
    found = RulingForeseen(
        changes=[becomes] if becomes and events else list(changes(known, after, called)) if events else [],
        lost=lost(known, called) if events else [],
        before=result_shown(known),
        after=result_shown(after),
        rounds=published_since(published, place.stage, place.round, game.known) if events else [],
        warnings=warned(penalties, set(known.sheet.seats)),
    )
    return tried(found)


def result_shown(state: KnownSheet) -> bodies.Result | None:
    if not isinstance(state, Final):
        return None
    return bodies.Result.model_validate(views.result(state.result, state.sheet.seats))
