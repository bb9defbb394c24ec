"""Who is there in a round: whoever is in the stage, has come, has not left, and is neither absent nor rests on request."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from services.pairing.engines.paired_round import NoPairing, named
from shared.tournament.facts import Absence, Entrant, Facts
from shared.tournament.progression import opening
from shared.tournament.stages import begun, field_of, left_before
from shared.values import Value


class RoundAttendance(Value):
    present: tuple[Entrant, ...]
    requested_byes: Mapping[str, Fraction]
    missing: tuple[str, ...]


def attendance_in(facts: Facts, stage: str, number: int) -> RoundAttendance:
    here = who_is_in(facts, stage, number)
    away = {one.id: Absence(entrant=one.id, stage=stage, round=number) for one in here}
    absent = {entrant: facts.absences[absence] for entrant, absence in away.items() if absence in facts.absences}
    return RoundAttendance(
        present=tuple(one for one in here if one.id not in absent),
        requested_byes={entrant: points for entrant, points in sorted(absent.items()) if points is not None},
        missing=tuple(sorted(entrant for entrant, points in absent.items() if points is None)),
    )


def nobody(number: int) -> str:
    return f"Nobody is there to be paired in round {number}."


def who_is_in(facts: Facts, stage: str, number: int) -> list[Entrant]:
    """Who has come, and has not left. The round from which on somebody is there is one of the first stage that is known."""
    gone = left_before(facts, stage, number)
    is_later_stage = any(one.stage != stage for one in facts.rounds.values())
    there = (one for one in field_of(facts, stage).values() if one.id not in gone)
    return [one for one in there if is_later_stage or one.from_round <= number]


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
