"""What somebody says that happened at a table, and what follows from it by the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.exact import Number


@dataclass(frozen=True, kw_only=True, slots=True)
class Speaker:
    """Who speaks. A captain speaks for one entrant; officials and scorers for nobody."""

    person: str
    entrant: str | None = None

    @property
    def voice(self) -> str:
        """All who speak for one entrant have one voice."""
        return self.person if self.entrant is None else f"for {self.entrant}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A turn that the sheet has a place for."""

    seat: int
    points: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Details:
    """What else stands on the sheet. Reports that differ only here agree."""

    flags: tuple[int, ...] = ()  # seats whose clock ran out
    highest_turn: Turn | None = None
    bingos: tuple[Turn, ...] = ()


NO_DETAILS = Details()


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What counts: scores and points seat by seat, and how the game ended."""

    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"
    by: tuple[int, ...] = ()  # the seats at fault
    first: str | None = None  # the entrant who really started, where somebody has said it

    def agrees_with(self, other: "Result") -> bool:
        """The same outcome. Who says nothing of who started does not contradict."""
        same = (self.scores, self.points, self.end, self.by) == (other.scores, other.points, other.end, other.by)
        return same and (self.first is None or other.first is None or self.first == other.first)


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """One person's report, kept as long as that person stands by it."""

    number: int  # 1, 2, 3 … on this sheet; no number is used again
    by: Speaker
    result: Result
    signed_by: tuple[int, ...] = ()
    details: Details = NO_DETAILS


def all_agree(reports: Sequence[Report]) -> bool:
    return all(one.result.agrees_with(other.result) for n, one in enumerate(reports) for other in reports[n + 1 :])


def merged(reports: Sequence[Report]) -> Result:
    """The result of reports that agree: who started is as somebody has said it."""
    saying = next((report for report in reports if report.result.first is not None), reports[0])
    return saying.result
