"""What tables cost: earlier meetings first, then further times at a table of three, then different points.

They are stacked into one number, each with room for its sum over all tables, so that the smallest number has the
smallest sums in that order. Players who must not meet stand before all of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from services.pairing.engines.field import Field, FieldPlayer
from shared.tournament.table_sizes import FOUR, THREE
from shared.values import Value

COMPONENTS = ("meetings", "threes", "spread")
type TableMembers = Sequence[int]  # players, by their number in the costs
type TablesOfRound = Sequence[TableMembers]


class UnitCosts(Value):
    """What one of a kind costs. The squares of differences of points are what is left."""

    banned: int
    meeting: int
    three: int


class Costs(Value):
    """What two cost at one table, and each at a table of three."""

    together: Sequence[Sequence[int]]
    at_three: Sequence[int]
    units: UnitCosts

    def of(self, tables: TablesOfRound) -> int:
        return sum(map(self.of_table, tables))

    def of_table(self, table: TableMembers) -> int:
        together = sum([self.together[one][other] for one, other in combinations(table, 2)])
        return together + (sum([self.at_three[one] for one in table]) if len(table) == THREE else 0)

    def sums(self, tables: TablesOfRound) -> tuple[int, ...]:
        """What tables cost in each component, in their order."""
        meetings, rest = divmod(self.of(tables) % self.units.banned, self.units.meeting)
        return meetings, *divmod(rest, self.units.three)

    def is_similar(self, table: TableMembers) -> bool:
        """Nothing speaks against it but the points."""
        return self.of_table(table) < self.units.three


def costs_of(
    field: Field,
    players: Sequence[FieldPlayer],
    times_at_three: Mapping[str, int],
    wanted: frozenset[str] = frozenset(),
) -> Costs:
    """Those who are wanted at one table save more there than anything can cost, and `sums` knows nothing of it."""
    points = [player.points for player in players]
    numbers = {player.id: number for number, player in enumerate(players)}
    times = [times_at_three.get(player.id, 0) for player in players]
    at_three = [several - min(times) for several in times]
    widest = max(points) - min(points)
    most_pairs = (FOUR - 1) * len(players)  # twice as many as there can be
    three = most_pairs * widest**2 + 1
    meeting = three * (len(players) * max(at_three) + 1)
    most_met = max((often for player in players for often in player.met.values()), default=0)
    banned = meeting * (most_pairs * most_met + 1)
    by_points = {have: [(have - other) ** 2 for other in points] for have in set(points)}
    together = [list(by_points[player.points]) for player in players]
    for one, player in enumerate(players):
        for other, often in player.met.items():
            if other in numbers:
                together[one][numbers[other]] += often * meeting
        for other in field.banned(field.round).get(player.id, ()):
            if other in numbers:
                together[one][numbers[other]] += banned
    for one, other in permutations([numbers[player] for player in wanted], 2):
        together[one][other] -= banned * (most_pairs + 1)
    return Costs(
        together=together,
        at_three=[several * three for several in at_three],
        units=UnitCosts(banned=banned, meeting=meeting, three=three),
    )


def times_at_three(field: Field) -> Counter[str]:
    """How often everybody has sat at a table of three."""
    facts = field.facts
    return Counter(
        seat
        for (stage, number), one in facts.rounds.items()
        if stage == field.stage and number < field.round
        for game in one.games
        if len(game.seats) == THREE and game.id not in facts.voided
        for seat in game.seats
    )
