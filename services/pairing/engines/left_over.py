"""Whom some largest matching leaves over: from a largest one, trees of alternating pairs show them (Edmonds).

Who is reached by a path of even length can be left over in exchange for the one at its root. A cycle of odd length makes
all its members reachable, so it counts as one.
"""

from collections.abc import Mapping

from services.pairing.engines import matching

type Opponents = Mapping[str, set[str]]


def left_over(opponents: Opponents) -> tuple[set[str], int]:
    """All of them, and how many are left over at a time."""
    ids = list(opponents)
    numbers = {one: number for number, one in enumerate(ids)}
    links = [(numbers[one], numbers[other]) for one in ids for other in opponents[one] if numbers[one] < numbers[other]]
    mate: dict[str, str] = {}
    for one, other in matching.largest(len(ids), links):
        mate[ids[one]], mate[ids[other]] = ids[other], ids[one]
    roots = [one for one in ids if one not in mate]
    return Forest(opponents, mate, roots).even(), len(roots)


class Forest:
    """Grown from those who are left over now. There is no path between two trees: the matching would not be largest."""

    def __init__(self, opponents: Opponents, mate: Mapping[str, str], roots: list[str]) -> None:
        self._opponents = opponents
        self._mate = mate
        self._came_from: dict[str, str] = {}  # of who is reached by an odd path, or lies on a cycle
        self._base = {one: one for one in opponents}  # of the cycle that one lies on
        self._even = dict.fromkeys(roots)
        self._waiting = list(roots)

    def even(self) -> set[str]:
        while self._waiting:
            one = self._waiting.pop()
            for other in sorted(self._opponents[one]):
                if self._base[one] == self._base[other] or self._mate.get(one) == other:
                    continue
                if other in self._even:
                    self._close_cycle(one, other)
                elif other not in self._came_from:
                    self._came_from[other] = one
                    self._reach(self._mate[other])
        return set(self._even)

    def _reach(self, one: str) -> None:
        if one not in self._even:
            self._even[one] = None
            self._waiting.append(one)

    def _close_cycle(self, one: str, other: str) -> None:
        base = self._meeting_point(one, other)
        cycle = self._up_to(base, one, other) | self._up_to(base, other, one)
        for member in self._base:
            if self._base[member] in cycle:
                self._base[member] = base
                self._reach(member)

    def _meeting_point(self, one: str, other: str) -> str:
        seen: set[str] = set()
        one = self._base[one]
        seen.add(one)
        while one in self._mate:
            one = self._base[self._came_from[self._mate[one]]]
            seen.add(one)
        other = self._base[other]
        while other not in seen:
            other = self._base[self._came_from[self._mate[other]]]
        return other

    def _up_to(self, base: str, one: str, child: str) -> set[str]:
        cycle: set[str] = set()
        while self._base[one] != base:
            partner = self._mate[one]
            cycle |= {self._base[one], self._base[partner]}
            self._came_from[one] = child
            child, one = partner, self._came_from[partner]
        return cycle
