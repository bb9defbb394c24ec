"""Carcassonne tournaments played by chance: who meets whom comes from the engines."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal

from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import PairedRound, pair
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.play import Scoring
from shared.tournament.facts import Entrant, Facts, Game, Left, Result, Round
from shared.tournament.scoring import points_of
from shared.tournament.stages import settings_of
from shared.values import Value
from tests.simulated import BY_LOT

QUALIFICATION = "qualification"
FINAL = "final"

type Course = Literal["chance", "best-wins", "all-equal"]


def qualification(entrants: int, *, rounds: int = 4, **options: object) -> Facts:
    """P1, P2 and so on; with fewer rounds than the championship has, where only the last one is looked at."""
    rules = catalogue.load("carcassonne-cz-qualification")
    pairing = rules.pairing.model_copy(update={"least_rounds": None})
    return Facts(
        ruleset=with_options(rules.model_copy(update={"pairing": pairing}), {"pairing.rounds": rounds, **options}),
        entrants={f"P{number}": Entrant(id=f"P{number}", number=number) for number in range(1, entrants + 1)},
    )


def final(carried: Sequence[Fraction | int], **options: object) -> Facts:
    """P1 brings the first of these points, and so on."""
    return Facts(
        ruleset=with_options(catalogue.load("carcassonne-cz-final"), {"pairing.field": "any", **options}),
        entrants={
            f"P{number}": Entrant(id=f"P{number}", number=number, carried=Fraction(points))
            for number, points in enumerate(carried, start=1)
        },
    )


def stage_of(known: Facts) -> str:
    return known.ruleset.stages[0].id


def next_tables(known: Facts) -> PairedRound:
    return pair(known, stage_of(known), lots=BY_LOT)


class Play(Value):
    """How games go: by chance, a little better for the better numbers; or always in their order; or equal."""

    chance: random.Random
    course: Course = "chance"

    def score(self, seat: str) -> int:
        number = int(seat[1:])
        match self.course:
            case "chance":
                return self.chance.randrange(40, 120) - min(number // 4, 30)
            case "best-wins":
                return 2000 - number
            case "all-equal":
                return 60


def by_chance(seed: int, course: Course = "chance") -> Play:
    return Play(chance=random.Random(seed), course=course)


def with_scores(known: Facts, pairing: PairedRound, scores: Mapping[int, Sequence[int]], stage: str = "") -> Facts:
    """The facts after a round, with the scores of each table."""
    stage = stage or stage_of(known)
    games = tuple(
        Game(id=f"{stage}-{pairing.round}-{one.table}", table=one.table, seats=one.seats, first=one.first)
        for one in pairing.pairs
    )
    stands = Round(
        stage=stage, number=pairing.round, games=games, byes=pairing.byes, missing=frozenset(pairing.missing)
    )
    scoring = settings_of(known, stage).scoring
    results = {game.id: result(scoring, scores[game.table]) for game in games}
    return replace(
        known,
        rounds={**known.rounds, (stage, pairing.round): stands},
        results={**known.results, **results},
        completed=known.completed | {(stage, pairing.round)},
    )


def result(scoring: Scoring, scores: Sequence[int]) -> Result:
    exact = tuple(map(Fraction, scores))
    return Result(scores=exact, points=points_of(scoring, exact))


def played(known: Facts, pairing: PairedRound, play: Play, stage: str = "") -> Facts:
    scores = {one.table: [play.score(seat) for seat in one.seats] for one in pairing.pairs}
    return with_scores(known, pairing, scores, stage)


def after(known: Facts, rounds: int, play: Play) -> Facts:
    for _ in range(rounds):
        known = played(known, next_tables(known), play)
    return known


def left(known: Facts, entrant: str, after_round: int) -> Facts:
    gone = Left(stage=stage_of(known), after_round=after_round)
    return replace(known, left={**known.left, entrant: gone})


def come(known: Facts, entrant: str, from_round: int) -> Facts:
    """Somebody new."""
    number = len(known.entrants) + 1
    return replace(
        known, entrants={**known.entrants, entrant: Entrant(id=entrant, number=number, from_round=from_round)}
    )


def meetings(known: Facts) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(two) for one in known.rounds.values() for game in one.games for two in combinations(game.seats, 2)
    )


def repeated(known: Facts) -> int:
    return sum(times - 1 for times in meetings(known).values())


def times_at_three(known: Facts) -> Counter[str]:
    return Counter(
        seat for one in known.rounds.values() for game in one.games if len(game.seats) == 3 for seat in game.seats
    )


def sizes(pairing: PairedRound) -> Counter[int]:
    return Counter(len(one.seats) for one in pairing.pairs)


def table_of(pairing: PairedRound, entrant: str) -> SeatedTable:
    return next(one for one in pairing.pairs if entrant in one.seats)


def seated(pairing: PairedRound) -> Iterator[str]:
    return (seat for one in pairing.pairs for seat in one.seats)
