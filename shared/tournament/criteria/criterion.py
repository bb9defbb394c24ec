"""What a criterion is: a name, which value is better, how it is measured, and of what its values are made."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal

from shared.numbers import Exact
from shared.tournament.ledger import Ledger, Reach
from shared.values import Value

type BestValue = Literal["highest", "lowest"]


class Addend(Value):
    """One part of a value: from a round, an opponent, a penalty. What is cut is shown, and does not count."""

    value: Exact
    what: str  # game, bye, requested-bye, missing, away, void, carried, penalty, cut …
    round: int | None = None
    opponent: str | None = None
    counted: bool = True
    why: str | None = None


def per_point(ledger: Ledger) -> int:
    """Numbers are in units of the ledger."""
    return ledger.unit


def per_product(ledger: Ledger) -> int:
    """Products of two numbers are in square units."""
    return ledger.unit**2


def per_one(_: Ledger) -> int:
    """Numbers that only count something."""
    return 1


class Measured(Value):
    """Everybody has a value, whoever else is tied. It is a whole number, of which so many make one."""

    name: str
    title: str
    best: BestValue = "highest"
    per: Callable[[Ledger], int] = per_point
    reach: Reach = "own"
    measure: Callable[[Ledger, Iterable[str]], Mapping[str, int]]  # of these entrants
    addends: Callable[[Ledger, str], tuple[Addend, ...]]

    def of_everybody(self, ledger: Ledger) -> Mapping[str, int]:
        return ledger.measured(self.name, partial(self.measure, ledger), self.reach)


class AmongTied(Value):
    """A value that those have who are tied so far; none where it cannot separate them."""

    name: str
    title: str
    best: BestValue = "highest"
    measure: Callable[[Ledger, Sequence[str]], Mapping[str, Fraction]]


class BySettlement(Value):
    """The world decides: a lot that is drawn, a duel that is played."""

    name: Literal["lot", "duel"]
    title: str


class ByMatches(Value):
    """The matches of a bracket decide."""

    name: str
    title: str


type RegisteredCriterion = Measured | AmongTied | BySettlement | ByMatches
