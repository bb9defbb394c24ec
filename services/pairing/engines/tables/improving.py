"""Tables made better, two players changing places at a time."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from services.pairing.engines.tables.costs import Costs, Table, Tables
from shared.tournament.table_sizes import THREE

NEAR = 12  # tables on each side with which one of similar points changes players in a large field
SMALL = 24  # tables of which every two change players
MOST_TRIED = 10_000  # pairs of tables that are looked at for what takes two changes

type Change = tuple[int, int, int]  # what it saves is below zero; the seats at both tables


def improved(tables: Tables, costs: Costs) -> list[list[int]]:
    """Until no single change of places makes it better."""
    seated = [list(table) for table in tables]
    settle(seated, costs, range(len(seated)))
    return seated


def thoroughly_improved(tables: Tables, costs: Costs) -> list[list[int]]:
    """Until no change of places makes it better, not even with what follows from it, as far as there is time for."""
    best = improved(tables, costs)
    if len(best) > SMALL:
        return best
    cost, tried = costs.of(best), 0
    changes = list(all_changes(best))
    number = 0
    while cost and number < len(changes) and tried < MOST_TRIED:
        one, other, seat, other_seat = changes[number]
        number += 1
        seated = [list(table) for table in best]
        change(seated[one], seated[other], seat, other_seat)
        tried += settle(seated, costs, (one, other))
        if (found := costs.of(seated)) < cost:
            best, cost, number = seated, found, 0
    return best


def settle(tables: list[list[int]], costs: Costs, changed: Sequence[int]) -> int:
    """Improves what has changed, and what changes by that. Counts how many pairs of tables were looked at."""
    tried = 0
    while changed:
        again: set[int] = set()
        for one, other in pairs_of(tables, costs, changed):
            tried += 1
            saved, seat, other_seat = best_change(tables[one], tables[other], costs)
            if saved < 0:
                change(tables[one], tables[other], seat, other_seat)
                again |= {one, other}
        changed = sorted(again)
    return tried


def pairs_of(tables: Tables, costs: Costs, changed: Sequence[int]) -> Iterator[tuple[int, int]]:
    """In a large field only neighbours, unless a table is in need."""
    if len(tables) <= SMALL:
        fresh = set(changed)
        yield from (
            (one, other) for one in changed for other in range(len(tables)) if one < other or other not in fresh
        )
        return
    for one in changed:
        near = range(max(one - NEAR, 0), min(one + NEAR + 1, len(tables)))
        yield from (
            (one, other) for other in (near if costs.is_similar(tables[one]) else range(len(tables))) if other != one
        )


def best_change(one: Table, other: Table, costs: Costs) -> Change:
    """Of a player of one table with a player of the other."""
    leaving = [what_a_move_costs(player, one, other, costs) for player in one]
    coming = [what_a_move_costs(player, other, one, costs) for player in other]
    best: Change = (0, 0, 0)
    for seat, (player, there) in enumerate(zip(one, leaving, strict=True)):
        together = costs.together[player]
        for other_seat, (opponent, here) in enumerate(zip(other, coming, strict=True)):
            saved = there + here - 2 * together[opponent]  # they do not meet each other
            if saved < best[0]:
                best = saved, seat, other_seat
    return best


def what_a_move_costs(player: int, here: Table, there: Table, costs: Costs) -> int:
    together = costs.together[player]
    cost = sum([together[other] for other in there]) - sum([together[other] for other in here])
    if len(here) != len(there):
        cost += costs.at_three[player] if len(there) == THREE else -costs.at_three[player]
    return cost


def change(one: list[int], other: list[int], seat: int, other_seat: int) -> None:
    one[seat], other[other_seat] = other[other_seat], one[seat]


def all_changes(tables: Tables) -> Iterator[tuple[int, int, int, int]]:
    """Those of near tables first: what is similar is near."""
    for one, other in sorted(combinations(range(len(tables)), 2), key=lambda two: two[1] - two[0]):
        for seat in range(len(tables[one])):
            yield from ((one, other, seat, other_seat) for other_seat in range(len(tables[other])))
