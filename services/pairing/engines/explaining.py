"""What explanations of all engines have in common: who is not there, what is left for later rounds, and how numbers are said."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.paired_round import named

MOST_NAMED = 6  # in a sentence
LATER_ROUNDS = "Of the later rounds"  # begins what is said of them


def later_rounds_explained(field: Field, kept: int) -> Iterator[str]:
    if kept < field.rounds - field.round:
        which = f"only the next {kept}" if kept > 1 else "only the next one" if kept else "none"
        yield f"{LATER_ROUNDS} {which} can still be paired, as far as can be seen."


def absences_explained(field: Field) -> Iterator[str]:
    if field.attendance.missing:
        yield f"Not there in this round: {named(field.attendance.missing)}."
    if field.attendance.requested_byes:
        yield f"A round off that was asked for: {named(field.attendance.requested_byes)}."


def points_of(field: Field, player: FieldPlayer) -> str:
    return said(field.points(player))


def said(points: Fraction) -> str:
    whole, rest = divmod(points, 1)
    number = "½" if points == Fraction(1, 2) else f"{whole}½" if rest == Fraction(1, 2) else str(points)
    return f"{number} point" if points in (Fraction(1, 2), 1) else f"{number} points"


def times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def few(several: Sequence[str], most: int = MOST_NAMED) -> str:
    if len(several) <= most:
        return named(several)
    return f"{', '.join(several[:most])} and {len(several) - most} more"
