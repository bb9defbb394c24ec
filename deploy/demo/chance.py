"""What happens at the tables of the demo. Chance decides, but the same seed tells the same story."""

import itertools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from deploy.demo.cast import SCORERS, CastPlayer
from shared.rulesets.settings import Settings
from shared.values import Value

CONFLICTS = 0.1  # of all sheets the second witness misreads this share
USUAL, SPREAD = 350, 45  # points of one side
LEAST, MOST = 180, 520
MISREAD = 10
SQUARES = 64
DRAWS = 0.1

type ReportedEnding = dict[str, Any]  # of how a game ended, as a report says it
type Happens = Callable[[random.Random, Sequence[CastPlayer], Settings], ReportedEnding]


class Misreading(Value):
    """What somebody reads on the sheet, and when, in parts of the round."""

    scorer: str  # where scorers do
    said: ReportedEnding
    at: float


class ToldEnding(Value):
    """What really happened at a table, and what two witnesses make of it."""

    said: ReportedEnding
    readings: tuple[Misreading, Misreading]


class DemoStory(Value):
    seed: int = 2022

    def of(self, round_: int, players: Sequence[CastPlayer], holds: Settings) -> ToldEnding:
        names = "/".join(player.name for player in players)
        chance = random.Random(f"{self.seed}/{round_}/{names}")  # noqa: S311 - a game
        said = HAPPENS[holds.scoring.score](chance, players, holds)
        second_said = misread(said) if chance.random() < CONFLICTS else said
        first, second = chance.sample(SCORERS, 2)
        over = chance.uniform(0.2, 0.8)
        return ToldEnding(
            said=said,
            readings=(
                Misreading(scorer=first, said=said, at=over),
                Misreading(scorer=second, said=second_said, at=over + 0.2),
            ),
        )


def points(chance: random.Random, players: Sequence[CastPlayer], holds: Settings) -> ReportedEnding:
    """The stronger has more of them more often."""
    del holds
    usual = sum(player.rating for player in players) / len(players)
    told = (round(chance.gauss(USUAL + (player.rating - usual) / 8, SPREAD)) for player in players)
    return {"scores": [min(MOST, max(LEAST, one)) for one in told]}


def discs(chance: random.Random, players: Sequence[CastPlayer], holds: Settings) -> ReportedEnding:
    del holds
    one, other = players
    own = min(SQUARES, max(0, round(chance.gauss(SQUARES / 2 + (one.rating - other.rating) / 40, 9))))
    return {"discs": [own, SQUARES - own]}


def duels(chance: random.Random, players: Sequence[CastPlayer], holds: Settings) -> ReportedEnding:
    """Party by party; and the deciding ones, where the match is drawn and somebody has to go on."""
    counts = {level.id: level.count or 1 for level in holds.contest.levels}
    boards = [[winner(chance, players) for _ in range(counts["duel"])] for _ in range(counts["party"])]
    deciding = until_won(winner(chance, players) for _ in range(holds.contest.drawn.duels))
    is_drawn = sum(map(worth, itertools.chain(*boards))) == 0
    return {"boards": boards} | ({"deciding": deciding} if is_drawn and deciding else {})


def worth(duel: int | str) -> int:
    """Of a lead of the first seat."""
    return 0 if duel == "draw" else 1 if duel == 0 else -1


def until_won(duels: Iterable[int | str]) -> Sequence[int | str]:
    told: list[int | str] = []
    for duel in duels:
        told.append(duel)
        if duel != "draw":
            break
    return told


def one_winner(chance: random.Random, players: Sequence[CastPlayer], holds: Settings) -> ReportedEnding:
    del holds
    return {"winner": winner(chance, players)}


def winner(chance: random.Random, players: Sequence[CastPlayer]) -> int | str:
    one, other = players
    if chance.random() < DRAWS:
        return "draw"
    return int(chance.random() > 1 / (1 + 10 ** ((other.rating - one.rating) / 400)))


HAPPENS: Mapping[str, Happens] = {
    "pair": points,
    "list": points,
    "fixed-sum": discs,
    "duels": duels,
    "win-loss": one_winner,
}


def misread(said: ReportedEnding) -> ReportedEnding:
    """A figure of the first seat; or the sides are mixed up."""
    match said:
        case {"scores": [one, *others]}:
            return {"scores": [one + MISREAD, *others]}
        case {"discs": [one, other]}:
            return {"discs": [other, one]}
        case {"boards": boards}:
            deciding = {"deciding": [*map(other_side, said["deciding"])]} if "deciding" in said else {}
            return {"boards": [[*map(other_side, board)] for board in boards]} | deciding
        case _:
            return {"winner": other_side(said["winner"])}


def other_side(won: int | str) -> int | str:
    return 1 - won if isinstance(won, int) else won
