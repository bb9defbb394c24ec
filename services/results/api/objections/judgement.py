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
    Verified,
)
from services.results.domain.objections import WordRuled
from services.results.games.scrabble import objections as by_rules
from services.results.games.scrabble.dictionaries import status
from services.results.games.scrabble.objections import Timing, TurnFate, counted
from services.results.games.scrabble.tiles import spelled
from services.results.games.scrabble.word_check import CheckedWord, check
from services.results.games.scrabble.word_lists import Loaded
from services.results.games.verdict import unfit
from services.results.word_lists import Library
from shared.faults import Faulty, InputFault, at
from shared.refusals import Invalid
from shared.values import Value

REFEREE = "referee"
SOURCES = "10.1"  # the clause that names the permitted ones
SENTENCE = "The words cannot be ruled about like this: see errors."

type RefereeSays = Literal["valid", "invalid"] | Reading | Verified


class Ruled(Value):
    """What an objection brings, of whatever kind it is."""

    upheld: bool
    rule: str
    turn: TurnFate = "stands"
    points: tuple[int, ...] = ()
    costs: int = 0
    words: tuple[WordRuled, ...] = ()
    not_considered: tuple[str, ...] = ()
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
            loaded = await library.loaded((await library.of_tournament(tournament)).values())
            words = ruled(said, loaded)
            found = as_ruled(by_rules.to_words([not word.valid for word in words]))
            return replace(found, words=words, not_considered=tuple(map(spelled, said.laid[len(words) :])))
        case ToUnwritten():
            turns = [by_rules.WrittenTurn(points=turn.points, word=turn.word) for turn in said.turns]
            return as_ruled(by_rules.to_unwritten(turns))
        case ToTiles():
            return as_ruled(by_rules.to_tiles(held=said.held, due=said.due))
        case ToExchange():
            return as_ruled(by_rules.to_exchange(in_bag=said.in_bag))
        case ToPoints():
            turn = counted(correct=said.correct, announced=said.announced, found=said.found)
            upheld = turn.points != said.announced
            return Ruled(upheld=upheld, rule=turn.rule, points=(turn.points,), costs=-turn.objector)
        case ToBehaviour():
            return replace(as_ruled(by_rules.to_behaviour(said.sanction)), sanction=said.sanction)


def as_ruled(found: by_rules.ObjectionEffect) -> Ruled:
    return Ruled(upheld=found.upheld, rule=found.rule, turn=found.turn, points=found.points, costs=-found.objector)


def ruled(said: ToWords, loaded: Loaded) -> tuple[WordRuled, ...]:
    """One word after the other, up to the first that is not valid: with it the turn is lost (SK.RES-14)."""
    by_referee: dict[str, tuple[str, RefereeSays]] = {
        spelled(word): (word, found) for word, found in said.referee.items()
    }
    laid = {spelled(word) for word in said.laid}
    strangers = (word for tiles, (word, _) in by_referee.items() if tiles not in laid)
    faults = [InputFault(at("referee", word), "is none of the words objected to") for word in strangers]
    found: list[WordRuled] = []
    for index, word in enumerate(said.laid):
        checked = check(word, loaded)
        try:
            named, read = by_referee.get(checked.word) or (word, None)
            found.append(word_ruled(checked, named, read, at("laid", index)))
        except Faulty as faulty:
            faults += faulty.faults
        else:
            if not found[-1].valid:
                break
    if faults:
        raise Faulty(SENTENCE, faults)
    return tuple(found)


def word_ruled(checked: CheckedWord, word: str, said: RefereeSays | None, pointer: str) -> WordRuled:
    """By the referee where he may say it and has, otherwise by what the lists and the program say."""
    looked_up = None if said is None else by_referee(checked, said)
    if checked.verdict == REFEREE:
        if looked_up is None:
            raise refused(pointer, f"{checked.explanation} Say in `referee` what the referee has found.")
        return looked_up
    by = checked.source or "the regulations"
    stands = WordRuled(word=checked.word, valid=checked.verdict == "valid", clause=checked.clause, by=by)
    if said is None:
        return stands
    if not checked.may_be_verified:
        if looked_up is None or looked_up.valid == stands.valid:
            return stands
        raise refused(at("referee", word), f"cannot go before this: {checked.explanation} (SK.X-8)")
    if looked_up is None:
        raise refused(
            at("referee", word), "says of no dictionary that it has the word: say his `verdict` and its `source`"
        )
    if looked_up.valid == stands.valid and looked_up.source is None:
        return stands
    if looked_up.source is None:
        raise refused(
            at("referee", word), f"goes before {by}, so say his `verdict`, its `source` and the `lemma` (SK.X-8)"
        )
    return looked_up if looked_up.valid == stands.valid else replace(looked_up, overrules=by)


def by_referee(checked: CheckedWord, said: RefereeSays) -> WordRuled | None:
    """Nothing where no dictionary that was looked into has it: then the referee has to say it."""
    match said:
        case Reading():
            found = status(said)
            if found.verdict == REFEREE:
                return None
            return WordRuled(
                word=checked.word,
                valid=found.verdict == "valid",
                clause=found.clause,
                by=REFEREE,
                lemma=said.lemma,
                source=said.looked_up_in,
            )
        case Verified():
            return WordRuled(
                word=checked.word,
                valid=said.verdict == "valid",
                clause=SOURCES,
                by=REFEREE,
                lemma=said.lemma or checked.word.lower(),
                source=said.source,
            )
        case "valid" | "invalid":
            return WordRuled(word=checked.word, valid=said == "valid", clause=checked.clause, by=REFEREE)


def refused(pointer: str, detail: str) -> Faulty:
    return Faulty(SENTENCE, [InputFault(pointer, detail)])
