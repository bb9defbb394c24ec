"""What happened in a game, move by move, by the names that the rules give it (CFP.X-1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.results.games.gomoku.game import Choosing, Game
from services.results.games.gomoku.moves import (
    Accept,
    ClaimFive,
    ClaimTime,
    Decline,
    Move,
    Offer,
    Resign,
    Stone,
    Take,
)

TWO_STONES = "TwoStonesAdded"


@dataclass(frozen=True, slots=True)
class Happened:
    what: str
    moves: tuple[int, ...]  # their indices


def told(games: Sequence[Game], moves: Sequence[Move]) -> tuple[Happened, ...]:
    """By the game before each of its moves."""
    found: list[Happened] = []
    for index, (game, move) in enumerate(zip(games, moves, strict=False)):
        adding = isinstance(move, Stone) and isinstance(game.state, Choosing)
        if found and found[-1].what == TWO_STONES and len(found[-1].moves) == 1:
            found[-1] = Happened(TWO_STONES, (*found[-1].moves, index))
        else:
            found.append(Happened(TWO_STONES if adding else name_of(move), (index,)))
    return tuple(found)


def name_of(move: Move) -> str:
    match move:
        case Stone():
            return "StonePlaced"
        case Take():
            return "ColourChosen"
        case Offer():
            return "DrawOffered"
        case Accept():
            return "DrawAccepted"
        case Decline():
            return "DrawDeclined"
        case ClaimFive():
            return "FiveClaimed"
        case ClaimTime():
            return "TimeClaimed"
        case Resign():
            return "Resigned"
