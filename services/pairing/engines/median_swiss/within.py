"""The pairs of one bracket: those who were moved first, then half against half."""

from collections.abc import Sequence
from itertools import takewhile

from services.pairing.engines.field import Field, Player
from services.pairing.engines.median_swiss.bracket import MIRRORED, Bracket, Way, moved, worst_first
from services.pairing.engines.median_swiss.explained import By, Met
from services.pairing.engines.median_swiss.rest import Rest


class Within:
    """What is left of a bracket, and the pairs so far. The bracket can be paired as a whole."""

    def __init__(self, field: Field, bracket: Bracket, way: Way) -> None:
        self.met: list[Met] = []
        self._field = field
        self._value = bracket.value
        self._way: Way = way
        self._open = {member.id: member for member in bracket.members}  # best first
        self._rest = Rest(bracket.members, field.may_meet)

    # Steps 4c, 5c and 6a

    def pair_moved(self, way: Way) -> None:
        """Those from above, best first, with the best possible opponents; from below worst first, with the worst."""
        movers = [member for member in self._in_order(way) if moved(member, self._value) == way]
        for mover in movers:
            if mover.id in self._open:
                self._pair(mover, self._for_mover(mover, way), way)

    def _in_order(self, way: Way) -> list[Player]:
        return list(self._open.values()) if way == "down" else worst_first(list(self._open.values()))

    def _for_mover(self, mover: Player, way: Way) -> list[Player]:
        """The bracket's own, then those from the other side, then those who were moved along (PQ.D24)."""
        ranks = {None: 0, MIRRORED[way]: 1, way: 2}
        others = [member for member in self._in_order(way) if member is not mover]
        return sorted(others, key=lambda member: ranks[moved(member, self._value)])

    # Step 7

    def pair_half_against_half(self) -> None:
        """The first with the other half from its beginning, then with its own half from its end."""
        while self._open:
            in_order = self._in_order(self._way)
            half = len(in_order) // 2
            self._pair(in_order[0], in_order[half:] + in_order[half - 1 : 0 : -1], "halves")

    # Step 8, of a single choice

    def _pair(self, one: Player, candidates: Sequence[Player], by: By) -> None:
        other = next(other for other in candidates if self._field.may_meet(one, other) and self._rest.take(one, other))
        passed = tuple(takewhile(lambda player: player is not other, candidates))
        self.met.append(Met(one=one, other=other, value=self._value, by=by, way=self._way, passed=passed))
        del self._open[one.id], self._open[other.id]
