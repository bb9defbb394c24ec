"""The board of 64 squares: which moves are legal, and which discs they turn."""

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

SIZE = 8
SQUARES = SIZE * SIZE
COLOURS = ("black", "white")  # seat 0 is black
DIRECTIONS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
NAME = re.compile(r"[a-h][1-8]", re.ASCII)

type Seat = Literal[0, 1]
type Square = tuple[int, int]  # row and column, from the upper left corner


@dataclass(frozen=True, slots=True)
class Position:
    discs: tuple[frozenset[Square], frozenset[Square]]  # seat by seat
    to_move: Seat = 0

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

    def after(self, square: Square) -> "Position":
        turned = self.turned(square)
        own = self.discs[self.to_move] | turned | {square}
        others = self.discs[across(self.to_move)] - turned
        discs = (own, others) if self.to_move == 0 else (others, own)
        return Position(discs, across(self.to_move))

    def passed(self) -> "Position":
        return dataclasses.replace(self, to_move=across(self.to_move))

    def over(self) -> bool:
        """Neither side has a move."""
        return not self.can_move() and not self.passed().can_move()

    def count(self) -> tuple[int, int]:
        return len(self.discs[0]), len(self.discs[1])


def across(seat: Seat) -> Seat:
    return 1 if seat == 0 else 0


def onwards(square: Square, direction: tuple[int, int]) -> Square:
    return square[0] + direction[0], square[1] + direction[1]


def named(name: str) -> Square:
    """Columns a to h from the left, rows 1 to 8 from the top."""
    return int(name[1]) - 1, ord(name[0]) - ord("a")


def name_of(square: Square) -> str:
    return f"{'abcdefgh'[square[1]]}{square[0] + 1}"


ALL: tuple[Square, ...] = tuple((row, column) for row in range(SIZE) for column in range(SIZE))
START = Position((frozenset({named("e4"), named("d5")}), frozenset({named("d4"), named("e5")})))
