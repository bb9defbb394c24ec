"""Othello against a model of a few lines: whatever is played, and however it is changed, both say the same."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from services.results.games.ending_accounts import IllegalMove
from services.results.games.othello import filled, judge
from tests.exploring import tries

EXAMPLES = settings(max_examples=tries(80), deadline=None)
STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
SQUARES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
RANDOMS = st.integers(0, 2**64).map(Random)


class Model:
    """A board with a border, on which discs are turned in place."""

    def __init__(self) -> None:
        self.board = ["#" if at % 10 in {0, 9} or not 10 < at < 89 else "." for at in range(100)]
        for square, disc in (("d4", "O"), ("e5", "O"), ("d5", "X"), ("e4", "X")):
            self.board[self.at(square)] = disc
        self.mover = "X"

    @staticmethod
    def at(square: str) -> int:
        return 10 * int(square[1]) + " abcdefgh".index(square[0])

    def turns(self, start: int) -> list[int]:
        other = "XO".replace(self.mover, "")
        found: list[int] = []
        for step in STEPS:
            at = start + step
            while self.board[at] == other:
                at += step
            if self.board[at] == self.mover:
                found += range(start + step, at, step)
        return found if self.board[start] == "." else []

    def legal(self) -> list[str]:
        """Nothing: the game is over."""
        moves = [square for square in SQUARES if self.turns(self.at(square))]
        if moves:
            return moves
        self.mover = "XO".replace(self.mover, "")
        goes_on = any(self.turns(self.at(square)) for square in SQUARES)
        self.mover = "XO".replace(self.mover, "")
        return ["pass"] if goes_on else []

    def play(self, move: str) -> None:
        if move != "pass":
            for at in (self.at(move), *self.turns(self.at(move))):
                self.board[at] = self.mover
        self.mover = "XO".replace(self.mover, "")


def first_illegal(moves: list[str]) -> int | None:
    model = Model()
    for index, move in enumerate(moves):
        if move not in model.legal():
            return index
        model.play(move)
    return None


def random_game(random: Random) -> tuple[list[str], Model]:
    model = Model()
    moves: list[str] = []
    while legal := model.legal():
        moves.append(random.choice(legal))
        model.play(moves[-1])
    return moves, model


def refusal(moves: list[str]) -> int | None:
    try:
        judge(moves)
    except IllegalMove as error:
        return error.index
    return None


@EXAMPLES
@given(RANDOMS)
def test_every_legal_game_is_accepted_and_counted(random: Random) -> None:
    moves, model = random_game(random)
    judged = judge(moves)
    assert judged.board == (model.board.count("X"), model.board.count("O"))
    assert judged.to_move is None
    discs = filled(judged.board)
    assert judged.discs == discs
    assert sum(discs) == 64


@EXAMPLES
@given(RANDOMS)
def test_a_game_that_breaks_off_has_no_result(random: Random) -> None:
    moves, _ = random_game(random)
    broken_off = moves[: random.randrange(len(moves))]
    judged = judge(broken_off)
    assert judged.discs is None
    assert judged.to_move == (0 if len(broken_off) % 2 == 0 else 1)
    assert sum(judged.board) == 4 + sum(move != "pass" for move in broken_off)


@EXAMPLES
@given(RANDOMS)
def test_every_change_that_breaks_the_rules_is_found_where_it_does(random: Random) -> None:
    moves, _ = random_game(random)
    at = random.randrange(len(moves))
    other = random.choice([*SQUARES, "pass"])
    for changed in (
        [*moves[:at], other, *moves[at + 1 :]],
        [*moves[:at], other, *moves[at:]],
        [*moves[:at], *moves[at + 1 :]],
        [*moves[:at], *reversed(moves[at : at + 2]), *moves[at + 2 :]],
        [*moves, other],
    ):
        assert refusal(changed) == first_illegal(changed)
