"""How a game comes to its end at the table, and what the tiles count that are left on the racks (SK.RES-12)."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.tiles.tile_set import RACK, TileSet
from services.results.games.told import Side
from services.results.games.verdict import unfit
from shared.rulesets.play import Finish
from shared.values import Value

BOTH = 2
MOST_TURNS = 200

type Rack = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=1)], ...], Field(max_length=RACK)]
type Reason = Literal["played_out", "without_word"]
type Pair = tuple[Fraction, Fraction]


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
    scores: Pair
    reason: Reason


def ended(rule: Finish | None, tiles: TileSet | None, board: Pair, told: Finished) -> Ended:
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
