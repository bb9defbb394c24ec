"""From the moves to the final discs (OT.D19)."""

from collections.abc import Sequence

from services.results.games.othello.board import COLOURS, NAME, START, Position, Seat, named
from services.results.games.othello.counting import Discs, filled
from services.results.games.transcript import IllegalMove, unreadable
from shared.values import Value

PASS = "pass"  # noqa: S105 - a move
RULE = "OT.X-4"  # the transcript leads to the position
FORM = 'should be a square such as "f5", or "pass"'


class Judgement(Value):
    """What follows from a transcript. While the game goes on there is no result."""

    explanation: str
    board: Discs  # as they stand, black first
    to_move: Seat | None  # none: the game is over
    discs: Discs | None = None  # as they are written down, with the empty squares


def judge(moves: Sequence[object]) -> Judgement:
    """The moves are as JSON gives them. The first one that breaks a rule is refused with its index."""
    position = START
    for index, move in enumerate(read(moves)):
        position = after(position, index, move)
    return verdict(position)


def read(moves: Sequence[object]) -> list[str]:
    """All that have no form of a move are named at once."""
    found = [move for move in moves if isinstance(move, str) and (move == PASS or NAME.fullmatch(move))]
    if len(found) < len(moves):
        raise unreadable((index, FORM) for index, move in enumerate(moves) if move not in found)
    return found


def after(position: Position, index: int, move: str) -> Position:
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


def laid(position: Position, index: int, move: str) -> Position:
    square = named(move)
    if not position.free(square):
        raise IllegalMove(index, f"is {move}, which is occupied", RULE)
    if not position.turned(square):
        raise IllegalMove(index, f"is {move}, where {COLOURS[position.to_move]} turns no disc", RULE)
    return position.after(square)


def verdict(position: Position) -> Judgement:
    board = position.count()
    if not position.over():
        colour = COLOURS[position.to_move]
        has_to = "is to move" if position.can_move() else "has to pass"
        return Judgement(explanation=f"The game goes on: {colour} {has_to}.", board=board, to_move=position.to_move)
    discs = filled(board)
    how = "it is drawn" if discs[0] == discs[1] else f"{COLOURS[0 if discs[0] > discs[1] else 1]} has won"
    why = f"Neither side can move: {board[0]} black and {board[1]} white discs, so {how}, {discs[0]}:{discs[1]}."
    return Judgement(explanation=why, board=board, to_move=None, discs=discs)
