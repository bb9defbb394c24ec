"""Tournaments of the median Swiss for tests: played by chance, or set up by hand."""

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import PairedRound
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes
from shared.tournament.facts import Ban, Entrant, Facts, Game, Result, Round
from shared.tournament.scoring import points_of
from shared.values import Value
from tests.simulated import STAGE

INDIVIDUALS = "pisqworky-2025-individual"
TEAMS = "pisqworky-2025-ss-grf"


def facts(
    entrants: int,
    *,
    bans: Iterable[Ban] = (),
    options: Changes | None = None,
    carried: Mapping[str, int] | None = None,
    ruleset: str = INDIVIDUALS,
) -> Facts:
    """Entrants E1, E2 and so on; E1 has the best start number. With carried points brackets can be set up at will."""
    brought = carried or {}
    return Facts(
        ruleset=with_options(catalogue.load(ruleset), options or {}),
        entrants={
            f"E{number}": Entrant(id=f"E{number}", number=number, carried=Fraction(brought.get(str(number), 0)))
            for number in range(1, entrants + 1)
        },
        bans=tuple(bans),
    )


def set_up(known: Facts, text: str, *, byes: Sequence[str] = ()) -> Facts:
    """The next round, `1-4 14:6, 2-5 12:8`. A meeting `0:0` gives nobody anything."""
    number = len(known.rounds) + 1
    games: list[Game] = []
    results: dict[str, Result] = {}
    for table, part in enumerate((part for part in text.split(",") if part.strip()), start=1):
        meeting, score = part.split()
        seats = tuple(f"E{seat}" for seat in meeting.split("-"))
        scores = tuple(Fraction(one) for one in score.split(":"))
        game = Game(id=f"{number}-{table}", table=table, seats=seats, first=seats[0])
        points = points_of(known.ruleset.scoring, scores) if any(scores) else scores
        games.append(game)
        results[game.id] = Result(scores=scores, points=points)
    stands = Round(stage=STAGE, number=number, games=tuple(games), byes=tuple(byes))
    return replace(known, rounds={**known.rounds, (STAGE, number): stands}, results={**known.results, **results})


def played(known: Facts, pairing: PairedRound, results: Mapping[int, Result]) -> Facts:
    """The facts after a round, with the result of each table."""
    games = tuple(
        Game(id=f"{pairing.round}-{one.table}", table=one.table, seats=one.seats, first=one.first)
        for one in pairing.pairs
    )
    stands = Round(
        stage=STAGE,
        number=pairing.round,
        games=games,
        byes=pairing.byes,
        requested_byes=pairing.requested_byes,
        missing=frozenset(pairing.missing),
    )
    return replace(
        known,
        rounds={**known.rounds, (STAGE, pairing.round): stands},
        results={**known.results, **{game.id: results[game.table] for game in games}},
        completed=known.completed | {(STAGE, pairing.round)},
    )


class Chance(Value):
    """Results by chance; the better start number wins more often, and somebody does not appear now and then."""

    random: random.Random

    def of(self, pairing: PairedRound) -> dict[int, Result]:
        return {one.table: self.match(one) for one in pairing.pairs}

    def match(self, pair: SeatedTable) -> Result:
        one, other = (int(seat[1:]) for seat in pair.seats)
        drawn = self.random.random()
        if drawn < 0.25:
            return result(2, 2)
        better_wins = self.random.random() < 0.7
        high, low = (4, 0) if self.random.random() < 0.5 else (3, 1)
        mine, theirs = (high, low) if (one < other) == better_wins else (low, high)
        if drawn > 0.95:
            return forfeited(0 if mine < theirs else 1)
        return result(mine, theirs)


def result(one: int, other: int) -> Result:
    points = (1, 1) if one == other else (2, 0) if one > other else (0, 2)
    return Result(scores=(Fraction(one), Fraction(other)), points=(Fraction(points[0]), Fraction(points[1])))


def forfeited(by: int) -> Result:
    """This seat did not appear."""
    whole = result(0, 4) if by == 0 else result(4, 0)
    return Result(scores=whole.scores, points=whole.points, end="no_show", by=frozenset({by}))


def by_chance(seed: int) -> Chance:
    return Chance(random=random.Random(seed))


def who_meets(pairing: PairedRound) -> set[frozenset[int]]:
    return {frozenset(int(seat[1:]) for seat in pair.seats) for pair in pairing.pairs}


def meetings(text: str) -> set[frozenset[int]]:
    return {frozenset(map(int, two.split("-"))) for two in text.split()}
