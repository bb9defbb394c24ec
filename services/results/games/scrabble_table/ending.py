"""How a game ends, and what is left on the racks (SK.RES-12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from services.results.games.scrabble_table.objections import LEAST_FOR_EXCHANGE
from services.results.games.tiles.tile_set import TileSet
from services.results.games.verdict import unfit

type Seat = Literal[0, 1]
type Scores = tuple[int, int]
type Racks = tuple[Sequence[str], Sequence[str]]
type Where = Literal["live", "online"]
type Act = Literal["lay", "exchange", "pass", "object"]

RULE = "SK.RES-12"
WITHOUT_WORD: dict[Where, int] = {"live": 3, "online": 2}  # turns of each side, one after the other


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    scores: Scores
    explanation: str
    rule: str = RULE


def played_out(tiles: TileSet, scores: Scores, racks: Racks, *, by: Seat, in_bag: int) -> Ended:
    """Whoever has no tile left, with the bag empty, gets the value of the other rack, which the other loses."""
    if in_bag:
        raise unfit("/in_bag", f"is {in_bag}: with tiles in the bag nobody has played out ({RULE})")
    if racks[by]:
        raise unfit(f"/racks/{by}", f"has tiles left, so seat {by} has not played out ({RULE})")
    left = tiles.rack_value(racks[1 - by], f"/racks/{1 - by}")
    first, second = scores
    gained = (first + left, second - left) if by == 0 else (first - left, second + left)
    return Ended(scores=gained, explanation=f"Seat {by} has played out: the other rack is worth {left}.")


def ended_without_words(
    tiles: TileSet, scores: Scores, racks: Racks, *, laid: Sequence[bool], where: Where = "live"
) -> Ended | None:
    """`laid` says of each turn, of both in order, whether a valid word was left on the board. None: it goes on."""
    wanted = 2 * WITHOUT_WORD[where]
    if len(laid) < wanted or any(laid[-wanted:]):
        return None
    if where == "online":
        return Ended(scores=scores, explanation=f"{wanted} turns without a valid word: the scores stay (SK.D14).")
    left = tuple(tiles.rack_value(rack, f"/racks/{seat}") for seat, rack in enumerate(racks))
    return Ended(
        scores=(scores[0] - left[0], scores[1] - left[1]),
        explanation=f"{wanted} turns without a valid word: the racks are worth {left[0]} and {left[1]}.",
    )


def may(act: Act, *, clock_over: bool, in_bag: int) -> bool:
    """After the end of one's own time one may only pass or object, while the other side goes on."""
    match act:
        case "pass" | "object":
            return True
        case "lay":
            return not clock_over
        case "exchange":
            return not clock_over and in_bag >= LEAST_FOR_EXCHANGE
