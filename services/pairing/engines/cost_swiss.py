"""The cost Swiss: of all pairings that the rules allow, the one that costs least.

1. Nobody meets somebody more often than allowed, and no banned pair meets.
2. If one is left over, the lowest-placed who has had no bye sits out; or a dummy joins, whom it costs least to meet.
3. What is paired now leaves the later rounds possible, where the ruleset wants that.
4. Of all such pairings the vector of costs is smallest: the components of the ruleset in their order, each summed
   over all pairs. A later component never improves at the expense of an earlier one.
5. Who of a pair is named first evens out the roles, then alternates; where that leaves both alike it is the
   lower-placed on odd tables and the higher-placed on even ones, or goes by lot.
6. Tables are numbered from the top.

Where the first round is drawn by lot, nothing is compared in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from msgspec.structs import replace

from services.pairing.engines import available, drawn_groups, lookahead, matching, obstacle
from services.pairing.engines.brackets import in_brackets, neighbourhoods
from services.pairing.engines.costs import COSTS, Vector, vector
from services.pairing.engines.field import Field, Player
from services.pairing.engines.laying_out import components, laid_out
from services.pairing.engines.left_over import left_over
from services.pairing.engines.lookahead import Season, is_due
from services.pairing.engines.matching import Edge, Link, Matching
from services.pairing.engines.plan import Pairing
from shared.values import Value

EXACT_UP_TO = 300  # entrants of whom all pairs are compared
NEIGHBOURS = 12  # of more entrants at first so many on each side, then twice as many until nothing improves
MOST_COMPARED = 25_000  # pairs after which nothing more is tried
MOST_RANKED = 300  # pairings in order of their cost that are held against the later rounds

type Twosome = tuple[Player, Player]  # the upper first


class Choice(Value):
    """What is asked of a pairing besides the rules."""

    together: frozenset[str] = frozenset()  # these two meet
    apart: frozenset[str] = frozenset()  # these two do not

    def forbids(self, one: Player, other: Player) -> bool:
        both = frozenset((one.id, other.id))
        return both == self.apart or len(both & self.together) == 1


class Found(Value):
    pairs: tuple[Twosome, ...]
    bye: Player | None
    vector: Vector
    is_proved: bool
    passed_over: tuple[Player, ...]  # those below the bye who were due, but without whom no pairing would be left
    rounds_kept: int  # later rounds that can certainly still be paired
    is_cheapest: bool  # or costlier, for the sake of the later rounds


NO_CHOICE = Choice()


def pair(field: Field) -> Pairing:
    available.for_cost_swiss(field)
    if field.players and drawn_groups.is_drawn(field):
        return drawn_groups.pair(field)
    found = CostSwiss(field).find() if field.players else None
    if found is None:
        raise obstacle.no_pairing(field)
    return laid_out(field, found)


@dataclass(frozen=True, eq=False)
class CostSwiss:
    field: Field

    def find(self, choice: Choice = NO_CHOICE) -> Found | None:
        """The best pairing, if there is one."""
        if self.field.settings.pairing.bye == "matched":
            return self._paired(None, (), choice)
        passed_over: list[Player] = []
        for bye in self._byes():
            if self._leaves_nobody_alone(bye) and (not passed_over or bye is None or bye.id in self._may_sit_out):
                found = self._paired(bye, tuple(passed_over), choice)
                if found is not None:
                    return found
            if bye is not None:
                passed_over.append(bye)
        return None

    def _byes(self) -> Iterator[Player | None]:
        """Who may sit out, the lowest-placed first."""
        players = self.field.players
        if len(players) % 2 == 0:
            yield None
        elif self.field.settings.pairing.bye != "none":
            fewest = min(player.byes for player in players)
            yield from (player for player in reversed(players) if is_due(self.field, player, fewest))

    def _leaves_nobody_alone(self, bye: Player | None) -> bool:
        """Quickly seen, which matters in a large field."""
        return all(player is bye for player in self._alone)

    @cached_property
    def _alone(self) -> list[Player]:
        return obstacle.alone(self.field)

    @cached_property
    def _may_sit_out(self) -> set[str]:
        """Without whom the others can be paired."""
        if self._alone:
            return {player.id for player in self._alone}
        members, at_a_time = left_over(obstacle.possible_opponents(self.field))
        return members if at_a_time == 1 else set()

    def _paired(self, bye: Player | None, passed_over: tuple[Player, ...], choice: Choice) -> Found | None:
        players = in_brackets([player for player in self.field.players if player is not bye])
        if bye is None and len(players) % 2:
            players.append(self.field.dummy)
        if bye is not None and bye.id in choice.together:
            return None
        if self._season is None:
            best = self._cheapest(players, choice)
            return best and self._found(players, best, bye, passed_over, is_cheapest=True)
        season = self._season if bye is None else self._season.beginning((bye.place, len(self._season.rounds[0]) - 1))
        return self._cheapest_with_a_future(players, season, bye, passed_over, choice)

    @cached_property
    def _is_safe(self) -> bool:
        return not self.field.settings.pairing.keeps_later_rounds or lookahead.is_safe(self.field)

    @property
    def _rounds_kept(self) -> int:
        if self._is_safe:
            return self.field.rounds - self.field.round
        return 0 if self._season is None else len(self._season.rounds) - 1

    @cached_property
    def _season(self) -> Season | None:
        """The rounds to come, as many as can still be paired; none where that is safe anyway."""
        if self._is_safe:
            return None
        season = lookahead.season_of(self.field)
        longest = range(len(season.rounds), 1, -1)
        return next((tried for n in longest if lookahead.plan(tried := season.shorter(n)) is not None), None)

    def _cheapest_with_a_future(
        self,
        players: Sequence[Player],
        season: Season,
        bye: Player | None,
        passed_over: tuple[Player, ...],
        choice: Choice,
    ) -> Found | None:
        """Pairings in order of their cost, until one leaves the later rounds possible."""
        planned = lookahead.plan(season)
        if planned is None:
            return None
        sitting_out = [] if bye is None else [(bye.place, len(season.rounds[0]) - 1)]
        edges = list(self._edges(combinations(range(len(players)), 2), players, choice))
        for rank, tried in enumerate(islice(matching.cheapest_first(len(players), edges), MOST_RANKED)):
            duels = [(players[one].place, players[other].place) for one, other in tried.links]
            if lookahead.plan(season.after([*duels, *sitting_out])) is not None:
                return self._found(players, tried, bye, passed_over, is_cheapest=rank == 0)
        return None if choice != NO_CHOICE else self._as_planned(players, planned[0], edges, bye, passed_over)

    def _as_planned(
        self,
        players: Sequence[Player],
        planned: Sequence[Link],
        edges: Sequence[Edge],
        bye: Player | None,
        passed_over: tuple[Player, ...],
    ) -> Found:
        """The next round of the trial: it leaves the later ones possible, but a cheaper one may do so too."""
        numbers = {player.place: number for number, player in enumerate(players)}
        links = tuple(
            sorted((numbers[one], numbers[other]) for one, other in planned if one in numbers and other in numbers)
        )
        trial = Matching(links=links, vector=matching.total(links, edges), is_exact=False)
        return self._found(players, trial, bye, passed_over, is_cheapest=False)

    def _cheapest(self, players: Sequence[Player], choice: Choice) -> Matching | None:
        """Over all pairs, or in a large field over neighbourhoods that grow until nothing improves but the lot."""
        size = len(players)
        if size <= EXACT_UP_TO:
            return matching.cheapest(size, list(self._edges(combinations(range(size), 2), players, choice)))
        best: Matching | None = None
        reach = NEIGHBOURS
        known: dict[Link, Edge] = {}
        while True:
            near = set(neighbourhoods(players, reach, choice.together))
            known |= {edge[:2]: edge for edge in self._edges(sorted(near.difference(known)), players, choice)}
            tried = matching.cheapest(size, list(known.values()))
            if tried is None and not self._is_pairable(players, choice):
                return None
            is_last = len(known) > MOST_COMPARED or (best and tried and tried.vector[:-1] == best.vector[:-1])
            if tried is not None and is_last and reach < size:
                return replace(tried, is_exact=False)
            best = tried
            if reach >= size:
                return best
            reach *= 2

    def _is_pairable(self, players: Sequence[Player], choice: Choice) -> bool:
        """Whether growing neighbourhoods lead anywhere."""
        links = [
            (one, other)
            for one, other in combinations(range(len(players)), 2)
            if not choice.forbids(players[one], players[other]) and self.field.may_meet(players[one], players[other])
        ]
        return 2 * len(matching.largest(len(players), links)) == len(players)

    def _edges(self, links: Iterable[Link], players: Sequence[Player], choice: Choice) -> Iterator[Edge]:
        """The pairs that are allowed, with what they cost."""
        costs = [COSTS[name] for name in components(self.field)]
        for one, other in links:
            upper, lower = players[one], players[other]
            if choice.forbids(upper, lower) or not self.field.may_meet(upper, lower):
                continue
            yield one, other, vector(upper, lower, costs)

    def _found(
        self,
        players: Sequence[Player],
        best: Matching,
        bye: Player | None,
        passed_over: tuple[Player, ...],
        *,
        is_cheapest: bool,
    ) -> Found:
        pairs = [(players[one], players[other]) for one, other in best.links]
        if players and players[-1].is_bye:
            bye = next(upper for upper, lower in pairs if lower.is_bye)
            there = {
                player.id: player for player in in_brackets([one for one in self.field.players if one.id != bye.id])
            }
            pairs = [(there[upper.id], there[lower.id]) for upper, lower in pairs if not lower.is_bye]
        return Found(
            pairs=tuple(pairs),
            bye=bye,
            vector=best.vector,
            is_proved=best.is_exact,
            passed_over=passed_over,
            rounds_kept=self._rounds_kept,
            is_cheapest=is_cheapest,
        )
