"""Scrabble: two whole scores, with what is left on the racks, and what only a game on the internet knows.

That is an agreed draw, and a record that is lost.
"""

from msgspec.structs import replace
from pydantic import Field, StrictBool

from services.results.games.endings import (
    PLAYED,
    at_fault,
    derived,
    reported,
    require_only,
    require_same,
    seated,
    settled,
    usual,
)
from services.results.games.scrabble_table.ending import Finished, ended
from services.results.games.tiles import ids, load
from services.results.games.told import Side, Told
from services.results.games.verdict import Outcome, Verdict, both, unfit
from shared.rulesets.play import AgreedWinner, Ending
from shared.rulesets.settings import Settings
from shared.tournament.scoring import points_of


class ScrabbleGame(Told):
    """A game of Scrabble."""

    confirmed: tuple[StrictBool, StrictBool] | None = Field(
        default=None,
        description="Of an agreed draw in Scrabble: which seat has confirmed it in writing.",
        examples=[None],
    )
    agreed_winner: Side | None = Field(
        default=None,
        description="Of a lost record in Scrabble: the seat that has won; null where the players do not agree.",
        examples=[None],
    )
    finish: Finished | None = Field(
        default=None,
        description="Of a game that was played: what ended it at the table. Then `scores` are what stood on the sheet before "
        "the racks were counted.",
        examples=[None],
    )


def adjudicate(holds: Settings, found: Ending, told: ScrabbleGame) -> Outcome:
    if told.end == PLAYED:
        require_only(told, ScrabbleGame, "finish")
        return usual(holds, found, told) if told.finish is None else finished(holds, found, told, told.finish)
    if found.confirmed_by_both:
        require_only(told, ScrabbleGame, "confirmed")
        return agreed_draw(holds, found, told)
    if isinstance(found.scores, AgreedWinner):
        require_only(told, ScrabbleGame, "agreed_winner")
        return record_lost(holds, found, told, found.scores)
    require_only(told, ScrabbleGame)
    return usual(holds, found, told)


def finished(holds: Settings, found: Ending, told: ScrabbleGame, finish: Finished) -> Outcome:
    """Scores and points with the racks; what stood there without them is kept beside."""
    (first, second), _ = both(lambda: reported(holds, told), lambda: at_fault(found, told))
    contest = holds.contest
    tiles = load(contest.tiles) if contest.tiles in ids() else None
    end = ended(contest.finish, tiles, (first, second), finish)
    counted = settled(holds.scoring, found, told, end.scores)
    rule = contest.finish and contest.finish.rule_id
    return replace(counted, board=(first, second), reason=end.reason, rule=rule)


def agreed_draw(holds: Settings, found: Ending, told: ScrabbleGame) -> Outcome:
    """Without both confirmations it did not happen, and what was played stands."""
    is_confirmed, board = both(lambda: confirmed(told), lambda: reported(holds, told))
    if is_confirmed:
        return usual(holds, found, told)
    points = points_of(holds.scoring, board)
    require_same("/points", told.points, points)
    return Verdict(scores=board, points=points, end=PLAYED)


def confirmed(told: ScrabbleGame) -> bool:
    if told.confirmed is None:
        raise unfit("/confirmed", "says of each seat whether it has confirmed, as [true, false]")
    return all(told.confirmed)


def record_lost(holds: Settings, found: Ending, told: ScrabbleGame, rule: AgreedWinner) -> Outcome:
    read: tuple[tuple[int, ...] | None, Side | None] = both(lambda: at_fault(found, told), lambda: agreed_winner(told))
    by, winner = read
    scores = rule.otherwise, rule.otherwise
    if winner is not None:
        scores = seated(1 - winner, rule.loser, rule.winner)
    return derived(holds.scoring, found, told, scores, by or (), winner)


def agreed_winner(told: ScrabbleGame) -> Side | None:
    if "agreed_winner" not in told.model_fields_set:
        raise unfit("/agreed_winner", "is 0 or 1, or null where the players do not agree on the winner")
    return told.agreed_winner
