"""Tables told while they change, by services as they run in production."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from http import HTTPStatus

import httpx
import pytest
from msgspec.structs import replace

from services.standings.api.responses import Tagged
from services.standings.api.tables.live import TableListener, shown_table
from services.standings.projection.rebuild import rebuild
from shared.contracts.results import GameStarted
from shared.ids import new_id
from shared.messaging import history
from tests.databases import fresh_database
from tests.integration.serving import Served, serving, signed
from tests.listening import Heard, Listener, listening
from tests.played import STAGE, corrected, published, result, started
from tests.told import done, tell

FOUR = ("A", "B", "C", "D")
FIRST = ("A", "B")


@pytest.fixture(scope="module")
async def database(server: str) -> str:
    return await fresh_database(server)


@pytest.fixture(scope="module")
async def served(database: str) -> AsyncGenerator[Served]:
    async with serving(database, service="standings", heartbeat="0.2", streams_of_one="30") as served:
        yield served


@pytest.fixture
async def cup(database: str, served: Served) -> str:  # noqa: ARG001 - it has to run
    """A tournament with a round of two games, under way."""
    name = f"cup-{new_id()}"
    await tell(database, "registration", name, *started(name, FOUR))
    await tell(database, "pairing", name, published(name, 1, [FIRST, ("C", "D")]))
    await done(database)
    return name


def live(served: Served, cup: str, stage: str = STAGE) -> str:
    return f"{served.url}/v1/tournaments/{cup}/stages/{stage}/standings/live"


async def plays(database: str, cup: str, one: int, other: int) -> None:
    first = result(cup, 1, 1, FIRST, (one, other))
    await tell(database, "results", cup, first if (one, other) == (400, 300) else corrected(first, (one, other)))


def leader(heard: Heard) -> str:
    assert heard.event == "table"
    table = json.loads(heard.data or "")
    assert table["inputs"] == heard.id
    return table["standings"][0]["entrant"]


async def test_the_table_is_told_at_once_and_whenever_it_changes(served: Served, database: str, cup: str) -> None:
    async with listening(live(served, cup), {}) as listener:
        before = await listener.next_event()
        answer = httpx.get(live(served, cup).removesuffix("/live"))  # noqa: ASYNC210 - once
        assert answer.text == before.data
        await plays(database, cup, 400, 300)
        assert leader(await listener.next_event()) == "A"
        await plays(database, cup, 300, 400)
        assert leader(await listener.next_event()) == "B"


async def test_what_moves_nothing_is_not_told(served: Served, database: str, cup: str) -> None:
    async with listening(live(served, cup), {}) as listener:
        await listener.next_event()
        await tell(database, "results", cup, GameStarted(game="g", tournament=cup))
        await done(database)
        await plays(database, cup, 400, 300)
        assert leader(await listener.next_event()) == "A"


async def test_who_comes_back_is_told_only_what_is_new(served: Served, database: str, cup: str) -> None:
    await plays(database, cup, 400, 300)
    await done(database)
    async with listening(live(served, cup), {}) as listener:
        last = (await listener.next_event()).id
    async with listening(live(served, cup), {}, behind=last) as listener:
        assert [(await listener.next()).event for _ in range(3)] == [None] * 3
        await plays(database, cup, 300, 400)
        assert leader(await listener.next_event()) == "B"
    async with listening(live(served, cup), {}, behind=last) as listener:
        assert leader(await listener.next_event()) == "B"


async def test_a_table_does_not_go_back_while_a_crashed_database_hears_it_once_more(
    served: Served, database: str, cup: str
) -> None:
    await plays(database, cup, 400, 300)
    await done(database)
    async with listening(live(served, cup), {}) as listener:
        known = history.parse((await listener.next_event()).id or "")
    lost = str(replace(known, results=known.results + 1))
    async with listening(live(served, cup), {}, behind=lost) as listener:
        assert [(await listener.next()).event for _ in range(3)] == [None] * 3
        await plays(database, cup, 300, 400)
        assert (await listener.next()).event is None, "it is the one that they know"
        await plays(database, cup, 400, 300)
        assert leader(await listener.next_event()) == "A"


async def test_a_table_that_stays_behind_is_told_however_much_happens_elsewhere(
    served: Served, database: str, cup: str
) -> None:
    """Where nothing happens anywhere all are woken now and then; whoever waits does not depend on that."""
    async with asyncio.TaskGroup() as meanwhile:
        busy = meanwhile.create_task(busy_elsewhere(database))
        async with listening(live(served, cup), {}, behind="reg999999.pai6.res3.sta3") as listener:
            assert leader(await listener.next_event())
        busy.cancel()


async def busy_elsewhere(database: str) -> None:
    other = f"cup-{new_id()}"
    await tell(database, "registration", other, *started(other, FOUR))
    await tell(database, "pairing", other, published(other, 1, [FIRST, ("C", "D")]))
    first = result(other, 1, 1, FIRST, (400, 300))
    await tell(database, "results", other, first)
    for points in itertools.count(401):
        await tell(database, "results", other, corrected(first, (points, 300)))
        await asyncio.sleep(1)


def test_a_table_that_stays_behind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a source has been restored from a backup."""
    listener = TableListener("reg1.pai1.res9.sta0", None)
    restored = shown_table(Tagged(inputs="reg1.pai1.res8.sta0", content=b"{}", names=""))
    assert not listener.hear_of(restored)
    assert not listener.hear_of(restored)
    monkeypatch.setattr("services.standings.api.tables.live.CAUGHT_UP", 0)
    assert listener.hear_of(restored)
    assert not listener.hear_of(restored)


async def test_another_copy_tells_it_too(served: Served, database: str, cup: str) -> None:
    async with serving(database, service="standings") as another, AsyncExitStack() as stack:
        listeners: list[Listener] = [
            await stack.enter_async_context(listening(live(one, cup), {})) for one in (served, another)
        ]
        for listener in listeners:
            await listener.next_event()
        await plays(database, cup, 400, 300)
        assert [leader(await listener.next_event()) for listener in listeners] == ["A", "A"]


async def test_many_listeners_hear_the_same(served: Served, database: str, cup: str) -> None:
    async with AsyncExitStack() as stack:
        several = [await stack.enter_async_context(listening(live(served, cup), {})) for _ in range(20)]
        await asyncio.gather(*(listener.next_event() for listener in several))
        await plays(database, cup, 400, 300)
        heard = await asyncio.gather(*(listener.next_event() for listener in several))
        assert len({one.data for one in heard}) == 1


async def test_a_rebuild_is_not_noticed_but_for_what_it_mends(served: Served, database: str, cup: str) -> None:
    await plays(database, cup, 400, 300)
    await done(database)
    async with listening(live(served, cup), {}) as listener:
        await listener.next_event()
        rebuilt = await rebuild(database, service="standings")
        assert rebuilt.different == ()
        await plays(database, cup, 300, 400)
        assert leader(await listener.next_event()) == "B"


async def test_what_is_not_there_is_refused_and_does_not_hang(served: Served, cup: str) -> None:
    async with httpx.AsyncClient(headers=signed("somebody")) as client:
        assert (await client.get(live(served, "nobody"))).status_code == HTTPStatus.NOT_FOUND
        assert (await client.get(live(served, cup, "play-off"))).status_code == HTTPStatus.NOT_FOUND
        malformed = await client.get(live(served, cup), headers={"Last-Event-ID": "12873"})
        assert malformed.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
