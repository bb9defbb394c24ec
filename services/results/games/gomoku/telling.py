"""What happened in a game, move by move, by the names that the rules give it (CFP.X-1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.results.games.gomoku.game import Choosing, opened
from services.results.games.gomoku.judging import after
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
    read,
)
from services.results.games.gomoku.profiles import Profile

TWO_STONES = "TwoStonesAdded"


@dataclass(frozen=True, slots=True)
class Happened:
    what: str
    moves: tuple[int, ...]  # their indices


def told(profile: Profile, opening: str, moves: Sequence[object]) -> tuple[Happened, ...]:
    """Of a record that breaks no rule."""
    game = opened(profile, profile.openings[opening])
    found: list[Happened] = []
    for index, move in enumerate(read(moves, profile.colours)):
        adding = isinstance(move, Stone) and isinstance(game.state, Choosing)
        if found and found[-1].what == TWO_STONES and len(found[-1].moves) == 1:
            found[-1] = Happened(TWO_STONES, (*found[-1].moves, index))
        else:
            found.append(Happened(TWO_STONES if adding else name_of(move), (index,)))
        game = after(game, index, move)
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
