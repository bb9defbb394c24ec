"""A bracket of equal points with those who were moved into it, and how it is paired: who was moved first, then half against half.

Which brackets there are, and who is moved, is decided in `steps.py`.
"""

from bisect import insort
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations, takewhile
from typing import Literal

from services.pairing.engines import matching
from services.pairing.engines.field import Field, FieldPlayer
from shared.values import Value

type Way = Literal["down", "up"]
type ChosenBy = Literal["down", "up", "halves"]

MIRRORED: dict[Way, Way] = {"down": "up", "up": "down"}


@dataclass(kw_only=True, eq=False)
class ScoreBracket:
    """Those with equal points, and who has been moved in. `value` is in units of the field."""

    value: int
    members: list[FieldPlayer] = field(default_factory=list[FieldPlayer])  # best first

    @property
    def own(self) -> list[FieldPlayer]:
        return [member for member in self.members if member.points == self.value]

    def moved(self, way: Way) -> list[FieldPlayer]:
        """Who is here from above, or from below; also who comes back from somewhere is judged by the own points."""
        return [member for member in self.members if moved(member, self.value) == way]

    def come(self, player: FieldPlayer) -> None:
        insort(self.members, player, key=lambda member: member.place)


def moved(player: FieldPlayer, value: int) -> Way | None:
    """Which way somebody has been moved into the bracket of this value; none for its own members."""
    return "down" if player.points > value else "up" if player.points < value else None


def worst_first(members: Sequence[FieldPlayer]) -> list[FieldPlayer]:
    return list(reversed(members))


def leaving_first(members: Sequence[FieldPlayer], way: Way) -> list[FieldPlayer]:
    """Downwards the worst leave first, upwards the best."""
    return worst_first(members) if way == "down" else list(members)


def coming_first(members: Sequence[FieldPlayer], way: Way) -> list[FieldPlayer]:
    """Who comes in exchange: downwards the best come first, upwards the worst."""
    return leaving_first(members, MIRRORED[way])


class Met(Value):
    """Two who are paired: who chose, by which part of the rule, and whom it had to pass over before."""

    one: FieldPlayer
    other: FieldPlayer
    value: int  # of the bracket
    by: ChosenBy
    way: Way
    passed: tuple[FieldPlayer, ...]

    @property
    def place(self) -> int:
        """The place of the better one."""
        return min(self.one.place, self.other.place)


class BracketPairing:
    """What is left of a bracket, and the pairs so far. The bracket can be paired as a whole."""

    def __init__(self, field: Field, bracket: ScoreBracket, way: Way) -> None:
        self.met: list[Met] = []
        self._field = field
        self._value = bracket.value
        self._way: Way = way
        self._open = {member.id: member for member in bracket.members}  # best first
        self._rest = LeftToPair(bracket.members, field.may_meet)

    # Steps 4c, 5c and 6a

    def pair_moved(self, way: Way) -> None:
        """Pairs those from above, best first, with the best possible opponents; those from below worst first, with the worst."""
        movers = [member for member in self._in_order(way) if moved(member, self._value) == way]
        for mover in movers:
            if mover.id in self._open:
                self._pair(mover, self._for_mover(mover, way), way)

    def _in_order(self, way: Way) -> list[FieldPlayer]:
        return list(self._open.values()) if way == "down" else worst_first(list(self._open.values()))

    def _for_mover(self, mover: FieldPlayer, way: Way) -> list[FieldPlayer]:
        """The bracket's own, then those from the other side, then those who were moved along (PQ.D24)."""
        ranks = {None: 0, MIRRORED[way]: 1, way: 2}
        others = [member for member in self._in_order(way) if member is not mover]
        return sorted(others, key=lambda member: ranks[moved(member, self._value)])

    # Step 7

    def pair_half_against_half(self) -> None:
        """Pairs the first with one of the other half from its beginning, then of its own half from its end."""
        while self._open:
            in_order = self._in_order(self._way)
            half = len(in_order) // 2
            self._pair(in_order[0], in_order[half:] + in_order[half - 1 : 0 : -1], "halves")

    # Step 8, of a single choice

    def _pair(self, one: FieldPlayer, candidates: Sequence[FieldPlayer], by: ChosenBy) -> None:
        other = next(other for other in candidates if self._field.may_meet(one, other) and self._rest.take(one, other))
        passed = tuple(takewhile(lambda player: player is not other, candidates))
        self.met.append(Met(one=one, other=other, value=self._value, by=by, way=self._way, passed=passed))
        del self._open[one.id], self._open[other.id]


type MayMeet = Callable[[FieldPlayer, FieldPlayer], bool]


class LeftToPair:
    """Who is still to be paired, with one way to do it at hand, which proves that it can be done.

    Which way that is never shows: all that is asked is yes or no. Where two are taken out, a pair or two of it change;
    only where that is not enough another way is looked for among all.
    """

    def __init__(self, members: Collection[FieldPlayer], may_meet: MayMeet) -> None:
        self._may_meet = may_meet
        self._members = {one.id: one for one in members}
        self._mates: dict[str, FieldPlayer] = {}
        self.is_pairable = len(members) % 2 == 0 and (self._pair_at_once() or self._pair_anyhow(list(members)))

    def take(self, one: FieldPlayer, other: FieldPlayer) -> bool:
        """Takes these two out, if the others can be paired without them."""
        left, right = self._mates[one.id], self._mates[other.id]
        gone = (one.id, other.id)
        if left is not other and not self._join(left, right, without=gone):
            others = [member for member in self._members.values() if member.id not in gone]
            if not self._pair_anyhow(others):
                return False
        for taken in gone:
            del self._members[taken], self._mates[taken]
        return True

    def _pair_at_once(self) -> bool:
        """Each with the next; for those who are left over a pair is broken up."""
        waiting = list(self._members.values())
        lonely: list[FieldPlayer] = []
        while waiting:
            one = waiting.pop()
            last_first = range(len(waiting) - 1, -1, -1)
            place = next((place for place in last_first if self._may_meet(one, waiting[place])), None)
            if place is None:
                lonely.append(one)
            else:
                self._marry(one, waiting.pop(place))
        return all(self._join(one, other) for one, other in zip(lonely[::2], lonely[1::2], strict=True))

    def _join(self, one: FieldPlayer, other: FieldPlayer, *, without: Sequence[str] = ()) -> bool:
        """Pairs these two with each other, or each with one of a pair."""
        if self._may_meet(one, other):
            self._marry(one, other)
            return True
        apart = {*without, one.id, other.id}
        for third, fourth in self._mates.items():
            member = self._members[third]
            if third not in apart and self._may_meet(one, member) and self._may_meet(fourth, other):
                self._marry(one, member)
                self._marry(fourth, other)
                return True
        return False

    def _pair_anyhow(self, members: Sequence[FieldPlayer]) -> bool:
        """Whoever meets whom: by a largest matching."""
        links = [
            (one, other)
            for one, other in combinations(range(len(members)), 2)
            if self._may_meet(members[one], members[other])
        ]
        found = matching.largest(len(members), links)
        if 2 * len(found) < len(members):
            return False
        for one, other in found:
            self._marry(members[one], members[other])
        return True

    def _marry(self, one: FieldPlayer, other: FieldPlayer) -> None:
        self._mates[one.id], self._mates[other.id] = other, one
