"""A game of Othello: its discs, with the empty squares; a time default; the draw that wins; and its transcript."""

from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec.structs import replace
from pydantic import Field

from services.results.games.endings import Pair, at_fault, derived, require_only, usual
from services.results.games.othello.board import SQUARES, Seat
from services.results.games.othello.counting import Discs, after_time, disc_faults, filled
from services.results.games.othello.judging import Judgement, judge
from services.results.games.told import Side, Transcribed
from services.results.games.verdict import Outcome, Undecided, Verdict, Winner, ahead, both, require_none, unfit
from shared.rulesets.play import AsBye, Ending, ExtraTime, Filled, Fixed
from shared.rulesets.settings import Settings

type Count = Annotated[int, Field(strict=True, ge=0, le=SQUARES)]


class OthelloGame(Transcribed):
    """A game of Othello."""

    ran_out: ClassVar[str] = "/by"  # where it is told whose time ran out first

    discs: tuple[Count, Count] | None = Field(
        default=None,
        description="Of a game of Othello: the discs on the board, which may be fewer than 64. After a time default only "
        "where the game was finished.",
        examples=[[40, 20]],
    )
    second: Side | None = Field(
        default=None,
        description="Of a time default in Othello: the seat whose time ran out again in the extra time, or null.",
        examples=[None],
    )
    draw_wins: Side | None = Field(
        default=None,
        description="The seat of Othello for which a draw counts as a win; the points stay halves.",
        examples=[None],
    )


def adjudicate(holds: Settings, found: Ending, told: OthelloGame) -> Outcome:
    match found.scores:
        case Filled() if told.moves is not None:
            require_only(told, OthelloGame, "moves", "draw_wins")
            at_fault(found, told)
            return by_moves(holds, found, told, judge(told.moves))
        case Filled():
            require_only(told, OthelloGame, "discs", "draw_wins")
            by, discs = both(lambda: at_fault(found, told), lambda: on_the_board(told))
            return with_winner(told, derived(holds.scoring, found, told, exact(filled(discs)), by or ()))
        case ExtraTime() as rule if told.moves is not None:
            require_only(told, OthelloGame, "second", "moves", "draw_wins")
            return with_winner(told, time_default(holds, found, told, rule, judge(told.moves)))
        case ExtraTime() as rule:
            require_only(told, OthelloGame, "second", "discs", "draw_wins")
            return with_winner(told, time_default(holds, found, told, rule))
        case AsBye():
            require_only(told, OthelloGame)
            return usual(holds, found, told)
        case Fixed(begun=True):
            require_only(told, OthelloGame, "discs", "draw_wins")
            require_none(() if told.discs is None else disc_faults(told.discs))
            return with_winner(told, usual(holds, found, told))
        case _:
            require_only(told, OthelloGame, "draw_wins")
            return with_winner(told, usual(holds, found, told))


def by_moves(holds: Settings, found: Ending, told: OthelloGame, judged: Judgement) -> Outcome:
    board = exact(judged.board)
    if judged.discs is None:
        return Undecided(end=told.end, detail=judged.explanation, board=board)
    verdict = derived(holds.scoring, found, told, exact(judged.discs))
    return replace(
        verdict,
        winner=winner_by(verdict.scores, told.draw_wins),
        reason="no_moves",
        decided_at=len(told.moves or ()) - 1,
        board=board,
    )


def time_default(
    holds: Settings, found: Ending, told: OthelloGame, rule: ExtraTime, judged: Judgement | None = None
) -> Verdict:
    """Both played on only to find the discs (OT.RES-4); a transcript shows these moves too."""
    read: tuple[Seat, Discs | None] = both(
        lambda: who_ran_out(found, told), lambda: finished(told) if judged is None else finished_in_moves(told, judged)
    )
    first, discs = read
    scores = after_time(rule, first=first, second=told.second, discs=discs)
    verdict = derived(holds.scoring, found, told, scores, (first,))
    if judged is None:
        return verdict
    return replace(verdict, winner=ahead(scores), reason="time", board=exact(judged.board))


def finished_in_moves(told: OthelloGame, judged: Judgement) -> Discs | None:
    """Whoever ran out again was to move where the transcript ends."""
    if judged.to_move == told.second:
        return judged.board if told.second is None else None
    if judged.to_move is None:
        raise unfit("/second", "ran out again, but the transcript shows the game to its end: leave it out (OT.RES-4)")
    if told.second is None:
        raise unfit("/moves", "break off: go on to the end, or say in `second` whose time ran out again (OT.RES-4)")
    raise unfit("/second", f"ran out again, but where the transcript ends seat {judged.to_move} is to move (OT.RES-4)")


def who_ran_out(found: Ending, told: OthelloGame) -> Seat:
    if told.at_fault is None:
        raise unfit(told.ran_out, "is missing: the seat whose time ran out first, 0 or 1 (OT.RES-4)")
    return 1 if at_fault(found, told) == (1,) else 0


def finished(told: OthelloGame) -> Discs | None:
    """What was on the board counts only where nobody ran out again."""
    if told.discs is None and told.second is None:
        raise unfit("/discs", "is missing: those at the end, unless `second` names whose time ran out again (OT.RES-4)")
    return None if told.discs is None else on_the_board(told)


def on_the_board(told: OthelloGame) -> Discs:
    if told.discs is None:
        raise unfit("/discs", "is missing: how many of each seat are on the board")
    require_none(disc_faults(told.discs))
    return told.discs


def with_winner(told: OthelloGame, outcome: Outcome) -> Outcome:
    """Whoever has the option has to know who goes on."""
    if isinstance(outcome, Undecided) or told.draw_wins is None:
        return outcome
    return replace(outcome, winner=winner_by(outcome.scores, told.draw_wins))


def winner_by(scores: tuple[Fraction, ...], draw_wins: Seat | None) -> Winner:
    """A draw counts as a win for whoever has taken it (OT.RES-7)."""
    winner = ahead(scores)
    return draw_wins if winner == "draw" and draw_wins is not None else winner


def exact(discs: Discs) -> Pair:
    return Fraction(discs[0]), Fraction(discs[1])
