"""Reports every open game of a round, as two scorers do, through nothing but the generated client.

Which round, and the scorers' tokens, come as JSON on standard input; the results that stand then are printed.
"""

import json
import sys
from typing import Any
from uuid import uuid4

from roundlog_results import AuthenticatedClient
from roundlog_results.api.games import list_games, report_result
from roundlog_results.models import Game, GameListed, ListGamesShow, Problem, RoundOfGames, ScrabbleReport


class Refused(Exception):
    """The answer is no, and the sentence says what to do about it."""


def done[Body](answer: Body | Problem | None) -> Body:
    if isinstance(answer, Problem) or answer is None:
        raise Refused(answer.detail if answer else "There is no answer.")
    return answer


def report(order: dict[str, Any]) -> list[list[float]]:
    scorers = [AuthenticatedClient(order["url"], token) for token in order["scorers"]]
    place = (order["tournament"], order["stage"], order["round"])
    known: RoundOfGames = done(
        list_games.sync(*place, client=scorers[0], show=ListGamesShow.OPEN, roundlog_min_position=order["after"])
    )
    games = [result_of(scorers, game) for game in known.items]
    return [game.result.scores for game in games if game.result]


def result_of(scorers: list[AuthenticatedClient], game: GameListed) -> Game:
    """A report that another scorer's equals makes the result."""
    for scorer in scorers:
        said = ScrabbleReport(scores=[440 - game.table, 340 + game.table])
        shown: Game = done(report_result.sync(game.id, client=scorer, body=said, idempotency_key=str(uuid4())))
    return shown


if __name__ == "__main__":
    print(json.dumps(report(json.load(sys.stdin))))
