"""Whole tournaments played by chance, for tests of pairing: who meets whom comes from the engines."""

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from services.pairing.engines import DrawLots, PairedRound, pair
from shared.lots import formula
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes
from shared.tournament.facts import Ban, Entrant, Facts, Game, Left, Result, Round
from shared.values import Value

STAGE = "swiss"
SEED = b"a seed of tests"
BY_LOT: DrawLots = partial(formula.draw, SEED)


def facts(
    entrants: int, *, bans: Iterable[Ban] = (), options: Changes | None = None, ruleset: str = "scrabble-sk-2022-qt"
) -> Facts:
    """Entrants E1, E2 and so on before their first round; E1 is the best seed."""
    return Facts(
        ruleset=with_options(catalogue.load(ruleset), options or {}),
        entrants={
            f"E{number}": Entrant(id=f"E{number}", number=number, rating=2000 - number)
            for number in range(1, entrants + 1)
        },
        bans=tuple(bans),
    )


def ban(*entrants: str, last_rounds: int | None = None) -> Ban:
    return Ban(entrants=frozenset(entrants), last_rounds=last_rounds)


def left(known: Facts, entrant: str, after_round: int) -> Facts:
    return replace(known, left={**known.left, entrant: Left(stage=STAGE, after_round=after_round)})


def next_pairing(known: Facts) -> PairedRound:
    return pair(known, STAGE, lots=BY_LOT)


def played(known: Facts, pairing: PairedRound, results: Mapping[int, tuple[int, int]]) -> Facts:
    """The facts after a round, with the scores of each table."""
    games = tuple(
        Game(id=f"{pairing.round}-{one.table}", table=one.table, seats=one.seats, first=one.first)
        for one in pairing.pairs
    )
    number = pairing.round
    stands = Round(
        stage=STAGE,
        number=number,
        games=games,
        byes=pairing.byes,
        requested_byes=pairing.requested_byes,
        missing=frozenset(pairing.missing),
    )
    return replace(
        known,
        rounds={**known.rounds, (STAGE, number): stands},
        results={**known.results, **{game.id: result(*results[game.table]) for game in games}},
        completed=known.completed | {(STAGE, number)},
    )


def result(one: int, other: int) -> Result:
    points = Fraction(1 if one > other else 0 if one < other else Fraction(1, 2))
    return Result(scores=(Fraction(one), Fraction(other)), points=(points, 1 - points))


class Chance(Value):
    """Results by chance, but the better seed wins more often; a game in ten is drawn."""

    random: random.Random

    def of(self, pairing: PairedRound) -> dict[int, tuple[int, int]]:
        return {one.table: self.game(*(int(seat[1:]) for seat in one.seats)) for one in pairing.pairs}

    def game(self, one: int, other: int) -> tuple[int, int]:
        if self.random.random() < 0.1:
            return 380, 380
        is_upset = self.random.random() < 0.3
        return (400, 350) if (one < other) != is_upset else (350, 400)


def by_chance(seed: int) -> Chance:
    return Chance(random=random.Random(seed))


def to_the_end(known: Facts, rounds: int, seed: int = 1) -> tuple[Facts, list[PairedRound]]:
    """All the rounds, or as many as asked for."""
    chance, pairings = by_chance(seed), list[PairedRound]()
    for _ in range(rounds):
        pairings.append(next_pairing(known))
        known = played(known, pairings[-1], chance.of(pairings[-1]))
    return known, pairings
