"""The families of games: what is told of a game, and how it is adjudicated, by the name that rulesets give it."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from services.results.games import carcassonne, othello
from services.results.games.carcassonne import CarcassonneGame
from services.results.games.ending_accounts import Account
from services.results.games.endings import PLAYED, awarded, ending, require_time
from services.results.games.gomoku import cfp, pisqworky
from services.results.games.gomoku.cfp import GomokuGame
from services.results.games.gomoku.pisqworky import GomokuMatch
from services.results.games.othello import OthelloGame
from services.results.games.scrabble import game as scrabble
from services.results.games.scrabble.game import ScrabbleGame
from services.results.games.verdict import Outcome, require_none
from shared.faults import Faulty, InputFault
from shared.rulesets.play import AWARDED, Ending
from shared.rulesets.schema import Game
from shared.rulesets.settings import Settings
from shared.tournament.scoring import POINTS_APART
from shared.values import Value

NAMED = re.compile(r"\([A-Z]+\.[A-Z]")  # a rule


class GameFamily[T: Account](Value):
    form: type[T]
    adjudicate: Callable[[Settings, Ending, T], Outcome]


FAMILIES: Mapping[Game, GameFamily[Any]] = {
    "scrabble": GameFamily(form=ScrabbleGame, adjudicate=scrabble.adjudicate),
    "gomoku-pisqworky": GameFamily(form=GomokuMatch, adjudicate=pisqworky.adjudicate),
    "gomoku-cfp": GameFamily(form=GomokuGame, adjudicate=cfp.adjudicate),
    "carcassonne": GameFamily(form=CarcassonneGame, adjudicate=carcassonne.adjudicate),
    "othello": GameFamily(form=OthelloGame, adjudicate=othello.adjudicate),
}


def adjudicate(game: Game, holds: Settings, told: Account) -> Outcome:
    """What follows from what is told in the form of this game. An award is held to what a played game can have."""
    is_award = told.end == AWARDED
    found = holds.results.endings.get(PLAYED) if is_award else ending(holds.results, told)
    try:
        if found is None or is_award:
            return awarded(holds, told, apart=game in POINTS_APART)
        require_time(holds.results, found, told)
        return FAMILIES[game].adjudicate(holds, found, told)
    except Faulty as faulty:
        rule_id = None if found is None else found.rule_id
        faulty.faults = tuple(cited(fault, rule_id) for fault in faulty.faults)
        raise


def cited(fault: InputFault, rule_id: str | None) -> InputFault:
    """With the rule of the ending, unless it names one of its own."""
    if rule_id is None or NAMED.search(fault.detail):
        return fault
    return InputFault(fault.pointer, f"{fault.detail} ({rule_id})")


class AnyAccount(ScrabbleGame, GomokuGame, GomokuMatch, CarcassonneGame, OthelloGame):
    """How the game of a sheet ended, of any family: what is read before it is known which one. A game has the fields of its
    own family, and `require_own` refuses the others."""

    @classmethod
    def fields_of(cls, game: Game) -> set[str]:
        """What may be said of such a game."""
        return {*FAMILIES[game].form.model_fields}


@cache
def foreign_fields(form: type[AnyAccount], game: Game) -> frozenset[str]:
    """What belongs to other games."""
    return frozenset(form.model_fields.keys() - form.fields_of(game))


def require_own(game: Game, said: AnyAccount) -> None:
    """Whatever belongs to another game is named, with what this one has instead."""
    foreign = foreign_fields(type(said), game)
    if said.model_fields_set.isdisjoint(foreign):
        return
    fields = type(said).model_fields
    own = ", ".join(name for name in fields if name not in foreign)
    require_none(
        InputFault(f"/{name}", f"belongs to {owners(type(said), name)}: here {game} is played, which has {own}")
        for name, field in fields.items()
        if name in foreign and getattr(said, name) != field.default
    )


def owners(form: type[AnyAccount], field: str) -> str:
    return " and ".join(game for game in FAMILIES if field in form.fields_of(game))
