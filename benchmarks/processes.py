"""Appending by several processes of one service: all to one log, or each to a log of its own.

The limit is one process that all callers share. Besides the pace it is said how many appends a call of `log.append` has in
it, and how long a call takes: a process that waits for another one's commit waits inside of its call.
"""

import asyncio
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.append import PASSWORD, ROLE, SLOW_DISK, in_process, memory_disk, server
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, grant, migrate
from shared.values import Value

CALLERS = 128
SECONDS = 2.0
ROUNDS = 3
SEVERAL = (2, 4)
COUNTING = {"track_functions": "pl"}
CALLS = "select calls, total_time from pg_stat_user_functions where schemaname = 'log' and funcname = 'append'"


class Spread(Value):
    """What processes have appended together."""

    a_second: float
    in_a_call: float
    call: float  # milliseconds


async def measure(folder: Path) -> list[Figure]:
    figures: list[Figure] = []
    for place, settings, disk in (
        (memory_disk(folder) / "processes", SLOW_DISK, "commits of 4 ms (simulated)"),
        (folder / "processes", {}, "the disk as it is"),
    ):
        place.parent.mkdir(exist_ok=True)
        async with server(place, settings | COUNTING) as url:
            print_heading(f"appends of {CALLERS} callers, over several processes; {disk}")
            for number in range(max(SEVERAL)):
                await make(url, f"log{number}")
            for processes in SEVERAL:
                figures += await compared(url, processes, disk)
    return figures


async def make(url: str, name: str) -> None:
    async with connection(url) as admin:
        await admin.execute(f"create database {name}")
    async with connection(at(url, database=name)) as database:
        await migrate(database)
        await grant(database, ROLE)


async def compared(url: str, processes: int, disk: str) -> list[Figure]:
    alone: list[Spread] = []
    together: list[Spread] = []
    apart: list[Spread] = []
    for _ in range(ROUNDS):
        alone.append(await spread(url, ["log0"]))
        together.append(await spread(url, ["log0"] * processes))
        apart.append(await spread(url, [f"log{number}" for number in range(processes)]))
    figures: list[Figure] = []
    for ours, where in ((together, "one log"), (apart, "a log each")):
        found = Figure(
            name=f"{processes} processes, {where}",
            key=f"processes: {processes}, {where}, {disk}",
            ours=[one.a_second for one in ours],
            limit=[one.a_second for one in alone],
        )
        print_figure(found)
        print(f"    {in_words(ours)}; one process: {in_words(alone)}")
        figures.append(found)
    return figures


def in_words(several: Sequence[Spread]) -> str:
    in_a_call, call = (
        sum(column) / len(several) for column in zip(*((s.in_a_call, s.call) for s in several), strict=True)
    )
    return f"{in_a_call:.0f} appends a call of {call:.1f} ms"


async def spread(url: str, databases: Sequence[str]) -> Spread:
    """A process for each of these databases, which may be the same, and an equal part of the callers for each process."""
    each = CALLERS // len(databases)
    before = [await calls(url, name) for name in dict.fromkeys(databases)]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(len(databases), multiprocessing.get_context("spawn")) as pool:
        own = [at(url, database=name, user=ROLE, password=PASSWORD) for name in databases]
        counts = await asyncio.gather(
            *(loop.run_in_executor(pool, in_process, database, each, False, SECONDS) for database in own)  # noqa: FBT003 - without keys
        )
    after = [await calls(url, name) for name in dict.fromkeys(databases)]
    made = sum(now[0] - then[0] for now, then in zip(after, before, strict=True))
    took = sum(now[1] - then[1] for now, then in zip(after, before, strict=True))
    return Spread(a_second=sum(counts) / SECONDS, in_a_call=sum(counts) / made, call=took / made)


async def calls(url: str, name: str) -> tuple[int, float]:
    """How many there were, and the milliseconds that they took."""
    async with connection(at(url, database=name)) as database:
        row = await database.fetchrow(CALLS)
        return (row["calls"], row["total_time"]) if row else (0, 0.0)
