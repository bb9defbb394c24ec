"""Pairing engines: pure functions from what is known of a tournament to its next round.

A ruleset chooses an engine by the name of its system.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from services.pairing.engines import cost_swiss, groups, knockout, median_swiss, play_off, round_robin, tables
from services.pairing.engines.alternatives import Alternative, alternative
from services.pairing.engines.checking import check, in_any_order
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
from shared.rulesets.pairing_and_standings import System
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
    "without_pairing",
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


def without_pairing(facts: Facts, stage: str) -> Pairing | None:
    """Where the rules leave none: everybody who is there, at no table yet, for officials to make the round by hand."""
    try:
        paired(facts, stage, lots=in_any_order)
    except NoPairing as refused:
        field = field_of_next_round(ready(facts, stage, lots=in_any_order), stage, lots=in_any_order)
        return Pairing(
            round=field.round,
            method="by hand",
            pairs=(),
            byes=tuple(player.id for player in field.players),
            requested_byes=field.attendance.requested_byes,
            missing=field.attendance.missing,
            explanation=(str(refused), "So the round was made by hand."),
        )
    return None


def planned_start(facts: Facts, stage: str, number: int) -> Iterator[str]:
    """By the timetable of the rules, if it was made for so many rounds."""
    timetable = stage_of(facts.ruleset, stage).timetable
    if len(timetable) == settings_of(facts, stage).rounds:
        planned = timetable[number - 1]
        at = f" at {planned.time}" if planned.time else ""
        yield f"By the timetable round {number} begins on day {planned.day}{at}."
