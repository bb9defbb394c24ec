"""Pairing engines: pure functions from what is known of a tournament to its next round.

A ruleset chooses an engine by the name of its system.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from services.pairing.engines import cost_swiss, groups, knockout, median_swiss, play_off, round_robin, tables
from services.pairing.engines.alternatives import Alternative, alternative
from services.pairing.engines.checking import check
from services.pairing.engines.field import Engine, field_of_next_round
from services.pairing.engines.opening import ready
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
from shared.rulesets.meeting import System
from shared.rulesets.settings import stage_of
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

ENGINES: Mapping[System, Engine] = {
    "cost-swiss": cost_swiss.pair,
    "groups": groups.pair,
    "knockout": play_off.pair,
    "median-swiss": median_swiss.pair,
    "round-robin": round_robin.pair,
    "double-round-robin": round_robin.pair,
    "tables": tables.pair,
}


def pair(facts: Facts, stage: str, *, lots: Lots) -> Pairing:
    """The next round of a stage, or a refusal that names what is in its way."""
    made = paired(facts, stage, lots=lots)
    return replace(made, explanation=(*made.explanation, *planned_start(facts, stage, made.round)))


def paired(facts: Facts, stage: str, *, lots: Lots) -> Pairing:
    if knockout.goes_by_places(facts, stage):
        return knockout.pair(facts, stage, lots=lots)
    known = ready(facts, stage, lots=lots)
    return ENGINES[settings_of(known, stage).pairing.system](field_of_next_round(known, stage, lots=lots))


def planned_start(facts: Facts, stage: str, number: int) -> Iterator[str]:
    """By the timetable of the rules, if it was made for so many rounds."""
    timetable = stage_of(facts.ruleset, stage).timetable
    if len(timetable) == settings_of(facts, stage).rounds:
        planned = timetable[number - 1]
        yield f"By the timetable round {number} begins on day {planned.day} at {planned.time}."
