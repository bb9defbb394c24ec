"""Whole tournaments of every ruleset, played by chance from the first round to the last stage.

On the way some withdraw, come late or stay away for a round, and results of earlier rounds are corrected. A round is refused only where the
rules leave none.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from msgspec import structs

from services.pairing.engines import NoPairing, Pair, Pairing, StageOver, check, obstacle, pair
from services.pairing.engines.field import field_of_next_round
from services.pairing.engines.left_over import left_over
from shared.rulesets import catalogue
from shared.rulesets.play import Scoring
from shared.tournament.closing import order_of
from shared.tournament.facts import Absence, Entrant, Facts, Game, Left, Result, Round, Settled
from shared.tournament.progression import is_left_out, opening
from shared.tournament.ranking import rank
from shared.tournament.scoring import points_of
from shared.tournament.stages import field_of, settings_of
from tests.simulated import BY_LOT

SIZES = {
    "carcassonne-cz-final": (32,),
    "carcassonne-cz-qualification": (7, 24),
    "gomoku-cfp": (6, 9, 20),
    "othello-pl-2021": (9, 17, 30),
    "pisqworky-2025-individual": (9, 40),
    "pisqworky-2025-ss-grf": (16, 31),
    "pisqworky-2025-ss-kt": (11, 24),
    "pisqworky-2025-ss-ot": (12, 17),
    "pisqworky-2025-zs-grf": (20, 32),
    "pisqworky-2025-zs-kt": (13, 22),
    "pisqworky-2025-zs-ot": (12, 20),
    "scrabble-sk-2022-ms": (15, 34),
    "scrabble-sk-2022-online": (8, 16),
    "scrabble-sk-2022-qt": (10, 16, 51),
}


HALF = Fraction(1, 2)


def test_every_ruleset_of_the_catalogue_is_played() -> None:
    assert SIZES.keys() == set(catalogue.ids())


@pytest.mark.parametrize(("ruleset", "size"), [(name, size) for name, sizes in SIZES.items() for size in sizes])
@pytest.mark.parametrize("is_disturbed", [False, True])
def test_a_tournament_runs_to_its_end(ruleset: str, size: int, is_disturbed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    known = Facts(
        ruleset=catalogue.load(ruleset),
        entrants={f"E{number}": entrant(number, size) for number in range(1, size + 1)},
        advance=16 if size > 16 else 4,
    )
    course = Course(known=known, chance=random.Random(size), is_disturbed=is_disturbed)
    for stage in known.ruleset.stages:
        course.play(stage.id)
    assert course.rounds >= 3


def entrant(number: int, size: int) -> Entrant:
    """With whatever some ruleset asks for."""
    lists = frozenset({"women"} if number % 4 == 1 else {"juniors"} if number % 4 == 2 else set[str]())
    return Entrant(
        id=f"E{number}",
        number=number,
        rating=2000 - number,
        school=f"S{number % (size // 2)}",
        history=number % 3 == 0,
        lists=lists,
        carried=Fraction(0),
    )


@dataclass
class Course:
    known: Facts
    chance: random.Random
    is_disturbed: bool
    rounds: int = 0

    def play(self, stage: str) -> None:
        if self.known.rounds and not self.is_opened(stage):
            return
        while (pairing := self.next_round(stage)) is not None:
            self.publish(stage, pairing)
            if self.is_disturbed and settings_of(self.known, stage).pairing.system != "knockout":
                self.disturb(stage, pairing.round)
        for tie in rank(self.known, stage).unresolved:
            self.settle(stage, tie.entrants, tie.needs)
        order = order_of(rank(self.known, stage).rows)
        self.known = replace(self.known, closed={**self.known.closed, stage: order})

    def is_opened(self, stage: str) -> bool:
        if is_left_out(self.known, stage) or opening(self.known, stage).not_held is not None:
            return False
        while awaited := opening(self.known, stage).awaits:
            before = self.known.ruleset.stages[0].id
            self.settle(before, awaited[0].entrants, awaited[0].needs)
        self.known = replace(self.known, fields={**self.known.fields, stage: opening(self.known, stage).entrants})
        return bool(self.known.fields[stage])

    def settle(self, stage: str, entrants: Sequence[str], needs: str) -> None:
        lot = Settled(
            stage=stage, kind="duel" if needs == "duel" else "lot", order=tuple((one,) for one in sorted(entrants))
        )
        self.known = replace(self.known, settled=(*self.known.settled, lot))

    def next_round(self, stage: str) -> Pairing | None:
        try:
            pairing = pair(self.known, stage, lots=BY_LOT)
        except StageOver:
            return None
        except NoPairing:
            if not self.is_impossible(stage):
                raise
            return None
        drawn = {one: letter for letter, members in pairing.groups.items() for one in members}
        self.known = replace(self.known, drawn={**self.known.drawn, stage: drawn})
        assert [breach for breach in check(self.known, stage, pairing) if breach.severity == "hard"] == []
        assert all(one.why for one in pairing.pairs)
        if pairing.round == 2:
            turned = replace(self.known, entrants=dict(sorted(self.known.entrants.items(), reverse=True)))
            assert pair(turned, stage, lots=BY_LOT) == pairing
        return pairing

    def is_impossible(self, stage: str) -> bool:
        """Not all can be paired with somebody whom they may meet, however it is tried."""
        field = field_of_next_round(self.known, stage, lots=BY_LOT)
        return bool(self.known.left) and left_over(obstacle.opponents_of(field))[1] > 0

    def publish(self, stage: str, pairing: Pairing) -> None:
        number = pairing.round
        games = {f"{stage}-{number}-{one.table}": one for one in pairing.pairs}
        stands = Round(
            stage=stage,
            number=number,
            games=tuple(game_of(name, one) for name, one in games.items()),
            byes=pairing.byes,
            requested_byes=pairing.requested_byes,
            missing=frozenset(pairing.missing),
        )
        results = {name: self.result_of(stage, one) for name, one in games.items()}
        self.known = replace(
            self.known,
            fields={**self.known.fields, stage: self.known.fields.get(stage) or tuple(field_of(self.known, stage))},
            rounds={**self.known.rounds, (stage, number): stands},
            results={**self.known.results, **results},
            completed=self.known.completed | {(stage, number)},
        )
        self.rounds += 1

    def result_of(self, stage: str, pair: Pair) -> Result:
        settings = settings_of(self.known, stage)
        scores = scores_of(settings.scoring, len(pair.seats), self.chance)
        while settings.pairing.system == "knockout" and len(set(scores)) == 1:
            scores = scores_of(settings.scoring, len(pair.seats), self.chance)
        first = pair.first or pair.option
        return Result(scores=scores, points=points_of(settings.scoring, scores), first=first)

    def disturb(self, stage: str, number: int) -> None:
        """Between two rounds."""
        system = settings_of(self.known, stage).pairing.system
        there = [one for one in field_of(self.known, stage) if one not in self.known.left]
        if self.chance.random() < 0.3 and len(there) > 7:
            gone = self.chance.choice(sorted(there))
            self.known = replace(self.known, left={**self.known.left, gone: Left(stage=stage, after_round=number)})
        if number == 1 and "swiss" in system:
            late = replace(entrant(len(self.known.entrants) + 1, 20), from_round=number + 1)
            self.known = replace(self.known, entrants={**self.known.entrants, late.id: late})
        away = Absence(entrant=self.chance.choice(sorted(there)), stage=stage, round=number + 1)
        self.known = replace(self.known, absences={**self.known.absences, away: self.chance.choice((None, HALF))})
        wrong = self.chance.choice(sorted(game for game in self.known.results if game.startswith(f"{stage}-")))
        was = self.known.results[wrong]
        turned = structs.replace(was, scores=was.scores[::-1], points=was.points[::-1])
        self.known = replace(self.known, results={**self.known.results, wrong: turned})


def game_of(name: str, pair: Pair) -> Game:
    return Game(
        id=name,
        table=pair.table,
        seats=pair.seats,
        first=pair.first,
        option=pair.option,
        group=pair.group,
        match=pair.match,
        number=pair.game,
    )


def scores_of(scoring: Scoring, seats: int, chance: random.Random) -> tuple[Fraction, ...]:
    match scoring.score:
        case "pair" | "list":
            return tuple(Fraction(chance.randint(40, 120)) for _ in range(seats))
        case "fixed-sum" | "duels":
            one = Fraction(chance.randint(0, scoring.total or 4))
            return one, (scoring.total or 4) - one
        case "win-loss":
            one = chance.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
            return one, 1 - one
