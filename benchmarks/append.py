"""Appending to the log: callers that each wait for their append before they send the next."""

import asyncio
import multiprocessing
import time
from collections.abc import AsyncGenerator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from benchmarks.plain_insert import plain_inserts
from benchmarks.rows import MILLION, VERSIONS, append
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, grant, migrate
from deploy.local import postgres
from shared.log.postgres import PostgresStore
from shared.values import Value

SECONDS = 2.0
ROUNDS = 3
ROLE = "roundlog_bench"
PASSWORD = "bench"  # noqa: S105 - of a server that lives as long as the measurement

PLAIN = f"""
  create sequence plain start 10000000;
  grant usage on sequence plain to {ROLE};
  grant insert on log.log, log.answers to {ROLE};
"""
SLOW_DISK = {"commit_delay": "4000", "commit_siblings": "0"}


class Case(Value):
    callers: int
    keys: bool
    processes: int = 1

    def __str__(self) -> str:
        callers = "1 caller" if self.callers == 1 else f"{self.callers} callers"
        spread = f" over {self.processes} processes" if self.processes > 1 else ""
        return f"{callers}{spread}, {'with' if self.keys else 'without'} keys"


ONE_PROCESS = [Case(callers=callers, keys=keys) for callers in (1, 128) for keys in (False, True)]
SEVERAL = Case(callers=128, keys=False, processes=4)


async def measure(folder: Path) -> list[Figure]:
    figures: list[Figure] = []
    async with server(memory_disk(folder), SLOW_DISK) as url:
        figures += await on(url, "commits of 4 ms (simulated), empty", [*ONE_PROCESS, SEVERAL], folder, held=True)
        await fill(url)
        figures += await on(url, "commits of 4 ms (simulated), 1 000 000 rows", ONE_PROCESS, folder, held=True)
    async with server(folder / "disk", {}) as url:
        figures += await on(url, "the disk as it is, empty", ONE_PROCESS, folder, held=False)
        await fill(url)
        figures += await on(url, "the disk as it is, 1 000 000 rows", ONE_PROCESS, folder, held=False)
    return figures


def memory_disk(folder: Path) -> Path:
    """Where writing costs nothing, so that the delay is all there is."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder with an unguessable name is made below
    return memory / folder.name if memory.is_dir() else folder / "memory"


@asynccontextmanager
async def server(folder: Path, settings: dict[str, str]) -> AsyncGenerator[str]:
    folder.mkdir(exist_ok=True)
    async with postgres.running(folder, settings=settings | {"max_wal_size": "4GB"}) as running:
        async with connection(running.url) as admin:
            await admin.execute("set scram_iterations = 1")  # hundreds of connections are made, and not measured
            await admin.execute(f"create role {ROLE} login password '{PASSWORD}'")
        await make_databases(running.url)
        yield running.url


async def make_databases(url: str) -> None:
    for name in ("ours", "plain"):
        async with connection(url) as admin:
            await admin.execute(f"create database {name}")
        async with connection(at(url, database=name)) as database:
            await migrate(database)
            await grant(database, ROLE)
            await database.execute(PLAIN)


async def fill(url: str, rows: int = 1_000_000) -> None:
    for name in ("ours", "plain"):
        async with connection(at(url, database=name)) as database:
            await database.execute("set synchronous_commit = off; truncate log.log, log.answers")
            await database.execute(MILLION, rows)
            await database.execute("update log.head set position = $1, public = $1", rows)
            await database.execute("vacuum analyze log.log")
            await database.execute("checkpoint")


async def on(url: str, title: str, cases: list[Case], folder: Path, *, held: bool) -> list[Figure]:
    print_heading(f"append to the log; {title}")
    ours = at(url, database="ours", user=ROLE, password=PASSWORD)
    plain = at(url, database="plain", user=ROLE, password=PASSWORD)
    figures: list[Figure] = []
    for case in cases:
        pairs = [
            (
                await group_commit(ours, case, SECONDS),
                await plain_inserts(
                    plain, callers=case.callers, keys=case.keys, seconds=SECONDS, run=run_number(), folder=folder
                ),
            )
            for _ in range(ROUNDS)
        ]
        at_least = (0.6 if case.keys else 0.7) if held and case in ONE_PROCESS and case.callers > 1 else None
        reached, limit = zip(*pairs, strict=True)
        figures.append(
            Figure(name=str(case), key=f"append: {title}, {case}", ours=reached, limit=limit, at_least=at_least)
        )
        print_figure(figures[-1])
    return figures


def run_number() -> int:
    """Keeps the streams of one run apart from those of every other."""
    return time.monotonic_ns()


async def group_commit(database: str, case: Case, seconds: float) -> float:
    """Appends a second."""
    if case.processes == 1:
        return await call_together(database, case.callers, case.keys, seconds) / seconds
    each = case.callers // case.processes
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(case.processes, multiprocessing.get_context("spawn")) as pool:
        counts = [
            loop.run_in_executor(pool, in_process, database, each, case.keys, seconds) for _ in range(case.processes)
        ]
        return sum(await asyncio.gather(*counts)) / seconds


def in_process(database: str, callers: int, keys: bool, seconds: float) -> int:  # noqa: FBT001 - called by position
    return uvloop.run(call_together(database, callers, keys, seconds))


async def call_together(database: str, callers: int, keys: bool, seconds: float) -> int:  # noqa: FBT001 - as above
    store = PostgresStore(database)
    run = run_number()
    async with store.running():
        await store.append(append(f"first-{run}", 0, key=False))  # connecting is not what is measured
        end = time.monotonic() + seconds
        return sum(await asyncio.gather(*(call(store, f"{run}-{caller}", keys, end) for caller in range(callers))))


async def call(store: PostgresStore, name: str, keys: bool, end: float) -> int:  # noqa: FBT001 - as above
    done = 0
    while time.monotonic() < end:
        await store.append(append(f"game-{name}-{done // VERSIONS}", done % VERSIONS, key=keys))
        done += 1
    return done
