"""What all families share: which endings there are, who is at fault, and the points."""

from fractions import Fraction
from typing import Literal

from services.results.games.happening import Happening, Verdict, unfit
from shared.exact import stored
from shared.rulesets.endings import Ending
from shared.rulesets.play import Results, Scoring

AWARDED = "awarded"
PLAYED = "played"
NOTHING = Fraction(0)
BOTH = (0, 1)


def ending(results: Results, happening: Happening) -> Ending:
    found = results.endings.get(happening.end)
    if found is None:
        known = ", ".join(sorted({*results.endings, AWARDED}))
        raise unfit("/end", f"this ruleset knows no such ending: it knows {known}")
    return found


def awarded(happening: Happening, *, seats: int) -> Verdict:
    """An official's decision: only its form is looked at."""
    return Verdict(
        scores=of_length(seats, happening.scores, "/scores"),
        points=of_length(seats, happening.points, "/points"),
        end=AWARDED,
        by=happening.by or (),
    )


def of_length(seats: int, numbers: tuple[Fraction, ...] | None, pointer: str) -> tuple[Fraction, ...]:
    if numbers is None or len(numbers) != seats:
        raise unfit(pointer, f"needs {seats} numbers, one for each seat")
    return numbers


def pair(scoring: Scoring, happening: Happening) -> tuple[Fraction, Fraction]:
    """Two scores that a game of this ruleset can have."""
    first, second = of_length(2, happening.scores, "/scores")
    for seat, score in enumerate((first, second)):
        if score.denominator != 1:
            raise unfit(f"/scores/{seat}", f"is {stored(score)}: scores are whole numbers")
        if score < 0 and not scoring.negative:
            raise unfit(f"/scores/{seat}", "is below zero")
    return first, second


def at_fault(kind: Literal["nobody", "one", "both", "official-says"], happening: Happening) -> tuple[int, ...] | None:
    """The seats; none where an official may say it and has not."""
    said = happening.by
    if said is not None and (len(set(said)) != len(said) or not set(said) <= set(BOTH)):
        raise unfit("/by", "names seats, 0 or 1, each once")
    match kind:
        case "one":
            if said is None or len(said) != 1:
                raise unfit("/by", "says which of the two seats is at fault, 0 or 1")
            return said
        case "official-says":
            return said
        case "nobody":
            if said:
                raise unfit("/by", "has to be left out: nobody is at fault in this ending")
            return ()
        case "both":
            if said and set(said) != set(BOTH):
                raise unfit("/by", "has to be left out: both are at fault in this ending")
            return BOTH


def points_by_scores(scoring: Scoring, first: Fraction, second: Fraction) -> tuple[Fraction, Fraction]:
    if first == second:
        return scoring.draw, scoring.draw
    return (scoring.win, scoring.loss) if first > second else (scoring.loss, scoring.win)


def points_of_winner(scoring: Scoring, winner: int | None) -> tuple[Fraction, Fraction]:
    """Nobody: no points."""
    match winner:
        case None:
            return NOTHING, NOTHING
        case 0:
            return scoring.win, scoring.loss
        case _:
            return scoring.loss, scoring.win


def points_of_bye(scoring: Scoring) -> Fraction:
    worth = {"full": scoring.win, "half": scoring.draw, "none": NOTHING}
    return worth[scoring.bye]
