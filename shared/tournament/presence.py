"""Who is not there in a round, as registration has said."""

from collections.abc import Set as AbstractSet

from shared.tournament.facts import Facts


def gone(facts: Facts, stage: str, number: int) -> AbstractSet[str]:
    """Entrants who had left before this round."""
    if not facts.left:
        return frozenset()
    order = [known.id for known in facts.ruleset.stages]
    place = order.index(stage), number
    return {
        entrant
        for entrant, one in facts.left.items()
        if (order.index(one.stage) if one.stage in order else 0, one.after_round + 1) <= place
    }


def away(facts: Facts, stage: str, number: int) -> AbstractSet[str]:
    """They, and who misses just this round without points for it."""
    absent = {
        absence.entrant
        for absence, points in facts.absences.items()
        if points is None and (absence.stage, absence.round) == (stage, number)
    }
    return absent | gone(facts, stage, number)
