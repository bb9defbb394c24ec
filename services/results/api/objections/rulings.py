"""What an objection at a Scrabble table brings by the rules."""

from typing import Literal

from msgspec.structs import replace

from services.results.api.context import RequestedGame
from services.results.api.objections.bodies import (
    OfTurn,
    Reading,
    ToBehaviour,
    ToExchange,
    ToObject,
    ToPoints,
    ToTiles,
    ToUnwritten,
    ToWords,
)
from services.results.domain.objections import WordRuled
from services.results.games.scrabble import objections as by_rules
from services.results.games.scrabble.dictionaries import status
from services.results.games.scrabble.objections import Timing, TurnFate, counted
from services.results.games.scrabble.word_check import CheckedWord, check
from services.results.games.verdict import unfit
from services.results.word_lists import Library
from shared.faults import Faulty, InputFault, at
from shared.refusals import Invalid
from shared.values import Value

REFEREE = "referee"


class Ruled(Value):
    """What an objection brings, of whatever kind it is."""

    upheld: bool
    rule: str
    turn: TurnFate = "stands"
    points: tuple[int, ...] = ()
    costs: int = 0
    words: tuple[WordRuled, ...] = ()
    sanction: str | None = None
    drawn_too_soon: bool = False


class ObjectionTooLate(Invalid):
    """The turn was accepted before."""


async def judged(said: ToObject, game: RequestedGame, library: Library) -> Ruled:
    require_at_a_table(game)
    too_soon = drawn_too_soon(said.timing) if isinstance(said, OfTurn) else False
    return replace(await effect(said, library, game.place.tournament), drawn_too_soon=too_soon)


def require_at_a_table(game: RequestedGame) -> None:
    played = game.known.rules().game
    if played != "scrabble":
        raise unfit("/kind", f"is an objection of Scrabble, and this is a game of {played}")
    if game.settings.contest.words == "server":
        detail = "online the server decides which words are valid, and where it offers a rejection the opponent does"
        raise unfit("/kind", f"is an objection at a table: {detail} (SK.X-6)")


def drawn_too_soon(timing: Timing | None) -> bool:
    """Where the objection itself was in time."""
    if timing is None:
        return False
    if not timing.in_time:
        raise ObjectionTooLate("It comes too late: the turn stands, and nothing is considered any more (SK.RES-14).")
    return timing.drawn_too_soon


async def effect(said: ToObject, library: Library, tournament: str) -> Ruled:
    match said:
        case ToWords():
            words = await ruled(said, library, tournament)
            return of_turn(by_rules.to_words([not word.valid for word in words]), words=words)
        case ToUnwritten():
            unwritten = by_rules.to_unwritten(
                [by_rules.WrittenTurn(points=turn.points, word=turn.word) for turn in said.turns]
            )
            return Ruled(
                upheld=unwritten.upheld, rule=unwritten.rule, points=unwritten.points, costs=-unwritten.objector
            )
        case ToTiles():
            return of_turn(by_rules.to_tiles(held=said.held, due=said.due))
        case ToExchange():
            return of_turn(by_rules.to_exchange(in_bag=said.in_bag))
        case ToPoints():
            turn = counted(correct=said.correct, announced=said.announced, found=said.found)
            upheld = turn.points != said.announced
            return Ruled(upheld=upheld, rule=turn.rule, points=(turn.points,), costs=-turn.objector)
        case ToBehaviour():
            return of_turn(by_rules.to_behaviour(said.sanction), sanction=said.sanction)


def of_turn(
    found: by_rules.ObjectionEffect, *, words: tuple[WordRuled, ...] = (), sanction: str | None = None
) -> Ruled:
    return Ruled(
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
    faults: list[InputFault] = []
    for index, word in enumerate(said.laid):
        checked = check(word, loaded)
        if checked.verdict == "referee":
            judged = by_referee(checked, said.referee.get(word))
            if judged is None:
                faults.append(
                    InputFault(at("laid", index), f"{checked.explanation} Say in `referee` what the referee has found.")
                )
            else:
                found.append(judged)
        else:
            by = checked.source or "the regulations"
            found.append(WordRuled(word=checked.word, valid=checked.verdict == "valid", clause=checked.clause, by=by))
    if faults:
        raise Faulty("No list decides about these words (SK.X-5): see errors.", faults)
    return tuple(found)


def by_referee(checked: CheckedWord, said: Literal["valid", "invalid"] | Reading | None) -> WordRuled | None:
    """Nothing where no dictionary that was looked into has it: then the referee has to say it."""
    if not isinstance(said, Reading):
        return said and WordRuled(word=checked.word, valid=said == "valid", clause=checked.clause, by=REFEREE)
    found = status(said)
    if found.verdict == "referee":
        return None
    return WordRuled(
        word=checked.word, valid=found.verdict == "valid", clause=found.clause, by=REFEREE, lemma=said.lemma
    )
