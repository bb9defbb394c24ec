"""The trees of a log, caught up with from its first event: read, hashed twice and kept in tiles.

The limit is to read the same pages and do nothing with them. Both are counted in the time that this process was at work:
what it waits for, the server does meanwhile.
"""

import time
from pathlib import Path

from benchmarks.rows import MILLION
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, migrate
from deploy.local import postgres
from shared.log.postgres import PostgresStore
from shared.log.trees import Edges, Trees

EVENTS = 100_000
RUNS = 3
AT_LEAST = 0.1
A_SECOND = 15_000  # events that a log may take, and its trees have to


async def measure(folder: Path) -> list[Figure]:
    print_heading(f"trees over {EVENTS} events caught up with; events a second")
    place = folder / "trees"
    place.mkdir()
    async with postgres.running(place, settings={"max_wal_size": "4GB"}) as server:
        async with connection(server.url) as admin:
            await admin.execute("create database results")
        database = at(server.url, database="results")
        async with connection(database) as own:
            await migrate(own)
            await own.execute(MILLION, EVENTS)
            await own.execute(f"update log.head set position = {EVENTS}, public = {EVENTS}")
        store, trees = PostgresStore(database), Trees(database)
        ours: list[float] = []
        limit: list[float] = []
        async with store.running(), trees.running():
            for _ in range(RUNS):
                limit.append(EVENTS / await looked_at(store))
                async with connection(database) as own:
                    await own.execute("truncate proof.tiles; update proof.head set position = 0, public = 0")
                ours.append(EVENTS / await caught_up(store, trees))
            if await trees.head() != await store.head():
                raise RuntimeError("the trees go less far than the log")
    figures = [
        Figure(name="read, hashed and kept", ours=ours, limit=limit, at_least=AT_LEAST),
        Figure(name=f"as many as a log may take: {A_SECOND}", ours=ours, limit=[A_SECOND] * RUNS, at_least=1),
    ]
    for figure in figures:
        print_figure(figure)
    return figures


async def looked_at(store: PostgresStore) -> float:
    began, position = time.process_time(), 0
    while page := await store.read(after=position):
        position = page[-1].position
    return time.process_time() - began


async def caught_up(store: PostgresStore, trees: Trees) -> float:
    began, edges = time.process_time(), Edges()
    while page := await store.read(after=edges.head.position):
        grown, changed = edges.grown(page)
        await trees.grow(edges.head, grown.head, changed)
        edges = grown
    return time.process_time() - began
