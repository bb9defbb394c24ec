"""All tables made anew from the inbox, however many results there are.

The limit is only to look at it: the same seven columns of the same rows, page by page behind a key as they arrived,
each message decoded into the contract that it is of.
"""

import os
import random
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import msgspec

from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import AdminConnection, at, connection, migrate
from deploy.local import postgres
from services.standings.projection.rebuild import rebuild
from shared.clock import now
from shared.contracts import SPEAKERS, contracts
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import EntrantAdmitted, TournamentStarted
from shared.contracts.results import ResultFinal, RoundCompleted
from shared.ids import new_id
from shared.log.envelope import Message
from shared.rulesets import catalogue

RESULTS = int(os.environ.get("ROUNDLOG_BENCH_RESULTS", "1000000"))
OF_ONE = 200  # results of one tournament
ENTRANTS, ROUNDS_OF_ONE = 50, 8
PAGE = 5000
PROCESSES = min(os.cpu_count() or 1, 4)
RUNS = 3
AT_LEAST = 0.6
MEMORY = 300  # megabytes that a process may need
STAGE = "swiss"
COLUMNS = ("source", "number", "scope", "type", "message", "state")

# The same seven columns in every read of it.
READ = """
  select arrival, source, number, scope, type, state, message from inbox.events
  where arrival > $1 order by arrival limit $2
"""

type Said = tuple[str, str, msgspec.Struct]  # source, scope


class Told[Contract](msgspec.Struct, frozen=True):
    """A message, and in it what is told."""

    id: str
    type: str
    scope: str
    data: Contract


async def measure(folder: Path, *, quick: bool = False) -> list[Figure]:
    results, least = (RESULTS // 25, None) if quick else (RESULTS, AT_LEAST)  # so few are made by one process alone
    tournaments = results // OF_ONE
    print_heading(f"tables of {results} results in {tournaments} tournaments made anew; results a second")
    place = folder / "rebuild"
    place.mkdir()
    async with postgres.running(place, settings={"max_wal_size": "4GB"}) as server:
        async with connection(server.url) as admin:
            await admin.execute("create database standings")
        database = at(server.url, database="standings")
        async with connection(database) as own:
            await migrate(own)
            await own.execute("create schema views")
            await fill(own, tournaments)
        ours: list[float] = []
        limit: list[float] = []
        for _ in range(1 if quick else RUNS):
            limit.append(results / await looked_at(database))
            ours.append(results / await made_anew(database, tournaments, processes=1 if quick else PROCESSES))
        needed = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of the largest that has ended by now
    figures = [
        Figure(name="made anew, written and compared", key="rebuild: tables", ours=ours, limit=limit, at_least=least),
        Figure(
            name=f"memory of a process: {needed:.0f} MB, of {MEMORY} MB",
            key="rebuild: memory",
            ours=[1 / needed],
            limit=[1 / MEMORY],
            at_least=1,
        ),
    ][: 1 if quick else None]
    for figure in figures:
        print_figure(figure)
    return figures


async def made_anew(database: str, tournaments: int, *, processes: int) -> float:
    began = time.monotonic()
    rebuilt = await rebuild(database, service="standings", processes=processes)
    took = time.monotonic() - began
    if rebuilt.tables != tournaments or rebuilt.different:
        raise RuntimeError(f"made {rebuilt.tables} tables, {len(rebuilt.different)} of them differently")
    return took


async def looked_at(database: str) -> float:
    decoders = {
        (service, name): msgspec.json.Decoder(Told[contract])  # pyright: ignore[reportInvalidTypeArguments] - made at run time
        for service, speaker in SPEAKERS.items()
        for name, contract in contracts(speaker).items()
    }
    began = time.monotonic()
    async with connection(database) as own:
        arrival = 0
        while page := await own.fetch(READ, arrival, PAGE):
            for _, source, _, _, kind, _, message in page:
                decoders[source, kind].decode(message)
            arrival = page[-1][0]
    return time.monotonic() - began


async def fill(own: AdminConnection, tournaments: int, *, first: int = 1) -> None:
    """As it would have arrived: many tournaments at the same time, round by round."""
    numbers = {source: count(first) for source in ("registration", "pairing", "results")}
    chance = random.Random(1)
    ruleset = msgspec.Raw(catalogue.load("scrabble-sk-2022-qt").model_dump_json().encode())
    names = [f"{new_id()}" for _ in range(tournaments)]
    for start in range(0, tournaments, 50):
        several = [story(name, ruleset, chance) for name in names[start : start + 50]]
        rows = [
            (source, next(numbers[source]), scope, type(event).__name__, message(scope, event), "done")
            for parts in zip(*several, strict=True)
            for part in parts
            for source, scope, event in part
        ]
        await own.copy_records_to_table("events", schema_name="inbox", records=rows, columns=COLUMNS)
    await own.execute("insert into inbox.scopes (scope) select distinct scope from inbox.events on conflict do nothing")
    await own.execute("vacuum analyze inbox.events")


def story(
    tournament: str,
    ruleset: msgspec.Raw,
    chance: random.Random,
    *,
    size: int = ENTRANTS,
    rounds: int = ROUNDS_OF_ONE,
) -> Iterator[Sequence[Said]]:
    entrants = [f"{new_id()}" for _ in range(size)]
    yield [("registration", tournament, event) for event in field(tournament, entrants, ruleset)]
    for number in range(1, rounds + 1):
        chance.shuffle(entrants)
        games = tuple(
            PlannedGame(game=f"{new_id()}", table=table, seats=tuple(entrants[2 * table - 2 : 2 * table]))
            for table in range(1, size // 2 + 1)
        )
        yield [("pairing", tournament, RoundPublished(tournament=tournament, stage=STAGE, round=number, games=games))]
        yield [("results", tournament, result(tournament, number, game, chance)) for game in games]
        yield [("results", tournament, RoundCompleted(tournament=tournament, stage=STAGE, round=number))]


def field(tournament: str, entrants: list[str], ruleset: msgspec.Raw) -> Iterator[msgspec.Struct]:
    yield TournamentStarted(tournament=tournament, federation="sss", ruleset=ruleset, time_zone="Europe/Bratislava")
    for number, entrant in enumerate(entrants, start=1):
        yield EntrantAdmitted(entrant=entrant, tournament=tournament, persons=(f"{new_id()}",), number=number)


def result(tournament: str, number: int, game: PlannedGame, chance: random.Random) -> ResultFinal:
    one, other = chance.randrange(200, 500), chance.randrange(200, 500)
    return ResultFinal(
        game=game.game,
        tournament=tournament,
        stage=STAGE,
        round=number,
        seats=game.seats,
        scores=(one, other),
        points=("1/2", "1/2") if one == other else (int(one > other), int(other > one)),
        first=game.seats[0],
    )


def message(scope: str, event: msgspec.Struct) -> bytes:
    told = Message(
        id=new_id(),
        type=type(event).__name__,
        scope=scope,
        at=now(),
        trace=None,
        data=msgspec.Raw(msgspec.json.encode(event)),
    )
    return msgspec.json.encode(told)
