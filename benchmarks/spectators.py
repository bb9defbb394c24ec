"""A day on which many look on: listeners of tables, and strangers who ask for tables and rounds, while results come in.

Standings and pairing run as in production. Whoever asks has an answer already as often as not, as browsers do, and asks at
a fixed pace, whether the one before was answered or not: who waits in a queue is counted with it.
"""

import asyncio
import itertools
import random
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import quantiles

import msgspec
import psutil

from benchmarks.callers import NotAnswered
from benchmarks.pushed import PASSWORD, ROLE, Speaking, make, speaker
from benchmarks.rebuild import ROUNDS_OF_ONE, STAGE, story
from benchmarks.record import serving
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at
from deploy.local import nats, postgres
from shared.contracts.results import ResultFinal
from shared.ids import new_id
from shared.rulesets import catalogue
from shared.values import Value

SPEAKERS = ("registration", "pairing", "results")
LISTENERS, GETS, RESULTS = 2000, 200, 50  # the last two a second
TOURNAMENTS = 20
BEFORE = 4  # rounds of each that are played before anybody looks on
SECONDS, QUICK_SECONDS = 20, 6
ASKERS = 40
WITHIN = 0.05  # seconds for 99 of 100
FLAT = 0.9  # memory before, held against after
CORES = 1.0  # of two, since PostgreSQL, the broker and those who ask are there too
PATIENCE = 60.0
MANY = "5000"
ROOM = {
    "ROUNDLOG_RATE": "0",
    "ROUNDLOG_STREAMS": MANY,
    "ROUNDLOG_STREAMS_OF_ONE": MANY,
    "ROUNDLOG_CONNECTIONS": MANY,
    "ROUNDLOG_CONNECTIONS_OF_ONE": MANY,
    "ROUNDLOG_LOG_LEVEL": "WARNING",
}

type Said = tuple[str, str, msgspec.Struct]  # who says it, of which tournament


class Question(Value):
    port: int
    path: str


async def measure(folder: Path, *, quick: bool = False) -> list[Figure]:
    listeners, seconds = (LISTENERS // 10, QUICK_SECONDS) if quick else (LISTENERS, SECONDS)
    print_heading(
        f"{listeners} listeners, {GETS} questions and {RESULTS} results a second; as many a second as would fit"
    )
    place = folder / "spectators"
    place.mkdir()
    async with postgres.running(place) as server, nats.running(place) as broker, AsyncExitStack() as stack:
        for name in (*SPEAKERS, "standings"):
            await make(server.url, name)
        ports: dict[str, int] = {}
        for name in ("standings", "pairing"):
            own = at(server.url, database=name, user=ROLE, password=PASSWORD)
            told = ROOM | {"ROUNDLOG_DATABASE_URL": own, "ROUNDLOG_NATS_URL": broker.urls[name]}
            served = await stack.enter_async_context(serving(["deploy.serve", name, "--fd"], told))
            ports[name] = served.port
        speaking = Speaking(
            {name: await stack.enter_async_context(speaker(server.url, broker.urls, name)) for name in SPEAKERS}
        )
        tournaments = [f"{new_id()}" for _ in range(TOURNAMENTS)]
        to_come = await begin(speaking, tournaments)
        questions = [one for tournament in tournaments for one in asked_of(ports, tournament)]
        await ready(questions)
        live = [f"/v1/tournaments/{one}/stages/{STAGE}/standings/live" for one in tournaments]
        audience = Audience(ports["standings"], live)
        async with audience.full(listeners):
            await look_on(speaking, to_come, questions, seconds=3)  # everything is warm then
            before, used, told = memory(), cores(), await audience.told()
            took = await look_on(speaking, to_come, questions, seconds=seconds)
            after, used, told = memory(), (cores() - used) / seconds, await audience.told() - told
    slowest = quantiles(took, n=100)[98]
    figures = [
        Figure(
            name=f"a question: 99 of 100 within {1000 * slowest:.0f} ms, of {1000 * WITHIN:.0f} ms",
            key="spectators: a question, 99 of 100",
            ours=[1 / slowest],
            limit=[1 / WITHIN],
            at_least=1,
        ),
        Figure(
            name=f"memory of the services: {before:.0f} MB, then {after:.0f} MB",
            key="spectators: memory stays",
            ours=[1 / after],
            limit=[1 / before],
            at_least=FLAT,
        ),
        Figure(
            name=f"cores that the services need: {used:.2f}, of {CORES}",
            key="spectators: cores",
            ours=[1 / used],
            limit=[1 / CORES],
            at_least=1,
        ),
        Figure(
            name=f"tables that {listeners} listeners were told, each second",
            key="spectators: told a second",
            ours=[told / seconds],
            limit=[listeners * RESULTS / TOURNAMENTS],
        ),
    ]
    for figure in figures:
        print_figure(figure)
    return figures


async def begin(speaking: Speaking, tournaments: Sequence[str]) -> Iterator[Said]:
    """Some rounds are played at a stroke; what comes then is told one by one, of all tournaments in turn."""
    ruleset = msgspec.Raw(catalogue.load("scrabble-sk-2022-qt").model_dump_json().encode())
    chance = random.Random(1)
    to_come: list[list[Said]] = []
    for tournament in tournaments:
        field, *rounds = story(tournament, ruleset, chance, rounds=BEFORE + ROUNDS_OF_ONE)
        for part in (field, *rounds[: 3 * BEFORE]):
            await speaking.say(part[0][0], tournament, *(event for _, _, event in part))
        to_come.append([(source, tournament, event) for part in rounds[3 * BEFORE :] for source, _, event in part])
    return itertools.chain.from_iterable(zip(*to_come, strict=True))


def asked_of(ports: dict[str, int], tournament: str) -> Iterator[Question]:
    stage = f"/v1/tournaments/{tournament}/stages/{STAGE}"
    yield Question(port=ports["standings"], path=f"{stage}/standings")
    yield Question(port=ports["standings"], path=f"{stage}/standings")  # as often as the other two
    yield Question(port=ports["standings"], path=f"{stage}/crosstable")
    yield Question(port=ports["pairing"], path=f"{stage}/rounds")


async def ready(questions: Sequence[Question]) -> None:
    """Until all that was said is heard."""
    end = time.monotonic() + PATIENCE
    asker = Browser()
    for question in questions:
        while not await asker.ask(question):
            if time.monotonic() > end:
                raise NotAnswered(f"{question.path} is not there")
            await asyncio.sleep(0.05)
    asker.leave()


async def look_on(
    speaking: Speaking, to_come: Iterator[Said], questions: Sequence[Question], *, seconds: int
) -> list[float]:
    """How long each question has waited for its answer."""
    began = time.monotonic()
    numbers = itertools.count()
    took: list[float] = []

    async def ask() -> None:
        asker = Browser()
        while (number := next(numbers)) < seconds * GETS:
            due = began + number / GETS
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if not await asker.ask(questions[number * 7 % len(questions)]):
                raise NotAnswered("a table was there, and is not any more")
            took.append(time.monotonic() - due)
        asker.leave()

    async def play() -> None:
        for number in range(seconds * RESULTS):
            await asyncio.sleep(max(0.0, began + number / RESULTS - time.monotonic()))
            for source, tournament, event in to_come:
                await speaking.say(source, tournament, event)
                if isinstance(event, ResultFinal):
                    break

    async with asyncio.TaskGroup() as group:
        group.create_task(play())
        for _ in range(ASKERS):
            group.create_task(ask())
    return took


class Browser:
    """A browser, over connections that stay open: every second time it says which answer it has."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self._tags: dict[str, str] = {}

    async def ask(self, asked: Question) -> bool:
        if asked.port not in self._open:
            self._open[asked.port] = await asyncio.open_connection("127.0.0.1", asked.port)
        reader, writer = self._open[asked.port]
        tag = self._tags.pop(asked.path, None)
        known = f"If-None-Match: {tag}\r\n" if tag else ""
        writer.write(f"GET {asked.path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n{known}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        await reader.readexactly(int(headers.get("content-length", "0")))
        if tag is None and "etag" in headers:
            self._tags[asked.path] = headers["etag"]
        return head[0].split()[1] in {"200", "304"}

    def leave(self) -> None:
        for _, writer in self._open.values():
            writer.close()


class Audience:
    """Those who listen to tables, and how often they were told one."""

    def __init__(self, port: int, paths: Sequence[str]) -> None:
        self._port = port
        self._paths = paths
        self._people: asyncio.subprocess.Process | None = None

    @asynccontextmanager
    async def full(self, listeners: int) -> AsyncGenerator[None]:
        self._people = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.listeners", f"{self._port}", f"{listeners}", *self._paths),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            if await self._answer() != b"ready":
                raise NotAnswered("not everybody can listen")
            yield
        finally:
            with suppress(ProcessLookupError):  # they may have gone
                self._people.terminate()
            await self._people.wait()

    @property
    def pid(self) -> int:
        if self._people is None:
            raise NotAnswered("nobody is there")
        return self._people.pid

    async def told(self) -> int:
        if self._people is not None and self._people.stdin is not None:
            self._people.stdin.write(b"\n")
        return int(await self._answer())

    async def _answer(self) -> bytes:
        if self._people is None or self._people.stdout is None:
            raise NotAnswered("nobody is there")
        async with asyncio.timeout(PATIENCE):
            return (await self._people.stdout.readline()).strip()


def memory() -> float:
    """Megabytes of the services."""
    return sum(one.memory_info().rss for one in services()) / 2**20


def cores() -> float:
    """Seconds of a core that the services have taken."""
    return sum(sum(one.cpu_times()[:2]) for one in services())


def services() -> Sequence[psutil.Process]:
    return [one for one in psutil.Process().children() if "deploy.serve" in one.cmdline()]
