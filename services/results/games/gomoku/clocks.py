"""The clocks of a transcript: whose time is over by them, once a player of the game says so.

Nobody else may point it out (CFP.RES-13), so time that is over and that nobody claims changes nothing.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, repeat

from services.results.games.ending_accounts import IllegalMove
from services.results.games.gomoku.moves import Accept, ClaimTime, Decline, Move, Stone
from services.results.games.gomoku.play import BoardFull, Choosing, Flagged, InPlay, Laying, Over, Play, across, to_act
from services.results.games.verdict import unfit
from shared.rulesets.play import Period
from shared.rulesets.settings import Settings

SECONDS = 60
RULE = "CFP.RES-11"


def periods_of(holds: Settings) -> tuple[Period, ...]:
    """A clock for the whole game is one period."""
    minutes = holds.results.minutes
    if holds.contest.periods or minutes is None:
        return holds.contest.periods
    return (Period(minutes=minutes),)


def require_shown(
    periods: Sequence[Period], games: Sequence[Play], moves: Sequence[Move], seconds: Sequence[int | None]
) -> None:
    """Refuse a claim of time that the clocks contradict. The games are those before each move.

    Where a time was not noted nobody can tell: the claim stands.
    """
    if not periods:
        raise unfit("/seconds", f"say nothing here: no time was announced, as option contest.periods does ({RULE})")
    if len(seconds) != len(moves):
        raise unfit("/seconds", f"should be one for each entry of moves, {len(moves)} in all")
    used, laid, may_be_over = [0, 0], [0, 0], [False, False]
    for index, (game, move, ran) in enumerate(zip(games, moves, seconds, strict=False)):
        seat = running(game, move)
        if seat is not None:
            used[seat] += ran or 0
            may_be_over[seat] |= ran is None or used[seat] > allowed(periods, laid[seat])
            laid[seat] += isinstance(move, Stone)
        if isinstance(move, ClaimTime) and not may_be_over[other := 1 - move.by]:
            limit = said(allowed(periods, laid[other]))
            detail = f"claims that the time of seat {other} is over, whose clock has run {said(used[other])} of {limit}"
            raise IllegalMove(index, detail, RULE)


def running(game: Play, move: Move) -> int | None:
    """Whose clock runs until this entry: that of who is to act, or of who has been offered a draw and answers in words."""
    match game.state:
        case Laying() | Choosing() | InPlay() as state:
            is_answer = isinstance(move, Accept | Decline) and game.offered is not None
            return across(game.offered.by) if is_answer and game.offered else to_act(state)
        case BoardFull() | Flagged() | Over():
            return None


def allowed(periods: Sequence[Period], laid: int) -> Fraction:
    """Seconds in all, until the next stone after so many."""
    seconds, moves = Fraction(0), 0
    for period in lasting(periods):
        seconds += period.minutes * SECONDS
        if period.moves is None or (moves := moves + period.moves) > laid:
            break
    return seconds


def lasting(periods: Sequence[Period]) -> Iterator[Period]:
    return chain(periods, repeat(periods[-1]))


def said(seconds: Fraction | int) -> str:
    minutes, rest = divmod(int(seconds), SECONDS)
    return f"{minutes}:{rest:02}"
