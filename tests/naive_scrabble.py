"""The ranking of a live Swiss tournament of Slovak Scrabble, worked out anew from the rules, as slowly as it likes.

It shares nothing with the product. Its words: SK.STA-1 has the criteria, SK.D11 what a bye is in them, and SK.RES-4 what
a bye scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

type Scores = tuple[int, int]
type Row = tuple[int, bool, str, dict[str, float]]

BYE = (20, 0)
HALF = Fraction(1, 2)


@dataclass(frozen=True, kw_only=True)
class Played:
    """One round: who met whom with what scores, and who had nobody to meet."""

    games: Sequence[tuple[tuple[str, str], Scores]]
    byes: Sequence[str]


@dataclass(kw_only=True)
class Sheet:
    """What one player has to show."""

    points: Fraction = Fraction(0)
    wins: int = 0
    difference: int = 0
    opponents: list[str | None] = field(default_factory=list[str | None])  # of each round; nobody is virtual, with 0


def ranked(entrants: Sequence[str], rounds: Sequence[Played], lots: Sequence[Sequence[str]]) -> list[Row]:
    """Places with what led to them, best first; a tie that no lot has settled is a fault here."""
    sheets = {entrant: Sheet() for entrant in entrants}
    for played in rounds:
        enter(sheets, played)
    values = {entrant: criteria(sheets, entrant) for entrant in entrants}
    for drawn in lots:
        for position, entrant in enumerate(drawn, start=1):
            values[entrant]["lot"] = Fraction(position)
    ordered = sorted(entrants, key=lambda entrant: rank(values[entrant]))
    ranks = [rank(values[entrant]) for entrant in ordered]
    assert len(set(ranks)) == len(ranks), "two are equal in everything"
    return [(place, False, entrant, numbers(values[entrant])) for place, entrant in enumerate(ordered, start=1)]


def enter(sheets: Mapping[str, Sheet], played: Played) -> None:
    here: dict[str, tuple[Scores, str | None]] = dict.fromkeys(sheets, ((0, 0), None))
    without = set(sheets)
    for (one, other), (made, received) in played.games:
        here[one], here[other] = ((made, received), other), ((received, made), one)
        without -= {one, other}
    for entrant in played.byes:
        here[entrant] = BYE, None
        without.remove(entrant)
    for entrant, ((made, received), opponent) in here.items():
        sheet = sheets[entrant]
        sheet.opponents.append(opponent)
        sheet.difference += made - received
        if entrant not in without:
            sheet.points += 1 if made > received else HALF if made == received else 0
            sheet.wins += made > received


def criteria(sheets: Mapping[str, Sheet], entrant: str) -> dict[str, Fraction]:
    sheet = sheets[entrant]
    theirs = [Fraction(0) if opponent is None else sheets[opponent].points for opponent in sheet.opponents]
    best_and_worst = max(theirs) + min(theirs) if len(theirs) > 2 else sum(theirs)
    return {
        "points": sheet.points,
        "wins": Fraction(sheet.wins),
        "median_buchholz": sum(theirs, Fraction(0)) - best_and_worst,
        "buchholz": sum(theirs, Fraction(0)),
        "score_difference": Fraction(sheet.difference),
    }


def rank(values: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
    """Lower is better."""
    best_first = [-value for name, value in values.items() if name != "lot"]
    return (*best_first, values.get("lot", Fraction(0)))


def numbers(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}
