"""Who follows a log is handed what was committed here, and reads what others have written: in order, without a gap."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import asyncpg
import pytest

from deploy.databases import connection
from shared.log import postgres
from shared.log.postgres import PostgresStore, Recent
from shared.log.rows import LOG, PUBLIC
from shared.log.store import PAGE, Appended, Head, Recorded
from tests.events import adding
from tests.integration.test_log_under_fire import append_on, assert_whole
from tests.patience import PATIENCE


class Watched(PostgresStore):
    """Counts how often its database was read by who follows."""

    reads = 0

    async def _fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        found = await super()._fetch(query, *arguments)
        self.reads += query in {LOG, PUBLIC}
        return found


@pytest.fixture
async def watched(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Watched]:
    monkeypatch.setattr(postgres, "HEARTBEAT", 2 * PATIENCE)  # what comes in time has not waited for it
    store = Watched(database)
    async with store.running():
        yield store


async def taken(pages: AsyncIterator[list[Recorded]], events: int) -> list[Recorded]:
    found: list[Recorded] = []
    async with asyncio.timeout(PATIENCE):
        async for page in pages:
            found += page
            if len(found) >= events:
                break
    return found


async def test_what_was_written_here_is_followed_without_being_read_again(watched: Watched) -> None:
    following = watched.follow(), watched.follow_public()
    await watched.append(adding("first", public=True))
    for pages in following:
        assert [one.event.stream for one in await taken(pages, 1)] == ["first"]
    looked = watched.reads
    coming = [
        asyncio.create_task(taken(pages, 30)) for pages in (watched.follow(after=1), watched.follow_public(after=1))
    ]
    async with asyncio.timeout(PATIENCE):
        while watched.reads < looked + len(coming):  # then they have looked, and wait
            await asyncio.sleep(0.01)
    before = watched.reads
    for number in range(30):
        await watched.append(adding(f"s-{number}", events=2, public=True))
    several = await asyncio.gather(*coming)
    assert watched.reads <= before + 2  # each once more, where the bell has just got its connection
    for found in several:
        assert found == (await watched.read(after=1))[: len(found)]


async def test_copies_that_write_in_turn_are_followed_in_order_by_both(watched: Watched, database: str) -> None:
    copy = PostgresStore(database)
    async with copy.running():
        everywhere = [pages for store in (watched, copy) for pages in (store.follow(), store.follow_public())]
        following = [asyncio.create_task(taken(pages, 300)) for pages in everywhere]
        for number in range(150):
            store = (watched, copy)[number * number % 7 % 2]
            await store.append(adding(f"s-{number}", events=2, public=True))
        for found in await asyncio.gather(*following):
            assert_whole(found)


async def test_what_another_transaction_has_written_is_read(watched: Watched, database: str) -> None:
    following = asyncio.create_task(taken(watched.follow(), 4))
    await watched.append(adding("a"))
    async with connection(database) as plain:
        await append_on(plain, adding("b"))  # nobody rings for it, but the next one lies behind a gap
        await watched.append(adding("c"))
        await append_on(plain, adding("d"))
        await plain.execute("select pg_notify('log', '')")
    assert [one.event.stream for one in await following] == ["a", "b", "c", "d"]


async def test_who_comes_late_or_is_slow_gets_everything(watched: Watched) -> None:
    slow = watched.follow()
    await watched.append(adding("s", events=PAGE + 10))
    found = await anext(slow)
    for number in range(3):
        await watched.append(adding("s", PAGE + 10 + number))
    assert_whole(found + await taken(slow, 13))
    assert_whole(await taken(watched.follow(), PAGE + 13))


def test_what_is_at_hand_is_a_stretch_without_a_gap_and_not_too_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    recent = Recent()
    recent.put(
        Appended(
            before=Head(position=10, public=4),
            appends=(
                adding("a", events=2, public=True),
                adding("b"),
            ),
        )
    )
    recent.put(Appended(before=Head(position=13, public=6), appends=(adding("c", public=True),)))
    assert [(one.position, one.public) for one in recent.all.behind(10)] == [(11, 5), (12, 6), (13, None), (14, 7)]
    assert [one.position for one in recent.public.behind(6)] == [14]
    assert not recent.put(Appended(before=Head(position=9, public=4), appends=(adding("committed before"),)))
    assert recent.all.behind(9) == recent.all.behind(14) == recent.public.behind(3) == []
    recent.put(Appended(before=Head(position=16, public=7), appends=(adding("d"),)))
    assert recent.all.behind(14) == []
    assert [one.position for one in recent.all.behind(16)] == [17]
    monkeypatch.setattr("shared.log.postgres.MOST_BYTES", 0)
    recent.put(Appended(before=Head(position=17, public=7), appends=(adding("e"),)))
    assert recent.all.behind(16) == []
    assert [one.position for one in recent.all.behind(17)] == [18]
