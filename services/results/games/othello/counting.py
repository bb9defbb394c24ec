"""Which discs are written down: the empty squares go to the winner, and a time default has rules of its own."""

from services.results.games.happening import unfit
from services.results.games.othello.board import SQUARES, Seat, across

type Discs = tuple[int, int]

HALF = SQUARES // 2
LEAST = 33  # of who has won on time
ALL_DISCS = (SQUARES, 0)
OTHER_RAN_OUT = (LEAST, SQUARES - LEAST)


def filled(discs: Discs, *, winner: Seat | None = None) -> Discs:
    """With the empty squares. Without a declared winner it is who has more discs; a draw is always 32:32."""
    require_board(discs)
    if winner is None:
        if discs[0] == discs[1]:
            return HALF, HALF
        winner = 0 if discs[0] > discs[1] else 1
    lost = discs[across(winner)]
    return seated(winner, (SQUARES - lost, lost))


def after_time(
    *,
    first: Seat,
    second: Seat | None = None,
    discs: Discs | None = None,
    again: Discs = ALL_DISCS,
    other: Discs = OTHER_RAN_OUT,
    least: int = LEAST,
) -> Discs:
    """Seat `first` ran out of time and has lost; `second` ran out in the extra time, or else the game was finished."""
    winner = across(first)
    if second is not None:
        return seated(winner, again if second == first else other)
    if discs is None:
        raise unfit("/discs", "is missing: the game was finished in the extra time (OT.RES-4)")
    played = filled(discs, winner=winner)
    own = max(played[winner], least)
    return seated(winner, (own, SQUARES - own))


def winner_of(discs: Discs, *, draw_wins: Seat | None = None) -> Seat | None:
    """Nobody in a draw, unless it counts as a win for somebody who has the option (OT.RES-7)."""
    if discs[0] == discs[1]:
        return draw_wins
    return 0 if discs[0] > discs[1] else 1


def require_board(discs: Discs) -> None:
    for seat, count in enumerate(discs):
        if not 0 <= count <= SQUARES:
            raise unfit(f"/discs/{seat}", f"is {count}: there are 0 to {SQUARES} discs of a colour (OT.RES-1)")
    if sum(discs) > SQUARES:
        raise unfit("/discs", f"are {sum(discs)} on a board of {SQUARES} squares (OT.RES-1)")


def seated(winner: Seat, discs: Discs) -> Discs:
    won, lost = discs
    return (won, lost) if winner == 0 else (lost, won)
