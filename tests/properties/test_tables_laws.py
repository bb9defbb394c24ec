"""What holds for tables of four and three, whatever has happened before."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.tournament.facts import Facts
from shared.tournament.ledger import ledger_of
from tests.carcassonne import (
    QUALIFICATION,
    after,
    by_chance,
    meetings,
    next_tables,
    qualification,
    times_at_three,
)
from tests.exploring import tries

QUICK = settings(max_examples=tries(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(min_value=0, max_value=10**6)


@QUICK
@given(players=st.integers(6, 8), rounds=st.integers(1, 3), seed=SEEDS)
def test_no_other_tables_cost_less(players: int, rounds: int, seed: int) -> None:
    """Held against all of them, in the last round."""
    known = after(qualification(players, rounds=rounds + 1), rounds, by_chance(seed))
    pairing = next_tables(known)
    every = [cost(known, tables) for tables in all_tables(sorted(known.entrants))]
    assert pairing.cost == min(every)
    assert pairing.proved
    assert cost(known, [one.seats for one in pairing.pairs]) == pairing.cost


def all_tables(players: Sequence[str]) -> Iterator[list[Sequence[str]]]:
    """As few threes as there can be."""

    def seatings(left: Sequence[str], fours: int, threes: int) -> Iterator[list[Sequence[str]]]:
        if not left:
            yield []
        for size in [4] * (fours > 0) + [3] * (threes > 0):
            for others in combinations(left[1:], size - 1):
                rest = [one for one in left[1:] if one not in others]
                for more in seatings(rest, fours - (size == 4), threes - (size == 3)):
                    yield [(left[0], *others), *more]

    threes = -len(players) % 4
    return seatings(players, (len(players) - 3 * threes) // 4, threes)


def cost(known: Facts, tables: Sequence[Sequence[str]]) -> tuple[int, int, int]:
    """Earlier meetings; times at three above the fewest; squares of the differences of points, doubled."""
    met, threes = meetings(known), times_at_three(known)
    ledger = ledger_of(known, QUALIFICATION)
    points = {one: int(2 * ledger.exact(units)) for one, units in ledger.own_points.items()}
    fewest = min(threes[one] for one in known.entrants)
    together = [two for table in tables for two in combinations(table, 2)]
    return (
        sum(met[frozenset(two)] for two in together),
        sum(threes[one] - fewest for table in tables if len(table) == 3 for one in table),
        sum((points[one] - points[other]) ** 2 for one, other in together),
    )
