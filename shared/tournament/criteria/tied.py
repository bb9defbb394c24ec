"""Criteria that only those have who are tied: their own meeting, a duel, a lot."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from shared.tournament.criteria.kinds import AmongTied, ByMatches, BySettlement
from shared.tournament.facts import Facts, Settled
from shared.tournament.ledger import Ledger

TWO = 2
NOBODY: Mapping[str, Fraction] = {}


def head_to_head(ledger: Ledger, tied: Sequence[str]) -> Mapping[str, Fraction]:
    """Of exactly two who have met: who got more points against the other."""
    if len(tied) != TWO:
        return {}
    one, other = tied
    meetings = [turn.points for turn in ledger.turns[one] if other in turn.opponents]
    answers = [turn.points for turn in ledger.turns[other] if one in turn.opponents]
    if not meetings:
        return {}
    lead = sum(meetings) - sum(answers)
    value = Fraction(1) if lead > 0 else Fraction(0) if lead < 0 else Fraction(1, 2)
    return {one: value, other: 1 - value}


def settled(decisions: Sequence[Settled], tied: Sequence[str]) -> Mapping[str, Fraction]:
    """The positions of the tied in the last decision that separates them; none while there is no such decision.

    Those whom it leaves equal may be separated by another.
    """
    for decision in reversed(decisions):
        positions = positions_in(decision)
        if not positions.keys() >= set(tied) or len({positions[one] for one in tied}) == 1:
            continue
        found: dict[str, Fraction] = {}
        for position in {positions[one] for one in tied}:
            equal = [one for one in tied if positions[one] == position]
            further = settled(decisions, equal) if len(equal) > 1 else NOBODY
            least = min(further.values(), default=Fraction(0))
            found |= {one: position + further.get(one, least) - least for one in equal}
        return found
    return {}


def decisions_of(facts: Facts, stage: str, kind: str) -> Sequence[Settled]:
    return [one for one in facts.settled if one.stage == stage and one.kind == kind]


def covered(decision: Settled) -> frozenset[str]:
    return frozenset(one for equal in decision.order for one in equal)


def positions_in(decision: Settled) -> Mapping[str, Fraction]:
    """From 1; those who stay equal share the first position of theirs."""
    found: dict[str, Fraction] = {}
    for equal in decision.order:
        found |= dict.fromkeys(equal, Fraction(len(found) + 1))
    return found


TIED = (
    AmongTied(name="head_to_head", title="their own meeting", measure=head_to_head),
    BySettlement(name="lot", title="lot"),
    BySettlement(name="duel", title="duel"),
    ByMatches(name="bracket", title="the matches"),
)
