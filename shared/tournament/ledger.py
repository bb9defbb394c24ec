"""What everybody in a stage has done, round by round and up to a round, ready to be measured.

Numbers are in whole units, so that sums are quick and exact.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from shared.numbers import Exact
from shared.rulesets.settings import Settings, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.absent_players import points_without_game
from shared.tournament.facts import Entrant, Facts, Game, Penalty, Result, Round
from shared.tournament.scoring import counted
from shared.tournament.stages import field_of, settings_of
from shared.values import Value

type Reach = Literal["own", "opponents", "everybody"]  # from whose turns something follows
type Kind = Literal["game", "bye", "requested-bye", "missing", "away", "void"]

NOBODY = frozenset[str]()
PAIR = 2  # seats


class RoundTurn(msgspec.Struct, frozen=True, gc=False):
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
    absent: int = 0  # seats at a table of several that were forfeited without a point
    was_begun: bool = True  # not, where somebody did not come


NO_TURNS: tuple[RoundTurn, ...] = ()


type RoundTurns = Mapping[str, tuple[RoundTurn, ...]]  # of one round: more than one in a match of several games


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

    def turns(self) -> "RoundTurns":
        """Of everybody in the round, the games of a match one after another.

        An entrant without a game that counts has not played; who still waits for a result is left out. So is a game of
        somebody who is not known yet.
        """
        one = self.round
        found = self._games(zip(one.games, self.results, strict=True))
        if others := self.entrants.difference(found):
            void = NOBODY.union(*[game.seats for game in one.games if game.id in self.voided])
            seated = NOBODY.union(*[game.seats for game in one.games if game.id not in self.voided])
            for entrant in others - seated:
                found[entrant] = (self._without_game(entrant, is_void=entrant in void),)
        return found

    def turns_after(self, before: "PlayedRound", turns: "RoundTurns") -> "RoundTurns":
        """The turns of this round from what they were before. Where only results are others, those who have them are looked at."""
        several = list(zip(self.round.games, self.results, strict=True))
        others = [
            game for (game, now), was in zip(several, before.results, strict=False) if now is not was and now != was
        ]
        if replace(before, results=self.results) != self or any(game.id in self.voided for game in others):
            return self.turns()
        of = NOBODY.union(*[game.seats for game in others])
        found = self._games((game, now) for game, now in several if not of.isdisjoint(game.seats))
        return {one: had for one, had in turns.items() if one not in of} | {
            one: has for one, has in found.items() if one in of
        }

    def _games(self, games: Iterable[tuple[Game, Result | None]]) -> dict[str, tuple[RoundTurn, ...]]:
        found: dict[str, tuple[RoundTurn, ...]] = {}
        entrants = self.entrants
        for game, result in games:
            if result is None:
                continue
            seats = game.seats
            if len(seats) == PAIR:  # as almost always
                one, other = seats
                if one in entrants and other in entrants:
                    own, theirs = self._pair(game, result)
                    found[one] = (*found[one], own) if one in found else (own,)
                    found[other] = (*found[other], theirs) if other in found else (theirs,)
            elif entrants.issuperset(seats):
                for entrant, turn in zip(seats, self._seats(seats, result), strict=True):
                    found[entrant] = (*found[entrant], turn) if entrant in found else (turn,)
        return found

    def _pair(self, game: Game, result: Result) -> tuple[RoundTurn, RoundTurn]:
        (one, other), number, was_forfeit, at_fault = game.seats, self.round.number, result.end != "played", result.by
        begun = not was_forfeit or was_begun(game, result, self.settings)
        made, received = all_in_units(self._counting(result), self.unit)
        own, theirs = all_in_units(result.points, self.unit)
        return (
            RoundTurn(
                number, "game", (other,), own, made, received, was_forfeit, 0 in at_fault, 1 + (theirs > own), 0, begun
            ),
            RoundTurn(
                number, "game", (one,), theirs, received, made, was_forfeit, 1 in at_fault, 1 + (own > theirs), 0, begun
            ),
        )

    def _seats(self, seats: tuple[str, ...], result: Result) -> Iterable[RoundTurn]:
        """The same game, as each seat sees it."""
        number, was_forfeit, at_fault = self.round.number, result.end != "played", result.by
        scores, points = all_in_units(self._counting(result), self.unit), all_in_units(result.points, self.unit)
        total, best_first = sum(scores), sorted(points, reverse=True)
        absent = sum(1 for seat in at_fault if not scores[seat])
        for seat, (made, own) in enumerate(zip(scores, points, strict=True)):
            others, place = seats[:seat] + seats[seat + 1 :], best_first.index(own) + 1
            is_at_fault = seat in at_fault
            yield RoundTurn(number, "game", others, own, made, total - made, was_forfeit, is_at_fault, place, absent)

    def _counting(self, result: Result) -> Sequence[Exact]:
        return counted(self.settings.results.flag_cap, result.scores, result.by) if result.by else result.scores

    def _without_game(self, entrant: str, *, is_void: bool) -> RoundTurn:
        one, scoring = self.round, self.settings.scoring
        points = in_units(points_without_game(scoring, one, entrant), self.unit)
        if entrant in one.byes:
            made, received = (in_units(score, self.unit) for score in scoring.bye_scores)
            return RoundTurn(one.number, "bye", (), points, made, received)
        if entrant in one.requested_byes:
            return RoundTurn(one.number, "requested-bye", (), points, 0, 0)
        kind: Kind = "missing" if entrant in one.missing else "void" if is_void else "away"
        return RoundTurn(one.number, kind, (), points, 0, 0)


def was_begun(game: Game, result: Result, holds: Settings) -> bool:
    """Whether anything was played of a game. Of an ending that the ruleset does not have, who began says so, as in files."""
    ending = holds.results.endings.get(result.end)
    if result.first is not None:
        return True
    return game.first is not None if ending is None else not ending.is_unplayed


def all_in_units(numbers: Sequence[Exact], unit: int) -> list[int]:
    return [number * unit if isinstance(number, int) else in_units(number, unit) for number in numbers]


def in_units(number: Fraction, unit: int) -> int:
    denominator = number.denominator
    if unit % denominator:
        raise Finer(number)
    return number.numerator * (unit // denominator)


class TurnsPlayed(Value):
    """The turns of everybody in a stage and, where it was ranked a moment before, for whom something is another by now."""

    of: Mapping[str, tuple[RoundTurn, ...]]
    changed: frozenset[str] | None = None  # who has other turns; none where all is new
    touched: frozenset[str] | None = None  # these, and all who have met them


class StageCache:
    """What was worked out of a stage when it was ranked last. Whoever ranks one tournament again after every result
    keeps such ones, so that a result costs those at its table and whom they have met, and not everybody.

    What is measured bears the moment for which it was, and only the next one goes on from it: what was not asked for at
    one moment is measured of everybody once more.
    """

    def __init__(self) -> None:
        self.moment = 0
        self._basis: object = None
        self._rounds: dict[int, tuple[PlayedRound, RoundTurns]] = {}
        self._turns: Mapping[str, tuple[RoundTurn, ...]] = {}
        self._measured: dict[str, tuple[int, Any]] = {}

    def turns(self, rounds: Sequence[PlayedRound], entrants: Collection[str], basis: object) -> TurnsPlayed:
        """The turns of the rounds that count. All that is measured follows from them and from the basis."""
        before, self._rounds = self._rounds, {}
        changed: set[str] = set()
        for played in rounds:
            number = played.round.number
            known = before.get(number)
            if known is None:  # so all is new
                known = played, played.turns()
            elif known[0] != played:
                turns, was = played.turns_after(*known), known[1]
                changed.update([one for one in turns.keys() | was.keys() if turns.get(one) != was.get(one)])
                known = played, turns
            self._rounds[number] = known
        is_whole = before.keys() != self._rounds.keys() or basis != self._basis
        self._basis = basis
        self.moment += 1
        several = [turns for _, turns in self._rounds.values()]
        anew = {
            one: tuple([turn for turns in several for turn in turns.get(one, NO_TURNS)])
            for one in (entrants if is_whole else changed)
        }
        if is_whole:
            self._turns = anew
            return TurnsPlayed(of=anew)
        stale = [self._turns[one] for one in changed]
        self._turns = {**self._turns, **anew}
        met = [other for turns in (*stale, *anew.values()) for turn in turns for other in turn.opponents]
        return TurnsPlayed(of=self._turns, changed=frozenset(changed), touched=frozenset(changed.union(met)))

    def measured[Found](
        self,
        name: str,
        measure: Callable[[Iterable[str]], Mapping[str, Found]],
        everybody: Iterable[str],
        of_whom: Collection[str] | None,
    ) -> Mapping[str, Found]:
        """By name: as it was the moment before, but of these measured anew; of everybody where nothing says of whom."""
        moment, known = self._measured.get(name, (0, {}))
        if moment == self.moment:
            return known
        is_usable = moment == self.moment - 1 and of_whom is not None
        found = {**known, **measure(of_whom)} if is_usable and of_whom is not None else measure(everybody)
        self._measured[name] = self.moment, found
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """A stage up to a round, ready to be measured. `unit` units make one point; scores have the same unit."""

    facts: Facts
    stage: str
    settings: Settings
    entrants: Mapping[str, Entrant]
    rounds: tuple[int, ...]  # the numbers of those that count
    unit: int
    turns: Mapping[str, tuple[RoundTurn, ...]]
    penalties: tuple[Penalty, ...]
    left: frozenset[str] = frozenset()  # who had left by the last of these rounds, with some still to play
    changed: frozenset[str] | None = None  # who has other turns than when it was ranked last; none where all is new
    touched: frozenset[str] | None = None  # these, and all who have met them
    cache: StageCache = field(default_factory=StageCache)

    def measured[Found](
        self, name: str, measure: Callable[[Iterable[str]], Mapping[str, Found]], reach: Reach
    ) -> Mapping[str, Found]:
        """Of everybody, worked out once. What somebody has follows from the own turns, from those of opponents too, or
        from everybody's."""
        of_whom = {"own": self.changed, "opponents": self.touched, "everybody": None}[reach]
        return self.cache.measured(name, measure, self.entrants, of_whom)

    def exact(self, units: int, *, square: bool = False) -> Fraction:
        """In points. Products of two numbers are in square units."""
        return Fraction(units, self.unit**2 if square else self.unit)

    @cached_property
    def played_points(self) -> Mapping[str, int]:
        """What somebody has from the rounds and brought along, as it counts for opponents."""
        return self.measured("played points", self._played_points, "own")

    def _played_points(self, several: Iterable[str]) -> Mapping[str, int]:
        entrants, turns = self.entrants, self.turns
        return {one: self.units(entrants[one].carried) + sum([turn.points for turn in turns[one]]) for one in several}

    @cached_property
    def own_points(self) -> Mapping[str, int]:
        """The points of the rounds with penalties, which only count for who has them."""
        if not self.penalties:
            return self.played_points
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


def ledger_of(facts: Facts, stage: str, *, through: int | None = None, cache: StageCache | None = None) -> Ledger:
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
    left = frozenset(gone(facts, stage, through, last=settings.rounds))
    cache = cache or StageCache()
    while True:
        try:
            played = played_rounds(facts, settings, rounds, entrants, unit)
            # Of the facts, criteria look at nothing else.
            basis = settings, entrants, unit, penalties, left, facts.left, facts.ruleset.entry
            turns = cache.turns(played, entrants, basis)
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
        turns=turns.of,
        penalties=tuple(penalties),
        left=left,
        changed=turns.changed,
        touched=turns.touched,
        cache=cache,
    )


def played_rounds(
    facts: Facts, settings: Settings, rounds: Sequence[Round], entrants: Collection[str], unit: int
) -> list[PlayedRound]:
    everybody, results, voided = frozenset(entrants), facts.results, facts.voided
    return [
        PlayedRound(
            round=one,
            results=tuple(map(results.get, one.game_ids)),
            voided=voided.intersection(one.game_ids) if voided else NOBODY,
            entrants=everybody,
            settings=settings,
            unit=unit,
        )
        for one in rounds
    ]


def gone(facts: Facts, stage: str, through: int | None, *, last: int | None) -> Iterable[str]:
    """Who left in this stage, as far as the table goes, or before it. Whoever has played its last round leaves what follows."""
    ids = [one.id for one in facts.ruleset.stages]
    for entrant, left in facts.left.items():
        is_earlier = ids.index(left.stage) < ids.index(stage)
        is_to_play = last is None or left.after_round < last
        if is_earlier or (left.stage == stage and is_to_play and (through is None or left.after_round <= through)):
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
