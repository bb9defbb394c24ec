"""Objections at a Scrabble table: what each of them brings by the rules, put on record."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response

from services.results.api.context import Context
from services.results.api.objections.bodies import OfTurn, Rulings, ToObject
from services.results.api.objections.judgement import Ruled, judged
from services.results.api.objections.views import rulings_shown
from services.results.api.parameters import GameId
from services.results.api.permissions import LOOK, RULE
from services.results.domain.objections import ObjectionRuled, RuleObjection
from services.results.domain.sheet.facts import ReplayOrdered
from services.results.streams import ObjectionHandler
from services.results.word_lists import Library
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run
from shared.http.problems import documented
from shared.http.responses import READ, read


def routes(*, context: Context, library: Library, objections: ObjectionHandler, door: Door) -> APIRouter:
    router = Router(prefix="/v1/games/{game_id}/objections", tags=["objections"])

    @router.post(
        "",
        summary="Rule about an objection",
        description="Of Scrabble: words, turns not written down, tiles, an exchange, announced points, behaviour. The "
        "answer says what it brings by the rules; the score of the sheet is reported with it.",
        operation_id="ruleObjection",
        response_model=Rulings,
        responses=CHANGED,
    )
    async def rule(
        game_id: GameId, body: Annotated[ToObject, Body()], act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        game = await context.requested(game_id, act)
        found = await judged(body, game, library)
        seats = (await context.sheet(game_id)).sheet.seats
        replays = [one.event.type for one in await context.games.recorded(game_id)].count(ReplayOrdered.__name__)
        async with context.notes.kept(game.place.tournament, body.words, act.key) as note:
            ruling = ruled_about(game_id, game.place.tournament, body, found, note, replays=replays)
            return await run(
                objections,
                game_id,
                RuleObjection(ruling=ruling, seats=len(seats)),
                act,
                lambda state: rulings_shown(state, {}),
                scope=game.place.tournament,
            )

    @router.get(
        "",
        summary="What was ruled about the objections of a game",
        description="With the lists that decided about words, for whoever officiates or plays.",
        operation_id="listRulings",
        response_model=Rulings,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def several(game_id: GameId) -> Response:
        state, version = await objections.load(game_id)
        tournament = await context.places.tournament(game_id) or ""
        written_about = {one.note for one in state.ruled if one.note is not None}
        return read(rulings_shown(state, await context.notes.read(tournament, written_about)), version)

    return router


def ruled_about(
    game: str, tournament: str, said: ToObject, found: Ruled, note: str | None, *, replays: int
) -> ObjectionRuled:
    return ObjectionRuled(
        game=game,
        tournament=tournament,
        objector=said.objector,
        kind=said.kind,
        upheld=found.upheld,
        turn=found.turn,
        points=found.points,
        costs=found.costs,
        rule=found.rule,
        words=found.words,
        sanction=found.sanction,
        note=note,
        drawn_too_soon=found.drawn_too_soon,
        of_turn=said.of_turn if isinstance(said, OfTurn) else None,
        not_considered=found.not_considered,
        replays=replays,
    )
