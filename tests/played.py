"""A tournament as its services would tell it: who plays, who meets whom, what happened."""

import json
import random
from collections.abc import Iterator, Sequence

import msgspec

from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import EntrantAdmitted, TournamentStarted
from shared.contracts.results import ResultCorrected, ResultFinal, RoundCompleted
from shared.rulesets import catalogue

STAGE = "swiss"


def rules(**options: object) -> msgspec.Raw:
    """Those of a qualifying tournament, with what else a test is about."""
    ruleset = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    return msgspec.Raw(json.dumps(ruleset | {"options": options}).encode())


def started(tournament: str, entrants: Sequence[str], ruleset: msgspec.Raw | None = None) -> list[msgspec.Struct]:
    return [
        TournamentStarted(
            tournament=tournament,
            federation="sss",
            ruleset=ruleset or rules(**{"pairing.system": "cost-swiss"}),
            time_zone="Europe/Bratislava",
        ),
        *(
            EntrantAdmitted(entrant=entrant, tournament=tournament, persons=(f"p-{entrant}",), number=number)
            for number, entrant in enumerate(entrants, start=1)
        ),
    ]


def game_id(tournament: str, number: int, table: int) -> str:
    return f"{tournament}-{number}-{table}"


def published(tournament: str, number: int, pairs: Sequence[Sequence[str]], byes: Sequence[str] = ()) -> RoundPublished:
    games = tuple(
        PlannedGame(game=game_id(tournament, number, table), table=table, seats=tuple(seats), first=seats[0])
        for table, seats in enumerate(pairs, start=1)
    )
    return RoundPublished(tournament=tournament, stage=STAGE, round=number, games=games, byes=tuple(byes))


def result(tournament: str, number: int, table: int, seats: Sequence[str], scores: tuple[int, int]) -> ResultFinal:
    one, other = scores
    points: tuple[int | str, int | str] = ("1/2", "1/2") if one == other else (int(one > other), int(other > one))
    return ResultFinal(
        game=game_id(tournament, number, table),
        tournament=tournament,
        stage=STAGE,
        round=number,
        seats=tuple(seats),
        scores=scores,
        points=points,
        first=seats[0],
    )


def corrected(before: ResultFinal, scores: tuple[int, int]) -> ResultCorrected:
    table = int(before.game.rpartition("-")[2])
    now = result(before.tournament, before.round, table, before.seats, scores)
    return ResultCorrected(**{name: getattr(now, name) for name in ResultCorrected.__struct_fields__})


def completed(tournament: str, number: int) -> RoundCompleted:
    return RoundCompleted(tournament=tournament, stage=STAGE, round=number)


def pairings(entrants: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Everybody meets somebody else in each round, by the circle."""
    fixed, *others = entrants
    turn = (number - 1) % len(others)
    circle = [fixed, *others[turn:], *others[:turn]]
    half = len(circle) // 2
    return list(zip(circle[:half], reversed(circle[half:]), strict=True))


def rounds(
    tournament: str, entrants: Sequence[str], count: int, chance: random.Random
) -> Iterator[tuple[RoundPublished, list[ResultFinal], RoundCompleted]]:
    """Round after round, with results by chance."""
    for number in range(1, count + 1):
        pairs = pairings(entrants, number)
        results = [
            result(tournament, number, table, pair, (chance.randrange(200, 500), chance.randrange(200, 500)))
            for table, pair in enumerate(pairs, start=1)
        ]
        yield published(tournament, number, pairs), results, completed(tournament, number)
