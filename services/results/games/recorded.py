"""What the record of a game shows, and whether that is what was reported."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.results.games.gomoku import judging as gomoku
from services.results.games.gomoku.telling import Happened, told
from services.results.games.othello import judging as othello
from services.results.games.picture import PROFILES, Drawn
from services.results.games.verdict import Winner, ahead, unfit


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """Seat by seat of the record, where seat 0 has opened."""

    explanation: str
    winner: Winner | None = None  # none: the game went on
    reason: str | None = None
    decided_at: int | None = None
    discs: tuple[int, int] | None = None
    happened: tuple[Happened, ...] = ()  # of gomoku


def drawable(game: str) -> Drawn:
    """A game that is recorded move by move."""
    match game:
        case "gomoku-cfp" | "gomoku-pisqworky" | "othello":
            return game
        case _:
            raise unfit("/moves", f"cannot be read: {game} has no record move by move")


def read_record(game: Drawn, moves: Sequence[object], opening: str | None) -> Shown:
    """Refused with the index of the first move that breaks a rule."""
    if game == "othello":
        found = othello.judge(moves)
        winner = None if found.discs is None else ahead(found.discs)
        return Shown(explanation=found.explanation, winner=winner, discs=found.discs or found.board)
    profile = PROFILES[game]
    if opening is None:
        raise unfit("/opening", f"is missing: there is {', '.join(profile.openings)}")
    judged = gomoku.judge(profile, opening, moves)
    return Shown(
        explanation=judged.explanation,
        winner=judged.winner,
        reason=judged.reason,
        decided_at=judged.decided_at,
        happened=told(profile, opening, moves),
    )


def turned(found: Shown) -> Shown:
    """The same for a sheet whose second seat has opened."""
    winner: Winner | None = found.winner if found.winner in {None, "draw"} else 1 if found.winner == 0 else 0
    return replace(found, winner=winner, discs=None if found.discs is None else (found.discs[1], found.discs[0]))
