"""The log while everything around it goes wrong: nothing acknowledged is lost, nothing is there twice."""

import asyncio
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from deploy.databases import at, connection
from deploy.local import postgres
from shared.log import queue
from shared.log.postgres import PostgresStore
from shared.log.rows import APPEND, columns
from shared.log.store import Append, Head, Overloaded, Recorded, VersionConflict
from shared.refusals import Unavailable
from tests.databases import PASSWORD, ROLE, TEMPLATE, make_template
from tests.events import adding, answer, everything
from tests.patience import PATIENCE

ENOUGH = 600  # events of many writers who get into each other's way


def assert_whole(log: Sequence[Recorded]) -> None:
    """Positions, public numbers and every stream's versions count 1, 2, 3 …; no id is there twice."""
    assert [r.position for r in log] == list(range(1, len(log) + 1))
    public = [r.public for r in log if r.public is not None]
    assert public == list(range(1, len(public) + 1))
    assert [r.public is not None for r in log] == [r.event.message is not None for r in log]
    versions = Counter[str]()
    for recorded in log:
        versions[recorded.event.stream] += 1
        assert recorded.event.version == versions[recorded.event.stream]
    assert len({r.event.id for r in log}) == len(log)


async def append_on(connection: "asyncpg.Connection[asyncpg.Record]", append: Append) -> None:
    """The server-side function alone, inside whatever transaction the connection has open."""
    await connection.fetchrow(APPEND, *columns([append]))


async def test_nobody_reads_past_an_open_transaction(database: str, postgres_store: PostgresStore) -> None:
    async with connection(database) as other:
        transaction = other.transaction()
        await transaction.start()
        await append_on(other, adding("theirs"))
        ours = asyncio.create_task(postgres_store.append(adding("ours")))
        await asyncio.sleep(0.2)
        assert not ours.done()
        assert await postgres_store.read() == []
        await transaction.commit()
    assert await ours == Head(position=2, public=0)
    assert [r.event.stream for r in await everything(postgres_store)] == ["theirs", "ours"]


async def test_a_transaction_rolled_back_leaves_no_gap(database: str, postgres_store: PostgresStore) -> None:
    async with connection(database) as other:
        transaction = other.transaction()
        await transaction.start()
        await append_on(other, adding("theirs", events=3, public=True))
        ours = asyncio.create_task(postgres_store.append(adding("ours", public=True)))
        await asyncio.sleep(0.1)
        await transaction.rollback()
    assert await ours == Head(position=1, public=1)


async def test_all_who_follow_hear_what_nobody_rang_for(database: str, postgres_store: PostgresStore) -> None:
    followers = [postgres_store.follow(), postgres_store.follow(), postgres_store.follow_public()]
    async with connection(database) as other:
        for position in (1, 2, 3):
            coming = [asyncio.ensure_future(anext(follower)) for follower in followers]
            await asyncio.sleep(0.05)  # they have read what there was
            await append_on(other, adding(f"theirs {position}", public=True))
            async with asyncio.timeout(PATIENCE):
                pages = await asyncio.gather(*coming)
            assert [[r.position for r in page] for page in pages] == [[position]] * 3


async def test_a_reader_of_sixteen_writers_misses_nothing(database: str, postgres_store: PostgresStore) -> None:
    chance = random.Random(16)
    writing = True
    committed: set[UUID] = set()

    async def write(writer: int) -> None:
        version = 0
        async with connection(database) as own:
            while writing:
                append = adding(f"stream-{writer}", version, events=chance.randint(1, 3), public=chance.random() < 0.5)
                transaction = own.transaction()
                await transaction.start()
                await append_on(own, append)
                await asyncio.sleep(chance.choice([0, 0, 0.001]))
                if chance.random() < 0.3:
                    await transaction.rollback()
                else:
                    await transaction.commit()
                    version += len(append.events)
                    committed.update(one.id for one in append.events)

    seen: list[Recorded] = []

    async def follow() -> None:
        async for page in postgres_store.follow():
            seen.extend(page)

    following = asyncio.create_task(follow())
    writers = [asyncio.create_task(write(number)) for number in range(16)]
    async with asyncio.timeout(PATIENCE):
        while len(committed) < ENOUGH:
            await asyncio.sleep(0.01)
        writing = False
        await asyncio.gather(*writers)
        while len(seen) < len(committed):
            await asyncio.sleep(0.01)
    following.cancel()
    assert_whole(seen)
    assert {r.event.id for r in seen} == committed


@asynccontextmanager
async def writers(database: str, count: int) -> AsyncGenerator[list[Process]]:
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.writer", database, str(seed), stdout=PIPE, cwd=Path(__file__).parents[2]
        )
        for seed in range(count)
    ]
    try:
        yield processes
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                process.kill()
        await asyncio.gather(*(process.wait() for process in processes))


async def lines(process: Process) -> list[str]:
    """Every line that it finished printing before it was killed."""
    assert process.stdout is not None
    return [line.decode().strip() async for line in process.stdout if line.endswith(b"\n")]


async def test_processes_killed_and_stopped_lose_and_repeat_nothing(
    database: str, postgres_store: PostgresStore
) -> None:
    async with writers(database, 4) as processes:
        printed = [asyncio.create_task(lines(process)) for process in processes]
        await growth(postgres_store, 200)
        processes[0].send_signal(signal.SIGKILL)
        processes[1].send_signal(signal.SIGSTOP)
        await growth(postgres_store, 300)  # the stopped one holds up nobody
        processes[1].send_signal(signal.SIGCONT)
        await growth(postgres_store, 100)
    acknowledged = {UUID(line) for output in await asyncio.gather(*printed) for line in output}
    log = await everything(postgres_store)
    assert_whole(log)
    assert acknowledged <= {r.event.id for r in log}
    assert len(acknowledged) > 300


async def growth(store: PostgresStore, events: int) -> None:
    enough = (await store.head()).position + events
    async with asyncio.timeout(PATIENCE):
        while (await store.head()).position < enough:
            await asyncio.sleep(0.05)


async def test_a_killed_database_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    async with postgres.running(tmp_path) as server:
        await make_template(server.url)
        store = PostgresStore(at(server.url, database=TEMPLATE, user=ROLE, password=PASSWORD))
        acknowledged: dict[UUID, int] = {}
        writing = True

        async def call(caller: int) -> None:
            number = 0
            while writing:
                number += 1
                append = adding(f"{caller}-{number}", events=2, public=True, answer=answer(f"{caller}-{number}"))
                while True:  # as a client would: again, with the same key, until there is an answer
                    try:
                        head = await store.append(append)
                    except Unavailable:
                        await asyncio.sleep(0.01)
                        continue
                    break
                acknowledged[append.events[-1].id] = head.position

        async with store.running():
            callers = [asyncio.create_task(call(caller)) for caller in range(32)]
            for _ in range(3):
                enough = len(acknowledged) + 300
                async with asyncio.timeout(PATIENCE):
                    while len(acknowledged) < enough:
                        await asyncio.sleep(0.01)
                await server.kill()
                await server.start()
            writing = False
            await asyncio.gather(*callers)
            log = await everything(store)
        assert_whole(log)
        assert {r.event.id: r.position for r in log if r.event.version == 2} == acknowledged


async def test_cancelled_callers_lose_and_double_nothing(postgres_store: PostgresStore) -> None:
    chance = random.Random(7)
    acknowledged: set[UUID] = set()

    async def call(number: int) -> None:
        append = adding(f"stream-{number % 20}-{number}", events=2)
        await postgres_store.append(append)
        acknowledged.update(one.id for one in append.events)

    tasks = [asyncio.create_task(call(number)) for number in range(600)]
    for task in chance.sample(tasks, 200):
        await asyncio.sleep(chance.choice([0, 0, 0.001]))
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await postgres_store.append(adding("last"))
    log = await everything(postgres_store)
    assert_whole(log)
    assert acknowledged <= {r.event.id for r in log}
    assert len(acknowledged) >= 2 * 400


async def test_a_full_queue_says_so_and_writes_nothing(
    postgres_store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MOST_WAITING", 50)
    outcomes = await asyncio.gather(
        *(postgres_store.append(adding(f"stream-{number}")) for number in range(200)), return_exceptions=True
    )
    admitted = [outcome for outcome in outcomes if isinstance(outcome, Head)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Overloaded)]
    assert len(admitted) >= 50
    assert len(admitted) + len(refused) == 200
    assert refused[0].retry_after > 0
    assert await postgres_store.head() == Head(position=len(admitted), public=0)


async def test_a_huge_append_goes_whole_and_its_neighbours_go_on(postgres_store: PostgresStore) -> None:
    huge = asyncio.create_task(postgres_store.append(adding("huge", events=5_000)))
    small = [asyncio.create_task(postgres_store.append(adding(f"small-{number}"))) for number in range(50)]
    await asyncio.gather(huge, *small)
    log = await everything(postgres_store)
    assert_whole(log)
    positions = [r.position for r in log if r.event.stream == "huge"]
    assert positions == list(range(positions[0], positions[0] + 5_000))


async def test_what_cannot_be_stored_fails_alone(postgres_store: PostgresStore) -> None:
    unstorable = adding("a text with a zero byte \0")
    outcomes = await asyncio.gather(
        postgres_store.append(adding("before")),
        postgres_store.append(unstorable),
        postgres_store.append(adding("after")),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], asyncpg.PostgresError)
    assert [r.event.stream for r in await everything(postgres_store)] == ["before", "after"]


async def test_a_hot_stream_is_written_by_whoever_read_it_last(postgres_store: PostgresStore) -> None:
    async def add_five() -> None:
        for _ in range(5):
            while True:
                version = len(await postgres_store.read_stream("hot"))
                try:
                    await postgres_store.append(adding("hot", version))
                except VersionConflict:
                    continue
                break

    await asyncio.gather(*(add_five() for _ in range(10)))
    assert len(await postgres_store.read_stream("hot")) == 50


async def test_a_closing_store_writes_what_waits(database: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        waiting = [asyncio.create_task(store.append(adding(f"stream-{number}"))) for number in range(100)]
        await asyncio.sleep(0)
    heads = await asyncio.gather(*waiting)
    assert sorted(head.position for head in heads) == list(range(1, 101))
    with pytest.raises(Unavailable):
        await store.append(adding("late"))


async def test_a_database_that_is_away_is_said_to_be(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.log.postgres.PATIENCE", 0.3)
    store = PostgresStore(database.rpartition("@")[0] + "@127.0.0.1:9/nothing")
    async with store.running():
        with pytest.raises(Unavailable, match="does not answer"):
            await store.append(adding("a"))
        with pytest.raises(Unavailable, match="does not answer"):
            await store.head()


async def test_a_service_may_read_its_log_but_not_rewrite_it(database: str, postgres_store: PostgresStore) -> None:
    await postgres_store.append(adding("a"))
    async with connection(database) as service:
        for forbidden in (
            "update log.log set type = 'Other'",
            "delete from log.log",
            "truncate log.log",
            "insert into log.answers values ('k', 'r', 'a')",
            "update log.head set position = 0",
            "create table public.mine (a int)",
            "drop function log.append",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await service.execute(forbidden)


async def test_old_answers_are_forgotten_and_young_ones_kept(
    server: str, database: str, postgres_store: PostgresStore
) -> None:
    await postgres_store.append(adding("a", answer=answer("old")))
    await postgres_store.append(adding("b", answer=answer("young")))
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute("update log.answers set at = at - interval '8 days' where key = 'old'")
    async with connection(database) as service:
        assert await service.fetchval("select log.forget_answers('7 days')") == 1
    assert await postgres_store.answer(b"old") is None
    assert await postgres_store.answer(b"young") == answer("young")
