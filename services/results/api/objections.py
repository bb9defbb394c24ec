"""Objections at a Scrabble table: what each of them brings by the rules, put on record."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response

from services.results.api.desk import Desk
from services.results.api.doable import OFFICIALS
from services.results.api.forms import GameId
from services.results.api.objection_forms import (
    RuledWord,
    Ruling,
    Rulings,
    ToBehaviour,
    ToExchange,
    ToObject,
    ToPoints,
    ToTiles,
    ToUnwritten,
    ToWords,
)
from services.results.domain.objections import ObjectionRuled, Objections, PutOnRecord, WordRuled
from services.results.games.scrabble_table import objections as by_rules
from services.results.games.scrabble_table.announced import counted
from services.results.games.scrabble_table.objections import Turn
from services.results.games.verdict import unfit
from services.results.games.words.live import check
from services.results.library import Library
from services.results.streams import ObjectionHandler
from shared.act import Act, Door
from shared.answers import READ, answer, changed, read, written
from shared.faults import Fault, Faulty, at
from shared.policy import roles
from shared.problems import documented
from shared.roles import Role

RULE = roles(*OFFICIALS, scope="game_id")
LOOK = roles(*Role, scope="game_id", captains=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Effect:
    """What an objection brings, of whatever kind it is."""

    upheld: bool
    rule: str
    turn: Turn = "stands"
    points: tuple[int, ...] = ()
    costs: int = 0
    words: tuple[WordRuled, ...] = ()
    sanction: str | None = None


def routes(*, desk: Desk, library: Library, objections: ObjectionHandler, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}/objections", tags=["objections"])

    @router.post(
        "",
        summary="Rule about an objection",
        description="Of Scrabble: a word, turns not written down, tiles, an exchange, announced points, behaviour. The "
        "answer says what it brings by the rules; the score of the sheet is reported with it.",
        operation_id="ruleObjection",
        response_model=Rulings,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def rule(
        game_id: GameId, body: Annotated[ToObject, Body()], act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        place, known = await desk.place(game_id, act)
        if known.rules().game != "scrabble":
            raise unfit("/kind", f"is an objection of Scrabble, and this is a game of {known.rules().game}")
        found = await effect(body, library, place.tournament)
        seats = await desk.seats(game_id)
        async with desk.notes.kept(place.tournament, body.words, act) as note:
            handled = await objections.handle(
                game_id,
                PutOnRecord(ruling=ruled_about(game_id, place.tournament, body, found, note), seats=len(seats)),
                scope=place.tournament,
                origin=act.origin,
                respond=lambda state, version: answer(seen(state, {}), version),
                key=act.key,
                versions=act.versions,
            )
        return written("results", handled, HTTPStatus.OK)

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
        tournament = await desk.places.tournament(game_id) or ""
        written_about = {one.note for one in state.ruled if one.note is not None}
        return read(seen(state, await desk.notes.read(tournament, written_about)), version)

    return router


async def effect(said: ToObject, library: Library, tournament: str) -> Effect:
    match said:
        case ToWords():
            words = await ruled(said, library, tournament)
            return of_turn(by_rules.to_words([not word.valid for word in words]), words=words)
        case ToUnwritten():
            unwritten = by_rules.to_unwritten(
                [by_rules.Written(points=turn.points, word=turn.word) for turn in said.turns]
            )
            return Effect(
                upheld=unwritten.upheld, rule=unwritten.rule, points=unwritten.points, costs=-unwritten.objector
            )
        case ToTiles():
            return of_turn(by_rules.to_tiles(held=said.held, due=said.due))
        case ToExchange():
            return of_turn(by_rules.to_exchange(in_bag=said.in_bag))
        case ToPoints():
            turn = counted(correct=said.correct, announced=said.announced, found=said.found)
            upheld = turn.points != said.announced
            return Effect(upheld=upheld, rule=turn.rule, points=(turn.points,), costs=-turn.objector)
        case ToBehaviour():
            return of_turn(by_rules.to_behaviour(said.sanction), sanction=said.sanction)


def of_turn(found: by_rules.Effect, *, words: tuple[WordRuled, ...] = (), sanction: str | None = None) -> Effect:
    return Effect(
        upheld=found.upheld,
        rule=found.rule,
        turn=found.turn,
        costs=-found.objector,
        words=words,
        sanction=sanction,
    )


async def ruled(said: ToWords, library: Library, tournament: str) -> tuple[WordRuled, ...]:
    """By the lists that the tournament plays by; the referee decides what they do not."""
    loaded = await library.loaded((await library.of_tournament(tournament)).values())
    found: list[WordRuled] = []
    faults: list[Fault] = []
    for index, word in enumerate(said.laid):
        checked = check(word, loaded)
        verdict = said.referee.get(word) if checked.verdict == "referee" else checked.verdict
        if verdict is None:
            faults.append(
                Fault(at("laid", index), f"{checked.explanation} Say in `referee` what the referee has found.")
            )
            continue
        by = "referee" if checked.verdict == "referee" else checked.source or "the regulations"
        found.append(WordRuled(word=checked.word, valid=verdict == "valid", clause=checked.clause, by=by))
    if faults:
        raise Faulty("No list decides about these words (SK.X-5): see errors.", faults)
    return tuple(found)


def ruled_about(game: str, tournament: str, said: ToObject, found: Effect, note: str | None) -> ObjectionRuled:
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
    )


def seen(state: Objections, words: Mapping[str, str]) -> Rulings:
    return Rulings(rulings=[ruling(one, words.get(one.note or "")) for one in state.ruled])


def ruling(one: ObjectionRuled, words: str | None) -> Ruling:
    return Ruling(
        objector=one.objector,
        kind=one.kind,
        upheld=one.upheld,
        turn=one.turn,
        points=list(one.points),
        costs=one.costs,
        rule=one.rule,
        words_ruled=[RuledWord(word=word.word, valid=word.valid, clause=word.clause, by=word.by) for word in one.words],
        sanction=one.sanction,
        words=words,
    )
