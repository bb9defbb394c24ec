"""Recording a result: signed in, validated, adjudicated, decided, durable, under an idempotency key; 64 callers.

The limit is a bare FastAPI route that inserts the report and commits, on the same machine and the same PostgreSQL. Besides
the pace it is measured how long one of a hundred answers takes, and the seconds of a core that an answer costs.
"""

import asyncio
import itertools
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from statistics import median

import httpx
import msgspec
import psutil

from benchmarks import plain_route
from benchmarks.append import PASSWORD, ROLE, SLOW_DISK, memory_disk
from benchmarks.callers import Answers, Request, calls, is_up
from benchmarks.table import Figure, print_figure, print_heading
from deploy import tokens
from deploy.databases import at, connection, grant, migrate
from deploy.local import nats, postgres
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    OfficialAppointed,
    TournamentAnnounced,
    TournamentStarted,
)
from shared.rulesets import catalogue
from shared.values import Value
from tests.told import done, tell

CALLERS = 64
SECONDS = 3.0
ROUNDS = 5
REST = 0.5  # seconds, in which followers end what they do with the last reports
IDLE = 0.05  # of a core, at most
TABLES = 500  # of one round
TOURNAMENTS = 4  # that begin before each run, with more games than are reported in it
PUBLISHED = 10  # rounds of each tournament
RULESET, STAGE = "scrabble-sk-2022-qt", "swiss"
SUBJECT = "sue"
SHEET = msgspec.json.encode({"scores": [380, 350], "signed_by": [0, 1]})


async def measure(folder: Path, *, quick: bool = False) -> list[Figure]:
    figures: list[Figure] = []
    disks: list[tuple[Path, dict[str, str], str]] = [
        (memory_disk(folder), SLOW_DISK, "commits of 4 ms (simulated)"),
        (folder / "disk-of-results", {}, "the disk as it is"),
    ]
    for place, settings, disk in disks[: 1 if quick else None]:
        place.mkdir(exist_ok=True)
        async with (
            postgres.running(place / "record", settings=settings | {"max_wal_size": "4GB"}) as server,
            nats.running(place / "nats") as broker,
        ):
            print_heading(f"record a result, {CALLERS} callers; {disk}")
            for figure in await on(server.url, broker.urls["results"], folder, disk, rounds=2 if quick else ROUNDS):
                figures.append(figure)
                print_figure(figure)
    return figures


class Served(Value):
    """A server as a process."""

    port: int
    process: int

    def seconds(self) -> float:
        """Of a core."""
        return sum(psutil.Process(self.process).cpu_times()[:2])


class Measured(Value):
    answers: Answers
    service: float  # seconds of a core for each answer
    postgres: float


async def on(server: str, broker: str, folder: Path, disk: str, *, rounds: int) -> list[Figure]:
    ours, plain = await make(server, "results"), await make(server, "plain")
    async with connection(at(server, database="plain")) as database:
        await database.execute(f"{plain_route.TABLE}; grant insert, select on reports to {ROLE}")
    keys = folder / "keys"
    tokens.write_key(keys)
    told = {
        "ROUNDLOG_DATABASE_URL": ours,
        "ROUNDLOG_NATS_URL": broker,
        "ROUNDLOG_KEYS": str(keys / tokens.PUBLIC),
        "ROUNDLOG_RATE": "0",
    }
    signed = {"Authorization": f"Bearer {tokens.signed(keys, SUBJECT, hours=1)}"}
    reached: list[Measured] = []
    limit: list[Measured] = []
    async with (
        serving(["deploy.serve", "results", "--fd"], told) as service,
        serving(["benchmarks.plain_route", plain], {}) as bare,
    ):
        for run in range(rounds):  # results come of games that were published lately
            cups = range(run * TOURNAMENTS, (run + 1) * TOURNAMENTS)
            await begin(ours, cups)
            await caught_up(ours, service.port, cups[-1])
            await at_rest(service)
            reached.append(await measured(service, requests(signed, cups, keyed=True)))
            others = itertools.cycle(requests({}, cups, keyed=False))  # it takes the same sheet as often as one likes
            limit.append(await measured(bare, others))
    return list(compared(reached, limit, disk))


async def measured(served: Served, sheets: Iterator[Request]) -> Measured:
    service, server = served.seconds(), seconds_of_postgres()
    answers = await calls(served.port, sheets, callers=CALLERS, seconds=SECONDS)
    await asyncio.sleep(REST)
    answered = answers.count + CALLERS
    return Measured(
        answers=answers,
        service=(served.seconds() - service) / answered,
        postgres=(seconds_of_postgres() - server) / answered,
    )


def compared(ours: Sequence[Measured], limit: Sequence[Measured], disk: str) -> Iterator[Figure]:
    """What should be little is held against the limit as so many a second of it."""
    of: list[tuple[str, str, float, Callable[[Measured], float]]] = [
        ("a signed sheet: reported, agreed, told", "record", 0.9, lambda one: one.answers.a_second),
        ("99 of 100 are answered within {:.0f} ms", "record, p99", 0.7, lambda one: 1 / one.answers.p99),
        ("the service: {:.2f} ms of a core each", "record, service", 1 / 1.3, lambda one: 1 / one.service),
        ("PostgreSQL: {:.2f} ms of a core each", "record, PostgreSQL", 1 / 0.7, lambda one: 1 / one.postgres),
    ]
    for name, key, at_least, a_second in of:
        own = [a_second(one) for one in ours]
        yield Figure(
            name=name.format(1000 / median(own)),
            key=f"{key}: {disk}",
            ours=own,
            limit=[a_second(one) for one in limit],
            at_least=at_least,
        )


def seconds_of_postgres() -> float:
    """Of all of its processes below this one, and of those that have ended: their parent has taken these over."""
    seconds = 0.0
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if one.name() == "postgres":
                seconds += sum(one.cpu_times())
    return seconds


async def caught_up(database: str, port: int, cup: int = 0) -> None:
    """Until the service shows all that was opened: what it makes of the past is none of what is measured."""
    async with connection(database) as own, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        row = await own.fetchrow("select position, public from log.head")
        head = f"results:{row['position']}/{row['public']}" if row else ""
        path = f"/v1/tournaments/{tournament(cup)}/stages/{STAGE}/rounds/1/games"
        while (await client.get(path, headers={"Roundlog-Min-Position": head})).status_code != HTTPStatus.OK:
            pass  # each question waits for two seconds


async def at_rest(served: Served) -> None:
    """Until it has told neighbours and its trees, too: what follows from the games that were opened is none of what is measured."""
    before, now = -REST, served.seconds()
    while now - before > REST * IDLE:
        await asyncio.sleep(REST)
        before, now = now, served.seconds()


async def make(server: str, name: str) -> str:
    async with connection(server) as admin:
        await admin.execute("set scram_iterations = 1")
        if not await admin.fetchval("select 1 from pg_roles where rolname = $1", ROLE):
            await admin.execute(f"create role {ROLE} login password '{PASSWORD}'")
        await admin.execute(f"create database {name}")
    async with connection(at(server, database=name)) as database:
        await migrate(database)
        await grant(database, ROLE)
    return at(server, database=name, user=ROLE, password=PASSWORD)


@asynccontextmanager
async def serving(command: list[str], told: dict[str, str]) -> AsyncGenerator[Served]:
    listening = socket.create_server(("127.0.0.1", 0))
    descriptor, port = listening.fileno(), listening.getsockname()[1]
    with subprocess.Popen(  # noqa: ASYNC220, S603 - our own command
        [sys.executable, "-m", *command, str(descriptor)],
        env=os.environ | told,
        pass_fds=[descriptor],
        stdout=subprocess.DEVNULL,
    ) as process:
        listening.close()
        try:
            await is_up(port, lambda: process.poll() is None)
            yield Served(port=port, process=process.pid)
        finally:
            process.terminate()


async def begin(database: str, cups: Iterable[int]) -> None:
    """With rounds that wait for their results."""
    ruleset = msgspec.Raw(catalogue.load(RULESET).model_dump_json().encode())
    for cup in map(tournament, cups):
        await tell(
            database,
            "registration",
            cup,
            TournamentAnnounced(
                tournament=cup,
                federation="sss",
                name=cup,
                ruleset=RULESET,
                time_zone="Europe/Bratislava",
                starts_on="2026-03-14",
            ),
            TournamentStarted(tournament=cup, federation="sss", ruleset=ruleset, time_zone="Europe/Bratislava"),
            OfficialAppointed(scope=cup, subject=SUBJECT, role="scorer"),
            *(
                EntrantAdmitted(entrant=f"e{n}", tournament=cup, persons=(f"p{n}",), number=n + 1)
                for n in range(2 * TABLES)
            ),
        )
        for number in range(1, PUBLISHED + 1):
            await tell(database, "pairing", cup, published(cup, number))
            await done(database)


def published(cup: str, number: int) -> RoundPublished:
    games = tuple(
        PlannedGame(game=game(cup, number, table), table=table, seats=(f"e{2 * table - 2}", f"e{2 * table - 1}"))
        for table in range(1, TABLES + 1)
    )
    return RoundPublished(tournament=cup, stage=STAGE, round=number, games=games)


def tournament(number: int) -> str:
    return f"cup-{number}"


def game(cup: str, number: int, table: int) -> str:
    return f"{cup}-{number}-{table}"


def requests(headers: dict[str, str], cups: Iterable[int], *, keyed: bool) -> Iterator[Request]:
    """One sheet after the other, from all tournaments in turn."""
    numbers = itertools.product(range(1, PUBLISHED + 1), range(1, TABLES + 1), cups)
    for number, table, cup in numbers:
        named = game(tournament(cup), number, table)
        keys = {"Idempotency-Key": f"report-of-{named}"} if keyed else {}
        yield f"/v1/games/{named}/reports", SHEET, headers | keys
