"""How the tables of a round are found: laid in the order of the round, then made better, two players changing places at a time.

Rounds that can follow without a repeated meeting are in `outlook.py`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from msgspec.structs import replace

from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.tables.costs import Costs, TableMembers, TablesOfRound, costs_of, times_at_three
from services.pairing.engines.tables.outlook import Outlook, Patience, all_rounds, plan, plan_in_turn
from shared.tournament.table_sizes import THREE, Sizes
from shared.values import Value

EXACT_UP_TO = 12  # players of whom all tables are compared
ALL = 20_000  # tables are more than have to be tried for that
MOST_TABLES = 100  # more of them, and there will be strangers enough for all rounds
MOST_COMPARED = 3_000  # rounds without a repeated meeting
MOST_TRIED = 40  # the best of them, for whether later rounds can follow
QUICKLY = 500  # tables that are tried for that
NEAR = 12  # tables on each side with which one of similar points changes players in a large field
SMALL = 24  # tables of which every two change players
MOST_EXCHANGES = 10_000  # pairs of tables that are looked at for what takes two changes

type Exchange = tuple[int, int, int]  # what it saves is below zero; the seats at both tables


class TablesFound(Value):
    tables: tuple[tuple[FieldPlayer, ...], ...]  # from the top
    sums: tuple[int, ...]  # of the costs
    banned: tuple[str, ...]  # two who had to be put together
    times_at_three: Counter[str]  # before this round
    rounds_kept: int  # later rounds that can certainly be played without a repeated meeting
    is_cheapest: bool  # or costlier, for the sake of the later rounds
    is_proved: bool  # there are no tables that cost less


@dataclass(frozen=True, eq=False)
class TableSearch:
    field: Field
    sizes: Sizes
    wanted: frozenset[str]

    def find(self) -> TablesFound:
        best = self._best
        if self.wanted:
            return self._found(best, kept=self._kept_after(best))
        if len(self.sizes) > MOST_TABLES or self._nobody_has_met:
            return self._found(best, kept=self._later)
        outlook, planned = self._planned
        if not planned:
            return self._found(best, kept=0)
        found = sorted((best, improved(planned[0], self.costs)), key=self.costs.of)
        later = len(planned) - 1
        for tables in found:
            if outlook.allows(tables) and plan(outlook.after(tables), later) is not None:
                return self._found(tables, kept=later, is_cheapest=tables is found[0])
        return self._found(self._with_a_future(outlook, later) or planned[0], kept=later, is_cheapest=False)

    @property
    def _best(self) -> TablesOfRound:
        if len(self.players) > EXACT_UP_TO:
            return improved(self._with_the_wanted(self._in_order), self.costs)
        everybody = (1 << len(self.players)) - 1
        anybody = replace(
            self._outlook, open_to=[everybody & ~(1 << one) for one in range(len(self.players))], is_fair=False
        )
        return min(all_rounds(anybody, Patience(left=ALL)), key=self.costs.of)

    @cached_property
    def players(self) -> Sequence[FieldPlayer]:
        """Those who are there in the order of the round, which at first is that of the lot."""
        by_lot = self.field.round == 1
        return sorted(self.field.players, key=lambda player: player.lot if by_lot else player.place)

    @cached_property
    def costs(self) -> Costs:
        return costs_of(self.field, self.players, self._times_at_three, self.wanted)

    @cached_property
    def _times_at_three(self) -> Counter[str]:
        return times_at_three(self.field)

    @property
    def _nobody_has_met(self) -> bool:
        """Then one round is as good as another for those that follow."""
        return not any(self.field.met.values())

    @property
    def _later(self) -> int:
        return self.field.rounds - self.field.round

    @cached_property
    def _planned(self) -> tuple[Outlook, Sequence[TablesOfRound]]:
        """This round and later ones without a repeated meeting: as many as are found, and fair if that costs none."""
        fair = self._outlook
        for rounds in range(self._later + 1, 0, -1):
            for outlook in (fair, replace(fair, is_fair=False)) if THREE in self.sizes else (fair,):
                if found := plan(outlook, rounds):
                    return outlook, found
        return fair, ()

    @cached_property
    def _outlook(self) -> Outlook:
        least = self.costs.units.meeting
        return Outlook(
            sizes=self.sizes,
            open_to=[
                sum([1 << other for other, cost in enumerate(row) if other != one and cost < least])
                for one, row in enumerate(self.costs.together)
            ],
            times_at_three=[self._times_at_three[player.id] for player in self.players],
            is_fair=True,
        )

    def _kept_after(self, tables: TablesOfRound) -> int:
        if len(self.sizes) > MOST_TABLES:
            return self._later
        outlook = replace(self._outlook.after(tables), is_fair=False)
        longest = range(self._later, 0, -1)
        return next((rounds for rounds in longest if plan(outlook, rounds) is not None), 0)

    def _with_a_future(self, outlook: Outlook, later: int) -> TablesOfRound | None:
        """The best of many without a repeated meeting, if it is quickly seen that so many rounds can follow."""
        several = islice(all_rounds(outlook, Patience()), MOST_COMPARED)
        for tables in sorted(several, key=self.costs.of)[:MOST_TRIED]:
            if plan_in_turn(outlook.after(tables), later, Patience(left=QUICKLY)) is not None:
                return tables
        return None

    @property
    def _in_order(self) -> TablesOfRound:
        """Each table is filled from the top, with the next who has met nobody there.

        At tables of three it is the last of those who have sat there least.
        """
        everybody = range(len(self.players))
        threes = sorted(everybody, key=lambda one: (self.costs.at_three[one], -one))[: THREE * self.sizes.count(THREE)]
        unseated = [one for one in everybody if one not in threes] + sorted(threes)
        tables: list[list[int]] = []
        for size in self.sizes:
            table = [unseated.pop(0)]
            while len(table) < size:
                table.append(unseated.pop(self._next(table, unseated)))
            tables.append(table)
        return tables

    def _with_the_wanted(self, tables: TablesOfRound) -> TablesOfRound:
        """Those who are wanted at one table sit there from the beginning: in a large field nobody would bring them together from tables that are far apart."""
        seated = [list(table) for table in tables]
        at = [
            number for number, table in enumerate(seated) if any(self.players[one].id in self.wanted for one in table)
        ]
        if len(at) > 1:
            one, other = (seated[number] for number in at)
            leaving = next(seat for seat, player in enumerate(one) if self.players[player].id not in self.wanted)
            coming = next(seat for seat, player in enumerate(other) if self.players[player].id in self.wanted)
            change(one, other, leaving, coming)
        return seated

    def _next(self, table: TableMembers, unseated: Sequence[int]) -> int:
        together, least = self.costs.together, self.costs.units.meeting
        strangers = (
            index for index, one in enumerate(unseated) if all(together[one][other] < least for other in table)
        )
        return next(strangers, 0)

    def _found(self, tables: TablesOfRound, *, kept: int, is_cheapest: bool = True) -> TablesFound:
        seated = [tuple(self.players[one] for one in sorted(table)) for table in tables]
        together = self.costs.together
        pairs = (two for table in tables for two in combinations(table, 2))
        banned = next((two for two in pairs if together[two[0]][two[1]] >= self.costs.units.banned), ())
        return TablesFound(
            tables=tuple(sorted(seated, key=lambda table: table[0].place if self.field.round > 1 else table[0].lot)),
            sums=self.costs.sums(tables),
            banned=tuple(self.players[one].id for one in banned),
            times_at_three=self._times_at_three,
            rounds_kept=kept,
            is_cheapest=is_cheapest,
            is_proved=is_cheapest and (len(self.players) <= EXACT_UP_TO or self.costs.of(tables) == 0),
        )


def improved(tables: TablesOfRound, costs: Costs) -> list[list[int]]:
    """The tables made better until no change of places does, not even with what follows from it, as far as there is time for."""
    best = [list(table) for table in tables]
    settle(best, costs, range(len(best)))
    if len(best) > SMALL:
        return best
    cost, tried = costs.of(best), 0
    changes = list(all_changes(best))
    number = 0
    while cost and number < len(changes) and tried < MOST_EXCHANGES:
        one, other, seat, other_seat = changes[number]
        number += 1
        seated = [list(table) for table in best]
        change(seated[one], seated[other], seat, other_seat)
        tried += settle(seated, costs, (one, other))
        if (found := costs.of(seated)) < cost:
            best, cost, number = seated, found, 0
    return best


def settle(tables: list[list[int]], costs: Costs, changed: Sequence[int]) -> int:
    """Improves what has changed, and what changes by that, until no single change of places does. Counts how many pairs of
    tables were looked at."""
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


def pairs_of(tables: TablesOfRound, costs: Costs, changed: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Which tables are to change players: in a large field only neighbours, unless a table is in need."""
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


def best_change(one: TableMembers, other: TableMembers, costs: Costs) -> Exchange:
    """The best change of places of a player of one table with a player of the other."""
    leaving = [what_a_move_costs(player, one, other, costs) for player in one]
    coming = [what_a_move_costs(player, other, one, costs) for player in other]
    best: Exchange = (0, 0, 0)
    for seat, (player, there) in enumerate(zip(one, leaving, strict=True)):
        together = costs.together[player]
        for other_seat, (opponent, here) in enumerate(zip(other, coming, strict=True)):
            saved = there + here - 2 * together[opponent]  # they do not meet each other
            if saved < best[0]:
                best = saved, seat, other_seat
    return best


def what_a_move_costs(player: int, here: TableMembers, there: TableMembers, costs: Costs) -> int:
    together = costs.together[player]
    cost = sum([together[other] for other in there]) - sum([together[other] for other in here])
    if len(here) != len(there):
        cost += costs.at_three[player] if len(there) == THREE else -costs.at_three[player]
    return cost


def change(one: list[int], other: list[int], seat: int, other_seat: int) -> None:
    one[seat], other[other_seat] = other[other_seat], one[seat]


def all_changes(tables: TablesOfRound) -> Iterator[tuple[int, int, int, int]]:
    """Those of near tables first: what is similar is near."""
    for one, other in sorted(combinations(range(len(tables)), 2), key=lambda two: two[1] - two[0]):
        for seat in range(len(tables[one])):
            yield from ((one, other, seat, other_seat) for other_seat in range(len(tables[other])))
