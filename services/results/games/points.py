"""The points of a game, by the rule that its ending names."""

from fractions import Fraction

from services.results.games.told import Scores
from services.results.games.verdict import Winner, unfit
from shared.rulesets.play import Ending, Scoring
from shared.tournament.scoring import points_of

NOTHING = Fraction(0)


def points_by(
    scoring: Scoring, found: Ending, scores: Scores, by: tuple[int, ...], winner: Winner | None
) -> tuple[Fraction, ...]:
    match found.points:
        case "by-fault" if len(by) == 1:
            return points_of_winner(scoring, 1 if by == (0,) else 0)
        case "by-fault" if by:
            return tuple(NOTHING for _ in scores)
        case "by-scores" | "by-fault":
            return points_of(scoring, scores)
        case "none":
            return tuple(NOTHING for _ in scores)
        case "draw":
            return tuple(scoring.draw for _ in scores)
        case "winner":
            return points_of_winner(scoring, winner)
        case "bye" | "official":
            raise unfit("/end", f"the ruleset gives its points by `{found.points}`, which does not go with its scores")


def points_of_winner(scoring: Scoring, winner: Winner | None) -> tuple[Fraction, Fraction]:
    """Nobody: no points."""
    match winner:
        case None:
            return NOTHING, NOTHING
        case "draw":
            return scoring.draw, scoring.draw
        case 0:
            return scoring.win, scoring.loss
        case 1:
            return scoring.loss, scoring.win
