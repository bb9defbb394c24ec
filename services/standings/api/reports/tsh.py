"""The division file of TSH, for Scrabble."""

import re
from collections.abc import Iterator
from fractions import Fraction

from services.standings.api.reports.stage_report import (
    NOBODY_MET,
    FormatDoesNotFit,
    ReportedTurn,
    StageReport,
    in_one_line,
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def division(report: StageReport) -> Iterator[str]:
    """A line each: name, rating and opponents; scores; who began (1, the other 2, without a game 0)."""
    for entrant in report.entrants:
        opponents = " ".join(str(turn.opponent) for turn in entrant.turns)
        scores = " ".join(whole(score_of(turn)) for turn in entrant.turns)
        starts = " ".join("0" if turn.begins is None else "1" if turn.begins else "2" for turn in entrant.turns)
        name = without_figures(entrant.name, entrant.number)
        gone = "; off 0" if entrant.is_gone else ""
        yield f"{name:<24} {entrant.rating or 0:>4} {opponents}; {scores}; p12 {starts}{gone}".rstrip()


def score_of(turn: ReportedTurn) -> Fraction:
    """A round without a game has the difference that it counts for."""
    return turn.made if turn.opponent != NOBODY_MET else turn.made - turn.received


def whole(score: Fraction) -> str:
    if score.denominator != 1:
        raise FormatDoesNotFit("A division file of TSH knows whole scores only: ask for `csv`.")
    return str(score)


def without_figures(name: str, number: int) -> str:
    """A name ends where the rating begins, so that no figure may be in it: who has but a number is told by letters."""
    found = in_one_line(re.sub(r"[\d;]", "", name))
    return found if found.strip(" .,") not in {"", "No", "Player"} else f"Player {in_letters(number)}"


def in_letters(number: int) -> str:
    """1 is A, 26 Z, 27 AA."""
    found = ""
    while number:
        number, letter = divmod(number - 1, len(LETTERS))
        found = LETTERS[letter] + found
    return found
