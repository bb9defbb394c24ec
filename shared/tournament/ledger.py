"""What everybody in a stage has done, round by round and up to a round, ready to be measured.

Numbers are in whole units, so that sums are quick and exact.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import Literal

import msgspec

from shared.numbers import Exact
from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.absent_players import points_without_game
from shared.tournament.facts import Entrant, Facts, Penalty, Result, Round
from shared.tournament.scoring import counted
from shared.tournament.stages import field_of, settings_of
from shared.values import Value

type Kind = Literal["game", "bye", "requested-bye", "missing", "away", "void"]

NOBODY = frozenset[str]()
PAIR = 2  # seats


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


type Turns = Sequence[tuple[str, Turn]]  # of one round, with whose each is


class Finer(Exception):
    """A number is no whole multiple of the unit."""

    def __init__(self, number: Fraction) -> None:
        super().__init__(f"{number} needs a finer unit")
        self.denominator = number.denominator


class PlayedRound(Value):
    """A round, and all else that the turns of it follow from."""

    round: Round
    results: tuple[Result | None, ...]  # game by game
    voided: frozenset[str]
    entrants: frozenset[str]
    settings: Settings
    unit: int

    def turns(self) -> Turns:
        """An entrant without a game that counts has not played; who still waits for a result is left out.

        So is a game of somebody who is not known yet.
        """
        one, entrants, turns = self.round, self.entrants, list[tuple[str, Turn]]()
        void = NOBODY.union(*[game.seats for game in one.games if game.id in self.voided])
        seated = NOBODY.union(*[game.seats for game in one.games if game.id not in self.voided])
        are_all_known = entrants >= seated | void
        for game, result in zip(one.games, self.results, strict=True):
            if result is not None and (are_all_known or entrants.issuperset(game.seats)):
                turns += self._seats(game.seats, result)
        turns += [(entrant, self._without_game(entrant, is_void=entrant in void)) for entrant in entrants - seated]
        return turns

    def _seats(self, seats: tuple[str, ...], result: Result) -> Turns:
        """The same game, as each seat sees it."""
        number, was_forfeit, at_fault = self.round.number, result.end != "played", result.by
        counting = counted(self.settings.results.flag_cap, result.scores, at_fault) if at_fault else result.scores
        scores, points = all_in_units(counting, self.unit), all_in_units(result.points, self.unit)
        if len(seats) == PAIR:  # as almost always
            (one, other), (made, received), (own, theirs) = seats, scores, points
            first, second = 1 + (theirs > own), 1 + (own > theirs)
            return (
                (one, Turn(number, "game", (other,), own, made, received, was_forfeit, 0 in at_fault, first)),
                (other, Turn(number, "game", (one,), theirs, received, made, was_forfeit, 1 in at_fault, second)),
            )
        total, best_first = sum(scores), sorted(points, reverse=True)
        turns: list[tuple[str, Turn]] = []
        for seat, (entrant, made, own) in enumerate(zip(seats, scores, points, strict=True)):
            others, place = seats[:seat] + seats[seat + 1 :], best_first.index(own) + 1
            turn = Turn(number, "game", others, own, made, total - made, was_forfeit, seat in at_fault, place)
            turns.append((entrant, turn))
        return turns

    def _without_game(self, entrant: str, *, is_void: bool) -> Turn:
        one, scoring = self.round, self.settings.scoring
        points = in_units(points_without_game(scoring, one, entrant), self.unit)
        if entrant in one.byes:
            made, received = (in_units(score, self.unit) for score in scoring.bye_scores)
            return Turn(one.number, "bye", (), points, made, received)
        if entrant in one.requested_byes:
            return Turn(one.number, "requested-bye", (), points, 0, 0)
        kind: Kind = "missing" if entrant in one.missing else "void" if is_void else "away"
        return Turn(one.number, kind, (), points, 0, 0)


def all_in_units(numbers: Sequence[Exact], unit: int) -> list[int]:
    return [number * unit if isinstance(number, int) else in_units(number, unit) for number in numbers]


def in_units(number: Fraction, unit: int) -> int:
    denominator = number.denominator
    if unit % denominator:
        raise Finer(number)
    return number.numerator * (unit // denominator)


class TurnCache:
    """The turns of each round as they were last. Whoever ranks one tournament again after every result keeps one of
    these, so that a result costs its own round and not all that were played before."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[PlayedRound, Turns]] = {}

    def of(self, played: PlayedRound) -> Turns:
        place = played.round.stage, played.round.number
        known = self._known.get(place)
        if known is None or known[0] != played:
            known = self._known[place] = played, played.turns()
        return known[1]


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
        return in_units(number, self.unit)


def ledger_of(facts: Facts, stage: str, *, through: int | None = None, cache: TurnCache | None = None) -> Ledger:
    """The ledger of the rounds up to a number, or of all that stand."""
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
    unit = lcm(*{number.denominator for number in numbers})
    while True:
        try:
            turns = turns_of(facts, settings, rounds, entrants, unit, cache or TurnCache())
            break
        except Finer as finer:  # a result asks for it, which is rare
            unit = lcm(unit, finer.denominator)
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


def turns_of(
    facts: Facts, settings: Settings, rounds: Sequence[Round], entrants: Collection[str], unit: int, cache: TurnCache
) -> Mapping[str, tuple[Turn, ...]]:
    """The turns of these rounds, entrant by entrant."""
    found: dict[str, list[Turn]] = {entrant: [] for entrant in entrants}
    everybody, results, voided = frozenset(entrants), facts.results, facts.voided
    for one in rounds:
        played = PlayedRound(
            round=one,
            results=tuple([results.get(game.id) for game in one.games]),
            voided=frozenset([game.id for game in one.games if game.id in voided]),
            entrants=everybody,
            settings=settings,
            unit=unit,
        )
        for entrant, turn in cache.of(played):
            found[entrant].append(turn)
    return {entrant: tuple(several) for entrant, several in found.items()}


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
