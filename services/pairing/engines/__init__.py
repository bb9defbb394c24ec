"""Pairing engines: pure functions from what is known of a tournament to its next round.

A ruleset chooses an engine by the name of its system.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from services.pairing.engines import first_named, groups, knockout, median_swiss, round_robin, swiss, tables
from services.pairing.engines.alternatives import Alternative, alternative
from services.pairing.engines.attendance import attendance_in, nobody, opened
from services.pairing.engines.breaches import Breach, check, in_any_order
from services.pairing.engines.field import Engine, field_of_next_round, opened_with_groups
from services.pairing.engines.history import first_in
from services.pairing.engines.paired_round import (
    DrawLots,
    EntrantUnknown,
    NoPairing,
    NotAvailable,
    PairedRound,
    RoundNotOver,
    StageOver,
)
from shared.rulesets import timetable
from shared.rulesets.pairing_and_standings import System
from shared.rulesets.settings import Settings
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of

__all__ = [
    "Alternative",
    "Breach",
    "DrawLots",
    "EntrantUnknown",
    "NoPairing",
    "NotAvailable",
    "PairedRound",
    "RoundNotOver",
    "StageOver",
    "alternative",
    "check",
    "draws_lots",
    "evens_out_roles",
    "nobody_to_pair",
    "pair",
    "without_pairing",
]

ENGINES: Mapping[System, Engine] = {
    "cost-swiss": swiss.pair,
    "groups": groups.pair,
    "knockout": knockout.pair,
    "median-swiss": median_swiss.pair,
    "round-robin": round_robin.pair,
    "double-round-robin": round_robin.pair,
    "tables": tables.pair,
}


def pair(facts: Facts, stage: str, *, lots: DrawLots) -> PairedRound:
    """The next round of a stage, or a refusal that names what is in its way."""
    made = paired(facts, stage, lots=lots)
    beside = (*not_told_who_was_first(facts, stage, made.round), *planned_start(facts, stage, made.round))
    return replace(made, explanation=(*made.explanation, *beside))


def paired(facts: Facts, stage: str, *, lots: DrawLots) -> PairedRound:
    if knockout.goes_by_places(facts, stage):
        return knockout.pair_by_places(facts, stage, lots=lots)
    known = opened_with_groups(facts, stage, lots=lots)
    return ENGINES[settings_of(known, stage).pairing.system](field_of_next_round(known, stage, lots=lots))


def nobody_to_pair(facts: Facts, stage: str, number: int) -> str | None:
    """Why nobody can be paired in a round, if nobody is there. What is planned ahead goes on without them."""
    settings = settings_of(facts, stage)
    is_swiss = settings.pairing.system in {"cost-swiss", "median-swiss"}
    if settings.rounds == 0 or (is_swiss and not attendance_in(opened(facts, stage), stage, number).present):
        return nobody(number)
    return None


def draws_lots(facts: Facts, stage: str) -> bool:
    """Whether the next round needs a lot. Which, nobody learns."""
    drawn: list[str] = []

    def noted(purpose: str, identities: Iterable[str]) -> list[str]:
        drawn.append(purpose)
        return in_any_order(purpose, identities)

    try:
        if knockout.goes_by_places(facts, stage):
            knockout.with_lots(facts, stage, noted)
        else:
            field_of_next_round(opened_with_groups(facts, stage, lots=noted), stage, lots=noted)
    except NoPairing:
        return False
    return bool(drawn)


def without_pairing(facts: Facts, stage: str) -> PairedRound | None:
    """Where the rules leave none: everybody who is there, at no table yet, for officials to make the round by hand."""
    try:
        paired(facts, stage, lots=in_any_order)
    except NoPairing as refused:
        field = field_of_next_round(opened_with_groups(facts, stage, lots=in_any_order), stage, lots=in_any_order)
        return PairedRound(
            round=field.round,
            method="by hand",
            pairs=(),
            byes=tuple(player.id for player in field.players),
            requested_byes=field.attendance.requested_byes,
            missing=field.attendance.missing,
            explanation=(str(refused), "So the round was made by hand."),
        )
    return None


def not_told_who_was_first(facts: Facts, stage: str, number: int) -> Iterator[str]:
    """A tournament file may leave it out, and then what has to be even cannot be evened out."""
    settings = settings_of(facts, stage)
    if not evens_out_roles(settings):
        return
    earlier = [one for (of, before), one in facts.rounds.items() if of == stage and before < number]
    games = [game for one in earlier for game in one.games if game.id not in facts.voided]
    untold = sum(first_in(facts, game, settings) is None for game in games)
    if untold:
        yield f"Of {untold} of {len(games)} games it is not told who was first: they count for nobody's balance of roles."


def evens_out_roles(settings: Settings) -> bool:
    match settings.pairing.system:
        case "cost-swiss":
            return settings.pairing.balance != "none"
        case "round-robin" | "double-round-robin":
            return settings.pairing.first_round.first in first_named.BY_TABLES
        case "median-swiss" | "groups" | "knockout" | "tables":
            return False


def planned_start(facts: Facts, stage: str, number: int) -> Iterator[str]:
    """When the round begins by the timetable of the rules, if that was made for so many rounds."""
    planned = timetable.planned_start(facts.ruleset, settings_of(facts, stage), stage, number)
    if planned is not None:
        at = f" at {planned.time}" if planned.time else ""
        yield f"By the timetable round {number} begins on day {planned.day}{at}."
