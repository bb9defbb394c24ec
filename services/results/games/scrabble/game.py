"""How a game of Scrabble is adjudicated: two whole scores, with what is left on the racks (SK.RES-12).

Only a game on the internet knows an agreed draw, and a record that is lost.
"""

from fractions import Fraction
from typing import Annotated, Literal

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from services.results.games.ending_accounts import Account, Side
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
from services.results.games.scrabble.tiles import RACK, TileSet, played_with
from services.results.games.verdict import GameVerdict, Outcome, both, unfit
from shared.rulesets.play import AgreedWinner, Ending, Finish
from shared.rulesets.settings import Settings
from shared.tournament.scoring import points_of
from shared.values import Value

BOTH = 2
MOST_TURNS = 200

type Rack = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=1)], ...], Field(max_length=RACK)]
type FinishReason = Literal["played_out", "without_word"]
type SheetScores = tuple[Fraction, Fraction]


class Finished(BaseModel):
    """How a game of Scrabble came to its end, when the racks are still to be counted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    racks: tuple[Rack, Rack] | None = Field(
        default=None,
        description="What each seat has left; a blank is `?`. Who has nothing left has played out.",
        examples=[[[], ["X", "?", "A"]]],
    )
    in_bag: int = Field(default=0, ge=0, le=MOST_TURNS, description="Tiles that are left in the bag.", examples=[0])
    turns_without_word: int = Field(
        default=0,
        ge=0,
        le=MOST_TURNS,
        description="The last turns, of both seats together, without a valid word.",
        examples=[0],
    )
    clock_over: tuple[Side, ...] = Field(
        default=(),
        max_length=BOTH,
        description="Seats whose time was over: they could only pass, or object.",
        examples=[[]],
    )


class Ended(Value):
    scores: SheetScores
    reason: FinishReason


def ended(rule: Finish | None, tiles: TileSet | None, board: SheetScores, told: Finished) -> Ended:
    """With what the racks add to the scores that stood there, or take from them."""
    if rule is None:
        raise unfit("/finish", "has no place here: the ruleset does not say how a game ends, `contest.finish`")
    if not rule.racks:
        require_left_out(rule, told)
        require_no_words(rule, told)
        return Ended(scores=board, reason="without_word")
    if tiles is None:
        raise unfit(
            "/finish/racks", "cannot be counted: `contest.tiles` of the ruleset names no tile set that is there"
        )
    if told.racks is None:
        raise unfit("/finish/racks", f"are missing: what each seat has left ({rule.rule_id})")
    tiles.require([*told.racks[0], *told.racks[1]], "/finish/racks")
    first, second = (tiles.rack_value(rack) for rack in told.racks)
    match told.racks:
        case (), ():
            raise unfit("/finish/racks", f"are both empty: the game was over when the first was ({rule.rule_id})")
        case (), _:
            require_played_out(rule, told, by=0)
            return Ended(scores=(board[0] + second, board[1] - second), reason="played_out")
        case _, ():
            require_played_out(rule, told, by=1)
            return Ended(scores=(board[0] - first, board[1] + first), reason="played_out")
        case _:
            require_no_words(rule, told)
            return Ended(scores=(board[0] - first, board[1] - second), reason="without_word")


def require_left_out(rule: Finish, told: Finished) -> None:
    if told.racks is not None:
        raise unfit("/finish/racks", f"have no place here: nobody counts them at the table ({rule.rule_id})")


def require_played_out(rule: Finish, told: Finished, *, by: Side) -> None:
    if told.in_bag:
        raise unfit("/finish/in_bag", f"is {told.in_bag}: with tiles in the bag nobody plays out ({rule.rule_id})")
    if by in told.clock_over:
        detail = f"names seat {by}, which could only pass then, and cannot have played out ({rule.rule_id})"
        raise unfit("/finish/clock_over", detail)


def require_no_words(rule: Finish, told: Finished) -> None:
    """Where both clocks are over nobody lays anything any more (SK.D74)."""
    wanted = BOTH * rule.turns
    if told.turns_without_word < wanted and len(set(told.clock_over)) < BOTH:
        detail = f"is {told.turns_without_word}: the game goes on until {wanted} turns bring no word ({rule.rule_id})"
        raise unfit("/finish/turns_without_word", detail)


class ScrabbleGame(Account):
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
    end = ended(contest.finish, played_with(contest), (first, second), finish)
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
    return GameVerdict(scores=board, points=points, end=PLAYED)


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
