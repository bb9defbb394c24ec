"""What tables cost: earlier meetings first, then further times at a table of three, then different points.

They are stacked into one number, each with room for its sum over all tables, so that the smallest number has the
smallest sums in that order. Players who must not meet stand before all of them.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from services.pairing.engines.field import Field, Player
from shared.tournament.table_sizes import FOUR, THREE
from shared.values import Value

COMPONENTS = ("meetings", "threes", "spread")

type Table = Sequence[int]  # players, by their number in the costs
type Tables = Sequence[Table]


class Units(Value):
    """What one of a kind costs. The squares of differences of points are what is left."""

    banned: int
    meeting: int
    three: int


class Costs(Value):
    """What two cost at one table, and each at a table of three."""

    together: Sequence[Sequence[int]]
    at_three: Sequence[int]
    units: Units

    def of(self, tables: Tables) -> int:
        return sum(map(self.of_table, tables))

    def of_table(self, table: Table) -> int:
        together = sum([self.together[one][other] for one, other in combinations(table, 2)])
        return together + (sum([self.at_three[one] for one in table]) if len(table) == THREE else 0)

    def sums(self, tables: Tables) -> tuple[int, ...]:
        """One by one, in the order of the components."""
        meetings, rest = divmod(self.of(tables) % self.units.banned, self.units.meeting)
        return meetings, *divmod(rest, self.units.three)

    def is_similar(self, table: Table) -> bool:
        """Nothing speaks against it but the points."""
        return self.of_table(table) < self.units.three


def costs_of(
    field: Field,
    players: Sequence[Player],
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
        units=Units(banned=banned, meeting=meeting, three=three),
    )
