"""What happens at the tables of the demo. Chance decides, but the same seed tells the same story."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from deploy.demo.cast import SCORERS, Player

CONFLICTS = 0.1  # of all sheets the second scorer misreads this share
USUAL, SPREAD = 350, 45  # points of one side
LEAST, MOST = 180, 520
MISREAD = 10

type Scores = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a scorer reads on the sheet, and when, in parts of the round."""

    scorer: str
    scores: Scores
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What really happened at a table, and what two scorers make of it."""

    scores: Scores
    readings: tuple[Reading, Reading]


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    seed: int = 2022

    def of(self, round_: int, players: Sequence[Player]) -> Told:
        one, other = players
        chance = random.Random(f"{self.seed}/{round_}/{one.name}/{other.name}")  # noqa: S311 - a game
        scores = played(chance, one.rating - other.rating)
        misread = (scores[0] + MISREAD, scores[1]) if chance.random() < CONFLICTS else scores
        first, second = chance.sample(SCORERS, 2)
        over = chance.uniform(0.2, 0.8)
        return Told(
            scores=scores,
            readings=(
                Reading(scorer=first, scores=scores, at=over),
                Reading(scorer=second, scores=misread, at=over + 0.2),
            ),
        )


def played(chance: random.Random, better_by: int) -> Scores:
    """The stronger wins more often."""
    lean = better_by / 16
    one, other = (round(chance.gauss(USUAL + side * lean, SPREAD)) for side in (1, -1))
    return min(MOST, max(LEAST, one)), min(MOST, max(LEAST, other))
