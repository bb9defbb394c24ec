"""The text of docs/rules on the Swiss round of pIšQworky once more: as slow and as literal as can be.

It shares nothing with the engine. Whether some can be paired it finds out by trying.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise


class NotPairable(Exception):
    pass


@dataclass
class Naive:
    order: Sequence[str]  # step 1, best first
    mp: Mapping[str, int]
    r: int
    met: set[frozenset[str]]
    byes: Mapping[str, int]
    defaults: Mapping[str, int] = field(default_factory=dict[str, int])  # wins over who did not come
    bracket: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    pairs: dict[int, list[tuple[str, str]]] = field(default_factory=dict[int, list[tuple[str, str]]])
    bye: str | None = None

    def best_first(self, some: Iterable[str]) -> list[str]:
        return sorted(some, key=self.order.index)

    def worst_first(self, some: Iterable[str]) -> list[str]:
        return self.best_first(some)[::-1]

    def ok(self, one: str, other: str) -> bool:
        return one != other and frozenset((one, other)) not in self.met

    def pairable(self, some: Sequence[str]) -> bool:
        if not some:
            return True
        one, *others = some
        return any(self.ok(one, x) and self.pairable([y for y in others if y != x]) for x in others)

    def round(self) -> tuple[dict[frozenset[str], int], str | None]:
        """The pairs, each with the value of its bracket, and the bye."""
        # 2
        playing = list(self.order)
        if len(playing) % 2:
            fewest = min(self.byes[x] for x in playing)
            for x in sorted(self.worst_first(playing), key=lambda x: self.defaults.get(x, 0)):
                rest = [y for y in playing if y != x]
                if self.byes[x] == fewest and self.pairable(rest):
                    self.bye, playing = x, rest
                    break
            else:
                raise NotPairable
        # 3
        values = {self.mp[x] for x in playing} | {self.r}
        self.bracket = {v: [x for x in playing if self.mp[x] == v] for v in values}
        upper = sorted((v for v in values if v > self.r), reverse=True)
        lower = sorted(v for v in values if v < self.r)
        # 4
        for v, w in pairwise([*upper, self.r]):
            self.down(v, w)
        # 5
        for v, w in pairwise([*lower, self.r]):
            self.up(v, w)
        # 6
        above = [v for v in upper[::-1] if self.pairs[v]]
        below = [v for v in lower[::-1] if self.pairs[v]]
        while not self.pairable(self.bracket[self.r]):
            h = sum(1 for x in self.bracket[self.r] if self.mp[x] > self.r)
            m = sum(1 for x in self.bracket[self.r] if self.mp[x] < self.r)
            if h > m:
                v = below.pop(0) if below else above.pop(0) if above else None
            else:
                v = above.pop(0) if above else below.pop(0) if below else None
            if v is None:
                raise NotPairable
            self.bracket[self.r] += self.bracket.pop(v)
            self.pairs.pop(v)
        self.pairs[self.r] = []
        self.moved_up(self.r)
        self.moved_down(self.r)
        self.halves_down(self.r)
        return {frozenset(two): v for v, several in self.pairs.items() for two in several}, self.bye

    def down(self, v: int, w: int) -> None:
        here, there = self.bracket[v], self.bracket[w]
        for x in self.worst_first(here):
            if not any(self.ok(x, y) for y in here):
                here.remove(x)
                up = [y for y in self.best_first(there) if self.mp[y] == w and any(self.ok(y, z) for z in here)]
                there.append(x)
                if up:
                    there.remove(up[0])
                    here.append(up[0])
        if len(here) % 2:
            fine = [x for x in self.worst_first(here) if self.pairable([y for y in here if y != x])]
            x = fine[0] if fine else self.worst_first(here)[0]
            here.remove(x)
            there.append(x)
        for x in self.too_many(self.worst_first(here)):
            here.remove(x)
            there.append(x)
        self.pairs[v] = []
        self.moved_down(v)
        self.moved_up(v)
        self.halves_down(v)

    def up(self, v: int, w: int) -> None:
        here, there = self.bracket[v], self.bracket[w]
        for x in self.best_first(here):
            if not any(self.ok(x, y) for y in here):
                here.remove(x)
                down = [y for y in self.worst_first(there) if self.mp[y] == w and any(self.ok(y, z) for z in here)]
                there.append(x)
                if down:
                    there.remove(down[0])
                    here.append(down[0])
        if len(here) % 2:
            fine = [x for x in self.best_first(here) if self.pairable([y for y in here if y != x])]
            x = fine[0] if fine else self.best_first(here)[0]
            here.remove(x)
            there.append(x)
        for x in self.too_many(self.best_first(here)):
            here.remove(x)
            there.append(x)
        self.pairs[v] = []
        self.moved_up(v)
        self.moved_down(v)
        self.halves_up(v)

    def too_many(self, in_order: Sequence[str]) -> Sequence[str]:
        """Step 8."""
        for number in range(0, len(in_order) + 1, 2):
            for some in combinations(in_order, number):
                if self.pairable([x for x in in_order if x not in some]):
                    return some
        raise AssertionError

    def open(self, v: int) -> list[str]:
        taken = {x for two in self.pairs[v] for x in two}
        return [x for x in self.bracket[v] if x not in taken]

    def meet(self, v: int, x: str, wanted: Sequence[str]) -> None:
        for y in wanted:
            if self.ok(x, y) and self.pairable([z for z in self.open(v) if z not in (x, y)]):
                self.pairs[v].append((x, y))
                return
        raise AssertionError

    def moved_down(self, v: int) -> None:
        for x in self.best_first(self.bracket[v]):
            if self.mp[x] > v and x in self.open(v):
                some = self.best_first(self.open(v))
                own = [y for y in some if self.mp[y] == v]
                from_below = [y for y in some if self.mp[y] < v]
                from_above = [y for y in some if self.mp[y] > v]
                self.meet(v, x, own + from_below + from_above)

    def moved_up(self, v: int) -> None:
        for x in self.worst_first(self.bracket[v]):
            if self.mp[x] < v and x in self.open(v):
                some = self.worst_first(self.open(v))
                own = [y for y in some if self.mp[y] == v]
                from_below = [y for y in some if self.mp[y] < v]
                from_above = [y for y in some if self.mp[y] > v]
                self.meet(v, x, own + from_above + from_below)

    def halves_down(self, v: int) -> None:
        while some := self.best_first(self.open(v)):
            upper, lower = some[: len(some) // 2], some[len(some) // 2 :]
            self.meet(v, upper[0], lower + upper[:0:-1])

    def halves_up(self, v: int) -> None:
        while some := self.worst_first(self.open(v)):
            first, second = some[: len(some) // 2], some[len(some) // 2 :]
            self.meet(v, first[0], second + first[:0:-1])


def starter(
    one: str, other: str, history: Mapping[str, Sequence[bool]], number: Mapping[str, int], rnd: int, *, lower: bool
) -> str | None:
    """PQ.PAI-10, read literally; none where neither has played."""
    mine, theirs = history[one], history[other]
    if sum(mine) != sum(theirs):
        return one if sum(mine) < sum(theirs) else other
    if len(mine) != len(theirs):
        return one if len(mine) > len(theirs) else other
    for k in range(1, len(mine) + 1):
        if mine[-k] != theirs[-k]:
            return one if mine[-k] else other
    if not mine:
        return None
    high, low = sorted((one, other), key=number.__getitem__)
    wishes, yields = (low, high) if lower else (high, low)
    starts, others = sum(mine), len(mine) - sum(mine)
    if rnd % 2 == 0 and starts != others:
        return wishes if starts < others else yields
    return yields if mine[-1] else wishes
