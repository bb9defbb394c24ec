"""Reading streams in groups: each reader gets its own, and one question serves all who wait."""

import asyncio

import pytest

from shared.log.postgres import MOST, PostgresStore
from shared.refusals import Unavailable
from tests.events import adding

STREAMS = 3 * MOST


async def test_everybody_gets_the_events_of_the_stream_that_they_asked_for(postgres_store: PostgresStore) -> None:
    await asyncio.gather(*(postgres_store.append(adding(f"s-{n}", events=n % 4 + 1)) for n in range(STREAMS)))
    reads = [postgres_store.read_stream(f"s-{n}", after=n % 2, limit=2) for n in range(STREAMS)]
    for n, found in enumerate(await asyncio.gather(*reads)):
        expected = range(n % 2 + 1, n % 4 + 2)[:2]
        assert [(one.event.stream, one.event.version) for one in found] == [(f"s-{n}", v) for v in expected]


async def test_who_gives_up_waiting_does_not_disturb_others(postgres_store: PostgresStore) -> None:
    await postgres_store.append(adding("a", events=2))
    gone = asyncio.create_task(postgres_store.read_stream("a"))
    stays = asyncio.create_task(postgres_store.read_stream("a"))
    await asyncio.sleep(0)
    gone.cancel()
    assert len(await stays) == 2


async def test_an_outage_is_told_to_all_who_wait(database: str) -> None:
    store = PostgresStore(database)
    for outcome in await asyncio.gather(*(store.read_stream(f"s-{n}") for n in range(3)), return_exceptions=True):
        assert isinstance(outcome, Unavailable)
    async with store.running():
        assert await store.read_stream("s-1") == []
    with pytest.raises(Unavailable):
        await store.read_stream("s-1")
