"""Othello: which moves are legal, a transcript move by move (OT.D19), and how a game is adjudicated.

The discs that are written down are not always those on the board: the empty squares go to the winner, and a time default
has rules of its own.
"""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from msgspec.structs import replace
from pydantic import Field

from services.results.games.ending_accounts import AccountByMoves, IllegalMove, Side, unreadable
from services.results.games.endings import Pair, at_fault, derived, require_only, seated, usual
from services.results.games.verdict import GameVerdict, Outcome, UndecidedGame, Winner, ahead, both, require_none, unfit
from shared.faults import InputFault
from shared.rulesets.play import AsBye, Ending, ExtraTime, Filled, Fixed
from shared.rulesets.settings import Settings
from shared.values import Value

SIZE = 8
SQUARES = SIZE * SIZE
COLOURS = ("black", "white")  # seat 0 is black
DIRECTIONS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
NAME = re.compile(r"[a-h][1-8]", re.ASCII)

type Player = Literal[0, 1]
type Square = tuple[int, int]  # row and column, from the upper left corner


@dataclass(frozen=True, slots=True)
class OthelloPosition:
    discs: tuple[frozenset[Square], frozenset[Square]]  # seat by seat
    to_move: Player = 0

    def free(self, square: Square) -> bool:
        return square not in self.discs[0] and square not in self.discs[1]

    def turned(self, square: Square) -> frozenset[Square]:
        """The discs that a move of who is to move would turn: those that it encloses in every direction."""
        if not self.free(square):
            return frozenset()
        return frozenset(disc for direction in DIRECTIONS for disc in self.enclosed(square, direction))

    def enclosed(self, square: Square, direction: tuple[int, int]) -> list[Square]:
        own, others = self.discs[self.to_move], self.discs[across(self.to_move)]
        line: list[Square] = []
        reached = onwards(square, direction)
        while reached in others:
            line.append(reached)
            reached = onwards(reached, direction)
        return line if reached in own else []

    def legal(self) -> Iterator[Square]:
        return (square for square in ALL if self.turned(square))

    def can_move(self) -> bool:
        return any(True for _ in self.legal())

    def after(self, square: Square) -> "OthelloPosition":
        turned = self.turned(square)
        own = self.discs[self.to_move] | turned | {square}
        others = self.discs[across(self.to_move)] - turned
        discs = (own, others) if self.to_move == 0 else (others, own)
        return OthelloPosition(discs, across(self.to_move))

    def passed(self) -> "OthelloPosition":
        return dataclasses.replace(self, to_move=across(self.to_move))

    def over(self) -> bool:
        """Neither side has a move."""
        return not self.can_move() and not self.passed().can_move()

    def count(self) -> tuple[int, int]:
        return len(self.discs[0]), len(self.discs[1])


def across(seat: Player) -> Player:
    return 1 if seat == 0 else 0


def onwards(square: Square, direction: tuple[int, int]) -> Square:
    return square[0] + direction[0], square[1] + direction[1]


def named(name: str) -> Square:
    """Columns a to h from the left, rows 1 to 8 from the top."""
    return int(name[1]) - 1, ord(name[0]) - ord("a")


def name_of(square: Square) -> str:
    return f"{'abcdefgh'[square[1]]}{square[0] + 1}"


ALL: tuple[Square, ...] = tuple((row, column) for row in range(SIZE) for column in range(SIZE))
START = OthelloPosition((frozenset({named("e4"), named("d5")}), frozenset({named("d4"), named("e5")})))


type Discs = tuple[int, int]

HALF = SQUARES // 2
LEAST_DISCS = 4  # discs, of which none ever leaves the board


def filled(discs: Discs, *, winner: Player | None = None) -> Discs:
    """With the empty squares. Without a declared winner it is who has more discs; a draw is always 32:32."""
    if winner is None:
        if discs[0] == discs[1]:
            return HALF, HALF
        winner = 0 if discs[0] > discs[1] else 1
    lost = discs[across(winner)]
    return (SQUARES - lost, lost) if winner == 0 else (lost, SQUARES - lost)


def after_time(rule: ExtraTime, *, first: Player, second: Player | None = None, discs: Discs | None = None) -> Pair:
    """Seat `first` ran out of time and has lost; `second` ran out in the extra time, or else the game was finished."""
    winner = across(first)
    if second == first:
        won, lost = rule.again
    elif second == winner or discs is None:
        won, lost = rule.other
    else:
        won = max(Fraction(filled(discs, winner=winner)[winner]), rule.least)
        lost = SQUARES - won
    return seated(first, lost, won)


def disc_faults(discs: Discs) -> Iterator[InputFault]:
    if sum(discs) > SQUARES:
        yield InputFault("/discs", f"are {sum(discs)} on a board of {SQUARES} squares (OT.RES-1)")
    if sum(discs) < LEAST_DISCS:
        yield InputFault(
            "/discs", f"are {sum(discs)}: a game begins with {LEAST_DISCS}, and none leaves the board (OT.RES-1)"
        )


PASS = "pass"  # noqa: S105 - a move
RULE = "OT.X-4"  # the transcript leads to the position
FORM = 'should be a square such as "f5", or "pass"'


class OthelloJudgement(Value):
    """What follows from a transcript. While the game goes on there is no result."""

    explanation: str
    board: Discs  # as they stand, black first
    to_move: Player | None  # none: the game is over
    discs: Discs | None = None  # as they are written down, with the empty squares


def judge(moves: Sequence[object]) -> OthelloJudgement:
    """The moves are as JSON gives them. The first one that breaks a rule is refused with its index."""
    position = START
    for index, move in enumerate(read(moves)):
        position = after(position, index, move)
    return judgement(position)


def read(moves: Sequence[object]) -> list[str]:
    """All that have no form of a move are named at once."""
    found = [move for move in moves if isinstance(move, str) and (move == PASS or NAME.fullmatch(move))]
    if len(found) < len(moves):
        raise unreadable((index, FORM) for index, move in enumerate(moves) if move not in found)
    return found


def after(position: OthelloPosition, index: int, move: str) -> OthelloPosition:
    colour = COLOURS[position.to_move]
    if position.can_move():
        if move == PASS:
            raise IllegalMove(index, f"passes, but {colour} has a legal move", RULE)
        return laid(position, index, move)
    if position.passed().can_move():
        if move != PASS:
            raise IllegalMove(index, f'is {move}, but {colour} has no legal move and has to "pass"', RULE)
        return position.passed()
    raise IllegalMove(index, "comes after the end of the game: neither side can move", RULE)


def laid(position: OthelloPosition, index: int, move: str) -> OthelloPosition:
    square = named(move)
    if not position.free(square):
        raise IllegalMove(index, f"is {move}, which is occupied", RULE)
    if not position.turned(square):
        raise IllegalMove(index, f"is {move}, where {COLOURS[position.to_move]} turns no disc", RULE)
    return position.after(square)


def judgement(position: OthelloPosition) -> OthelloJudgement:
    board = position.count()
    if not position.over():
        colour = COLOURS[position.to_move]
        has_to = "is to move" if position.can_move() else "has to pass"
        return OthelloJudgement(
            explanation=f"The game goes on: {colour} {has_to}.", board=board, to_move=position.to_move
        )
    discs = filled(board)
    how = "it is drawn" if discs[0] == discs[1] else f"{COLOURS[0 if discs[0] > discs[1] else 1]} has won"
    why = f"Neither side can move: {board[0]} black and {board[1]} white discs, so {how}, {discs[0]}:{discs[1]}."
    return OthelloJudgement(explanation=why, board=board, to_move=None, discs=discs)


type Count = Annotated[int, Field(strict=True, ge=0, le=SQUARES)]


class OthelloGame(AccountByMoves):
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


def by_moves(holds: Settings, found: Ending, told: OthelloGame, judged: OthelloJudgement) -> Outcome:
    board = exact(judged.board)
    if judged.discs is None:
        missing = "What ends it is missing: the moves until neither side can move, or whose time ran out"
        limit = next((name for name, one in holds.results.endings.items() if isinstance(one.scores, ExtraTime)), None)
        how = "." if limit is None else f", told as `end` `{limit}`."
        return UndecidedGame(
            end=told.end, detail=f"{judged.explanation} {missing}{how}", to_move=judged.to_move, board=board
        )
    verdict = derived(holds.scoring, found, told, exact(judged.discs))
    return replace(
        verdict,
        winner=winner_by(verdict.scores, told.draw_wins),
        reason="no_moves",
        decided_at=len(told.moves or ()) - 1,
        board=board,
    )


def time_default(
    holds: Settings, found: Ending, told: OthelloGame, rule: ExtraTime, judged: OthelloJudgement | None = None
) -> GameVerdict:
    """Both played on only to find the discs (OT.RES-4); a transcript shows these moves too."""
    read: tuple[Player, Discs | None] = both(
        lambda: who_ran_out(found, told), lambda: finished(told) if judged is None else finished_in_moves(told, judged)
    )
    first, discs = read
    scores = after_time(rule, first=first, second=told.second, discs=discs)
    verdict = derived(holds.scoring, found, told, scores, (first,))
    if judged is None:
        return verdict
    return replace(verdict, winner=ahead(scores), reason="time", board=exact(judged.board))


def finished_in_moves(told: OthelloGame, judged: OthelloJudgement) -> Discs | None:
    """Whoever ran out again was to move where the transcript ends."""
    if judged.to_move == told.second:
        return judged.board if told.second is None else None
    if judged.to_move is None:
        raise unfit("/second", "ran out again, but the transcript shows the game to its end: leave it out (OT.RES-4)")
    if told.second is None:
        raise unfit("/moves", "break off: go on to the end, or say in `second` whose time ran out again (OT.RES-4)")
    raise unfit("/second", f"ran out again, but where the transcript ends seat {judged.to_move} is to move (OT.RES-4)")


def who_ran_out(found: Ending, told: OthelloGame) -> Player:
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
    if isinstance(outcome, UndecidedGame) or told.draw_wins is None:
        return outcome
    return replace(outcome, winner=winner_by(outcome.scores, told.draw_wins))


def winner_by(scores: tuple[Fraction, ...], draw_wins: Player | None) -> Winner:
    """A draw counts as a win for whoever has taken it (OT.RES-7)."""
    winner = ahead(scores)
    return draw_wins if winner == "draw" and draw_wins is not None else winner


def exact(discs: Discs) -> Pair:
    return Fraction(discs[0]), Fraction(discs[1])
