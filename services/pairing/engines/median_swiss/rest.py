"""Who is still to be paired, with one way to do it at hand, which proves that it can be done.

Which way that is never shows: all that is asked is yes or no. Where two are taken out, a pair or two of it change; only
where that is not enough another way is looked for among all.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from services.pairing.engines import matching
from services.pairing.engines.field import Player

type MayMeet = Callable[[Player, Player], bool]


class Rest:
    def __init__(self, members: Collection[Player], may_meet: MayMeet) -> None:
        self._may_meet = may_meet
        self._members = {one.id: one for one in members}
        self._mates: dict[str, Player] = {}
        self.is_pairable = len(members) % 2 == 0 and (self._pair_at_once() or self._pair_anyhow(list(members)))

    def take(self, one: Player, other: Player) -> bool:
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
        lonely: list[Player] = []
        while waiting:
            one = waiting.pop()
            last_first = range(len(waiting) - 1, -1, -1)
            place = next((place for place in last_first if self._may_meet(one, waiting[place])), None)
            if place is None:
                lonely.append(one)
            else:
                self._marry(one, waiting.pop(place))
        return all(self._join(one, other) for one, other in zip(lonely[::2], lonely[1::2], strict=True))

    def _join(self, one: Player, other: Player, *, without: Sequence[str] = ()) -> bool:
        """These two with each other, or each with one of a pair."""
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

    def _pair_anyhow(self, members: Sequence[Player]) -> bool:
        """By a largest matching."""
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

    def _marry(self, one: Player, other: Player) -> None:
        self._mates[one.id], self._mates[other.id] = other, one
