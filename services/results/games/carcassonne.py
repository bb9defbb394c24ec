"""A table of Carcassonne: points by place or by who has won, success rates, and a game of two with a fallen flag."""

from fractions import Fraction

from msgspec.structs import replace
from pydantic import Field

from services.results.games.ending_accounts import Account, Scores, Seat
from services.results.games.endings import BOTH, at_fault, in_words, reported, require_only, seated, usual
from services.results.games.verdict import GameVerdict, Outcome, UndecidedGame, both, unfit
from shared.rulesets.play import AsReported, Ending, Scoring
from shared.rulesets.settings import Settings
from shared.tournament.scoring import capped

MONASTERIES = 3  # of each player, besides the tiles in hand (CC.RES-9)


class CarcassonneGame(Account):
    """A table of Carcassonne."""

    flag: Seat | None = Field(
        default=None,
        description="In a game of two of Carcassonne: the seat whose clock has expired. It has lost.",
        examples=[None],
    )


def adjudicate(holds: Settings, found: Ending, told: CarcassonneGame) -> Outcome:
    if not isinstance(found.scores, AsReported):
        require_only(told, CarcassonneGame)
    elif told.flag is not None:
        return flag_fallen(holds, found, told, told.flag)
    outcome = usual(holds, found, told)
    if isinstance(outcome, UndecidedGame) or len(outcome.scores) == 1:
        return outcome
    return replace(outcome, success=success(outcome.scores, holds.scoring.success_seats))


def flag_fallen(holds: Settings, found: Ending, told: CarcassonneGame, loser: int) -> GameVerdict:
    """Who lost by the clock has lost; what counts of the own game points is capped below the other's."""
    _, board = both(lambda: at_fault(found, told), lambda: board_of_two(holds, told, loser))
    points = worth(holds.scoring, loser)
    if told.points not in {None, points}:
        raise unfit(
            "/points", f"can only be {in_words(points)}: whose flag has fallen has lost (CC.RES-7); leave them out"
        )
    cap = holds.results.flag_cap
    below = tuple(map(Fraction, capped(board, loser))) if cap is not None else board
    return GameVerdict(
        scores=below if cap == "counted" else board,
        points=points,
        end=told.end,
        by=(loser,),
        success=success(below, holds.scoring.success_seats),
        board=board,
    )


def board_of_two(holds: Settings, told: CarcassonneGame, loser: int) -> Scores:
    if loser not in BOTH:
        raise unfit("/flag", "is the seat whose clock has expired, 0 or 1 (CC.RES-7)")
    if told.scores is not None and len(told.scores) > len(BOTH):
        raise unfit("/flag", f"goes with a game of two: {len(told.scores)} play here without such a clock (CC.RES-7)")
    return reported(holds, told)


def worth(scoring: Scoring, loser: int) -> tuple[Fraction, Fraction]:
    """Of a game of two that was lost by the clock, whatever the scores."""
    won, lost, *_ = scoring.placement or (scoring.win, scoring.loss)
    return seated(loser, lost, won)


def success(scores: Scores, seats: int | None = None) -> Scores:
    """The share of all game points of the table, which is made up to so many seats with the mean of its scores."""
    wanted = max(len(scores), seats or 0)
    total = sum(scores, Fraction(0)) * wanted / len(scores)
    if total == 0:
        return tuple(Fraction(1, wanted) for _ in scores)  # CC.D8
    return tuple(score / total for score in scores)
