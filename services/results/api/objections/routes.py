"""Objections at a Scrabble table: what each of them brings by the rules, put on record."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response
from msgspec.structs import asdict

from services.results.api.context import Context
from services.results.api.objections.bodies import OfTurn, RuledWord, Ruling, Rulings, ToObject
from services.results.api.objections.judgement import judged
from services.results.api.parameters import GameId
from services.results.api.permissions import LOOK, RULE
from services.results.domain.objections import ObjectionRuled, ObjectionsState, RuleObjection
from services.results.domain.sheet.facts import ReplayOrdered
from services.results.games.scrabble.objections import PENALTY
from services.results.streams import ObjectionHandler
from services.results.word_lists import Library
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run
from shared.http.responses import FOUND, read


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
            ruling = ObjectionRuled(
                **asdict(found),
                game=game_id,
                tournament=game.place.tournament,
                objector=body.objector,
                kind=body.kind,
                of_turn=body.of_turn if isinstance(body, OfTurn) else None,
                note=note,
                replays=replays,
            )
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
        responses=FOUND,
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def several(game_id: GameId) -> Response:
        state, version = await objections.load(game_id)
        tournament = await context.places.tournament(game_id) or ""
        written_about = {one.note for one in state.ruled if one.note is not None}
        return read(rulings_shown(state, await context.notes.read(tournament, written_about)), version)

    return router


def rulings_shown(state: ObjectionsState, words: Mapping[str, str]) -> Rulings:
    return Rulings(rulings=[ruling(one, words.get(one.note or "")) for one in state.ruled])


def ruling(one: ObjectionRuled, words: str | None) -> Ruling:
    words_ruled = [RuledWord(**asdict(word), costs=-PENALTY if word.valid else 0) for word in one.words]
    return Ruling.model_validate({**asdict(one), "words_ruled": words_ruled, "words": words})
