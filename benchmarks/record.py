"""Recording a result: signed in, validated, adjudicated, decided, durable, under an idempotency key; 64 callers.

The limit is a bare FastAPI route that inserts the report and commits, on the same machine and the same PostgreSQL.
"""

import itertools
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import msgspec

from benchmarks import plain_route
from benchmarks.append import PASSWORD, ROLE, SLOW_DISK, memory_disk
from benchmarks.callers import Request, calls, is_up
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
from tests.told import done, tell

CALLERS = 64
SECONDS = 3.0
ROUNDS = 3
TABLES = 500  # of one round
TOURNAMENTS = 10
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
            figures.append(await on(server.url, broker.urls["results"], folder, disk))
            print_figure(figures[-1])
    return figures


async def on(server: str, broker: str, folder: Path, disk: str) -> Figure:
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
    reached: list[float] = []
    limit: list[float] = []
    async with (
        serving(["deploy.serve", "results", "--fd"], told) as service,
        serving(["benchmarks.plain_route", plain], {}) as bare,
    ):
        await begin(ours)
        await caught_up(ours, service)
        sheets = requests(signed, keyed=True)
        others = requests({}, keyed=False)
        for _ in range(ROUNDS):
            reached.append(await calls(service, sheets, callers=CALLERS, seconds=SECONDS))
            limit.append(await calls(bare, others, callers=CALLERS, seconds=SECONDS))
    name = "a signed sheet: reported, agreed, told"
    return Figure(name=name, key=f"record: {disk}", ours=reached, limit=limit, at_least=1.0)


async def caught_up(database: str, port: int) -> None:
    """Until the service shows all that was opened: what it makes of the past is none of what is measured."""
    async with connection(database) as own, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        row = await own.fetchrow("select position, public from log.head")
        head = f"results:{row['position']}/{row['public']}" if row else ""
        path = f"/v1/tournaments/{tournament(0)}/stages/{STAGE}/rounds/1/games"
        while (await client.get(path, headers={"Roundlog-Min-Position": head})).status_code != HTTPStatus.OK:
            pass  # each question waits for two seconds


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
async def serving(command: list[str], told: dict[str, str]) -> AsyncGenerator[int]:
    """A server as a process; answers its port."""
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
            yield port
        finally:
            process.terminate()


async def begin(database: str) -> None:
    """Tournaments with rounds that wait for their results."""
    ruleset = msgspec.Raw(catalogue.load(RULESET).model_dump_json().encode())
    for cup in map(tournament, range(TOURNAMENTS)):
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


def requests(headers: dict[str, str], *, keyed: bool) -> Iterator[Request]:
    """One sheet after the other, from all tournaments in turn."""
    numbers = itertools.product(range(1, PUBLISHED + 1), range(1, TABLES + 1), range(TOURNAMENTS))
    for number, table, cup in numbers:
        named = game(tournament(cup), number, table)
        keys = {"Idempotency-Key": f"report-of-{named}"} if keyed else {}
        yield f"/v1/games/{named}/reports", SHEET, headers | keys
