"""What a pairing would cost if two certain entrants met, or did not."""

from dataclasses import dataclass

from services.pairing.engines import cost_swiss, obstacle
from services.pairing.engines.cost_swiss import Choice, CostSwiss
from services.pairing.engines.drawn_groups import is_drawn
from services.pairing.engines.explaining import COMPONENTS
from services.pairing.engines.field import field_of_next_round
from services.pairing.engines.laying_out import METHOD, laid_out
from services.pairing.engines.plan import EntrantUnknown, Lots, NotAvailable, Pairing
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Alternative:
    """The best pairing in which they meet, or do not if the best one has them meet; none if the rules allow none."""

    would_meet: bool
    pairing: Pairing | None
    best: Pairing
    sentence: str


def alternative(facts: Facts, stage: str, one: str, other: str, *, lots: Lots) -> Alternative:
    """Against the best pairing: with this pair if that does not have it, otherwise without it."""
    if (system := settings_of(facts, stage).pairing.system) != METHOD:
        raise NotAvailable(
            f"Only a cost Swiss has alternatives that can be compared: this stage is paired by {system}."
        )
    field = field_of_next_round(facts, stage, lots=lots)
    if is_drawn(field):
        raise NotAvailable("The first round is drawn by lot: no pairing costs more or less than another.")
    if unknown := [entrant for entrant in (one, other) if entrant not in field.by_id]:
        raise EntrantUnknown(f"{unknown[0]} is not among those who are to be paired in round {field.round}.")
    best = cost_swiss.pair(field)
    two = frozenset((one, other))
    would_meet = not any(two == frozenset(pair.seats) for pair in best.pairs)
    found = None
    if not would_meet or field.may_meet(field.by_id[one], field.by_id[other]):
        found = CostSwiss(field).find(Choice(together=two) if would_meet else Choice(apart=two))
    if found is None:
        how = "meet" if would_meet else "do not meet"
        why = obstacle.why_not(field, one, other) if would_meet else "nobody else is left for them"
        sentence = f"No pairing is left in which {one} and {other} {how}: {why}."
        return Alternative(would_meet=would_meet, pairing=None, best=best, sentence=sentence)
    pairing = laid_out(field, found)
    how = "If they met" if would_meet else "If they did not meet"
    sentence = compared(pairing, best, how, is_bye_chosen_first=field.settings.pairing.bye != "matched")
    return Alternative(would_meet=would_meet, pairing=pairing, best=best, sentence=sentence)


def compared(pairing: Pairing, best: Pairing, how: str, *, is_bye_chosen_first: bool) -> str:
    if pairing.byes != best.byes and is_bye_chosen_first:
        return f"{how}, {pairing.byes[0]} would have the bye instead of {best.byes[0]}."
    costs = zip(best.components, pairing.cost or (), best.cost or (), strict=True)
    for name, there, here in costs:
        if there != here and name != "lot":
            return f"{how}, the {COMPONENTS[name]} would be {there} instead of {here}."
    return f"{how}, it would cost the same: the lot has decided."
