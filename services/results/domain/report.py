"""What somebody says that happened at a table, and what follows from it by the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.numbers import Number
from shared.values import Value

DRAW = "draw"
DUELS = ("duel1", "duel2")  # by which a drawn match can be decided
LOT = "lot"


class Speaker(Value):
    """Who speaks. A captain speaks for one entrant; officials and scorers for nobody."""

    person: str
    entrant: str | None = None
    vouched_by: str | None = None  # a captain: who issued their token, if they could not decide the result themselves

    @property
    def voice(self) -> str:
        """All who speak for one entrant have one voice."""
        return self.person if self.entrant is None else f"for {self.entrant}"


class Turn(Value):
    """A turn that the sheet has a place for."""

    seat: int
    points: int


class Details(Value):
    """What else stands on the sheet. Reports that differ only here agree."""

    flags: tuple[int, ...] = ()  # seats whose clock ran out
    highest_turn: Turn | None = None
    bingos: tuple[Turn, ...] = ()
    said: Mapping[str, Any] = msgspec.field(
        default_factory=dict[str, Any]
    )  # what the result follows from, where it hides it


NO_DETAILS = Details()


class Result(Value):
    """What counts: scores and points seat by seat, and how the game ended."""

    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"
    by: tuple[int, ...] = ()  # the seats at fault
    first: str | None = None  # the entrant who really started, where somebody has said it
    deciding: tuple[int | str, ...] = ()  # of a drawn match: the seat that won each deciding duel, or a draw
    winner: str | None = None  # the entrant who goes on from a drawn match
    decided_by: str | None = None
    draw_wins: str | None = None  # the entrant for whom a draw counts as a win
    unmoved: tuple[int, ...] | None = None  # seats that have not made a move, where somebody has said it

    @property
    def is_drawn(self) -> bool:
        return len(self.points) > 1 and len(set(self.points)) == 1

    def agrees_with(self, other: "Result") -> bool:
        """The same outcome. Who says nothing of who started or moved does not contradict."""
        return (
            (self.scores, self.points, self.end, self.by, self.deciding)
            == (other.scores, other.points, other.end, other.by, other.deciding)
            and not differ(self.first, other.first)
            and not differ(self.draw_wins, other.draw_wins)
            and not differ(self.unmoved, other.unmoved)
        )


def differ(one: object, other: object) -> bool:
    """Whether both were said, and are not the same."""
    return one is not None and other is not None and one != other


class Report(Value):
    """One person's report, kept as long as that person stands by it."""

    number: int  # 1, 2, 3 … on this sheet; no number is used again
    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS


def all_agree(reports: Sequence[Report]) -> bool:
    return all(one.result.agrees_with(other.result) for n, one in enumerate(reports) for other in reports[n + 1 :])


def merged(reports: Sequence[Report]) -> Result:
    """The result of reports that agree: what only some have said of it is as they have said it."""
    if len(reports) == 1:
        return reports[0].result
    results = [report.result for report in reports]

    def said(name: str) -> Any:
        return next((found for one in results if (found := getattr(one, name)) is not None), None)

    return replace(results[0], first=said("first"), draw_wins=said("draw_wins"), unmoved=said("unmoved"))
