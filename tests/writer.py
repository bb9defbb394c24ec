"""A process that writes to a log until it is stopped, and prints the id of each append that was acknowledged.

Several of these, on the same hot streams and keys, are what a service in many copies does to its log.
"""

import asyncio
import random
import sys

from shared.log.postgres import PostgresStore
from shared.log.store import Append, KeyTaken, VersionConflict
from shared.refusals import Unavailable
from tests.events import answer, event

STREAMS = 5
KEYS = 200
CALLERS = 8


async def write(database: str, seed: int) -> None:
    store = PostgresStore(database)
    async with store.running():
        callers = (call(store, random.Random(f"{seed} {caller}")) for caller in range(CALLERS))
        await asyncio.gather(*callers)


async def call(store: PostgresStore, chance: random.Random) -> None:
    while True:
        append = await drawn(store, chance)
        for _ in range(chance.choice([1, 1, 1, 2])):  # now and then the same append is sent again
            try:
                await store.append(append)
            except (VersionConflict, KeyTaken, Unavailable):
                break
            print(append.events[0].id, flush=True)


async def drawn(store: PostgresStore, chance: random.Random) -> Append:
    streams = [f"hot-{number}" for number in chance.sample(range(STREAMS), chance.choice([1, 1, 2]))]
    versions = {stream: await version(store, stream) for stream in streams}
    events = [event(stream, versions[stream] + 1, public=chance.random() < 0.5) for stream in streams]
    key = answer(f"key {chance.randrange(KEYS)}") if chance.random() < 0.3 else None
    return Append(expected=versions, events=events, answer=key)


async def version(store: PostgresStore, stream: str) -> int:
    """Where the stream stands, found by doubling and halving, so that reading stays short while it grows."""
    low, high = 0, 1
    while await store.read_stream(stream, after=high - 1, limit=1):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if await store.read_stream(stream, after=middle - 1, limit=1) else (low, middle)
    return low


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], int(sys.argv[2])))
