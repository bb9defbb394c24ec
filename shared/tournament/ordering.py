"""Puts a field in order: criterion by criterion, each among those whom the ones before leave equal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, repeat, takewhile
from operator import neg
from typing import Literal

import msgspec

from shared.numbers import Exact
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.criterion import AmongTied, ByMatches, BySettlement, Measured, RegisteredCriterion
from shared.tournament.criteria.tied import covered, decisions_of, settled
from shared.tournament.ledger import Ledger, StageCache
from shared.values import Value

type Need = Literal["lot", "duel"]
type Fields = Sequence[Sequence[str]]  # everybody, group by group, as far as they are ordered
type Asks = Callable[[Fields, Sequence[str]], bool]  # whether somebody has to say who of these is first

type RowValues = Mapping[str, Exact]  # criterion by criterion

SETTLED: tuple[Need, ...] = ("duel", "lot")

NO_NUMBERS: Mapping[str, int] = {}
NOTHING_BESIDE: RowValues = {}
NO_ROW = None, None


def every_tie(_fields: Fields, _tied: Sequence[str]) -> bool:
    return True


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A struct, since a large field has thousands of them, one table after the other."""

    place: int
    shared: bool
    entrant: str
    values: RowValues  # criterion by criterion, as far as there is a value
    beside: RowValues = {}  # what is shown and decides nothing
    separated_by: str | None = None  # the criterion that puts it above the next row
    stage: str = ""  # in whose table it stands
    group: str | None = None  # where the places are those of a group


class OpenTie(Value):
    """All criteria so far leave these equal: somebody has to draw a lot, or let them play."""

    entrants: tuple[str, ...]
    needs: Need


class FinalPlaces(Value):
    """Why places of a final list are as they are, where matches and points alone say so."""

    playing: frozenset[str]  # who plays on
    lost: frozenset[str]  # their play-off, so that they are behind those


class Table(Value):
    rows: tuple[Row, ...]  # best first
    unresolved: tuple[OpenTie, ...]
    criteria: tuple[str, ...]
    final: FinalPlaces | None = None


class RowCache:
    """Of the table that was made last, the values and the rows: most are the same in the next one."""

    def __init__(self) -> None:
        self.measured: Sequence[tuple[str, int]] = ()  # by which criteria, and how much makes one of each
        self.values: dict[str, tuple[Sequence[int], RowValues]] = {}
        self.rows: dict[str, tuple[Row, RowValues | None]] = {}  # each with the values of the one below


class RankingCache:
    """What was worked out of each stage of a tournament when it was ranked last."""

    def __init__(self) -> None:
        self._stages: dict[str, tuple[StageCache, RowCache]] = {}

    def of(self, stage: str) -> tuple[StageCache, RowCache]:
        if stage not in self._stages:
            self._stages[stage] = StageCache(), RowCache()
        return self._stages[stage]


@dataclass(frozen=True, eq=False)
class Ordering:
    """Separates the entrants step by step, and remembers by which values and by which criterion."""

    ledger: Ledger
    places: Mapping[str, int] = field(default_factory=dict[str, int])  # by the matches of a bracket
    asks: Asks = every_tie
    gone: AbstractSet[str] = frozenset()  # who takes no place that is decided among those who are equal
    cache: RowCache = field(default_factory=RowCache)
    settled: dict[str, dict[str, Fraction]] = field(default_factory=dict[str, dict[str, Fraction]])  # not measured
    unresolved: list[OpenTie] = field(default_factory=list[OpenTie])
    waiting: set[str] = field(default_factory=set[str])  # for a lot or a duel: nothing later overtakes it

    def of(self, *fields: Sequence[str], groups: Mapping[str, str] | None = None) -> Table:
        """The table of everybody, or of one group after another: each has places of its own."""
        names = self.ledger.settings.standings.criteria
        criteria = [CRITERIA[name] for name in names]
        leading = list(takewhile(lambda one: isinstance(one, Measured), criteria))
        tied = [self._by_numbers(entrants, leading) for entrants in fields if entrants]
        for criterion in criteria[len(leading) :]:
            keys = self._keys(criterion)
            so_far = [[one for group in several for one in group] for several in tied]
            if isinstance(criterion, AmongTied):
                tied = [list(self._without_gone(several, so_far)) for several in tied]
            tied = [list(self._separated(several, criterion, keys, so_far)) for several in tied]
        values = self._values([one for entrants in fields for one in entrants], criteria)
        beside = self._beside(values)
        rows = [row for several in tied for row in self._rows(several, groups or {}, values, beside)]
        return Table(rows=tuple(rows), unresolved=tuple(self.unresolved), criteria=names)

    def _by_numbers(self, entrants: Sequence[str], criteria: Sequence[RegisteredCriterion]) -> list[list[str]]:
        """By criteria of which everybody has a number, whoever is tied: in one step. Who is equal stays in order."""
        if not criteria:
            return [list(entrants)]
        columns = [self._signed(criterion, entrants) for criterion in criteria]
        keys = dict(zip(entrants, zip(*columns, strict=True), strict=True))
        in_order = sorted(entrants, key=keys.__getitem__, reverse=True)
        return [list(equal) for _, equal in groupby(in_order, keys.__getitem__)]

    def _signed(self, criterion: RegisteredCriterion, entrants: Sequence[str]) -> Iterable[int]:
        """The highest is the best one."""
        numbers = map(self._keys(criterion).__getitem__, entrants)
        is_best = not isinstance(criterion, Measured) or criterion.best == "highest"
        return numbers if is_best else map(neg, numbers)

    def _keys(self, criterion: RegisteredCriterion) -> Mapping[str, int]:
        """The numbers of everybody, whoever is tied."""
        match criterion:
            case Measured():
                return criterion.of_everybody(self.ledger)
            case ByMatches():
                self._shown(criterion.name, {one: Fraction(place) for one, place in self.places.items()})
                return self.places
            case AmongTied() | BySettlement():
                return NO_NUMBERS

    def _without_gone(self, groups: list[list[str]], so_far: Fields) -> Iterable[list[str]]:
        """Several who are there decide among themselves what rests on their order, and who is gone stands behind them: two who
        are left of three have their own meeting. What all of them have decided before somebody went stands."""
        facts, stage = self.ledger.facts, self.ledger.stage
        decided = [covered(one) for kind in SETTLED for one in decisions_of(facts, stage, kind)]
        for group in groups:
            there = [one for one in group if one not in self.gone]
            is_narrowed = 1 < len(there) < len(group) and not any(set(group) <= one for one in decided)
            if is_narrowed and self.asks(so_far, group):
                yield there
                yield [one for one in group if one in self.gone]
            else:
                yield group

    def _separated(
        self, groups: list[list[str]], criterion: RegisteredCriterion, numbers: Mapping[str, int], so_far: Fields
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

    def _values(self, entrants: Sequence[str], criteria: Sequence[RegisteredCriterion]) -> Mapping[str, RowValues]:
        """What is shown of everybody, in the order of the criteria. Who has the same numbers as before has the same values."""
        ledger, cache = self.ledger, self.cache
        measured = [one for one in criteria if isinstance(one, Measured)]
        per = [one.per(ledger) for one in measured]
        basis = [(one.name, by) for one, by in zip(measured, per, strict=True)]
        if basis != cache.measured:
            cache.measured, cache.values = basis, {}
        columns = [map(one.of_everybody(ledger).__getitem__, entrants) for one in measured]
        known, found = cache.values, dict[str, RowValues]()
        for entrant, numbers in zip(entrants, zip(*columns, strict=True) if columns else repeat(()), strict=False):
            before = known.get(entrant)
            if before is None or before[0] != numbers:
                several = zip(measured, numbers, per, strict=True)
                before = known[entrant] = numbers, {one.name: ratio(number, by) for one, number, by in several}
            found[entrant] = before[1]
        names = self.ledger.settings.standings.criteria
        for entrant, more in self.settled.items():
            if entrant in found:
                both = {**found[entrant], **more}
                found[entrant] = {name: both[name] for name in names if name in both}
        return found

    def _beside(self, entrants: Iterable[str]) -> Mapping[str, RowValues]:
        """What the ruleset wants to be shown of everybody beside the criteria."""
        standings = self.ledger.settings.standings
        more = [name for name in standings.shown if name not in standings.criteria]
        measured = [one for name in more if isinstance(one := CRITERIA[name], Measured)]
        found = {one.name: (one.of_everybody(self.ledger), one.per(self.ledger)) for one in measured}
        return {
            entrant: {name: ratio(numbers[entrant], per) for name, (numbers, per) in found.items()}
            for entrant in (entrants if found else ())
        }

    def _shown(self, name: str, found: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        for one, value in found.items():
            self.settled.setdefault(one, {})[name] = value
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
        self,
        groups: Sequence[Sequence[str]],
        letters: Mapping[str, str],
        values: Mapping[str, RowValues],
        beside: Mapping[str, RowValues],
    ) -> Iterable[Row]:
        in_order = [one for group in groups for one in group]
        known = self.cache.rows
        below = iter([*(values[one] for one in in_order[1:]), None])
        place = 1
        for group in groups:
            shared = len(group) > 1
            for one in group:
                own, other, more, letter = values[one], next(below), beside.get(one, NOTHING_BESIDE), letters.get(one)
                before, above = known.get(one, NO_ROW)
                is_same_pair = before is not None and before.values is own and above is other
                if (
                    before is None
                    or not is_same_pair
                    or before.place != place
                    or before.shared != shared
                    or before.beside != more
                    or before.group != letter
                ):
                    if before is not None and is_same_pair:
                        by = before.separated_by
                    else:
                        by = None if other is None else separating(own, other)
                    before = Row(
                        place=place,
                        shared=shared,
                        entrant=one,
                        values=own,
                        beside=more,
                        stage=self.ledger.stage,
                        group=letter,
                        separated_by=by,
                    )
                    known[one] = before, other
                yield before
            place += len(group)


@lru_cache(maxsize=10_000)  # the same few numbers come again and again
def ratio(number: int, per: int) -> Exact:
    whole, rest = divmod(number, per)
    return Fraction(number, per) if rest else whole


def separating(above: RowValues, below: RowValues) -> str | None:
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
