"""What those who adjudicate make of a game, and how they refuse what cannot have happened."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Literal

from shared.faults import Faulty, InputFault
from shared.values import Value

SENTENCE = "This cannot have happened by this ruleset: see errors."

type Winner = Literal[0, 1, "draw"]


class GameVerdict(Value):
    """What follows by the rules, seat by seat."""

    scores: tuple[Fraction, ...]
    points: tuple[Fraction, ...]
    end: str
    by: tuple[int, ...] = ()  # the seats at fault
    winner: Winner | None = None  # where more is to be said of it than the points do
    reason: str | None = None
    decided_at: int | None = None  # the index of a move
    success: tuple[Fraction, ...] | None = None
    board: tuple[Fraction, ...] | None = None  # what stood on it, where something else counts
    rule: str | None = None  # by which that counts


class UndecidedGame(Value):
    """Nothing counts: the game goes on, or a new one is played."""

    end: str
    detail: str  # why nothing counts, and what is missing
    to_move: Literal[0, 1] | None = None  # of a game that goes on: the seat that has to act
    reason: str | None = None
    board: tuple[Fraction, ...] | None = None


type Outcome = GameVerdict | UndecidedGame


def ahead(scores: Sequence[Fraction | int]) -> Winner:
    """Of two seats, the one that has more."""
    first, second = scores
    return "draw" if first == second else 0 if first > second else 1


def unfit(pointer: str, detail: str) -> Faulty:
    return Faulty(SENTENCE, [InputFault(pointer, detail)])


def require_none(faults: Iterable[InputFault]) -> None:
    found = tuple(faults)
    if found:
        raise Faulty(SENTENCE, found)


def both[A, B](one: Callable[[], A], other: Callable[[], B]) -> tuple[A, B]:
    """Two readings of the same account. What is wrong with either is named at once."""
    try:
        read = one()
    except Faulty as faulty:
        try:
            other()
        except Faulty as more:
            raise Faulty(SENTENCE, (*faulty.faults, *more.faults)) from None
        raise
    return read, other()
