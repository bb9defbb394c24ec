"""Gomoku against a model of a few lines: whatever is played, and however it is changed, both say the same."""

from contextlib import suppress
from itertools import groupby
from random import Random
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from services.results.games.ending_accounts import IllegalMove
from services.results.games.gomoku.play import judge
from services.results.games.gomoku.profiles import CFP, PISQWORKY
from tests.exploring import tries

EXAMPLES = settings(max_examples=tries(300), deadline=None)
RANDOMS = st.integers(0, 2**64).map(Random)
GAMES = st.sampled_from(
    [(CFP, "swap"), (CFP, "swap2"), (CFP, "pro"), (PISQWORKY, "swap1"), (PISQWORKY, "swap2")],
)

NAMES = {"gomoku-cfp": ["black", "white"], "gomoku-pisqworky": ["cross", "nought"]}

type Json = Any
type Ending = tuple[Json, str | None, int | None]


class Broken(Exception):
    """The model refuses a move."""


class Model:
    """The rules in one place and in no order, with the board as rows of signs."""

    def __init__(self, game: str, opening: str) -> None:
        self.school = game == "gomoku-pisqworky"
        self.opening = opening
        self.names = NAMES[game]
        self.board = [["."] * 15 for _ in range(15)]
        self.laid: list[str] = []  # "0" for the first colour, "1" for the other
        self.seats = "01" if opening == "pro" else ""  # which colour each seat has
        self.offered: tuple[int, bool] | None = None  # by whom, and whether it is open
        self.ending: Ending = (None, None, None)
        self.late = ""  # "" going on, or what alone may come now

    def mover(self) -> int:
        if self.seats:
            blacks, whites = self.laid.count("0"), self.laid.count("1")
            if blacks != whites:
                colour = "0" if blacks < whites else "1"
            else:
                colour = {"0": "1", "1": "0"}[self.laid[-1]] if self.laid else "0"
            return self.seats.index(colour)
        return {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 0}[len(self.laid)]

    def play(self, index: int, move: Json) -> None:
        if isinstance(move, list):
            self.stone(index, cast("list[Json]", move))
            return
        words = cast("dict[str, Json]", move)
        if self.late and words.get("claim") != self.late:
            raise Broken
        kind = next(word for word in words if word != "by")
        getattr(self, kind)(index, words)

    def take(self, _: int, words: dict[str, Json]) -> None:
        colour = str(self.names.index(words["take"]))
        self.require(not self.seats and len(self.laid) in {3, 5} and words.get("by", self.mover()) == self.mover())
        self.answer_by_going_on()
        other = "1" if colour == "0" else "0"
        self.seats = colour + other if self.mover() == 0 else other + colour

    def offer(self, _: int, words: dict[str, Json]) -> None:
        self.require(words.get("by", self.mover()) == self.mover() and not (self.offered and self.offered[1]))
        self.offered = (self.mover(), True)

    def decline(self, _: int, words: dict[str, Json]) -> None:
        if self.offered is None or not self.offered[1] or words.get("by", 1 - self.offered[0]) == self.offered[0]:
            raise Broken
        self.require(words.get("by", 0) in {0, 1})
        self.offered = (self.offered[0], False)

    def accept(self, index: int, words: dict[str, Json]) -> None:
        self.decline(index, words)
        self.end("draw", "draw_agreed", index)

    def claim(self, index: int, words: dict[str, Json]) -> None:
        seat = words["by"]
        self.require(seat in {0, 1})
        if words["claim"] == "five":
            self.require(bool(self.seats) and self.five(self.seats[seat]))
            self.end(seat, "five_claimed", index)
        elif self.late:
            self.require(self.ending[0] != seat)
            self.end("draw", "draw_both_time", index)
        else:
            self.end(seat, "time", index)
            self.late = "time"

    def resign(self, index: int, words: dict[str, Json]) -> None:
        self.require(words["resign"] in {0, 1})
        self.end(1 - words["resign"], "resignation", index)

    @staticmethod
    def require(so: bool) -> None:  # noqa: FBT001 - it reads as a sentence
        if not so:
            raise Broken

    def end(self, winner: Json, reason: str, index: int) -> None:
        self.ending = (winner, reason, index)
        self.late = "nothing"

    def answer_by_going_on(self) -> None:
        if self.offered and self.offered[0] != self.mover():
            self.offered = (self.offered[0], False)

    def stone(self, index: int, move: list[Json]) -> None:
        row, column = int(move[0]), int(move[1])
        names = [str(name) for name in move[2:]]
        self.require(not self.late)
        count = len(self.laid)
        free = 0 <= row < 15 and 0 <= column < 15 and self.board[row][column] == "."
        colour = self.seats[self.mover()] if self.seats else str(count % 2)
        if not self.seats and self.school:
            self.require(bool(names))
            colour = str(self.names.index(names[0]))
            self.require(
                not (count == 2 and self.laid == [colour] * 2) and not (count == 4 and self.laid[-1] == colour)
            )
        may_lay = bool(self.seats) or count < 3 or (self.opening == "swap2" and count < 5)
        away = max(abs(row - 7), abs(column - 7))
        in_place = self.opening != "pro" or count > 2 or away in ({0}, {1}, {3, 4, 5, 6, 7})[count]
        self.require(free and may_lay and in_place and names in ([], [self.names[int(colour)]]))
        self.answer_by_going_on()
        self.board[row][column] = colour
        self.laid.append(colour)
        if len(self.laid) == 225:
            self.end("draw", "draw_full_board", index)
            self.late = "five"

    def five(self, colour: str) -> bool:
        rows = ["".join(row) for row in self.board]
        columns = ["".join(row[at] for row in self.board) for at in range(15)]
        slants = [
            "".join(self.board[row][at + sign * row] for row in range(15) if 0 <= at + sign * row < 15)
            for sign in (1, -1)
            for at in range(-14, 29)
        ]
        runs = (len(list(run)) for line in (*rows, *columns, *slants) for sign, run in groupby(line) if sign == colour)
        return any(run == 5 or (self.school and run > 5) for run in runs)


def random_move(random: Random, names: list[str], *, crowded: bool) -> Json:
    """Crowded stones make fives, and nothing else then ends the game."""
    if random.random() < (0.95 if crowded else 0.75):
        point = [random.randrange(6, 9) if crowded else random.randrange(-1, 16), random.randrange(15)]
        return [*point, random.choice(names)] if random.random() < 0.5 else point
    if crowded and random.random() < 0.7:
        return random.choice([{"take": random.choice(names)}, {"claim": "five", "by": random.choice([0, 1])}])
    by = {"by": random.choice([0, 1, 1, 0, 2])} if random.random() < 0.3 else {}
    return random.choice(
        [
            {"take": random.choice(names), **by},
            {"take": random.choice(names)},
            {"offer": "draw", **by},
            {"accept": "draw", **by},
            {"decline": "draw", **by},
            {"claim": "five", "by": random.choice([0, 1])},
            {"claim": "five", "by": random.choice([0, 1])},
            {"claim": "time", "by": random.choice([0, 1, 2])} if random.random() < 0.2 else {"offer": "draw"},
            {"resign": random.choice([0, 1, -1])} if random.random() < 0.2 else {"accept": "draw"},
        ]
    )


def replayed(game: str, opening: str, moves: list[Json]) -> tuple[int | None, Ending]:
    """The first move that the model refuses, and how the game stands without it and all behind it."""
    model = Model(game, opening)
    for index, move in enumerate(moves):
        try:
            model.play(index, move)
        except Broken:
            return index, model.ending
    return None, model.ending


def random_game(random: Random, game: str, opening: str) -> list[Json]:
    model = Model(game, opening)
    moves: list[Json] = []
    crowded = random.random() < 0.7
    for _ in range(random.choice([10, 60, 400])):
        move = random_move(random, NAMES[game], crowded=crowded)
        with suppress(Broken):  # which leaves the model as it was
            model.play(len(moves), move)
            moves.append(move)
    return moves


def judged(profile: Any, opening: str, moves: list[Json]) -> tuple[int | None, Ending]:
    try:
        found = judge(profile, opening, moves)
    except IllegalMove as error:
        before = judge(profile, opening, moves[: error.index])
        return error.index, (before.winner, before.reason, before.decided_at)
    return None, (found.winner, found.reason, found.decided_at)


@EXAMPLES
@given(GAMES, RANDOMS)
def test_every_legal_game_is_accepted_and_judged(game: Any, random: Random) -> None:
    profile, opening = game
    moves = random_game(random, profile.name, opening)
    assert judged(profile, opening, moves) == (None, replayed(profile.name, opening, moves)[1])


@EXAMPLES
@given(GAMES, RANDOMS)
def test_every_change_that_breaks_the_rules_is_found_where_it_does(game: Any, random: Random) -> None:
    profile, opening = game
    moves = random_game(random, profile.name, opening)
    at = random.randrange(len(moves) + 1)
    other = random_move(random, NAMES[profile.name], crowded=random.random() < 0.5)
    for changed in (
        [*moves[:at], other, *moves[at + 1 :]],
        [*moves[:at], other, *moves[at:]],
        [*moves[:at], *moves[at + 1 :]],
        [*moves[:at], *reversed(moves[at : at + 2]), *moves[at + 2 :]],
        [*moves, other],
    ):
        assert judged(profile, opening, changed) == replayed(profile.name, opening, changed)


@settings(max_examples=tries(5), deadline=None)
@given(st.sampled_from([(CFP, "swap"), (PISQWORKY, "swap1")]), RANDOMS)
def test_a_board_that_fills_up_is_drawn_or_won_by_a_claim(game: Any, random: Random) -> None:
    profile, opening = game
    points: list[Json] = [[row, column] for row in range(15) for column in range(15)]
    random.shuffle(points)
    first, second = profile.colours
    three = [[*point, colour] for point, colour in zip(points, (first, second, first), strict=False)]
    moves: list[Json] = [*three, {"take": second}, *points[3:]]
    for claim in ([], [{"claim": "five", "by": 0}], [{"claim": "five", "by": 1}], [{"resign": 0}]):
        changed = [*moves, *claim]
        assert judged(profile, opening, changed) == replayed(profile.name, opening, changed)
