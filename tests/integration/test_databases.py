"""How the databases are prepared: once, however often and by however many, and never over a newer version."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack
from itertools import permutations
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from deploy import databases
from deploy.databases import BESIDES, SERVICES, AdminConnection, DatabaseRefused, at, connection, migrate, name, prepare
from deploy.local import postgres
from shared.log.postgres import PostgresStore
from shared.log.store import Head
from shared.settings import ServiceSettings
from tests.databases import FAST
from tests.events import adding

SESSIONS = "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
PASSWORDS = {service: f"of {service}" for service in SERVICES}
ODD = ["it's", 'a "quote"', "back\\slash\\", "p@ss:w/rd?#[1]&x=%41", " spaces ", "heslo-ž-🎲", "$$;drop--", "{}%s"]


@pytest.fixture(scope="module")
async def at_once(server: str) -> AsyncGenerator[list[dict[str, str]]]:
    """What four are answered who prepare the same bare server at the same time."""
    yield await asyncio.gather(*(prepare(server, PASSWORDS) for _ in range(4)))
    async with connection(server) as admin:
        for service in SERVICES:
            await admin.execute(f"drop database {name(service)} with (force)")
            await admin.execute(f"drop role {name(service)}")


@pytest.fixture
async def urls(server: str, at_once: object) -> Mapping[str, str]:
    """What is answered to somebody who prepares it once more."""
    assert at_once
    return await prepare(server, PASSWORDS)


@pytest.fixture
def administered(server: str, database: str) -> str:
    """A database of its own, as administrator."""
    return at(server, database=database.rpartition("/")[2])


async def catalogue(url: str) -> list[asyncpg.Record]:
    """All that there is in a database, and who may do what with it."""
    async with connection(url) as database:
        return await database.fetch("""
            select 'table', oid, relname, relacl::text from pg_class where relnamespace >= 16384 or relname = 'migrations'
            union all select 'function', oid, proname, proacl::text from pg_proc where pronamespace >= 16384
            union all select 'schema', oid, nspname, nspacl::text from pg_namespace where oid >= 16384
            union all select 'database', oid, datname, datacl::text from pg_database where datname = current_database()
            union all select 'role', oid, rolname, rolcanlogin::text from pg_roles where rolname like 'roundlog%'
            union all select 'migration', 0, name, digest || at from public.migrations
            order by 1, 2, 3
        """)


async def may_connect(url: str) -> bool:
    try:
        async with connection(url):
            return True
    except asyncpg.InsufficientPrivilegeError:
        return False


async def test_several_who_prepare_at_once_do_it_once(at_once: list[Mapping[str, str]]) -> None:
    assert at_once == [at_once[0]] * 4
    assert all([await may_connect(url) for url in at_once[0].values()])


async def test_each_service_gets_a_log_of_its_own(urls: Mapping[str, str]) -> None:
    assert urls.keys() == set(SERVICES)
    stores = [PostgresStore(url) for url in urls.values()]
    async with AsyncExitStack() as stack:
        for store in stores:
            await stack.enter_async_context(store.running())
        before = [await store.head() for store in stores]
        for store, head in zip(stores, before, strict=True):
            after = await store.append(adding("of its own", public=True))
            assert after == Head(position=head.position + 1, public=head.public + 1)


async def test_words_are_sorted_alike_on_every_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its administrator made it for: what is sorted and searched there is what tests have seen here."""
    monkeypatch.setattr(
        postgres, "CREATE", re.sub("--locale-provider.*C.UTF-8", "--locale-provider=libc", postgres.CREATE)
    )
    async with postgres.running(tmp_path, settings=FAST) as other:
        await prepare(other.url, PASSWORDS)
        async with connection(other.url) as admin:
            rows = await admin.fetch(
                "select datname, datlocprovider, datlocale from pg_database where datname <> all ($1)", BESIDES
            )
    assert {tuple(row) for row in rows} == {
        ("template0", b"c", None),
        *((name(one), b"b", "C.UTF-8") for one in SERVICES),
    }


async def test_preparing_again_changes_nothing(server: str, urls: Mapping[str, str]) -> None:
    store = PostgresStore(urls["results"])
    async with store.running():
        written = await store.append(adding("b", events=3))
        before = [await catalogue(at(server, database=name(service))) for service in SERVICES]
        assert await prepare(server, PASSWORDS) == urls
        assert await store.head() == written
        await store.append(adding("b", 3))  # it disturbs nobody who works
    assert [await catalogue(at(server, database=name(service))) for service in SERVICES] == before
    assert all([await may_connect(url) for url in urls.values()])


async def test_no_service_gets_into_the_database_of_another(urls: Mapping[str, str]) -> None:
    for service, other in permutations(SERVICES, 2):
        assert not await may_connect(at(urls[service], database=name(other)))


@pytest.mark.parametrize("service", SERVICES)
async def test_a_role_connects_to_its_own_database_and_to_no_other(
    service: str, server: str, urls: Mapping[str, str]
) -> None:
    async with connection(server) as admin:
        every = [row["datname"] for row in await admin.fetch("select datname from pg_database where datallowconn")]
    ours = {*map(name, SERVICES), "postgres", "template1"}
    assert set(every) >= ours
    assert [one for one in sorted(ours) if await may_connect(at(urls[service], database=one))] == [name(service)]


@pytest.mark.parametrize("service", SERVICES)
async def test_a_role_has_no_power_over_the_server_or_another_role(service: str, urls: Mapping[str, str]) -> None:
    async with connection(urls[service]) as database, connection(urls[service]) as again:
        role = await database.fetchrow("select * from pg_roles where rolname = current_user")
        assert role is not None
        powers = ("rolsuper", "rolcreaterole", "rolcreatedb", "rolreplication", "rolbypassrls")
        assert not any(role[power] for power in powers)
        assert not await database.fetchval("select count(*) from pg_auth_members where member = $1", role["oid"])
        other = next(name(one) for one in SERVICES if one != service)
        for forbidden in (
            f"set role {other}",
            "set role postgres",
            "set session authorization postgres",
            f"alter role {other} password 'mine'",
            "create role more",
            "create database more",
            "create extension dblink",
            "select pg_read_file('postgresql.conf')",
            "select pg_ls_dir('.')",
            "copy (select 1) to program 'true'",
            "copy log.log to '/tmp/log'",
            "alter system set log_statement = 'all'",
            "select pg_reload_conf()",
            "select rolpassword from pg_authid",
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres' limit 1",
        ):
            with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError)):
                await database.execute(forbidden)
        assert await again.fetchval("select 1") == 1
        seen = await database.fetch("select query from pg_stat_activity where usename <> current_user")
        assert {row["query"] for row in seen} <= {"<insufficient privilege>"}


async def test_a_service_may_read_its_log_and_call_what_writes_it_and_no_more(urls: Mapping[str, str]) -> None:
    async with connection(urls["pairing"]) as database:
        for forbidden in (
            "insert into log.log values (1, 'a', 1, gen_random_uuid(), 'Happened', 'scope', '')",
            "update log.head set position = 7",
            "delete from log.answers",
            "truncate log.log",
            "drop table log.log",
            "create table log.own ()",
            "create table public.own ()",
            "create function log.append() returns int language sql as 'select 1'",
            "update public.migrations set digest = ''",
            "create temporary table log ()",
            "select lo_creat(-1)",
            "select lo_create(0)",
            "select lo_from_bytea(0, '')",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await database.execute(forbidden)
        await database.execute("create table views.own (); drop table views.own")
        assert await database.fetchval("select count(*) from log.head") == 1


async def test_passwords_may_have_any_characters(
    server: str, urls: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for first in range(0, len(ODD), len(SERVICES)):
        changed = await prepare(server, dict(zip(SERVICES, ODD[first:], strict=False)))
        assert changed.keys() == urls.keys()
        for url in changed.values():
            monkeypatch.setenv("ROUNDLOG_DATABASE_URL", url)
            monkeypatch.setenv("ROUNDLOG_NATS_URL", "nats://127.0.0.1:1")
            as_told = ServiceSettings.from_environment().database
            async with connection(as_told) as database:
                assert await database.fetchval("select 1") == 1
            engine = create_async_engine(as_told.replace("postgresql://", "postgresql+asyncpg://", 1))
            async with engine.connect() as view:
                assert await view.scalar(text("select 1")) == 1
            await engine.dispose()


async def test_a_new_password_takes_the_place_of_the_old_one(server: str, urls: Mapping[str, str]) -> None:
    new = await prepare(server, PASSWORDS | {"pairing": "new"})
    assert await may_connect(new["pairing"])
    with pytest.raises(asyncpg.InvalidPasswordError):
        await may_connect(urls["pairing"])


async def test_whoever_was_refused_holds_up_nobody(server: str, urls: Mapping[str, str]) -> None:
    async with connection(at(server, database=name("pairing"))) as database:
        await database.execute("insert into public.migrations values ('from the future', '')")
        with pytest.raises(DatabaseRefused):
            await prepare(server, PASSWORDS)
        await database.execute("delete from public.migrations where name = 'from the future'")
    assert await prepare(server, PASSWORDS) == urls


def released(monkeypatch: pytest.MonkeyPatch, folder: Path, migrations: Mapping[str, str]) -> None:
    """A version that has these migrations besides our own."""
    files = dict(databases.MIGRATIONS)
    for migration, script in migrations.items():
        files[migration] = folder / f"{migration}.sql"
        files[migration].write_text(script)
    monkeypatch.setattr(databases, "MIGRATIONS", files)


async def done(database: AdminConnection) -> set[str]:
    return {row["name"] for row in await database.fetch("select name from public.migrations")}


async def test_a_migration_that_is_lacking_is_made_once(
    administered: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    released(monkeypatch, tmp_path, {"more": "create table log.more ()"})
    async with connection(administered) as database:
        before = await done(database)
        for _ in range(2):
            await migrate(database)
            assert await done(database) == before | {"more"}


async def test_a_migration_that_fails_leaves_nothing_behind(
    administered: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    released(monkeypatch, tmp_path, {"more": "create table log.more (); select 1 / 0"})
    async with connection(administered) as database:
        before = await done(database)
        with pytest.raises(asyncpg.DivisionByZeroError):
            await migrate(database)
        assert await done(database) == before
        assert await database.fetchval("select to_regclass('log.more')") is None


async def test_a_migration_that_was_changed_is_refused(
    administered: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with connection(administered) as database:
        released(monkeypatch, tmp_path, {"more": "create table log.more ()"})
        await migrate(database)
        released(monkeypatch, tmp_path, {"more": "create table log.more (); -- now better"})
        with pytest.raises(DatabaseRefused, match="another version of the migration 'more'"):
            await migrate(database)


async def test_a_database_of_a_newer_version_is_refused(
    administered: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with connection(administered) as database:
        with monkeypatch.context() as newer:
            released(newer, tmp_path, {"more": "create table log.more ()", "most": "create table log.most ()"})
            await migrate(database)
        released(monkeypatch, tmp_path, {"another": "create table log.another ()"})
        with pytest.raises(DatabaseRefused, match=r"newer Roundlog \(it has more, most\)"):
            await migrate(database)
        assert await database.fetchval("select to_regclass('log.another')") is None


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("postgresql://host", "postgresql://host/games"),
        ("postgresql://host:5432/postgres", "postgresql://host:5432/games"),
        ("postgresql://me:secret@host:5432/postgres", "postgresql://me:secret@host:5432/games"),
        ("postgresql://me:p%40ss@[::1]:5432/", "postgresql://me:p%40ss@[::1]:5432/games"),
        ("postgresql://me@/postgres?host=/run/pg", "postgresql://me@/games?host=/run/pg"),
        ("postgres://host/postgres?sslmode=require", "postgres://host/games?sslmode=require"),
    ],
)
def test_another_database_is_at_the_same_server(server: str, expected: str) -> None:
    assert at(server, database="games") == expected


def test_another_user_brings_a_password() -> None:
    server = "postgresql://admin:secret@host:5432/postgres?sslmode=require"
    assert at(server, database="games", user="scorer", password="a/b@c:d%") == (  # noqa: S106 - an example
        "postgresql://scorer:a%2Fb%40c%3Ad%25@host:5432/games?sslmode=require"
    )
    assert at("postgresql://host/", database="games", user="scorer") == "postgresql://scorer:@host/games"


async def test_a_server_that_comes_back_from_a_backup_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for secret in (databases.ADMINISTRATOR, "backup", *(f"{service}-database" for service in SERVICES)):
        (secrets / secret).write_text("roundlog")
    async with postgres.running(tmp_path, settings=FAST) as server:
        await server.stop()
        (tmp_path / "postgres" / "standby.signal").touch()
        await server.start()
        monkeypatch.setenv("ROUNDLOG_DATABASE_URL", server.url)
        monkeypatch.setenv("ROUNDLOG_SECRETS", str(secrets))
        monkeypatch.setattr("sys.argv", ["databases", "restored"])
        migrating = asyncio.create_task(asyncio.to_thread(databases.main))
        async with connection(server.url) as admin:
            while not migrating.done() and await admin.fetchval(SESSIONS) == 0:
                await asyncio.sleep(0.01)
            await admin.execute("select pg_promote(wait => false)")
        await migrating
        async with connection(at(server.url, database=name("results"))) as database:
            assert await database.fetchval("select count(*) from log.head") == 1
