"""From a result in the log of results to the table that a listener of standings is told, all on this machine.

The way is the real one: append, relay, JetStream, inbox, fold, ranking, commit, live stream; with standings as it runs in
production. The limit is what nothing of this kind can do without: one round trip over the broker and two commits.
"""

import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median, quantiles

import httpx
import msgspec

from benchmarks.callers import NotAnswered
from benchmarks.rebuild import ENTRANTS, OF_ONE, ROUNDS_OF_ONE, STAGE, fill, message, story
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, grant, migrate
from deploy.local import nats, postgres
from services.standings.projection.rebuild import rebuild
from shared.contracts.results import ResultFinal
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event
from shared.log.trees import Trees
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.relay import Relay
from shared.rulesets import catalogue

SPEAKERS = ("registration", "pairing", "results")
SERVICE = "standings"
ASKED = "results"
ROLE = "roundlog_bench"
PASSWORD = "bench"  # noqa: S105 - of a server that lives as long as the measurement
BEFORE = int(os.environ.get("ROUNDLOG_BENCH_RESULTS", "100000"))  # results that were heard before the last ones
MEASURED = 200
AT_LEAST = 1 / 10
NO_GROWTH = 0.8  # of the speed of the first ones
WITHIN = 20.0
LARGE, ROUNDS = 1000, 9
IN_TIME = 0.025  # seconds from a result to the table of so many
LARGEST = 2**24  # bytes of a table as it is told
EVENT = b"\nevent: "  # stands in front of a table, and behind its id
ID = re.compile(rb"^id: reg\d+\.pai\d+\.res(\d+)\.sta\d+$", re.MULTILINE)


async def measure(folder: Path, *, quick: bool = False) -> list[Figure]:
    results = BEFORE // 10 if quick else BEFORE
    print_heading(f"from a result to the table that is told, {ENTRANTS} entrants; as many a second as would fit")
    place = folder / "pushed"
    place.mkdir()
    async with postgres.running(place) as server, nats.running(place) as broker, AsyncExitStack() as stack:
        for name in (*SPEAKERS, SERVICE, "plain"):
            await make(server.url, name)
        own = at(server.url, database=SERVICE, user=ROLE, password=PASSWORD)
        url = await stack.enter_async_context(serving(own, broker.urls[SERVICE]))
        speaking = Speaking(
            {name: await stack.enter_async_context(speaker(server.url, broker.urls, name)) for name in SPEAKERS}
        )
        async with nats.running(place / "plain") as plain:
            limit = await least(at(server.url, database="plain"), plain.urls)
        await pushed(url, speaking)  # everything is warm then
        first = await pushed(url, speaking)
        async with connection(at(server.url, database=SERVICE)) as inbox:
            await fill(inbox, results // OF_ONE, first=-(10**9))  # numbers that nobody else has
        await rebuild(own, service=SERVICE)
        last = await pushed(url, speaking)
        large = [] if quick else await pushed(url, speaking, size=LARGE, rounds=ROUNDS)
    slowest = [quantiles(times, n=100)[98] for times in (first, last)]
    figures = [
        Figure(
            name="99 of 100 within",
            key="push: 99 of 100",
            ours=[1 / one for one in slowest],
            limit=[1 / limit] * 2,
            at_least=AT_LEAST,
        ),
        Figure(
            name=f"behind {results} results, held against before them",
            key="push: growth",
            ours=[1 / median(last)],
            limit=[1 / median(first)],
            at_least=NO_GROWTH,
        ),
    ]
    if large:
        figures.append(
            Figure(
                name=f"{LARGE} entrants, {ROUNDS} rounds: 99 of 100 within, against {1000 * IN_TIME:.0f} ms",
                key="push: a large table, 99 of 100",
                ours=[1 / quantiles(large, n=100)[98]],
                limit=[1 / IN_TIME],
                at_least=1,
            )
        )
    for figure in figures:
        print_figure(figure)
    return figures


async def make(server: str, name: str) -> None:
    async with connection(server) as admin:
        await admin.execute(f"create database {name}")
        if name == SPEAKERS[0]:
            await admin.execute(f"create role {ROLE} login password '{PASSWORD}'")
    async with connection(at(server, database=name)) as database:
        await migrate(database)
        await grant(database, ROLE)


@asynccontextmanager
async def serving(database: str, broker: str) -> AsyncGenerator[str]:
    told = {"ROUNDLOG_DATABASE_URL": database, "ROUNDLOG_NATS_URL": broker, "ROUNDLOG_LOG_LEVEL": "WARNING"}
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with subprocess.Popen(  # noqa: ASYNC220, S603 - our own command
        [sys.executable, "-m", "deploy.serve", SERVICE, f"--fd={listening.fileno()}"],
        env=os.environ | told,
        pass_fds=[listening.fileno()],
        stdout=subprocess.DEVNULL,
    ) as process:
        listening.close()
        try:
            async with httpx.AsyncClient(timeout=WITHIN) as client:
                await client.get(f"{url}/healthz")  # waits in the socket until the service is there
            yield url
        finally:
            process.terminate()


@asynccontextmanager
async def speaker(server: str, broker_urls: Mapping[str, str], name: str) -> AsyncGenerator[PostgresStore]:
    database = at(server, database=name)
    store, trees, broker = PostgresStore(database), Trees(database), Broker(broker_urls[name], name=name)
    relay = Relay(service=name, store=store, broker=broker, trees=trees, database=database)
    async with AsyncExitStack() as stack:
        for part in (store.running, trees.running, broker.running, relay.running):
            await stack.enter_async_context(part())
        yield store


class Speaking:
    """What services would say, from logs of their own."""

    def __init__(self, stores: dict[str, PostgresStore]) -> None:
        self._stores = stores

    async def say(self, source: str, scope: str, *events: msgspec.Struct) -> int:
        """The public number that the source has reached."""
        stream = f"said-{new_id()}"
        said = [
            Event(
                id=new_id(),
                stream=stream,
                version=version,
                type=type(event).__name__,
                scope=scope,
                record=b"{}",
                message=message(scope, event),
            )
            for version, event in enumerate(events, start=1)
        ]
        return (await self._stores[source].append(Append(expected={stream: 0}, events=said))).public


async def pushed(url: str, speaking: Speaking, *, size: int = ENTRANTS, rounds: int = ROUNDS_OF_ONE) -> list[float]:
    """Seconds from each of the last results to its table, in a tournament of its own."""
    tournament = f"{new_id()}"
    ruleset = msgspec.Raw(catalogue.load("scrabble-sk-2022-qt").model_dump_json().encode())
    seconds: list[float] = []
    begin, *parts = story(tournament, ruleset, random.Random(1), size=size, rounds=rounds)
    await speaking.say("registration", tournament, *(event for _, _, event in begin))
    left = rounds * size // 2
    async with httpx.AsyncClient(timeout=WITHIN) as client:
        path = f"{url}/v1/tournaments/{tournament}/stages/{STAGE}/standings"
        while not (await client.get(path)).is_success:  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(0.02)
        async with listening(f"{path}/live") as told:
            for part in parts:
                if isinstance(part[0][2], ResultFinal):
                    left -= len(part)
                if left >= MEASURED:  # what is told at once is not measured
                    await speaking.say(part[0][0], tournament, *(event for _, _, event in part))
                    continue
                for source, _, event in part:
                    began = time.monotonic()
                    number = await speaking.say(source, tournament, event)
                    if isinstance(event, ResultFinal):
                        await told.reaches(number)
                        seconds.append(time.monotonic() - began)
                    else:  # a round has long been heard of when its first result comes
                        await client.get(path, headers={"Roundlog-Min-Position": f"{source}:{number}/{number}"})
    return seconds[-MEASURED:]


@asynccontextmanager
async def listening(url: str) -> AsyncGenerator["Told"]:
    asked = httpx.URL(url)
    reader, writer = await asyncio.open_connection(asked.host, asked.port, limit=LARGEST)
    writer.write(f"GET {asked.path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    status = await reader.readline()
    if b" 200 " not in status:
        raise NotAnswered(f"{url} answers {status.decode().strip()}")
    try:
        yield Told(reader)
    finally:
        writer.close()


class Told:
    """What comes over a live stream, as it comes: to take an answer of some hundred KB apart by a client would be measured
    with it.
    """

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def reaches(self, number: int) -> None:
        """A whole table that rests on this result."""
        async with asyncio.timeout(WITHIN):
            while True:
                head, _, _ = (await self._reader.readuntil(b"\n\n")).partition(EVENT)
                if any(int(found) >= number for found in ID.findall(head)):
                    return


async def least(database: str, broker_urls: Mapping[str, str]) -> float:
    """Seconds of one round trip over the broker and two commits, mostly."""
    asking, answering = (Broker(broker_urls[name], name="plain") for name in (SERVICE, ASKED))
    trips: list[float] = []
    commits: list[float] = []
    async with asking.running(), answering.running(), connection(database) as plain, asyncio.TaskGroup() as group:
        await plain.execute("create table said (number int primary key, words text)")
        answers = group.create_task(answer_all(answering))
        await asyncio.sleep(0.5)
        for number in range(2 * MEASURED):
            began = time.monotonic()
            await asking.ask(subjects.replay(ASKED), b"x" * 500)
            trips.append(time.monotonic() - began)
            began = time.monotonic()
            await plain.execute("insert into said values ($1, 'x')", number)
            commits.append(time.monotonic() - began)
        answers.cancel()
    return median(trips) + 2 * median(commits)


async def answer_all(broker: Broker) -> None:
    async for asked in broker.listen(subjects.replay(ASKED)):
        await broker.tell(asked.reply, asked.data)
