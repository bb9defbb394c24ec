"""What a pairing engine answers: a round to be played, or why there is none."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import msgspec

from services.pairing.domain.round_sheet import SeatedTable
from shared.refusals import Conflict, Invalid, NotFound
from shared.values import Value

type DrawLots = Callable[[str, Iterable[str]], list[str]]  # a purpose, and who is drawn: their order by lot


class PairedRound(Value):
    """A round. `cost` is what was minimised, most important first, under the names of `components`."""

    round: int
    method: str
    pairs: tuple[SeatedTable, ...]
    byes: tuple[str, ...] = ()
    requested_byes: Mapping[str, Fraction] = msgspec.field(default_factory=dict[str, Fraction])
    missing: tuple[str, ...] = ()
    explanation: tuple[str, ...] = ()
    cost: tuple[int, ...] | None = None
    components: tuple[str, ...] = ()
    proved: bool | None = None
    groups: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])  # by letter


class NoPairing(Conflict):
    """The rules leave no pairing: the message names the smallest obstacle, `entrants` those who are in it."""

    def __init__(self, sentence: str, *, entrants: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.entrants = entrants


class MatchNotDecided(Conflict):
    """A drawn match whose winner goes on has none yet."""


class GroupsUnusable(Invalid):
    """These groups are none that a play-off can go on from."""


class RoundNotOver(Conflict):
    """A game of an earlier round has no result yet."""


class StageOver(Conflict):
    """All rounds of the stage are paired."""


class NotAvailable(Invalid):
    """The ruleset is right, but asks for something that does not exist yet."""


class EntrantUnknown(NotFound):
    """Nobody of that id is to be paired in this round."""


def named(entrants: Iterable[str]) -> str:
    """`X, Y and Z`."""
    *several, last = entrants
    return f"{', '.join(several)} and {last}" if several else last
