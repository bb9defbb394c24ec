"""Whole tournaments of any ruleset, played by chance from the first round to the last stage.

On the way some withdraw, come late or stay away for a round, and results of earlier rounds are corrected.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from msgspec import structs
from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import NoPairing, PairedRound, StageOver, no_pairing, pair
from services.pairing.engines.field import field_of_next_round
from services.pairing.engines.matching import left_over
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.play import Scoring
from shared.rulesets.schema import Changes
from shared.tournament.completion import order_of
from shared.tournament.facts import Absence, Ban, Entrant, Facts, Game, Left, Result, Round, Settlement
from shared.tournament.progression import left_out, opening
from shared.tournament.ranking import rank
from shared.tournament.scoring import points_of
from shared.tournament.stages import field_of, settings_of
from tests.simulated import BY_LOT

type Disturbance = Literal["withdrawal", "late arrival", "absence", "correction"]

HALF = Fraction(1, 2)


def before_the_start(ruleset: str, size: int, *, options: Changes | None = None, bans: Iterable[Ban] = ()) -> Facts:
    """E1, E2 and so on, with whatever some ruleset asks for."""
    return Facts(
        ruleset=with_options(catalogue.load(ruleset), options or {}),
        entrants={f"E{number}": entrant(number, size) for number in range(1, size + 1)},
        bans=tuple(bans),
        advance=16 if size > 16 else 4,
    )


def entrant(number: int, size: int) -> Entrant:
    lists = frozenset({"women"} if number % 4 == 1 else {"juniors"} if number % 4 == 2 else set[str]())
    return Entrant(
        id=f"E{number}",
        number=number,
        rating=2000 - number,
        school=f"S{number % max(size // 2, 1)}",
        history=number % 3 == 0,
        lists=lists,
        carried=Fraction(0),
    )


@dataclass
class Course:
    known: Facts
    chance: random.Random
    is_disturbed: bool = False
    disturbances: Counter[Disturbance] = field(default_factory=Counter[Disturbance])
    refused: int = 0

    def whole(self) -> Iterator[tuple[Facts, str, PairedRound]]:
        """Round by round of all stages: what was known, and how it was paired then."""
        if self.is_disturbed:
            self.come_late("E3")
        for stage in self.known.ruleset.stages:
            if not self.known.rounds or self.is_opened(stage.id):
                yield from self.rounds_of(stage.id)
                self.close(stage.id)

    def rounds_of(self, stage: str) -> Iterator[tuple[Facts, str, PairedRound]]:
        while (pairing := self.next_round(stage)) is not None:
            yield self.known, stage, pairing
            self.publish(stage, pairing)
            if self.is_disturbed:
                self.disturb(stage, pairing.round)

    def is_opened(self, stage: str) -> bool:
        if left_out(self.known, stage) is not None or opening(self.known, stage).not_held is not None:
            return False
        while awaited := opening(self.known, stage).awaits:
            self.settle(self.known.ruleset.stages[0].id, awaited[0].entrants, awaited[0].needs)
        self.known = replace(self.known, fields={**self.known.fields, stage: opening(self.known, stage).entrants})
        return bool(self.known.fields[stage])

    def close(self, stage: str) -> None:
        for tie in rank(self.known, stage).unresolved:
            self.settle(stage, tie.entrants, tie.needs)
        order = order_of(rank(self.known, stage).rows)
        self.known = replace(self.known, closed={**self.known.closed, stage: order})

    def settle(self, stage: str, entrants: Sequence[str], needs: str) -> None:
        order = tuple((one,) for one in sorted(entrants))
        decided = Settlement(stage=stage, kind="duel" if needs == "duel" else "lot", order=order)
        self.known = replace(self.known, settled=(*self.known.settled, decided))

    def next_round(self, stage: str) -> PairedRound | None:
        """None: the stage is over, or the rules leave no pairing however it is tried."""
        try:
            pairing = pair(self.known, stage, lots=BY_LOT)
        except StageOver:
            return None
        except NoPairing:
            self.refused += 1
            if left_over(no_pairing.opponents_of(field_of_next_round(self.known, stage, lots=BY_LOT)))[1] == 0:
                raise
            return None
        drawn = {one: letter for letter, members in pairing.groups.items() for one in members}
        self.known = replace(self.known, drawn={**self.known.drawn, stage: drawn})
        return pairing

    def publish(self, stage: str, pairing: PairedRound) -> None:
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

    def result_of(self, stage: str, pair: SeatedTable) -> Result:
        """Somebody goes on from a match, and whoever has left does not."""
        settings = settings_of(self.known, stage)
        scores = scores_of(settings.scoring, len(pair.seats), self.chance)
        while settings.pairing.system == "knockout" and len(set(scores)) == 1:
            scores = scores_of(settings.scoring, len(pair.seats), self.chance)
        if pair.seats[scores.index(max(scores))] in self.known.left:
            scores = scores[::-1]
        first = pair.first or pair.option
        return Result(scores=scores, points=points_of(settings.scoring, scores), first=first)

    def disturb(self, stage: str, number: int) -> None:
        """Between two rounds. In matches of a play-off a corrected result would take back who has gone on."""
        system = settings_of(self.known, stage).pairing.system
        there = sorted(one for one in field_of(self.known, stage) if one not in self.known.left)
        if (number == 1 or self.chance.random() < 0.3) and len(there) > 5:
            self.leave(self.chance.choice(there), stage, number)
        if system == "knockout":
            return
        if number == 1 and ("swiss" in system or system == "tables"):
            size = len(self.known.entrants)
            self.known = replace(self.known, entrants={**self.known.entrants, f"E{size + 1}": entrant(size + 1, size)})
            self.come_late(f"E{size + 1}")
        self.stay_away(self.chance.choice(there), stage, number + 1)
        self.correct(self.chance.choice(sorted(game for game in self.known.results if game.startswith(f"{stage}-"))))

    def leave(self, gone: str, stage: str, number: int) -> None:
        self.known = replace(self.known, left={**self.known.left, gone: Left(stage=stage, after_round=number)})
        self.disturbances["withdrawal"] += 1

    def come_late(self, late: str) -> None:
        came = structs.replace(self.known.entrants[late], from_round=2)
        self.known = replace(self.known, entrants={**self.known.entrants, late: came})
        self.disturbances["late arrival"] += 1

    def stay_away(self, one: str, stage: str, number: int) -> None:
        away = Absence(entrant=one, stage=stage, round=number)
        self.known = replace(self.known, absences={**self.known.absences, away: self.chance.choice((None, HALF))})
        self.disturbances["absence"] += 1

    def correct(self, game: str) -> None:
        was = self.known.results[game]
        turned = structs.replace(was, scores=was.scores[::-1], points=was.points[::-1])
        self.known = replace(self.known, results={**self.known.results, game: turned})
        self.disturbances["correction"] += 1


def game_of(name: str, pair: SeatedTable) -> Game:
    return Game(
        id=name,
        table=pair.table,
        seats=pair.seats,
        first=pair.first,
        option=pair.option,
        group=pair.group,
        match=pair.match,
        number=pair.number,
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
