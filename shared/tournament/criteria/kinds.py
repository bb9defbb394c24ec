"""What a criterion is: a name, which value is better, how it is measured, and of what its values are made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from shared.tournament.ledger import Ledger

type Best = Literal["highest", "lowest"]
type Unit = Literal["points", "products", "whole"]  # of a measured number: units, units times units, or just a number


@dataclass(frozen=True, kw_only=True, slots=True)
class Addend:
    """One part of a value: from a round, an opponent, a penalty. What is cut is shown, and does not count."""

    value: Fraction
    what: str  # game, bye, requested-bye, missing, away, void, carried, penalty, cut …
    round: int | None = None
    opponent: str | None = None
    counted: bool = True
    why: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Everybody has a value, whoever else is tied."""

    name: str
    title: str
    best: Best = "highest"
    unit: Unit = "points"
    measure: Callable[[Ledger], Mapping[str, int]]
    addends: Callable[[Ledger, str], tuple[Addend, ...]]

    def exact(self, ledger: Ledger, number: int) -> Fraction:
        match self.unit:
            case "points":
                return ledger.exact(number)
            case "products":
                return ledger.exact(number, square=True)
            case "whole":
                return Fraction(number)


@dataclass(frozen=True, kw_only=True, slots=True)
class AmongTied:
    """A value that those have who are tied so far; none where it cannot separate them."""

    name: str
    title: str
    best: Best = "highest"
    measure: Callable[[Ledger, Sequence[str]], Mapping[str, Fraction]]


@dataclass(frozen=True, kw_only=True, slots=True)
class BySettlement:
    """The world decides: a lot that is drawn, a duel that is played."""

    name: Literal["lot", "duel"]
    title: str


type Criterion = Measured | AmongTied | BySettlement
