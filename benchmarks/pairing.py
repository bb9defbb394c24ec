"""Pairing a round, against the budget of one second of a core, after a tournament played by chance.

How it grows: a cost Swiss compares all pairs of up to 300 entrants, so three times as many take ten times as long. In a
larger field everybody is compared with neighbours in the order, and with more of them as long as that finds a cheaper
pairing, up to 25,000 pairs: from there on it grows like the field, or less. A median Swiss goes through the order bracket
by bracket, and grows like the field.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from benchmarks.table import Figure, print_figure, print_heading
from services.pairing.engines import PairedRound, pair
from shared.lots import formula
from shared.rulesets import catalogue
from shared.tournament.facts import Entrant, Facts, Game, Result, Round
from shared.tournament.scoring import points_of
from shared.values import Value

BY_LOT = partial(formula.draw, b"a seed of benchmarks")
SIZES = (100, 300, 1000)
TIMES = 3
BUDGET = 1.0  # seconds for a round


class Kind(Value):
    """A system, by a ruleset that plays it."""

    name: str
    ruleset: str
    rounds: int
    measured: tuple[int, ...]


KINDS = (
    Kind(name="cost", ruleset="scrabble-sk-2022-qt", rounds=9, measured=(5, 9)),
    Kind(name="othello", ruleset="othello-pl-2021", rounds=9, measured=(1, 5, 9)),
    Kind(name="tables", ruleset="carcassonne-cz-qualification", rounds=6, measured=(2, 6)),
    Kind(name="median", ruleset="pisqworky-2025-individual", rounds=9, measured=(5, 9)),
)


async def measure(_: Path) -> list[Figure]:
    print_heading("Pairing a round: rounds a second of a core, against one a second")
    return await asyncio.to_thread(lambda: [figure for kind in KINDS for figure in grown(kind)])


def grown(kind: Kind) -> list[Figure]:
    """Of every size, and how much longer the larger ones take."""
    found = {size: figures(kind, size) for size in SIZES}
    for of_round in zip(*found.values(), strict=True):
        seconds = [1 / median(figure.ours) for figure in of_round]
        steps = zip(pairwise(SIZES), pairwise(seconds), strict=True)
        said = ", ".join(f"{big:,} take {then / now:.1f}× as long as {small:,}" for (small, big), (now, then) in steps)
        print(f"  {of_round[0].name.rpartition(', ')[2]}: {said}")
    return [figure for figures in found.values() for figure in figures]


def figures(kind: Kind, size: int) -> list[Figure]:
    played = Played.of(kind, size)
    found: list[Figure] = []
    for number in range(1, kind.rounds + 1):
        took = [played.timed() for _ in range(TIMES if number in kind.measured else 1)]
        if number in kind.measured:
            name = f"{kind.name}, {size:,} entrants, round {number}"
            rates = [1 / seconds for seconds, _ in took]
            found.append(Figure(name=name, ours=rates, limit=[1 / BUDGET] * TIMES, at_least=1.0))
            print_figure(found[-1])
        played.play(took[0][1])
    return found


@dataclass
class Played:
    """A tournament so far. The better seed wins seven games of ten that are not drawn, and one in ten is."""

    facts: Facts
    chance: random.Random

    @staticmethod
    def of(kind: Kind, size: int) -> "Played":
        ruleset = catalogue.load(kind.ruleset).model_copy(update={"options": {"pairing.rounds": kind.rounds}})
        entrants = {str(number): Entrant(id=str(number), number=number) for number in range(1, size + 1)}
        return Played(Facts(ruleset=ruleset, entrants=entrants), random.Random(size))

    def timed(self) -> tuple[float, PairedRound]:
        began = time.process_time()
        made = pair(self.facts, self.facts.ruleset.stages[0].id, lots=BY_LOT)
        return time.process_time() - began, made

    def play(self, made: PairedRound) -> None:
        games = tuple(
            Game(id=f"{made.round}-{one.table}", table=one.table, seats=one.seats, first=one.first)
            for one in made.pairs
        )
        stage = self.facts.ruleset.stages[0].id
        stands = Round(stage=stage, number=made.round, games=games, byes=made.byes)
        self.facts = replace(
            self.facts,
            rounds={**self.facts.rounds, (stage, made.round): stands},
            results={**self.facts.results, **{game.id: self.result(game.seats) for game in games}},
        )

    def result(self, seats: Sequence[str]) -> Result:
        """What comes of a match is at least roughly right: a score of hundreds, or of all that there is."""
        scoring = self.facts.ruleset.scoring
        if scoring.placement is not None:
            scores = tuple(Fraction(self.chance.randrange(40, 120)) for _ in seats)
            return Result(scores=scores, points=points_of(scoring, scores))
        one, other = map(int, seats)
        low, high = sorted(self.chance.sample(range(250, 451), 2)) if scoring.total is None else (0, scoring.total)
        if self.chance.random() < 0.1:
            equal = Fraction((low + high) // 2)
            return Result(scores=(equal, equal), points=(scoring.draw, scoring.draw))
        better_wins = self.chance.random() < 0.7
        if (one < other) == better_wins:
            return Result(scores=(Fraction(high), Fraction(low)), points=(scoring.win, scoring.loss))
        return Result(scores=(Fraction(low), Fraction(high)), points=(scoring.loss, scoring.win))
