"""What each entrant has done round by round, in whole units so that sums are quick and exact."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from math import lcm
from operator import is_
from typing import Literal

import msgspec

from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.facts import Entrant, Facts, Penalty, Result, Round
from shared.tournament.scoring import PAIR, FlagCap, counted
from shared.tournament.stages import field_of, settings_of

type TurnKind = Literal["game", "bye", "requested-bye", "missing", "away", "void"]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One round of one entrant. Numbers are in units of the ledger; a struct, since a large field has thousands."""

    round: int
    kind: TurnKind
    opponents: tuple[str, ...]
    points: int
    made: int
    received: int  # what the others at the table made
    was_forfeit: bool = False
    at_fault: bool = False
    place: int = 0  # at the table, counting who got more points; 0 without a game


class Finer(Exception):
    """A number is no whole multiple of the unit."""

    def __init__(self, number: Fraction) -> None:
        super().__init__(f"{number} needs a finer unit")
        self.denominator = number.denominator


@dataclass(frozen=True, kw_only=True, eq=False)
class Written:
    """The turns of a round, and all that they follow from."""

    round: Round
    results: Sequence[Result | None]  # game by game
    voided: frozenset[str]
    entrants: frozenset[str]
    settings: Settings
    unit: int
    turns: Sequence[tuple[str, Turn]]

    def still_holds(self, other: "Written") -> bool:
        """Whether the same turns follow. What is the same is the same thing: facts are never changed."""
        return (
            self.round is other.round
            and self.settings is other.settings
            and self.unit == other.unit
            and all(map(is_, self.results, other.results))
            and self.voided == other.voided
            and self.entrants == other.entrants
        )


MOST_KNOWN = 10_000
NOBODY = frozenset[str]()


class Units:
    """Numbers as so many units. The same few come again and again, in all tournaments: they are known by what they are.

    They are kept, and never given up, so that no other number can be taken for one of them.
    """

    def __init__(self, unit: int) -> None:
        self._unit = unit
        self._kept: list[Fraction] = []
        self.known: dict[int, int] = {}  # by the identity of the number

    def of(self, number: Fraction) -> int:
        if (known := self.known.get(id(number))) is not None:
            return known
        if self._unit % number.denominator:
            raise Finer(number)
        units = number.numerator * (self._unit // number.denominator)
        if len(self._kept) < MOST_KNOWN:
            self._kept.append(number)
            self.known[id(number)] = units
        return units


@lru_cache(maxsize=16)
def units_of(unit: int) -> Units:
    """There are not many units."""
    return Units(unit)


class Turns:
    """Writes down the rounds entrant by entrant; of rounds that are as they were, what was written before is taken.

    Large fields have thousands of turns, so each step counts.
    """

    def __init__(self, facts: Facts, settings: Settings, unit: int) -> None:
        self._facts = facts
        self._settings = settings
        self._cap: FlagCap = settings.results.flag_cap
        self._unit = unit
        self._units = units_of(unit)

    def of(self, rounds: Iterable[Round], entrants: Iterable[str]) -> Mapping[str, tuple[Turn, ...]]:
        turns: dict[str, list[Turn]] = {entrant: [] for entrant in entrants}
        everybody = frozenset(turns)
        for one in rounds:
            for entrant, turn in self._of_round(one, everybody):
                turns[entrant].append(turn)
        return {entrant: tuple(several) for entrant, several in turns.items()}

    def _of_round(self, one: Round, entrants: frozenset[str]) -> Sequence[tuple[str, Turn]]:
        known: dict[tuple[str, int], Written] = self._facts.memory.rounds
        results, voided = self._facts.results, self._facts.voided
        turns: list[tuple[str, Turn]] = []
        written = Written(
            round=one,
            results=[results.get(game.id) for game in one.games],
            voided=frozenset(game.id for game in one.games if game.id in voided) if voided else voided,
            entrants=entrants,
            settings=self._settings,
            unit=self._unit,
            turns=turns,
        )
        before = known.get((one.stage, one.number))
        if before is not None and before.still_holds(written):
            return before.turns
        self._write(written, turns)
        known[one.stage, one.number] = written
        return turns

    def _write(self, written: Written, turns: list[tuple[str, Turn]]) -> None:
        """An entrant without a game that counts has not played; who still waits for a result is left out.

        So is a game of somebody who is not known yet.
        """
        one, entrants, voided = written.round, written.entrants, written.voided
        void = NOBODY.union(*[game.seats for game in one.games if game.id in voided]) if voided else NOBODY
        seated = NOBODY.union(*[game.seats for game in one.games if game.id not in voided])
        are_all_known = entrants >= seated | void
        for game, result in zip(one.games, written.results, strict=True):
            seats = game.seats
            if result is None or not (are_all_known or entrants.issuperset(seats)):
                continue
            if len(seats) == len(PAIR) and not result.by:
                turns += self._pair(one.number, seats, result)
            else:
                turns += zip(seats, self._played(one.number, seats, result), strict=True)
        turns += [(entrant, self._without_game(one, entrant, is_void=entrant in void)) for entrant in entrants - seated]

    def _pair(self, number: int, seats: tuple[str, ...], result: Result) -> tuple[tuple[str, Turn], tuple[str, Turn]]:
        """What `_played` says of two of whom nobody is at fault, in fewer steps: most games are such."""
        one, other = seats
        (first, second), (third, fourth) = result.scores, result.points
        known = self._units.known
        try:
            made, received, points, lost = known[id(first)], known[id(second)], known[id(third)], known[id(fourth)]
        except KeyError:
            made, received, points, lost = map(self._units.of, (first, second, third, fourth))
        was_forfeit = result.end != "played"
        return (
            (one, Turn(number, "game", (other,), points, made, received, was_forfeit, False, 2 - (points >= lost))),  # noqa: FBT003 - in the order of the fields, which is quicker
            (other, Turn(number, "game", (one,), lost, received, made, was_forfeit, False, 2 - (lost >= points))),  # noqa: FBT003 - as above
        )

    def _played(self, number: int, seats: tuple[str, ...], result: Result) -> Iterable[Turn]:
        """The same game, as each seat sees it."""
        counting = counted(self._cap, result.scores, result.by) if result.by else result.scores
        scores = [self._units.of(score) for score in counting]
        points = [self._units.of(several) for several in result.points]
        total = sum(scores)
        was_forfeit = result.end != "played"
        best_first = sorted(points, reverse=True)
        return [
            Turn(
                number,
                "game",
                seats[:seat] + seats[seat + 1 :],
                own,
                score,
                total - score,
                was_forfeit,
                seat in result.by,
                best_first.index(own) + 1,
            )
            for seat, (score, own) in enumerate(zip(scores, points, strict=True))
        ]

    def _without_game(self, one: Round, entrant: str, *, is_void: bool) -> Turn:
        scoring = self._settings.scoring
        if entrant in one.byes:
            points = {"full": scoring.win, "half": scoring.draw, "none": scoring.loss * 0}[scoring.bye]
            made, received = (self._units.of(score) for score in scoring.bye_scores)
            return Turn(one.number, "bye", (), self._units.of(points), made, received)
        if entrant in one.requested_byes:
            return Turn(one.number, "requested-bye", (), self._units.of(one.requested_byes[entrant]), 0, 0)
        kind: TurnKind = "missing" if entrant in one.missing else "void" if is_void else "away"
        return Turn(one.number, kind, (), 0, 0, 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """A stage up to a round, ready to be measured. `unit` units make one point; scores have the same unit."""

    facts: Facts
    stage: str
    settings: Settings
    entrants: Mapping[str, Entrant]
    rounds: tuple[int, ...]  # the numbers of those that count
    unit: int
    turns: Mapping[str, tuple[Turn, ...]]
    penalties: tuple[Penalty, ...]
    left: frozenset[str] = frozenset()  # who had left by the last of these rounds

    def exact(self, units: int, *, square: bool = False) -> Fraction:
        """In points. Products of two numbers are in square units."""
        return Fraction(units, self.unit**2 if square else self.unit)

    @cached_property
    def played_points(self) -> Mapping[str, int]:
        """What somebody has from the rounds and brought along, as it counts for opponents."""
        return {
            one: self.units(entrant.carried) + sum([turn.points for turn in self.turns[one]])
            for one, entrant in self.entrants.items()
        }

    @cached_property
    def own_points(self) -> Mapping[str, int]:
        """The same with penalties, which only count for who has them."""
        points = dict(self.played_points)
        for penalty in self.penalties:
            points[penalty.entrant] += self.units(penalty.points)
        return points

    @cached_property
    def win_units(self) -> int:
        """What whoever wins gets at least."""
        scoring = self.settings.scoring
        return self.units(scoring.placement[0] if scoring.placement else scoring.win)

    def units(self, number: Fraction) -> int:
        return number.numerator * (self.unit // number.denominator)


def ledger_of(facts: Facts, stage: str, *, through: int | None = None) -> Ledger:
    """Of the rounds up to a number, or of all that stand."""
    settings = settings_of(facts, stage)
    entrants = bringing_points(facts, stage, settings)
    rounds = [
        facts.rounds[place]
        for place in sorted(place for place in facts.rounds if place[0] == stage)
        if through is None or place[1] <= through
    ]
    penalties = [
        penalty
        for penalty in facts.penalties.values()
        if penalty.stage == stage and penalty.entrant in entrants and (through is None or penalty.round <= through)
    ]
    numbers = chain(
        settings.scoring.bye_scores,
        (settings.scoring.win, settings.scoring.draw, settings.scoring.loss, *(settings.scoring.placement or ())),
        (penalty.points for penalty in penalties),
        (entrant.carried for entrant in entrants.values()),
    )
    unit, turns = written(facts, settings, rounds, entrants, lcm(*{number.denominator for number in numbers}))
    return Ledger(
        facts=facts,
        stage=stage,
        settings=settings,
        entrants=entrants,
        rounds=tuple(one.number for one in rounds),
        unit=unit,
        turns=turns,
        penalties=tuple(penalties),
        left=frozenset(gone(facts, stage, through)),
    )


def written(
    facts: Facts, settings: Settings, rounds: Sequence[Round], entrants: Collection[str], unit: int
) -> tuple[int, Mapping[str, tuple[Turn, ...]]]:
    """In this unit, or in one as fine as a result asks for, which is rare."""
    while True:
        try:
            return unit, Turns(facts, settings, unit).of(rounds, entrants)
        except Finer as finer:
            unit = lcm(unit, finer.denominator)


def gone(facts: Facts, stage: str, through: int | None) -> Iterable[str]:
    """Who left in this stage, as far as the table goes, or before it."""
    ids = [one.id for one in facts.ruleset.stages]
    for entrant, left in facts.left.items():
        is_earlier = ids.index(left.stage) < ids.index(stage)
        if is_earlier or (left.stage == stage and (through is None or left.after_round <= through)):
            yield entrant


def bringing_points(facts: Facts, stage: str, settings: Settings) -> Mapping[str, Entrant]:
    """Who goes on from a stage to one where its points count brings them along; for others they were told."""
    entrants = field_of(facts, stage)
    field = stage_of(facts.ruleset, stage).field
    if not settings.scoring.carry or isinstance(field, Everybody):
        return entrants
    earlier = ledger_of(facts, field.stage)
    if not earlier.rounds:
        return entrants
    return {
        one: entrant
        if one not in earlier.entrants
        else msgspec.structs.replace(entrant, carried=earlier.exact(earlier.own_points[one]))
        for one, entrant in entrants.items()
    }
