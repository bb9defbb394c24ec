"""A transcript becomes a result by the ruleset of its game."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from services.results.games.othello.board import Seat
from services.results.games.transcribed import Transcribed, Transcript, of_transcript
from shared.faults import Faulty
from shared.rulesets.endings import Boards, Ending
from shared.rulesets.play import Contest, Results, Scoring

WIN_OR_LOSS = Scoring(score="win-loss")
DISCS = Scoring(score="fixed-sum", total=64)
MATCH = Scoring(score="duels", total=4, win=Fraction(2), draw=Fraction(1))
DUELS = Boards(win=Fraction(5), draw=Fraction(3), loss=Fraction(1), nobody=Fraction(0))
WIPED_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]

# Found by playing at random: 32 discs each.
DRAWN = (
    "d3 c5 f6 e3 f3 g7 c6 f2 e6 c3 b5 f5 g5 g6 g4 g3 e2 f4 b3 a3 h2 h3 h8 e7 d6 f1 b2 b7 d7 d8 b4 h1 e1 c1 c2 a5 a1 b1 "
    "a4 d2 h5 b6 f7 h6 h7 d1 a2 g8 f8 e8 a7 c4 c8 a6 c7 a8 h4 b8 g1 g2"
)


def othello(moves: Sequence[str], draw_wins: Seat | None = None) -> Transcribed:
    return of_transcript("othello", Contest(), DISCS, Results(), Transcript(moves=moves, draw_wins=draw_wins))


def test_the_opening_is_the_rulesets_unless_the_transcript_says_another() -> None:
    moves = [[7, 7], [7, 8], [8, 8], {"take": "white"}, {"resign": 1}]
    swap = Contest(opening="swap")
    found = of_transcript("gomoku-cfp", swap, WIN_OR_LOSS, Results(), Transcript(moves=moves))
    assert (found.winner, found.reason, found.decided_at) == (0, "resignation", 4)
    assert found.scores == found.points == (1, 0)
    with pytest.raises(Faulty, match="Move 2"):
        of_transcript("gomoku-cfp", swap, WIN_OR_LOSS, Results(), Transcript(moves=moves, opening="pro"))
    with pytest.raises(Faulty) as error:
        of_transcript("gomoku-cfp", Contest(), WIN_OR_LOSS, Results(), Transcript(moves=moves))
    assert error.value.faults[0].pointer == "/opening"


def test_a_duel_is_worth_what_the_boards_of_its_match_say() -> None:
    boards = Results(endings={"played": Ending(title="Played", scores=DUELS)})
    duel = Transcript(moves=[{"resign": 0}], opening="swap1")
    assert of_transcript("gomoku-pisqworky", Contest(), MATCH, boards, duel).scores == (1, 5)
    assert of_transcript("gomoku-pisqworky", Contest(), MATCH, Results(), duel).scores == (0, 2)


def test_a_game_of_othello_gives_its_discs_and_points() -> None:
    found = othello(WIPED_OUT)
    assert (found.winner, found.decided_at, found.board) == (0, 8, (13, 0))
    assert (found.scores, found.points) == ((64, 0), (1, 0))


def test_a_game_that_goes_on_gives_nothing_yet() -> None:
    found = othello(WIPED_OUT[:-1])
    assert (found.winner, found.scores, found.points, found.reason) == (None,) * 4
    assert found.board == (7, 5)


def test_where_a_draw_wins_the_points_stay_halves() -> None:
    moves = DRAWN.split()
    assert othello(moves).winner == "draw"
    found = othello(moves, draw_wins=1)
    assert (found.winner, found.scores) == (1, (32, 32))
    assert found.points == (Fraction(1, 2), Fraction(1, 2))


def test_not_every_game_has_transcripts() -> None:
    with pytest.raises(Faulty) as error:
        of_transcript("scrabble", Contest(), DISCS, Results(), Transcript(moves=[]))
    assert error.value.faults[0].pointer == "/moves"
