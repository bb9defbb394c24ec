"""The families of games: what is told of a game, and how it is adjudicated, by the name that rulesets give it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from services.results.games import carcassonne, scrabble
from services.results.games.carcassonne import CarcassonneGame
from services.results.games.endings import AWARDED, awarded, ending
from services.results.games.gomoku import adjudicating as gomoku
from services.results.games.gomoku import matches
from services.results.games.gomoku.adjudicating import GomokuGame
from services.results.games.gomoku.matches import GomokuMatch
from services.results.games.othello import adjudicating as othello
from services.results.games.othello.adjudicating import OthelloGame
from services.results.games.scrabble import ScrabbleGame
from services.results.games.told import Told
from services.results.games.verdict import Outcome
from shared.faults import Fault, Faulty
from shared.rulesets.play import Ending
from shared.rulesets.schema import Game
from shared.rulesets.settings import Settings
from shared.values import Value

NAMED = re.compile(r"\([A-Z]+\.[A-Z]")  # a rule


class Family[T: Told](Value):
    form: type[T]
    adjudicate: Callable[[Settings, Ending, T], Outcome]


FAMILIES: Mapping[Game, Family[Any]] = {
    "scrabble": Family(form=ScrabbleGame, adjudicate=scrabble.adjudicate),
    "gomoku-pisqworky": Family(form=GomokuMatch, adjudicate=matches.adjudicate),
    "gomoku-cfp": Family(form=GomokuGame, adjudicate=gomoku.adjudicate),
    "carcassonne": Family(form=CarcassonneGame, adjudicate=carcassonne.adjudicate),
    "othello": Family(form=OthelloGame, adjudicate=othello.adjudicate),
}


def adjudicate(game: Game, holds: Settings, told: Told) -> Outcome:
    """What follows from what is told in the form of this game."""
    if told.end == AWARDED:
        return awarded(holds.contest, told)
    found = ending(holds.results, told)
    try:
        return FAMILIES[game].adjudicate(holds, found, told)
    except Faulty as faulty:
        faulty.faults = tuple(cited(fault, found.rule_id) for fault in faulty.faults)
        raise


def cited(fault: Fault, rule_id: str | None) -> Fault:
    """With the rule of the ending, unless it names one of its own."""
    return (
        fault if rule_id is None or NAMED.search(fault.detail) else Fault(fault.pointer, f"{fault.detail} ({rule_id})")
    )
