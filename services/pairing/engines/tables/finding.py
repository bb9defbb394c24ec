"""Finds the tables of a round."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from msgspec.structs import replace

from services.pairing.engines.field import Field, Player
from services.pairing.engines.tables.costs import Costs, Table, Tables, costs_of
from services.pairing.engines.tables.improving import change, thoroughly_improved
from services.pairing.engines.tables.times import times_at_three
from services.pairing.engines.tables.without_repeats import Outlook, Patience, all_rounds, plan, plan_in_turn
from shared.tournament.table_sizes import THREE, Sizes
from shared.values import Value

EXACT_UP_TO = 12  # players of whom all tables are compared
ALL = 20_000  # tables are more than have to be tried for that
MOST_TABLES = 100  # more of them, and there will be strangers enough for all rounds
MOST_COMPARED = 3_000  # rounds without a repeated meeting
MOST_TRIED = 40  # the best of them, for whether later rounds can follow
QUICKLY = 500  # tables that are tried for that


class Found(Value):
    tables: tuple[tuple[Player, ...], ...]  # from the top
    sums: tuple[int, ...]  # of the costs
    banned: tuple[str, ...]  # two who had to be put together
    times_at_three: Counter[str]  # before this round
    rounds_kept: int  # later rounds that can certainly be played without a repeated meeting
    is_cheapest: bool  # or costlier, for the sake of the later rounds
    is_proved: bool  # there are no tables that cost less


@dataclass(frozen=True, eq=False)
class Finding:
    field: Field
    sizes: Sizes
    wanted: frozenset[str]

    def find(self) -> Found:
        best = self._best
        if self.wanted:
            return self._found(best, kept=self._kept_after(best))
        if len(self.sizes) > MOST_TABLES or self._nobody_has_met:
            return self._found(best, kept=self._later)
        outlook, planned = self._planned
        if not planned:
            return self._found(best, kept=0)
        found = sorted((best, thoroughly_improved(planned[0], self.costs)), key=self.costs.of)
        later = len(planned) - 1
        for tables in found:
            if outlook.allows(tables) and plan(outlook.after(tables), later) is not None:
                return self._found(tables, kept=later, is_cheapest=tables is found[0])
        return self._found(self._with_a_future(outlook, later) or planned[0], kept=later, is_cheapest=False)

    @property
    def _best(self) -> Tables:
        if len(self.players) > EXACT_UP_TO:
            return thoroughly_improved(self._with_the_wanted(self._in_order), self.costs)
        everybody = (1 << len(self.players)) - 1
        anybody = replace(
            self._outlook, open_to=[everybody & ~(1 << one) for one in range(len(self.players))], is_fair=False
        )
        return min(all_rounds(anybody, Patience(left=ALL)), key=self.costs.of)

    @cached_property
    def players(self) -> Sequence[Player]:
        """In the order of the round: at first that of the lot."""
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
    def _planned(self) -> tuple[Outlook, Sequence[Tables]]:
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

    def _kept_after(self, tables: Tables) -> int:
        if len(self.sizes) > MOST_TABLES:
            return self._later
        outlook = replace(self._outlook.after(tables), is_fair=False)
        longest = range(self._later, 0, -1)
        return next((rounds for rounds in longest if plan(outlook, rounds) is not None), 0)

    def _with_a_future(self, outlook: Outlook, later: int) -> Tables | None:
        """The best of many without a repeated meeting, if it is quickly seen that so many rounds can follow."""
        several = islice(all_rounds(outlook, Patience()), MOST_COMPARED)
        for tables in sorted(several, key=self.costs.of)[:MOST_TRIED]:
            if plan_in_turn(outlook.after(tables), later, Patience(left=QUICKLY)) is not None:
                return tables
        return None

    @property
    def _in_order(self) -> Tables:
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

    def _with_the_wanted(self, tables: Tables) -> Tables:
        """In a large field nobody would look for them at tables that are far apart."""
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

    def _next(self, table: Table, unseated: Sequence[int]) -> int:
        together, least = self.costs.together, self.costs.units.meeting
        strangers = (
            index for index, one in enumerate(unseated) if all(together[one][other] < least for other in table)
        )
        return next(strangers, 0)

    def _found(self, tables: Tables, *, kept: int, is_cheapest: bool = True) -> Found:
        seated = [tuple(self.players[one] for one in sorted(table)) for table in tables]
        together = self.costs.together
        pairs = (two for table in tables for two in combinations(table, 2))
        banned = next((two for two in pairs if together[two[0]][two[1]] >= self.costs.units.banned), ())
        return Found(
            tables=tuple(sorted(seated, key=lambda table: table[0].place if self.field.round > 1 else table[0].lot)),
            sums=self.costs.sums(tables),
            banned=tuple(self.players[one].id for one in banned),
            times_at_three=self._times_at_three,
            rounds_kept=kept,
            is_cheapest=is_cheapest,
            is_proved=is_cheapest and (len(self.players) <= EXACT_UP_TO or self.costs.of(tables) == 0),
        )
