"""All tables made anew, while the service goes on: nobody sees an error, or an older table after a newer one."""

import asyncio
from http import HTTPStatus

import pytest

from deploy.databases import connection
from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.building import PAGE
from services.standings.projection.rebuild import Different, UnderWay, rebuild
from shared import heard
from tests.api.asking import Client, service
from tests.played import STAGE, completed, corrected, published, result, started
from tests.told import done, tell

FOUR = ("A", "B", "C", "D")
FIRST = ("A", "B")
GENERATIONS = "select generation, count(*) from views.tables group by 1 order by 1"


def path(cup: str) -> str:
    return f"/v1/tournaments/{cup}/stages/{STAGE}/standings"


async def play(database: str, *cups: str) -> None:
    for cup in cups:
        await tell(database, "registration", cup, *started(cup, FOUR))
        await tell(database, "pairing", cup, published(cup, 1, [FIRST, ("C", "D")]))
        await tell(database, "results", cup, result(cup, 1, 1, FIRST, (300, 400)), completed(cup, 1))
    await done(database)


async def generations(database: str) -> list[tuple[int, int]]:
    async with connection(database) as own:
        return [(row[0], row[1]) for row in await own.fetch(GENERATIONS)]


async def test_a_rebuild_counts_compares_and_leaves_one_generation(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2")
        before = await generations(database)
        rebuilt = await rebuild(database, service="standings")
        assert (rebuilt.messages, rebuilt.tables, rebuilt.compared, rebuilt.different) == (16, 2, 2, ())
        assert await generations(database) == [(before[0][0] + 1, 2)]


async def test_a_table_that_comes_out_differently_is_reported_and_mended(database: str) -> None:
    async with service(database, name="standings") as client:
        await play(database, "cup-1", "cup-2")
        right = (await client.get(path("cup-1"))).json()
        async with connection(database) as own:
            wrong = "replace(convert_from(body, 'UTF8'), '\"round\":1', '\"round\":7')"
            await own.execute(f"update views.tables set body = convert_to({wrong}, 'UTF8') where tournament = 'cup-1'")
            assert (await client.get(path("cup-1"))).json()["round"] == 7
        rebuilt = await rebuild(database, service="standings")
        assert rebuilt.different == (Different(tournament="cup-1", stage=STAGE, inputs=right["inputs"]),)
        assert (await client.get(path("cup-1"))).json() == right


async def test_the_service_goes_on_while_all_is_made_anew(database: str) -> None:
    async with service(database, name="standings", rate="0") as client:
        await play(database, "cup-1", "cup-2", "cup-3")
        is_over = asyncio.Event()
        rebuilds = 0

        async def write() -> None:
            first = result("cup-1", 1, 1, FIRST, (300, 400))
            for number in range(120):
                await tell(database, "results", "cup-1", corrected(first, (300 + number, 400)))
            is_over.set()

        async def make_anew() -> None:
            nonlocal rebuilds
            while not is_over.is_set():
                assert (await rebuild(database, service="standings")).different == ()
                rebuilds += 1

        async with asyncio.TaskGroup() as group:
            group.create_task(write())
            group.create_task(make_anew())
            group.create_task(only_newer_ones(client, is_over))
        await done(database)
        assert rebuilds > 2
        now = (await client.get(path("cup-1"))).json()
        assert now["inputs"].endswith(".res126.sta0")
        assert (await rebuild(database, service="standings")).compared == 3


async def only_newer_ones(client: Client, is_over: asyncio.Event) -> None:
    last = heard.NOTHING
    while not is_over.is_set():
        answer = await client.get(path("cup-1"))
        assert answer.status_code == HTTPStatus.OK, answer.text
        inputs = heard.parse(answer.json()["inputs"])
        assert inputs.include(last)
        last = inputs


async def test_tables_of_another_making_are_made_anew_at_the_start(database: str) -> None:
    async with service(database, name="standings") as client:
        await play(database, "cup-1")
        right = (await client.get(path("cup-1"))).json()
    async with connection(database) as own:
        await own.execute("update views.generation set making = making - 1")
        await own.execute("update views.tables set body = convert_to('{}', 'UTF8')")
    async with service(database, name="standings") as client, connection(database) as own:
        async with asyncio.timeout(10):
            while await own.fetchval("select making from views.generation") != MAKING:
                await asyncio.sleep(0.02)
        assert (await client.get(path("cup-1"))).json() == right


async def test_tables_are_made_of_what_was_heard_before_there_were_any(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1")
    async with connection(database) as own:
        await own.execute("drop table views.tables, views.generation")
    async with service(database, name="standings") as client, connection(database) as own:
        assert (await client.get(path("cup-1"))).status_code == HTTPStatus.OK  # from what was heard, in any case
        async with asyncio.timeout(10):
            while await own.fetchval("select making from views.generation") != MAKING:
                await asyncio.sleep(0.02)
        assert await own.fetchrow(tables.READ, "cup-1", STAGE) is not None


async def test_several_processes_make_the_same(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, *(f"cup-{number}" for number in range(1, 6)))
        steps: list[int] = []
        rebuilt = await rebuild(database, service="standings", processes=2, say=steps.append)
        assert (rebuilt.messages, rebuilt.tables, rebuilt.compared, rebuilt.different) == (40, 5, 5, ())
        assert steps == sorted(steps)
        assert steps[-1] == 40


async def test_only_one_is_at_it(database: str) -> None:
    async with connection(database) as own:
        await own.execute("select pg_advisory_lock(hashtextextended('rebuild', 0))")
        with pytest.raises(UnderWay):
            await rebuild(database, service="standings")


async def test_a_tournament_may_go_on_over_many_pages(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2")
        for size in (1, 2, 3, 7):
            monkeypatch.setattr("services.standings.projection.building.PAGE", size)
            rebuilt = await rebuild(database, service="standings")
            assert (rebuilt.compared, rebuilt.different) == (2, ())
    assert PAGE > 7
