"""What if two certain entrants met, or did not: the best pairing of that kind, and what it would cost.

A cost Swiss looks for it among all pairings. A median Swiss goes through its steps once more as if the two, or each of
them and all others, must not meet; tables look for some at which the two sit apart, or together. Where a plan or a lot
says who meets whom there is nothing to compare.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from services.pairing.engines import cost_swiss, median_swiss, obstacle, tables
from services.pairing.engines.cost_swiss import Choice, CostSwiss
from services.pairing.engines.drawn_groups import is_drawn
from services.pairing.engines.explaining import COMPONENTS, LATER_ROUNDS
from services.pairing.engines.field import Engine, Field, field_of_next_round
from services.pairing.engines.laying_out import laid_out
from services.pairing.engines.opening import ready
from services.pairing.engines.plan import EntrantUnknown, Lots, NoPairing, NotAvailable, Pairing
from shared.rulesets.meeting import System
from shared.tournament.facts import Ban, Facts
from shared.tournament.stages import settings_of

COUNTED = COMPONENTS | {
    "threes": "further times at a table of three",
    "spread": "differences of points at the tables, doubled and squared",
}
COMPARED: Mapping[System, Engine] = {
    "cost-swiss": cost_swiss.pair,
    "median-swiss": median_swiss.pair,
    "tables": tables.pair,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Alternative:
    """The best pairing in which they meet, or do not if the best one has them meet; none if the rules allow none."""

    would_meet: bool
    pairing: Pairing | None
    best: Pairing
    sentence: str


def alternative(facts: Facts, stage: str, one: str, other: str, *, lots: Lots) -> Alternative:
    """Against the best pairing: with this pair if that does not have it, otherwise without it."""
    known = ready(facts, stage, lots=lots)
    pair = COMPARED.get(system := settings_of(known, stage).pairing.system)
    if pair is None:
        raise NotAvailable(f"Stage {stage} is paired by {system}: its plan says who meets whom, and there is no other.")
    field = field_of_next_round(known, stage, lots=lots)
    if is_drawn(field) or (field.round == 1 and system == "tables"):
        raise NotAvailable("The first round is drawn by lot: no pairing costs more or less than another.")
    if unknown := [entrant for entrant in (one, other) if entrant not in field.by_id]:
        raise EntrantUnknown(f"{unknown[0]} is not among those who are to be paired in round {field.round}.")
    best = pair(field)
    two = frozenset((one, other))
    would_meet = not any(two.issubset(seated.seats) for seated in best.pairs)
    pairing = None
    if not would_meet or field.may_meet(field.by_id[one], field.by_id[other]):
        if system == "cost-swiss":
            pairing = of_cost_swiss(field, two, would_meet=would_meet)
        elif system == "tables" and would_meet:
            pairing = at_one_table(field, two)
        else:
            pairing = by_bans(pair, field, two, would_meet=would_meet)
    if pairing is None:
        how = "meet" if would_meet else "do not meet"
        why = obstacle.why_not(field, one, other) if would_meet else "nobody else is left for them"
        sentence = f"No pairing is left in which {one} and {other} {how}: {why}."
        return Alternative(would_meet=would_meet, pairing=None, best=best, sentence=sentence)
    how = "If they met" if would_meet else "If they did not meet"
    sentence = compared(pairing, best, how, is_bye_chosen_first=field.settings.pairing.bye != "matched")
    worse = [said for said in pairing.explanation if said.startswith(LATER_ROUNDS) and said not in best.explanation]
    return Alternative(would_meet=would_meet, pairing=pairing, best=best, sentence=" ".join([sentence, *worse]))


def of_cost_swiss(field: Field, two: frozenset[str], *, would_meet: bool) -> Pairing | None:
    found = CostSwiss(field).find(Choice(together=two) if would_meet else Choice(apart=two))
    return found and laid_out(field, found)


def at_one_table(field: Field, two: frozenset[str]) -> Pairing | None:
    try:
        return tables.pair(field, two)
    except NoPairing:
        return None


def by_bans(pair: Engine, field: Field, two: frozenset[str], *, would_meet: bool) -> Pairing | None:
    """Without what rests on bans that nobody has pronounced: the grounds table by table, and what is left for later."""
    bans = apart_from_others(field, two) if would_meet else [Ban(entrants=two)]
    banned = replace(field.facts, bans=(*field.facts.bans, *bans))
    try:
        found = pair(replace(field, facts=banned))
    except NoPairing:
        return None
    said = tuple(one for one in found.explanation if not one.startswith(LATER_ROUNDS))
    return replace(found, pairs=tuple(replace(one, why=()) for one in found.pairs), explanation=said)


def apart_from_others(field: Field, two: frozenset[str]) -> Iterable[Ban]:
    return (
        Ban(entrants=frozenset((one, player.id))) for one in two for player in field.players if player.id not in two
    )


def compared(pairing: Pairing, best: Pairing, how: str, *, is_bye_chosen_first: bool) -> str:
    if pairing.byes != best.byes and is_bye_chosen_first:
        return f"{how}, {pairing.byes[0]} would have the bye instead of {best.byes[0]}."
    if pairing.cost is None:
        others = {frozenset(one.seats) for one in pairing.pairs} - {frozenset(one.seats) for one in best.pairs}
        return (
            f"{how}, {len(others)} of the {len(best.pairs)} pairs would be others: these steps have no cost to compare."
        )
    costs = zip(best.components, pairing.cost, best.cost or (), strict=True)
    for name, there, here in costs:
        if there != here and name != "lot":
            return f"{how}, the {COUNTED[name]} would be {there} instead of {here}."
    return f"{how}, it would cost the same{': the lot has decided' if 'lot' in best.components else ''}."
