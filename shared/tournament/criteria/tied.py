"""Criteria that only those have who are tied: their own meeting, a duel, a lot, matches.

- head_to_head: of exactly two who are still tied and have played each other, 1 for who got more points against the other,
  0 for that one, ½ each where it was even (PQ.STA-1). 14:6 is 1 and 0; a match to which one side did not come is none.
- duel, lot: the position in what was played or drawn; asked for where nothing else decides (PQ.STA-1, OT.STA-1, CC.STA-1).
  Of C, A and B, who were drawn in this order, A has 2.
- bracket: the place reached, or still to be reached, in matches (PQ.STA-4, OT.STA-5). Who has lost the final: 2.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from shared.numbers import Exact, in_words
from shared.tournament.criteria.criterion import Addend, AmongTied, ByMatches, BySettlement
from shared.tournament.facts import Facts, Settlement
from shared.tournament.ledger import Ledger, RoundTurn

TWO = 2
NOBODY: Mapping[str, Fraction] = {}


def head_to_head(ledger: Ledger, tied: Sequence[str]) -> Mapping[str, Fraction]:
    """Of exactly two who have played each other: who got more points against the other."""
    if len(tied) != TWO:
        return {}
    one, other = tied
    meetings, answers = meetings_of(ledger, one, other), meetings_of(ledger, other, one)
    if not meetings:
        return {}
    lead = sum(turn.points for turn in meetings) - sum(turn.points for turn in answers)
    value = Fraction(1) if lead > 0 else Fraction(0) if lead < 0 else Fraction(1, 2)
    return {one: value, other: 1 - value}


def meetings_of(ledger: Ledger, one: str, other: str) -> Sequence[RoundTurn]:
    """As the one of them has played them."""
    return [turn for turn in ledger.turns[one] if other in turn.opponents and turn.was_begun]


def meeting_addends(ledger: Ledger, one: str, equal: Sequence[str], value: Exact) -> tuple[Addend, ...]:
    """How the two met, as one addend, since all their games together are won, drawn or lost."""
    return tuple(
        Addend(
            value=value,
            what="game",
            round=meetings[0].round if len(meetings) == 1 else None,
            opponent=other,
            why=f"{points_in(ledger, meetings)} to {points_in(ledger, meetings_of(ledger, other, one))} points",
        )
        for other in equal
        if (meetings := meetings_of(ledger, one, other))
    )


def points_in(ledger: Ledger, turns: Iterable[RoundTurn]) -> str:
    return in_words(ledger.exact(sum(turn.points for turn in turns)))


def settled(decisions: Sequence[Settlement], tied: Sequence[str]) -> Mapping[str, Fraction]:
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
            above = {one: sum(other < further[one] for other in further.values()) for one in further}
            found |= {one: position + above.get(one, 0) for one in equal}
        return found
    return {}


def decisions_of(facts: Facts, stage: str, kind: str) -> Sequence[Settlement]:
    return [one for one in facts.settled if one.stage == stage and one.kind == kind]


def covered(decision: Settlement) -> frozenset[str]:
    return frozenset(one for equal in decision.order for one in equal)


def positions_in(decision: Settlement) -> Mapping[str, Fraction]:
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
