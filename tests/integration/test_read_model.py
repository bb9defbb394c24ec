"""What a read model promises: in the end it shows every event once, whatever happens to it on the way."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import asyncpg
import pytest
from sqlalchemy import MetaData
from sqlalchemy.exc import InternalError
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from deploy.databases import at, connection
from shared.log import follower
from shared.log.postgres import PostgresStore
from shared.log.read_model import ReadModel, raw_connection
from shared.log.store import EventStore, Recorded
from shared.refusals import Unavailable
from tests.databases import cut_connections
from tests.events import adding
from tests.patience import PATIENCE

TABLES = MetaData(schema="views")
NEWER_TABLES = MetaData(schema="views")

type Apply = Callable[[AsyncSession, Sequence[Recorded]], Awaitable[None]]


class Seen(SQLModel, table=True):
    metadata = TABLES
    position: int = Field(primary_key=True)
    stream: str


class SeenBetter(SQLModel, table=True):
    __tablename__ = "seen"  # SQLModel declares it as a property
    metadata = NEWER_TABLES
    position: int = Field(primary_key=True)
    stream: str
    version: int


async def see(session: AsyncSession, page: Sequence[Recorded]) -> None:
    for recorded in page:
        session.add(Seen(position=recorded.position, stream=recorded.event.stream))


async def see_better(session: AsyncSession, page: Sequence[Recorded]) -> None:
    for recorded in page:
        event = recorded.event
        session.add(SeenBetter(position=recorded.position, stream=event.stream, version=event.version))


def first_version(store: EventStore, database: str, apply: Apply = see) -> ReadModel:
    return ReadModel(name="seen", version=1, tables=TABLES, apply=apply, store=store, database=database)


def second_version(store: EventStore, database: str, apply: Apply = see_better) -> ReadModel:
    return ReadModel(name="seen", version=2, tables=NEWER_TABLES, apply=apply, store=store, database=database)


@asynccontextmanager
async def copy(
    database: str, made: Callable[[EventStore, str], ReadModel] = first_version
) -> AsyncGenerator[tuple[PostgresStore, ReadModel]]:
    """One copy of a service: its log, and its read model."""
    store = PostgresStore(database)
    model = made(store, database)
    async with store.running(), model.running():
        yield store, model


async def rows(database: str) -> list[tuple[int, str]]:
    async with connection(database) as reader:
        if await reader.fetchval("select to_regclass('views.seen')") is None:
            return []
        return [(r["position"], r["stream"]) for r in await reader.fetch("select * from views.seen order by position")]


async def until_seen(database: str, *streams: str) -> None:
    """Wait until the table shows these streams, one event each, in the order of the log."""
    expected = list(enumerate(streams, start=1))
    try:
        async with asyncio.timeout(PATIENCE):
            while await rows(database) != expected:
                await asyncio.sleep(0.01)
    except TimeoutError:
        assert await rows(database) == expected


async def until_kept_in(database: str, version: int) -> None:
    async with connection(database) as reader, asyncio.timeout(PATIENCE):
        while await reader.fetchval("select version from views.progress where name = 'seen'") != version:
            await asyncio.sleep(0.01)


async def streams(model: ReadModel) -> Sequence[str]:
    async with model.session() as session:
        return (await session.exec(select(Seen.stream).order_by(col(Seen.position)))).all()


async def until_stopped(model: ReadModel) -> str:
    """Why it follows the log no more."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await model.check()
            except Unavailable as why:
                return str(why)
            await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "PAUSE", 0.05)


async def test_it_shows_what_is_there_and_what_comes(database: str) -> None:
    async with copy(database) as (store, model):
        await store.append(adding("a"))
        await until_seen(database, "a")
        await store.append(adding("b"))
        await until_seen(database, "a", "b")
        assert await streams(model) == ["a", "b"]
        await model.check()


async def test_it_goes_on_where_it_stopped(database: str) -> None:
    pages: list[list[int]] = []

    async def noting(session: AsyncSession, page: Sequence[Recorded]) -> None:
        pages.append([recorded.position for recorded in page])
        await see(session, page)

    def made(store: EventStore, database: str) -> ReadModel:
        return first_version(store, database, noting)

    async with copy(database, made) as (store, _):
        await store.append(adding("a"))
        await until_seen(database, "a")
    store = PostgresStore(database)
    async with store.running():
        await store.append(adding("b"))
    async with copy(database, made):
        await until_seen(database, "a", "b")
    assert pages == [[1], [2]]


async def test_made_anew_it_shows_the_same(database: str) -> None:
    async with copy(database) as (store, _):
        for stream in "abc":
            await store.append(adding(stream))
        await until_seen(database, *"abc")
    async with connection(database) as writer:
        await writer.execute("delete from views.seen where position = 2")
    async with copy(database, second_version) as (store, _):
        await until_seen(database, *"abc")
        await store.append(adding("d"))
        await until_seen(database, *"abcd")


async def test_a_log_of_many_pages_is_shown_whole(database: str) -> None:
    streams = [f"stream {number:04}" for number in range(1_201)]
    async with copy(database) as (store, _):
        await asyncio.gather(*(store.append(adding(stream)) for stream in streams))
        await until_seen(database, *streams)


async def test_copies_of_the_service_show_every_event_once(database: str) -> None:
    streams = [f"stream {number:02}" for number in range(60)]
    async with AsyncExitStack() as stack:
        copies = await asyncio.gather(*(stack.enter_async_context(copy(database)) for _ in range(2)))
        stores = [store for store, _ in copies]
        for number, stream in enumerate(streams):
            await stores[number % 2].append(adding(stream))
        await until_seen(database, *streams)
        for _, model in copies:
            await model.check()


async def test_copies_that_start_at_the_same_time_make_the_tables_once(database: str) -> None:
    async with AsyncExitStack() as stack:
        copies = await asyncio.gather(*(stack.enter_async_context(copy(database)) for _ in range(4)))
        await copies[0][0].append(adding("a"))
        await until_seen(database, "a")
        for _, model in copies:
            await model.check()


async def test_what_is_applied_halfway_is_taken_back_and_applied_again(database: str) -> None:
    failures = iter([OSError("the database went away")])

    async def failing(session: AsyncSession, page: Sequence[Recorded]) -> None:
        await see(session, page)
        await session.flush()
        for failure in failures:
            raise failure

    async with copy(database, lambda store, database: first_version(store, database, failing)) as (store, _):
        await store.append(adding("a"))
        await until_seen(database, "a")
        await store.append(adding("b"))
        await until_seen(database, "a", "b")


async def test_an_older_version_does_not_write_the_tables_of_a_newer_one(database: str) -> None:
    async with copy(database, second_version) as (store, _):
        await store.append(adding("a"))
        await until_seen(database, "a")
    async with copy(database) as (store, older):
        await store.append(adding("b"))
        assert "a newer service keeps it, in version 2" in await until_stopped(older)
    assert await rows(database) == [(1, "a")]
    async with copy(database, second_version):
        await until_seen(database, "a", "b")


async def test_a_newer_version_takes_over_while_the_older_one_still_runs(database: str) -> None:
    async with copy(database) as (store, older):
        for stream in "abc":
            await store.append(adding(stream))
        await until_seen(database, *"abc")
        async with copy(database, second_version) as (_, newer):
            await until_kept_in(database, 2)
            await store.append(adding("d"))
            await until_seen(database, *"abcd")
            assert "a newer service keeps it, in version 2" in await until_stopped(older)
            await newer.check()


async def test_it_goes_on_when_its_connections_are_cut(server: str, database: str) -> None:
    async with copy(database) as (store, model):
        await store.append(adding("a"))
        await until_seen(database, "a")
        await cut_connections(server, database)
        await store.append(adding("b"))
        await until_seen(database, "a", "b")
        await model.check()


async def test_a_reader_is_turned_away_at_most_once_after_its_connections_were_cut(server: str, database: str) -> None:
    async with copy(database) as (store, model):
        await store.append(adding("a"))
        await until_seen(database, "a")
        assert await asyncio.gather(*(streams(model) for _ in range(3))) == [["a"]] * 3
        await cut_connections(server, database)
        with suppress(Unavailable):
            await streams(model)
        assert await asyncio.gather(*(streams(model) for _ in range(3))) == [["a"]] * 3


async def test_it_goes_on_when_its_database_took_no_connections_for_a_while(server: str, database: str) -> None:
    name = database.rpartition("/")[2]
    async with copy(database) as (store, model):
        await store.append(adding("a"))
        await until_seen(database, "a")
        async with connection(server) as admin:
            await admin.execute(f"alter database {name} connection limit 0")
            await cut_connections(server, database)
            await asyncio.sleep(0.2)
            await admin.execute(f"alter database {name} connection limit -1")
        await store.append(adding("b"))
        await until_seen(database, "a", "b")
        await model.check()


async def test_a_reader_hears_that_its_database_takes_no_connections(server: str, database: str) -> None:
    model = first_version(PostgresStore(database), database)
    async with connection(server) as admin:
        await admin.execute(f"alter database {database.rpartition('/')[2]} connection limit 0")
    with pytest.raises(Unavailable):
        await streams(model)


async def test_a_reader_hears_that_its_database_is_not_there(database: str) -> None:
    nowhere = at("postgresql://127.0.0.1:1", database="nowhere", user="nobody", password="nothing")  # noqa: S106
    model = first_version(PostgresStore(database), nowhere)
    with pytest.raises(Unavailable):
        await streams(model)


async def test_it_goes_on_when_the_driver_lost_count_as_its_connection_broke(database: str) -> None:
    broken = [True]

    async def see_later(session: AsyncSession, page: Sequence[Recorded]) -> None:
        if broken:
            broken.clear()
            try:
                raise asyncpg.InternalClientError("cannot switch to state 15; another operation (2) is in progress")
            except asyncpg.InternalClientError as lost:
                raise InternalError(None, None, translated(lost)) from lost
        await see(session, page)

    async with copy(database, lambda store, database: first_version(store, database, see_later)) as (store, model):
        await store.append(adding("a"))
        async with asyncio.timeout(PATIENCE):
            while await rows(database) != [(1, "a")]:
                await model.check()
                await asyncio.sleep(0.02)


async def test_it_goes_on_after_what_the_driver_itself_was_told(database: str) -> None:
    """Some of what follows is written by the driver's own connection, whose errors nobody translates."""
    full = [True]

    async def once_full(session: AsyncSession, page: Sequence[Recorded]) -> None:
        if full:
            full.clear()
            await (await raw_connection(session)).execute(DISK_IS_FULL)
        await see(session, page)

    async with copy(database, lambda store, database: first_version(store, database, once_full)) as (store, model):
        await store.append(adding("a"))
        async with asyncio.timeout(PATIENCE):
            while await rows(database) != [(1, "a")]:
                await model.check()
                await asyncio.sleep(0.02)


DISK_IS_FULL = "do $$ begin raise exception using errcode = 'disk_full'; end $$"


def translated(lost: asyncpg.InternalClientError) -> Exception:
    """As the adapter of the driver hands it on."""
    error = Exception(str(lost))
    error.__cause__ = lost
    return error


@pytest.mark.parametrize("row", [Seen(position=1, stream="\x00"), Seen(position=2**40, stream="a")])
async def test_what_its_tables_cannot_hold_stops_it_and_is_told(database: str, row: Seen) -> None:
    async def wrong(session: AsyncSession, _: Sequence[Recorded]) -> None:
        session.add(Seen(position=row.position, stream=row.stream))
        await session.flush()

    async with copy(database, lambda store, database: first_version(store, database, wrong)) as (store, model):
        await store.append(adding("a"))
        assert "DBAPIError" in await until_stopped(model)


async def test_what_it_cannot_apply_stops_it_and_is_told(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def wrong(session: AsyncSession, page: Sequence[Recorded]) -> None:
        await see(session, page)
        raise ZeroDivisionError

    async with copy(database, lambda store, database: first_version(store, database, wrong)) as (store, model):
        await store.append(adding("a"))
        assert "ZeroDivisionError" in await until_stopped(model)
    assert "seen follows the log no more" in caplog.text
    assert await rows(database) == []


async def test_a_breath_between_pages_ends_when_somebody_reads(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "BREATH", 2 * PATIENCE)
    async with copy(database) as (store, model):
        for number, stream in enumerate("abc", start=1):
            await store.append(adding(stream))
            async with asyncio.timeout(PATIENCE):  # the third is only taken because somebody asks for it
                assert await streams(model) == list("abc"[:number])
