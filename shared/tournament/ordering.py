"""Puts a field in order: criterion by criterion, each among those whom the ones before leave equal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Literal

import msgspec

from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.criterion import AmongTied, ByMatches, BySettlement, Criterion, Measured
from shared.tournament.criteria.tied import covered, decisions_of, settled
from shared.tournament.ledger import Ledger
from shared.values import Value

type Need = Literal["lot", "duel"]
type Fields = Sequence[Sequence[str]]  # everybody, group by group, as far as they are ordered
type Asks = Callable[[Fields, Sequence[str]], bool]  # whether somebody has to say who of these is first

NO_NUMBERS: Mapping[str, int] = {}
NOTHING_BESIDE: Mapping[str, Fraction] = {}


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A struct, since a large field has thousands of them, one table after the other."""

    place: int
    shared: bool
    entrant: str
    values: Mapping[str, Fraction]  # criterion by criterion, as far as there is a value
    beside: Mapping[str, Fraction] = {}  # what is shown and decides nothing
    separated_by: str | None = None  # the criterion that puts it above the next row
    stage: str = ""  # in whose table it stands
    group: str | None = None  # where the places are those of a group


class OpenTie(Value):
    """All criteria so far leave these equal: somebody has to draw a lot, or let them play."""

    entrants: tuple[str, ...]
    needs: Need


class Table(Value):
    rows: tuple[Row, ...]  # best first
    unresolved: tuple[OpenTie, ...]
    criteria: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ordering:
    """Separates the entrants step by step, and remembers by which values and by which criterion."""

    ledger: Ledger
    places: Mapping[str, int] = field(default_factory=dict[str, int])  # by the matches of a bracket
    asks: Asks = lambda _fields, _tied: True
    values: dict[str, dict[str, Fraction]] = field(default_factory=dict[str, dict[str, Fraction]])
    unresolved: list[OpenTie] = field(default_factory=list[OpenTie])
    waiting: set[str] = field(default_factory=set[str])  # for a lot or a duel: nothing later overtakes it

    def of(self, *fields: Sequence[str], groups: Mapping[str, str] | None = None) -> Table:
        """The table of everybody, or of one group after another: each has places of its own."""
        criteria = self.ledger.settings.standings.criteria
        self.values.update({one: {} for entrants in fields for one in entrants})
        tied = [[list(entrants)] for entrants in fields if entrants]
        for name in criteria:
            criterion = CRITERIA[name]
            numbers = self._numbers(criterion)
            so_far = [[one for group in several for one in group] for several in tied]
            tied = [list(self._separated(several, criterion, numbers, so_far)) for several in tied]
        beside = self._beside()
        rows = [row for several in tied for row in self._rows(several, groups or {}, beside)]
        return Table(rows=tuple(rows), unresolved=tuple(self.unresolved), criteria=criteria)

    def _numbers(self, criterion: Criterion) -> Mapping[str, int]:
        """The numbers of everybody, whoever is tied."""
        match criterion:
            case Measured():
                return self._measured(criterion)
            case ByMatches():
                self._shown(criterion.name, {one: Fraction(place) for one, place in self.places.items()})
                return self.places
            case AmongTied() | BySettlement():
                return NO_NUMBERS

    def _separated(
        self, groups: list[list[str]], criterion: Criterion, numbers: Mapping[str, int], so_far: Fields
    ) -> Iterable[list[str]]:
        for group in groups:
            if len(group) == 1 or group[0] in self.waiting:
                yield group
                continue
            match criterion:
                case Measured():
                    keys: Mapping[str, int | Fraction] = numbers
                    best = criterion.best
                case ByMatches():
                    keys = numbers
                    best = "lowest"
                case AmongTied():
                    keys = self._shown(criterion.name, criterion.measure(self.ledger, group))
                    best = criterion.best
                case BySettlement():
                    keys = self._shown(criterion.name, self._decided(criterion, group, so_far))
                    best = "lowest"
            yield from self._split(group, keys, is_reverse=best == "highest")

    def _measured(self, criterion: Measured) -> Mapping[str, int]:
        """Everybody's number. Equal numbers are shown as one and the same value, made once."""
        name, numbers, per = criterion.name, criterion.measure(self.ledger), criterion.per(self.ledger)
        shown = {number: ratio(number, per) for number in set(numbers.values())}
        for one, values in self.values.items():
            values[name] = shown[numbers[one]]
        return numbers

    def _beside(self) -> Mapping[str, Mapping[str, Fraction]]:
        """What the ruleset wants to be shown of everybody beside the criteria."""
        standings = self.ledger.settings.standings
        more = [name for name in standings.shown if name not in standings.criteria]
        measured = [one for name in more if isinstance(one := CRITERIA[name], Measured)]
        found = {one.name: (one.measure(self.ledger), one.per(self.ledger)) for one in measured}
        return {
            entrant: {name: ratio(numbers[entrant], per) for name, (numbers, per) in found.items()}
            for entrant in (self.values if found else ())
        }

    def _shown(self, name: str, found: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        for one, value in found.items():
            if one in self.values:
                self.values[one][name] = value
        return found

    def _decided(self, criterion: BySettlement, group: Sequence[str], so_far: Fields) -> Mapping[str, Fraction]:
        """The positions as the world has decided. What a duel leaves equal goes on; what a lot leaves equal needs another.

        Where the rules leave it at that, those who are equal for nothing stay so.
        """
        decisions = decisions_of(self.ledger.facts, self.ledger.stage, criterion.name)
        found = settled(decisions, group)
        for equal in sharing(group, found):
            is_open = criterion.name == "lot" or not any(set(equal) <= covered(one) for one in decisions)
            if is_open and self.asks(within(so_far, group, found), equal):
                self.unresolved.append(OpenTie(entrants=equal, needs=criterion.name))
                self.waiting.update(equal)
        return found

    def _split(self, group: list[str], keys: Mapping[str, int | Fraction], *, is_reverse: bool) -> Iterable[list[str]]:
        """In the order of the keys; whoever is equal stays in the order that was. Without keys all are equal."""
        if not keys:
            return [group]
        in_order = sorted(group, key=keys.__getitem__, reverse=is_reverse)
        return [list(equal) for _, equal in groupby(in_order, keys.__getitem__)]

    def _rows(
        self, groups: Sequence[Sequence[str]], letters: Mapping[str, str], beside: Mapping[str, Mapping[str, Fraction]]
    ) -> Iterable[Row]:
        in_order = [one for group in groups for one in group]
        below = iter([*in_order[1:], None])
        place = 1
        for group in groups:
            for one in group:
                other = next(below)
                yield Row(
                    place=place,
                    shared=len(group) > 1,
                    entrant=one,
                    values=self.values[one],
                    beside=beside.get(one, NOTHING_BESIDE),
                    stage=self.ledger.stage,
                    group=letters.get(one),
                    separated_by=None if other is None else separating(self.values[one], self.values[other]),
                )
            place += len(group)


@lru_cache(maxsize=10_000)  # the same few numbers come again and again
def ratio(number: int, per: int) -> Fraction:
    return Fraction(number, per)


def separating(above: Mapping[str, Fraction], below: Mapping[str, Fraction]) -> str | None:
    """The criterion that puts one above another: the first in which they differ."""
    for name, value in above.items():
        other = below.get(name, value)
        if other is not value and other != value:
            return name
    return None


def within(so_far: Fields, group: Sequence[str], found: Mapping[str, Fraction]) -> Fields:
    """Everybody once more, with those of a group in the positions that were found."""
    if not found:
        return so_far
    inside = iter(sorted(group, key=found.__getitem__))
    members = set(group)
    return [[next(inside) if one in members else one for one in several] for several in so_far]


def sharing(group: Sequence[str], found: Mapping[str, Fraction]) -> Iterable[tuple[str, ...]]:
    """Those of a group who still have the same position; all of them while nothing is decided."""
    by_position: dict[Fraction | None, list[str]] = {}
    for one in group:
        by_position.setdefault(found.get(one), []).append(one)
    return [tuple(equal) for equal in by_position.values() if len(equal) > 1]
