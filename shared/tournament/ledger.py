"""What each entrant has done in a stage, round by round, in whole units so that sums are quick and exact."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import Literal

import msgspec

from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.facts import Entrant, Facts, Penalty, Result, Round
from shared.tournament.scoring import FlagCap, counted
from shared.tournament.stages import field_of, settings_of

type Kind = Literal["game", "bye", "requested-bye", "missing", "away", "void"]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One round of one entrant. Numbers are in units of the ledger; a struct, since a large field has thousands."""

    round: int
    kind: Kind
    opponents: tuple[str, ...]
    points: int
    made: int
    received: int  # what the others at the table made
    was_forfeit: bool = False
    at_fault: bool = False
    place: int = 0  # at the table, counting who got more points; 0 without a game


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
        numbers_in(facts, rounds),
    )
    unit = lcm(*{number.denominator for number in numbers})
    return Ledger(
        facts=facts,
        stage=stage,
        settings=settings,
        entrants=entrants,
        rounds=tuple(one.number for one in rounds),
        unit=unit,
        turns=Turns(facts, settings, unit).of(rounds, entrants),
        penalties=tuple(penalties),
        left=frozenset(gone(facts, stage, through)),
    )


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
        else replace(entrant, carried=earlier.exact(earlier.own_points[one]))
        for one, entrant in entrants.items()
    }


def numbers_in(facts: Facts, rounds: Iterable[Round]) -> Iterable[Fraction]:
    """Every number that the rounds say."""
    for one in rounds:
        yield from one.requested_byes.values()
        for game in one.games:
            result = facts.results.get(game.id)
            if result is not None:
                yield from result.points
                yield from result.scores


class Turns:
    """Writes down the rounds entrant by entrant."""

    def __init__(self, facts: Facts, settings: Settings, unit: int) -> None:
        self._facts = facts
        self._settings = settings
        self._cap: FlagCap = settings.results.flag_cap
        self._unit = unit
        self._known: dict[int, tuple[Fraction, int]] = {}

    def of(self, rounds: Iterable[Round], entrants: Iterable[str]) -> Mapping[str, tuple[Turn, ...]]:
        turns: dict[str, list[Turn]] = {entrant: [] for entrant in entrants}
        for one in rounds:
            self._write(one, turns)
        return {entrant: tuple(several) for entrant, several in turns.items()}

    def _write(self, one: Round, turns: dict[str, list[Turn]]) -> None:
        """An entrant without a game that counts has not played; who still waits for a result is left out.

        So is a game of somebody who is not known yet.
        """
        idle = dict.fromkeys(turns)
        void: set[str] = set()
        for game in one.games:
            result = self._facts.results.get(game.id)
            if result is not None and all(map(turns.__contains__, game.seats)):
                for entrant, turn in zip(game.seats, self._played(one.number, game.seats, result), strict=True):
                    turns[entrant].append(turn)
            if game.id in self._facts.voided:
                void.update(game.seats)
            else:
                for entrant in game.seats:
                    idle.pop(entrant, None)
        for entrant in idle:
            turns[entrant].append(self._without_game(one, entrant, is_void=entrant in void))

    def _played(self, number: int, seats: tuple[str, ...], result: Result) -> Iterable[Turn]:
        """The same game, as each seat sees it."""
        counting = counted(self._cap, result.scores, result.by) if result.by else result.scores
        scores = [self._units(score) for score in counting]
        points = [self._units(several) for several in result.points]
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
            made, received = (self._units(score) for score in scoring.bye_scores)
            return Turn(one.number, "bye", (), self._units(points), made, received)
        if entrant in one.requested_byes:
            return Turn(one.number, "requested-bye", (), self._units(one.requested_byes[entrant]), 0, 0)
        kind: Kind = "missing" if entrant in one.missing else "void" if is_void else "away"
        return Turn(one.number, kind, (), 0, 0, 0)

    def _units(self, number: Fraction) -> int:
        """The same few numbers come again and again. Each is kept here too, so that no other one can be taken for it."""
        known = self._known.get(id(number))
        if known is None:
            known = self._known[id(number)] = number, number.numerator * (self._unit // number.denominator)
        return known[1]
