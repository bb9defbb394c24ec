"""How a path names a game: by its id, or by the round and the table, which is all that people in the hall know.

An operation is declared once and has both addresses: `routes.py` goes through `ADDRESSES`.
"""

from collections.abc import Callable

from msgspec.structs import replace

from services.results.api.context import NamedGame, TableOfRound
from services.results.api.parameters import GameId, RoundNumber, StageId, TableNumber
from shared.access.policy import Policy
from shared.http.parameters import TournamentId
from shared.values import Value

TABLE = "table"  # the path parameter that leads a captain to the own game


def by_id(game_id: GameId) -> NamedGame:
    return game_id


def by_table(
    tournament_id: TournamentId,
    stage: StageId,
    round: RoundNumber,  # noqa: A002 - the path names it so
    table: TableNumber,
) -> NamedGame:
    return TableOfRound(tournament=tournament_id, stage=stage, round=round, table=table)


class GameAddress(Value):
    prefix: str
    game: Callable[..., NamedGame]  # the dependency that reads it out of the path
    suffix: str = ""  # of the ids of operations, no two of which are equal
    is_table: bool = False

    def operation(self, name: str) -> str:
        return f"{name}{self.suffix}"

    def said(self, of_game: str, of_table: str) -> str:
        return of_table if self.is_table else of_game

    def told(self, name: str, of_game: str) -> str:
        """What an operation does is told once, where the game is named by its id."""
        return self.said(of_game, f"As `{name}`; the answer names those who sit there.")

    def policy(self, of_game: Policy) -> Policy:
        """Who may, by what this path names."""
        if not self.is_table:
            return of_game
        return replace(of_game, scope=of_game.scope and "tournament_id", captains=of_game.captains and TABLE)


BY_ID = GameAddress(prefix="/v1/games/{game_id}", game=by_id)
BY_TABLE = GameAddress(
    prefix="/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/tables/{table}",
    game=by_table,
    suffix="AtTable",
    is_table=True,
)
ADDRESSES = (BY_ID, BY_TABLE)
