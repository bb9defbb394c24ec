"""Pairs of a field as a graph: the cheapest way to pair everybody, the most pairs that there can be, and who is left over.

The vector of a pair is stacked into one number, each component with room for the sum over all pairs, so that a single
maximum-weight matching minimises all of them at once. The matching counts with 128 bits. Where the numbers do not fit,
the first component that does not is compared by its leading bits and what follows is left to chance: `is_exact` then
says no.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count

from shared.values import Value

type Vector = tuple[int, ...]
type Link = tuple[int, int]  # two entrants, by number
type Edge = tuple[int, int, Vector]
type Opponents = Mapping[str, set[str]]

BITS = 112  # the matching adds up to 2·n numbers in 127 bits


class Matching(Value):
    links: tuple[Link, ...]  # each with the smaller first, in order
    vector: Vector
    is_exact: bool


class Stacking(Value):
    """How many of the last bits of each component are dropped, and where the rest goes."""

    places: tuple[tuple[int, int], ...]
    is_exact: bool

    def stack(self, vector: Vector) -> int:
        return sum([value >> dropped << shift for value, (dropped, shift) in zip(vector, self.places, strict=False)])


def stacking(edges: Sequence[Edge], pairs: int, *, bits: int = BITS) -> Stacking:
    """The last component may be shortened: it is a lot, and as good with fewer bits."""
    widths = [(max(values) * pairs).bit_length() for values in zip(*(edge[2] for edge in edges), strict=True)]
    places: list[tuple[int, int]] = []
    left = bits
    for width in widths:
        dropped = max(width - left, 0)
        left = max(left - width, 0)
        places.append((dropped, left))
    return Stacking(places=tuple(places), is_exact=not any(dropped for dropped, _ in places[:-1]))


def cheapest(nodes: int, edges: Sequence[Edge], *, bits: int = BITS) -> Matching | None:
    """The cheapest of all perfect matchings, if there is one."""
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415 - what never pairs need not load it

    if not edges:
        return None if nodes else Matching(links=(), vector=(), is_exact=True)
    stacked = stacking(edges, nodes // 2, bits=bits)
    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(one, other, -stacked.stack(vector)) for one, other, vector in edges])
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < nodes:
        return None
    links = tuple(sorted((min(link), max(link)) for link in found))
    return Matching(links=links, vector=total(links, edges), is_exact=stacked.is_exact)


def cheapest_with(nodes: int, kept: frozenset[Link], edges: Sequence[Edge]) -> Matching | None:
    """The cheapest of those that have all these pairs."""
    taken = {end for link in kept for end in link}
    return cheapest(
        nodes,
        [edge for edge in edges if edge[:2] in kept or not (edge[0] in taken or edge[1] in taken)],
    )


def cheapest_first(nodes: int, edges: Sequence[Edge]) -> Iterator[Matching]:
    """All perfect matchings, the cheapest first: whatever is not the best one lacks one of its pairs."""
    ties = count()
    waiting: list[tuple[Vector, int, Matching, frozenset[Link], Sequence[Edge]]] = []

    def consider(kept: frozenset[Link], open_edges: Sequence[Edge]) -> None:
        matching = cheapest_with(nodes, kept, open_edges)
        if matching is not None:
            heappush(waiting, (matching.vector, next(ties), matching, kept, open_edges))

    consider(frozenset(), edges)
    while waiting:
        _, _, matching, kept, open_edges = heappop(waiting)
        yield matching
        for link in matching.links:
            if link not in kept:
                consider(kept, [edge for edge in open_edges if edge[:2] != link])
                kept |= {link}


def total(links: Iterable[Link], edges: Iterable[Edge]) -> Vector:
    vectors = {(one, other): vector for one, other, vector in edges}
    return tuple(map(sum, zip(*(vectors[link] for link in links), strict=True)))


def largest(nodes: int, links: Iterable[Link]) -> list[Link]:
    """The most pairs that there can be."""
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415 - what never pairs need not load it

    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(one, other, 1) for one, other in links])
    return sorted((min(link), max(link)) for link in max_weight_matching(graph, max_cardinality=True))


def left_over(opponents: Opponents) -> tuple[set[str], int]:
    """Whom some largest matching leaves over, and how many are left over at a time."""
    ids = list(opponents)
    numbers = {one: number for number, one in enumerate(ids)}
    links = [(numbers[one], numbers[other]) for one in ids for other in opponents[one] if numbers[one] < numbers[other]]
    mate: dict[str, str] = {}
    for one, other in largest(len(ids), links):
        mate[ids[one]], mate[ids[other]] = ids[other], ids[one]
    roots = [one for one in ids if one not in mate]
    return Forest(opponents, mate, roots).even(), len(roots)


class Forest:
    """Trees of alternating pairs, grown from those whom a largest matching leaves over (Edmonds).

    Who is reached by a path of even length can be left over in exchange for the one at its root. A cycle of odd length
    makes all its members reachable, so it counts as one. There is no path between two trees: the matching would not be
    largest.
    """

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
