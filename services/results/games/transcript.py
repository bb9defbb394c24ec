"""A game as the list of its moves: what is wrong with one is told with the index of the move and the rule it breaks."""

from collections.abc import Iterable

from shared.faults import Fault, Faulty, at

MOVES = "moves"
SENTENCE = "This is no transcript: mend what errors name."


class IllegalMove(Faulty):
    """A transcript breaks the rules. What comes after such a move is not looked at.

    The detail goes on after 'it', the move.
    """

    def __init__(self, index: int, detail: str, rule: str) -> None:
        fault = Fault(at(MOVES, index), f"{detail} ({rule})")
        super().__init__(f"Move {index} of the transcript cannot have been played: it {detail} ({rule}).", [fault])
        self.index = index
        self.rule = rule


def unreadable(faults: Iterable[tuple[int, str]]) -> Faulty:
    """Moves that have not even the form of one, all at once."""
    return Faulty(SENTENCE, [Fault(at(MOVES, index), detail) for index, detail in faults])
