"""What rounds without a game are in the criteria that look at opponents. Rulesets choose a regime by its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shared.tournament.ledger import Ledger, Turn


@dataclass(frozen=True, kw_only=True, slots=True)
class Regime:
    name: str
    own: Callable[[Ledger, str, Turn], int]  # what an entrant's own round without a game contributes, in units
    of_opponents: Callable[[Ledger], Mapping[str, int]]  # the points of everybody, as they count for opponents
    sentence: str  # what such a round is, for people


VIRTUAL_ZERO = Regime(
    name="virtual-zero",
    own=lambda _ledger, _entrant, _turn: 0,
    of_opponents=lambda ledger: ledger.played_points,
    sentence="a round without a game counts as an opponent with 0 points",
)

REGIMES: Mapping[str, Regime] = {regime.name: regime for regime in (VIRTUAL_ZERO,)}


def regime_of(ledger: Ledger) -> Regime:
    return REGIMES[ledger.settings.standings.unplayed]
