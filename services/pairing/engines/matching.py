"""The perfect matching whose vector of sums is smallest, compared from the first component on.

The vector of a pair is stacked into one number, each component with room for the sum over all pairs, so that a single
maximum-weight matching minimises all of them at once. The matching counts with 128 bits. Where the numbers do not fit,
the first component that does not is compared by its leading bits and what follows is left to chance: `is_exact` then
says no.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from services.pairing.engines.costs import Vector
from shared.values import Value

type Edge = tuple[int, int, Vector]
type Link = tuple[int, int]

BITS = 112  # the matching adds up to 2·n numbers in 127 bits


class Matching(Value):
    links: tuple[Link, ...]  # each with the smaller first, in order
    vector: Vector
    is_exact: bool


class Stacking(Value):
    """Of each component: how many of its last bits are dropped, and where the rest goes."""

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
    """Of all perfect matchings, if there is one."""
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


def largest(nodes: int, links: Iterable[Link]) -> list[Link]:
    """As many pairs as possible."""
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415 - as above

    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(one, other, 1) for one, other in links])
    return sorted((min(link), max(link)) for link in max_weight_matching(graph, max_cardinality=True))


def total(links: Iterable[Link], edges: Iterable[Edge]) -> Vector:
    vectors = {(one, other): vector for one, other, vector in edges}
    return tuple(map(sum, zip(*(vectors[link] for link in links), strict=True)))


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


def cheapest_with(nodes: int, kept: frozenset[Link], edges: Sequence[Edge]) -> Matching | None:
    """Of those that have all these pairs."""
    taken = {end for link in kept for end in link}
    return cheapest(
        nodes,
        [edge for edge in edges if edge[:2] in kept or not (edge[0] in taken or edge[1] in taken)],
    )
