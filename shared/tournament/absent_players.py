"""What becomes of who is not there in a round: nobody pairs them, and a game that they should play is lost by the rules.

Who has no game in a round scores what the rules give for a bye, or nothing. How much is said by a ruleset's `scoring` and
`results.when_away` (`shared/rulesets/play.py`); the ledger counts it, and results writes the lost games down.
"""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction

from shared.rulesets.play import Results, Scoring
from shared.tournament.facts import Facts, Round
from shared.tournament.stages import left_before

PAIR = 2  # seats of a game that is lost against somebody
NOTHING = Fraction(0)


def away_from(facts: Facts, stage: str, number: int) -> AbstractSet[str]:
    """Entrants who had left before this round, and who misses just this round without points for it."""
    absent = {
        absence.entrant
        for absence, points in facts.absences.items()
        if points is None and (absence.stage, absence.round) == (stage, number)
    }
    return absent | left_before(facts, stage, number)


def ending_without(rules: Results, seats: Sequence[str], absent: Collection[str]) -> tuple[str, int | None] | None:
    """How a game ends that is not begun since somebody is away, with the seat at fault if it is one; none: it is played."""
    match [seat for seat, entrant in enumerate(seats) if entrant in absent]:
        case [seat] if len(seats) == PAIR and rules.when_away is not None:
            return rules.when_away, seat
        case [_, _] if len(seats) == PAIR and rules.when_both_away is not None:
            return rules.when_both_away, None
        case _:
            return None


def points_without_game(scoring: Scoring, one: Round, entrant: str) -> Fraction:
    """What a round is worth to somebody who has no game in it: a bye, or one that was asked for, or nothing."""
    if entrant in one.byes:
        return {"full": scoring.win, "half": scoring.draw, "none": NOTHING}[scoring.bye]
    return one.requested_byes.get(entrant, NOTHING)
