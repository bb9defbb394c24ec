"""What happened at one table, as it is told to those who adjudicate, and what they make of it."""

from dataclasses import dataclass
from fractions import Fraction

from shared.faults import Fault, Faulty


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """How a game ended. What its ending has no use for is none."""

    end: str
    scores: tuple[Fraction, ...] | None = None  # as they stood on the board
    points: tuple[Fraction, ...] | None = None
    by: tuple[int, ...] | None = None  # seats at fault; nobody is not the same as nothing said
    confirmed: tuple[bool, bool] | None = None
    agreed_winner: int | None = None
    winner_said: bool = False  # also when they agreed on nobody


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What follows by the rules."""

    scores: tuple[Fraction, ...]
    points: tuple[Fraction, ...]
    end: str
    by: tuple[int, ...] = ()  # the seats at fault


def unfit(pointer: str, detail: str) -> Faulty:
    return Faulty("This cannot have happened by this ruleset: see errors.", [Fault(pointer, detail)])
