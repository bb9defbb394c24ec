"""What a stage begins with: those whom the order of an earlier one names, and the groups that they play in."""

from msgspec.structs import replace

from services.pairing.engines import groups
from services.pairing.engines.plan import Lots, NoPairing, named
from shared.tournament.facts import Facts
from shared.tournament.progression import opening
from shared.tournament.stages import begun, settings_of


def ready(facts: Facts, stage: str, *, lots: Lots) -> Facts:
    """The facts with everybody who is in the stage, and in which group."""
    known = opened(facts, stage)
    if settings_of(known, stage).pairing.system == groups.METHOD:
        return groups.with_groups(known, stage, lots)
    return known


def opened(facts: Facts, stage: str) -> Facts:
    """The facts with everybody who is in the stage, though none of it is played yet."""
    if begun(facts, stage):
        return facts
    found = opening(facts, stage)
    if found.not_held is not None:
        raise NoPairing(found.not_held)
    if found.awaits:
        waiting = "; ".join(f"{named(one.entrants)} for a {one.needs}" for one in found.awaits)
        entrants = tuple(entrant for one in found.awaits for entrant in one.entrants)
        raise NoPairing(f"Who goes on is not decided: equal are, and wait, {waiting}.", entrants=entrants)
    return replace(facts, fields={**facts.fields, stage: found.entrants})
