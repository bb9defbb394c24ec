"""Gomoku of the Czech federation: who has won, and why. Told, or read from the transcript."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from msgspec.structs import replace
from pydantic import Field

from services.results.games.ending_accounts import MOST_MOVES, AccountByMoves, Seconds, Won
from services.results.games.endings import at_fault, derived, require_only, usual
from services.results.games.gomoku.clocks import periods_of, require_shown
from services.results.games.gomoku.moves import read
from services.results.games.gomoku.play import GomokuJudgement, judge, play
from services.results.games.gomoku.profiles import CFP, Profile
from services.results.games.verdict import GameVerdict, Outcome, UndecidedGame, Winner, both, require_none, unfit
from shared.faults import InputFault
from shared.rulesets.play import Contest, Ending
from shared.rulesets.settings import Settings

DRAWN = "draw_"  # reasons of a draw begin so
SCORES: dict[Winner, tuple[Fraction, Fraction]] = {
    0: (Fraction(1), Fraction(0)),
    1: (Fraction(0), Fraction(1)),
    "draw": (Fraction(1, 2), Fraction(1, 2)),
}


class OpenedGame(AccountByMoves):
    """A game whose transcript begins with an opening."""

    opening: Literal["swap1", "swap", "swap2", "pro"] | None = Field(
        default=None,
        description="Of a transcript of gomoku: that of the ruleset when absent, and no other than what is announced.",
        examples=[None],
    )


class GomokuGame(OpenedGame):
    """A game of gomoku by the rules of the Czech federation."""

    seconds: tuple[Seconds | None, ...] | None = Field(
        default=None,
        max_length=MOST_MOVES,
        description="Of the moves: for each how many seconds the clock of whoever was to act had run until then, "
        "where it was noted. A claim of time has to be shown by them.",
        examples=[None],
    )

    winner: Won | None = Field(
        default=None, description="Of a game of gomoku: the seat that has won, or `draw`.", examples=[0]
    )
    reason: str | None = Field(
        default=None,
        max_length=64,
        description="Why a game of gomoku ended: one of the reasons that the ruleset lists for this ending.",
        examples=["five_claimed"],
    )


def openings_of(contest: Contest) -> tuple[str, ...]:
    """All games are opened in the same way; only in a deciding duel of a play-off a player may ask for SWAP 2. None: any."""
    if contest.opening is None:
        return ()
    return tuple(dict.fromkeys([contest.opening, "swap2"] if contest.drawn.duels else [contest.opening]))


def opening_faults(contest: Contest, named: str | None, rule: str) -> Iterator[InputFault]:
    played = openings_of(contest)
    if named is not None and played and named not in played:
        yield InputFault(
            "/opening",
            f"is not played here: there is {' or '.join(played)}, as the rules or the announcement have it ({rule})",
        )


def adjudicate(holds: Settings, found: Ending, told: GomokuGame) -> Outcome:
    if found.points != "winner":
        require_only(told, GomokuGame, *(["reason"] if told.reason == told.end else []))
        return usual(holds, found, told)
    if told.moves is not None:
        require_only(told, GomokuGame, "moves", "opening", "seconds")
        require_none(opening_faults(holds.contest, told.opening, "CFP.RES-7"))
        at_fault(found, told)
        return by_moves(holds, found, told)
    require_only(told, GomokuGame, "winner", "reason")
    _, (winner, reason) = both(lambda: at_fault(found, told), lambda: winner_and_reason(found, told))
    return replace(won(holds, found, told, winner), reason=reason)


def by_moves(holds: Settings, found: Ending, told: GomokuGame) -> Outcome:
    judged = judged_by_moves(holds, CFP, told)
    if told.seconds is not None:
        opening = told.opening or holds.contest.opening or ""
        moves = told.moves or ()
        require_shown(periods_of(holds), play(CFP, opening, moves), read(moves, CFP.colours), told.seconds)
    if judged.winner is None:
        return goes_on(told, judged)
    return replace(won(holds, found, told, judged.winner), reason=judged.reason, decided_at=judged.decided_at)


def goes_on(told: OpenedGame, judged: GomokuJudgement) -> UndecidedGame:
    missing = "What ends it is missing: a claimed five, a resignation, a draw that is accepted, a claim of time, or a full board."
    return UndecidedGame(end=told.end, detail=f"{judged.explanation} {missing}", to_move=judged.to_move)


def won(holds: Settings, found: Ending, told: GomokuGame, winner: Winner) -> GameVerdict:
    return replace(derived(holds.scoring, found, told, SCORES[winner], winner=winner), winner=winner)


def winner_and_reason(found: Ending, told: GomokuGame) -> tuple[Winner, str | None]:
    winner, reason = told.winner, told.reason
    if winner is None:
        raise unfit("/winner", 'is missing: the seat that has won, 0 or 1, or "draw"')
    if reason is None:
        return winner, None
    if reason not in found.reasons:
        raise unfit("/reason", f"is no reason of this ending: there is {', '.join(found.reasons)} (CFP.RES-16)")
    if reason.startswith(DRAWN) != (winner == "draw"):
        raise unfit("/reason", "is of a draw, but a seat has won" if winner != "draw" else "is of a win, not of a draw")
    return winner, reason


def judged_by_moves(holds: Settings, profile: Profile, told: OpenedGame) -> GomokuJudgement:
    opening = told.opening or holds.contest.opening
    if opening is None:
        raise unfit("/opening", f"is missing: there is {', '.join(profile.openings)}")
    return judge(profile, opening, told.moves or ())
