"""How a game is adjudicated, by the name that rulesets give it."""

from collections.abc import Callable, Mapping

from services.results.games import scrabble
from services.results.games.happening import Happening, Verdict
from shared.decider import Invalid
from shared.rulesets.play import Results, Scoring

type Adjudicate = Callable[[Scoring, Results, Happening], Verdict]

FAMILIES: Mapping[str, Adjudicate] = {"scrabble": scrabble.adjudicate}


class GameUnknown(Invalid):
    """No code here adjudicates this game."""


def family(game: str) -> Adjudicate:
    found = FAMILIES.get(game)
    if found is None:
        raise GameUnknown(f"Results of {game} cannot be adjudicated: there is {', '.join(FAMILIES)}.")
    return found
