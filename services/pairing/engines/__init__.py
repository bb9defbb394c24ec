"""Pairing engines: pure functions from what is known of a tournament to its next round.

A ruleset chooses an engine by the name of its system.
"""

from collections.abc import Callable, Mapping

from services.pairing.engines import cost_swiss, median_swiss, round_robin
from services.pairing.engines.alternatives import Alternative, alternative
from services.pairing.engines.checking import check
from services.pairing.engines.field import Field, field_of_next_round
from services.pairing.engines.plan import (
    Breach,
    EntrantUnknown,
    Lots,
    NoPairing,
    NotAvailable,
    Pair,
    Pairing,
    RoundNotOver,
    StageOver,
)
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of

__all__ = [
    "Alternative",
    "Breach",
    "EntrantUnknown",
    "Lots",
    "NoPairing",
    "NotAvailable",
    "Pair",
    "Pairing",
    "RoundNotOver",
    "StageOver",
    "alternative",
    "check",
    "pair",
]

type Engine = Callable[[Field], Pairing]

ENGINES: Mapping[str, Engine] = {
    "cost-swiss": cost_swiss.pair,
    "median-swiss": median_swiss.pair,
    "round-robin": round_robin.pair,
    "double-round-robin": round_robin.pair,
}


def pair(facts: Facts, stage: str, *, lots: Lots) -> Pairing:
    """The next round of a stage, or a refusal that names what is in its way."""
    system = settings_of(facts, stage).pairing.system
    engine = ENGINES.get(system)
    if engine is None:
        raise NotAvailable(
            f"This version cannot pair by {system} yet. It pairs by {', '.join(ENGINES)}: the option pairing.system "
            "chooses one of them."
        )
    return engine(field_of_next_round(facts, stage, lots=lots))
