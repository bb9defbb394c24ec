"""All tables made anew, while the service goes on: nobody sees an error, or an older table after a newer one."""

import asyncio
import os
import signal
from collections.abc import Callable
from http import HTTPStatus

import pytest

from deploy.databases import connection
from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.fold_cache import UnreadableMessage
from services.standings.projection.generation import PAGE, Progress
from services.standings.projection.rebuild import Different, NotHeardOf, UnderWay, rebuild, rebuild_some
from shared.messaging import history
from shared.refusals import Unavailable
from tests.api.asking import Client, service
from tests.patience import PATIENCE
from tests.played import STAGE, completed, corrected, published, result, started
from tests.told import done, tell

FOUR = ("A", "B", "C", "D")
FIRST = ("A", "B")
GENERATIONS = "select generation, count(*) from views.tables group by 1 order by 1"


def path(cup: str) -> str:
    return f"/v1/tournaments/{cup}/stages/{STAGE}/standings"


async def play(database: str, *cups: str) -> None:
    async with connection(database) as own:
        await tables.prepare(own)  # or the service, when something was heard before, would make all anew meanwhile
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


async def test_one_tournament_is_made_anew_at_a_stroke(database: str) -> None:
    async with service(database, name="standings") as client:
        await play(database, "cup-1", "cup-2", "cup-3")
        right = (await client.get(path("cup-1"))).json()
        async with connection(database) as own:
            await own.execute("update views.tables set body = replace(body::text, '22', '23')::bytea")
            await own.execute("delete from views.tables where tournament = 'cup-2'")
            await own.execute("update views.tables set stage = 'gone' where tournament = 'cup-3'")
        steps: list[Progress] = []
        wanted = ["cup-1", "cup-2", "cup-3", "cup-1"]
        rebuilt = await rebuild_some(database, service="standings", tournaments=wanted, say=steps.append)
        assert [(one.tournament, one.stage, one.how) for one in rebuilt.different] == [
            ("cup-1", STAGE, "other"),
            ("cup-2", STAGE, "missing"),
            ("cup-3", STAGE, "missing"),
            ("cup-3", "gone", "left over"),
        ]
        assert (rebuilt.messages, rebuilt.tables, rebuilt.compared, rebuilt.is_same) == (24, 3, 1, False)
        assert (steps[0], len(steps)) == (Progress(messages=8, spans=1, of=3), 3)
        assert (await client.get(path("cup-1"))).json() == right
        again = await rebuild_some(database, service="standings", tournaments=wanted[:3])
        assert (again.compared, again.is_same) == (3, True)
        with pytest.raises(NotHeardOf, match="Nothing was heard of cup-4, cup-5"):
            await rebuild_some(database, service="standings", tournaments=["cup-1", "cup-4", "cup-5"])


async def test_what_was_lost_of_what_neighbours_said_is_told(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1")
        async with connection(database) as own:
            await own.execute("update inbox.sources set number = number + 1 where source = 'results'")
        rebuilt = await rebuild(database, service="standings")
        assert (rebuilt.lost, rebuilt.is_same) == ({"results": 1}, False)


def be_killed(_: object) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def be_interrupted(_: object) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return 0


MANY = 120  # results, while everything is made anew
SEVERAL = 3  # times


async def test_the_service_goes_on_while_all_is_made_anew(database: str) -> None:
    async with service(database, name="standings", rate="0") as client:
        await play(database, "cup-1", "cup-2", "cup-3")
        is_over = asyncio.Event()
        rebuilds = written = 0

        async def write() -> None:
            nonlocal written
            first = result("cup-1", 1, 1, FIRST, (300, 400))
            while written < MANY or rebuilds < SEVERAL:
                await tell(database, "results", "cup-1", corrected(first, (300 + written, 400)))
                written += 1
            is_over.set()

        async def make_anew() -> None:
            nonlocal rebuilds
            while not is_over.is_set():
                assert (await rebuild(database, service="standings")).is_same
                assert (await rebuild_some(database, service="standings", tournaments=["cup-1", "cup-2"])).is_same
                rebuilds += 1

        async with asyncio.TaskGroup() as group:
            group.create_task(write())
            group.create_task(make_anew())
            group.create_task(only_newer_ones(client, is_over))
        await done(database)
        now = (await client.get(path("cup-1"))).json()
        assert now["inputs"].endswith(f".res{written + 6}.sta0")
        assert (await rebuild(database, service="standings")).compared == 3


async def only_newer_ones(client: Client, is_over: asyncio.Event) -> None:
    last = history.NOTHING
    while not is_over.is_set():
        answer = await client.get(path("cup-1"))
        assert answer.status_code == HTTPStatus.OK, answer.text
        inputs = history.parse(answer.json()["inputs"])
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
        async with asyncio.timeout(PATIENCE):
            while await own.fetchval("select making from views.generation") != MAKING:
                await asyncio.sleep(0.02)
        assert (await client.get(path("cup-1"))).json() == right


async def test_an_older_version_says_that_a_newer_one_keeps_the_tables(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1")
    async with connection(database) as own:
        await own.execute("update views.generation set making = making + 1")
        async with service(database, name="standings") as older:
            assert (await older.get(path("cup-1"))).status_code == HTTPStatus.OK  # as the newer one has made it
            checks = (await older.get("/readyz")).json()["checks"]
            assert checks["tables"] == "a newer version of the service keeps the tables"
            await own.execute("update views.generation set making = making - 1")
            assert (await older.get("/readyz")).json()["checks"]["tables"] == "ok"


async def test_tables_are_made_of_what_was_heard_before_there_were_any(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1")
    async with connection(database) as own:
        await own.execute("drop table views.tables, views.generation")
    async with service(database, name="standings") as client, connection(database) as own:
        assert (await client.get(path("cup-1"))).status_code == HTTPStatus.OK  # from what was heard, in any case
        async with asyncio.timeout(PATIENCE):
            while await own.fetchval("select making from views.generation") != MAKING:
                await asyncio.sleep(0.02)
        assert await own.fetchrow(tables.READ, "cup-1", STAGE) is not None


async def test_several_processes_make_the_same(database: str) -> None:
    async with service(database, name="standings"):
        await play(database, *(f"cup-{number}" for number in range(1, 6)))
        steps: list[Progress] = []
        rebuilt = await rebuild(database, service="standings", processes=2, say=steps.append)
        assert (rebuilt.messages, rebuilt.tables, rebuilt.compared, rebuilt.different) == (40, 5, 5, ())
        assert steps[-1] == Progress(messages=40, spans=len(steps), of=len(steps))


async def test_what_came_out_differently_is_told_also_where_the_database_goes_away_behind_the_switch(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2")
    async with connection(database) as own:
        await own.execute(
            "update views.tables set body = replace(body::text, '22', '23')::bytea where tournament = 'cup-1'"
        )
    gone = "select pg_terminate_backend(pg_backend_pid()), $1::text, $2::text"
    monkeypatch.setattr("services.standings.projection.rebuild.TELL", gone)
    rebuilt = await rebuild(database, service="standings")
    assert [one.tournament for one in rebuilt.different] == ["cup-1"]
    monkeypatch.undo()
    assert len(await generations(database)) == 2
    assert (await rebuild(database, service="standings")).is_same
    assert len(await generations(database)) == 1


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("said", ['"round": 1', '"round": "one"', '"round": '])
async def test_a_message_that_cannot_be_read_is_named(database: str, processes: int, said: str) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2", "cup-3")
    before = await generations(database)
    wrong = f'{{"type": "RoundCompleted", "scope": "cup-2", "data": {{"stage": "swiss", {said}}}}}'
    async with connection(database) as own:
        number = await own.fetchval(
            "update inbox.events set message = $1 where scope = 'cup-2' and type = 'RoundCompleted' returning number",
            wrong.encode(),
        )
    named = rf"number {number} of results \(RoundCompleted: .+\) of tournament cup-2 cannot be read"
    with pytest.raises(UnreadableMessage, match=named):
        await rebuild(database, service="standings", processes=processes)
    with pytest.raises(UnreadableMessage, match=named):
        await rebuild_some(database, service="standings", tournaments=["cup-1", "cup-2"])
    assert before[0] in await generations(database)


@pytest.mark.parametrize("ending", [be_killed, be_interrupted])
async def test_a_process_that_is_killed_is_told(
    database: str, monkeypatch: pytest.MonkeyPatch, ending: Callable[[object], int]
) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2")
    monkeypatch.setattr("services.standings.projection.generation.build_span", ending)
    with pytest.raises(Unavailable, match="was killed"):
        await rebuild(database, service="standings", processes=2)
    monkeypatch.undo()
    assert (await rebuild(database, service="standings", processes=2)).compared == 2


async def test_only_one_is_at_it(database: str) -> None:
    async with connection(database) as own:
        await own.execute("select pg_advisory_lock(hashtextextended('rebuild', 0))")
        with pytest.raises(UnderWay):
            await rebuild(database, service="standings")


async def test_a_tournament_may_go_on_over_many_pages(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with service(database, name="standings"):
        await play(database, "cup-1", "cup-2")
        for size in (1, 2, 3, 7):
            monkeypatch.setattr("services.standings.projection.generation.PAGE", size)
            rebuilt = await rebuild(database, service="standings")
            assert (rebuilt.compared, rebuilt.different) == (2, ())
    assert PAGE > 7
