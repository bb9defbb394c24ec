"""The search of a cost Swiss for the cheapest of all pairings that the rules allow.

In a small field all pairs are compared, in a large one at first those that are near to each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from msgspec.structs import replace

from services.pairing.engines import lookahead, matching, no_pairing
from services.pairing.engines.byes import due
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.lookahead import RoundsToCome
from services.pairing.engines.matching import Edge, Link, Matching, Vector, left_over
from services.pairing.engines.swiss.costs import COSTS, components, in_brackets, vector
from shared.values import Value

EXACT_UP_TO = 300  # entrants of whom all pairs are compared
NEIGHBOURS = 12  # of more entrants at first so many on each side, then twice as many until nothing improves
MOST_COMPARED = 25_000  # pairs after which nothing more is tried
MOST_RANKED = 300  # pairings in order of their cost that are held against the later rounds

type Twosome = tuple[FieldPlayer, FieldPlayer]  # the upper first


class PairCondition(Value):
    """What is asked of a pairing besides the rules."""

    together: frozenset[str] = frozenset()  # these two meet
    apart: frozenset[str] = frozenset()  # these two do not

    def forbids(self, one: FieldPlayer, other: FieldPlayer) -> bool:
        both = frozenset((one.id, other.id))
        return both == self.apart or len(both & self.together) == 1


NO_CONDITION = PairCondition()


class Solution(Value):
    pairs: tuple[Twosome, ...]
    bye: FieldPlayer | None
    vector: Vector
    is_proved: bool
    rounds_kept: int  # later rounds that can certainly still be paired
    is_cheapest: bool  # or costlier, for the sake of the later rounds
    passed_over: tuple[FieldPlayer, ...] = ()  # below the bye, who were due, but without whom no pairing would be left


@dataclass(frozen=True, eq=False)
class CostSwiss:
    field: Field

    def find(self, condition: PairCondition = NO_CONDITION) -> Solution | None:
        """The best pairing, if there is one."""
        if self.field.settings.pairing.bye == "matched":
            return self._paired(None, condition)
        passed_over: list[FieldPlayer] = []
        for bye in self._byes():
            if self._leaves_nobody_alone(bye) and (not passed_over or bye is None or bye.id in self._may_sit_out):
                found = self._paired(bye, condition)
                if found is not None:
                    return replace(found, passed_over=tuple(passed_over))
            if bye is not None:
                passed_over.append(bye)
        return None

    def _byes(self) -> Iterator[FieldPlayer | None]:
        """Who may sit out, the lowest-placed first."""
        if len(self.field.players) % 2 == 0:
            yield None
        elif self.field.settings.pairing.bye != "none":
            yield from due(self.field)

    def _leaves_nobody_alone(self, bye: FieldPlayer | None) -> bool:
        """Quickly seen, which matters in a large field."""
        return all(player is bye for player in self._alone)

    @cached_property
    def _alone(self) -> list[FieldPlayer]:
        return no_pairing.alone(self.field)

    @cached_property
    def _may_sit_out(self) -> set[str]:
        """Those without whom the others can be paired."""
        if self._alone:
            return {player.id for player in self._alone}
        members, at_a_time = left_over(no_pairing.possible_opponents(self.field, self.field.players))
        return members if at_a_time == 1 else set()

    def _paired(self, bye: FieldPlayer | None, condition: PairCondition) -> Solution | None:
        players = in_brackets([player for player in self.field.players if player is not bye])
        if bye is None and len(players) % 2:
            players.append(self.field.dummy)
        if bye is not None and bye.id in condition.together:
            return None
        if self._ahead is None:
            best = self._cheapest(players, condition)
            return best and self._found(players, best, bye, is_cheapest=True)
        ahead = self._ahead if bye is None else self._ahead.beginning((bye.place, self._ahead.bye))
        return self._cheapest_with_a_future(players, ahead, bye, condition)

    @cached_property
    def _is_safe(self) -> bool:
        return not self.field.settings.pairing.keeps_later_rounds or lookahead.is_safe(self.field)

    @property
    def _rounds_kept(self) -> int:
        if self._is_safe:
            return self.field.rounds - self.field.round
        return 0 if self._ahead is None else len(self._ahead.rounds) - 1

    @cached_property
    def _ahead(self) -> RoundsToCome | None:
        """The rounds to come, as many as can still be paired; none where that is safe anyway."""
        if self._is_safe:
            return None
        ahead = lookahead.rounds_to_come(self.field)
        longest = range(len(ahead.rounds), 1, -1)
        return next((tried for n in longest if lookahead.plan(tried := ahead.shorter(n)) is not None), None)

    def _cheapest_with_a_future(
        self, players: Sequence[FieldPlayer], ahead: RoundsToCome, bye: FieldPlayer | None, condition: PairCondition
    ) -> Solution | None:
        """Pairings in order of their cost, until one leaves the later rounds possible."""
        planned = lookahead.plan(ahead)
        if planned is None:
            return None
        sitting_out = [] if bye is None else [(bye.place, ahead.bye)]
        places = [ahead.place(player) for player in players]
        edges = list(self._edges(combinations(range(len(players)), 2), players, condition))
        for rank, tried in enumerate(islice(matching.cheapest_first(len(players), edges), MOST_RANKED)):
            duels = [(places[one], places[other]) for one, other in tried.links]
            if lookahead.plan(ahead.after([*duels, *sitting_out])) is not None:
                return self._found(players, tried, bye, is_cheapest=rank == 0)
        return None if condition != NO_CONDITION else self._as_planned(players, places, planned[0], edges, bye)

    def _as_planned(
        self,
        players: Sequence[FieldPlayer],
        places: Sequence[int],
        planned: Sequence[Link],
        edges: Sequence[Edge],
        bye: FieldPlayer | None,
    ) -> Solution:
        """The next round of the trial: it leaves the later ones possible, but a cheaper one may do so too."""
        numbers = {place: number for number, place in enumerate(places)}
        links = tuple(
            sorted((numbers[one], numbers[other]) for one, other in planned if one in numbers and other in numbers)
        )
        trial = Matching(links=links, vector=matching.total(links, edges), is_exact=False)
        return self._found(players, trial, bye, is_cheapest=False)

    def _cheapest(self, players: Sequence[FieldPlayer], condition: PairCondition) -> Matching | None:
        """The cheapest over all pairs, or in a large field over neighbourhoods that grow until nothing improves but the lot."""
        size = len(players)
        if size <= EXACT_UP_TO:
            return matching.cheapest(size, list(self._edges(combinations(range(size), 2), players, condition)))
        best: Matching | None = None
        reach = NEIGHBOURS
        known: dict[Link, Edge] = {}
        while True:
            near = set(neighbourhoods(players, reach, condition.together))
            known |= {edge[:2]: edge for edge in self._edges(sorted(near.difference(known)), players, condition)}
            tried = matching.cheapest(size, list(known.values()))
            if tried is None and not self._is_pairable(players, condition):
                return None
            is_last = len(known) > MOST_COMPARED or (best and tried and tried.vector[:-1] == best.vector[:-1])
            if tried is not None and is_last and reach < size:
                return replace(tried, is_exact=False)
            best = tried
            if reach >= size:
                return best
            reach *= 2

    def _is_pairable(self, players: Sequence[FieldPlayer], condition: PairCondition) -> bool:
        """Whether growing neighbourhoods lead anywhere."""
        links = [
            (one, other)
            for one, other in combinations(range(len(players)), 2)
            if not condition.forbids(players[one], players[other]) and self.field.may_meet(players[one], players[other])
        ]
        return 2 * len(matching.largest(len(players), links)) == len(players)

    def _edges(self, links: Iterable[Link], players: Sequence[FieldPlayer], condition: PairCondition) -> Iterator[Edge]:
        """The pairs that are allowed, with what they cost."""
        costs = [COSTS[name] for name in components(self.field)]
        for one, other in links:
            upper, lower = players[one], players[other]
            if condition.forbids(upper, lower) or not self.field.may_meet(upper, lower):
                continue
            yield one, other, vector(upper, lower, costs)

    def _found(
        self, players: Sequence[FieldPlayer], best: Matching, bye: FieldPlayer | None, *, is_cheapest: bool
    ) -> Solution:
        pairs = [(players[one], players[other]) for one, other in best.links]
        if players and players[-1].is_bye:
            bye = next(upper for upper, lower in pairs if lower.is_bye)
            there = {
                player.id: player for player in in_brackets([one for one in self.field.players if one.id != bye.id])
            }
            pairs = [(there[upper.id], there[lower.id]) for upper, lower in pairs if not lower.is_bye]
        return Solution(
            pairs=tuple(pairs),
            bye=bye,
            vector=best.vector,
            is_proved=best.is_exact,
            rounds_kept=self._rounds_kept,
            is_cheapest=is_cheapest,
        )


def neighbourhoods(
    players: Sequence[FieldPlayer], reach: int, everywhere: frozenset[str] = frozenset()
) -> Iterator[Link]:
    """Who is near the opponent whom half against half would give, or below the edge that touches one's own bracket.

    Those who are `everywhere` are near to all, and so is the dummy.
    """
    size = len(players)
    for number, player in enumerate(players):
        if player.id in everywhere or player.is_bye:
            yield from ((min(number, other), max(number, other)) for other in range(size) if other != number)
            continue
        end = number - player.bracket_place + player.bracket_size  # where the next bracket begins
        counterpart = number + player.bracket_size // 2
        for other in range(max(counterpart - reach, number + 1), min(counterpart + reach + 1, end)):
            yield number, other
        if end - number <= reach:
            for other in range(end, min(end + reach, size)):
                yield number, other
