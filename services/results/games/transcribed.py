"""A game's transcript becomes its result, by the game that a ruleset plays. One way for all games that have one."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from services.results.games.gomoku import judging as gomoku
from services.results.games.gomoku.profiles import CFP, PISQWORKY, Profile, Worth
from services.results.games.happening import unfit
from services.results.games.othello import judging as othello
from services.results.games.othello.board import Seat
from services.results.games.othello.counting import Discs, winner_of
from shared.rulesets.endings import Boards
from shared.rulesets.play import Contest, Results, Scoring

type Pair = tuple[Fraction, Fraction]

PLAYED = "played"
PROFILES = {"gomoku-cfp": CFP, "gomoku-pisqworky": PISQWORKY}
OTHELLO = "othello"


@dataclass(frozen=True, kw_only=True, slots=True)
class Transcribed:
    """What follows from the moves. While the game goes on nobody has won and nothing counts."""

    explanation: str
    winner: Literal[0, 1, "draw"] | None = None
    reason: str | None = None
    decided_at: int | None = None
    scores: Pair | None = None
    points: Pair | None = None
    board: Discs | None = None  # of Othello: the discs as they stand


@dataclass(frozen=True, kw_only=True, slots=True)
class Transcript:
    """The moves as JSON gives them."""

    moves: Sequence[object]
    opening: str | None = None  # none: that of the ruleset
    draw_wins: Seat | None = None


def of_transcript(
    game: str, contest: Contest, scoring: Scoring, results: Results, transcript: Transcript
) -> Transcribed:
    profile = PROFILES.get(game)
    if profile is not None:
        return of_gomoku(profile, contest, worth_of(scoring, results), transcript)
    if game == OTHELLO:
        return of_othello(scoring, transcript)
    raise unfit("/moves", f"cannot be read: {game} has no transcripts")


def of_gomoku(profile: Profile, contest: Contest, worth: Worth, transcript: Transcript) -> Transcribed:
    opening = transcript.opening or contest.opening
    if opening is None:
        raise unfit("/opening", f"is missing: there is {', '.join(profile.openings)}")
    found = gomoku.judge(profile, opening, transcript.moves, worth=worth)
    return Transcribed(
        explanation=found.explanation,
        winner=found.winner,
        reason=found.reason,
        decided_at=found.decided_at,
        scores=found.scores,
        points=found.points,
    )


def worth_of(scoring: Scoring, results: Results) -> Worth:
    """A duel is worth what the boards of its match say; where a game is the whole match, what the match is."""
    played = results.endings.get(PLAYED)
    if played is not None and isinstance(played.scores, Boards):
        return Worth(win=played.scores.win, draw=played.scores.draw, loss=played.scores.loss)
    return Worth(win=scoring.win, draw=scoring.draw, loss=scoring.loss)


def of_othello(scoring: Scoring, transcript: Transcript) -> Transcribed:
    found = othello.judge(transcript.moves)
    if found.discs is None:
        return Transcribed(explanation=found.explanation, board=found.board)
    first, second = found.discs
    points = {0: (scoring.win, scoring.loss), 1: (scoring.loss, scoring.win), None: (scoring.draw, scoring.draw)}
    winner = winner_of(found.discs, draw_wins=transcript.draw_wins)
    return Transcribed(
        explanation=found.explanation,
        winner="draw" if winner is None else winner,
        reason="no_moves",
        decided_at=len(transcript.moves) - 1,
        scores=(Fraction(first), Fraction(second)),
        points=points[found.winner],  # also where a draw wins, the points stay halves
        board=found.board,
    )
