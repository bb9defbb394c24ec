"""Which discs are written down: the empty squares go to the winner, and a time default has rules of its own."""

from collections.abc import Iterator
from fractions import Fraction

from services.results.games.othello.board import SQUARES, Seat, across
from shared.faults import Fault
from shared.rulesets.play import ExtraTime

type Discs = tuple[int, int]

HALF = SQUARES // 2
START = 4  # discs, of which none ever leaves the board


def filled(discs: Discs, *, winner: Seat | None = None) -> Discs:
    """With the empty squares. Without a declared winner it is who has more discs; a draw is always 32:32."""
    if winner is None:
        if discs[0] == discs[1]:
            return HALF, HALF
        winner = 0 if discs[0] > discs[1] else 1
    lost = discs[across(winner)]
    return (SQUARES - lost, lost) if winner == 0 else (lost, SQUARES - lost)


def after_time(
    rule: ExtraTime, *, first: Seat, second: Seat | None = None, discs: Discs | None = None
) -> tuple[Fraction, Fraction]:
    """Seat `first` ran out of time and has lost; `second` ran out in the extra time, or else the game was finished."""
    winner = across(first)
    if second == first:
        won, lost = rule.again
    elif second == winner or discs is None:
        won, lost = rule.other
    else:
        won = max(Fraction(filled(discs, winner=winner)[winner]), rule.least)
        lost = SQUARES - won
    return (won, lost) if winner == 0 else (lost, won)


def disc_faults(discs: Discs) -> Iterator[Fault]:
    if sum(discs) > SQUARES:
        yield Fault("/discs", f"are {sum(discs)} on a board of {SQUARES} squares (OT.RES-1)")
    if sum(discs) < START:
        yield Fault("/discs", f"are {sum(discs)}: a game begins with {START}, and none leaves the board (OT.RES-1)")
