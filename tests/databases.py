"""Databases of a test server: made once, emptied when a test gives them back, and lent to the next one.

To make one costs a thousand files; to empty it, a few statements. What no statement here would undo (another table, a
right that was taken away, a function that was replaced) is noticed, and such a database is dropped.
"""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg

from deploy.databases import AdminConnection, at, connection, grant, migrate
from shared.log.connection import Connection

TEMPLATE = "template_of_tests"
ROLE = "roundlog_tests"
PASSWORD = "of tests"  # noqa: S105 - a server of its own, on loopback, for as long as the tests run

# Killing a server process loses nothing that the operating system has: only a power cut needs fsync. A password is
# proved thousands of times, and nobody is there to guess it. The more databases there are, the more often somebody would
# come to clean one up, each of which lives for seconds.
FAST = {"fsync": "off", "scram_iterations": "1", "autovacuum": "off"}

LARGE = 2_000_000  # bytes of a log that is dropped faster than it is emptied

numbers = itertools.count(1)

# Everything that a role could see of a database, but for rows and for the tables of read models.
SHAPE = """
  with ours as (select oid from pg_namespace where nspname !~ '^(pg_|information_schema$|views$)')
  select md5(string_agg(line, e'\\n' order by line)) from (
    select concat_ws(' ', oid::regclass, relkind, relacl, reloptions, relrowsecurity)
    from pg_class where relnamespace in (select oid from ours)
    union all
    select concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attnotnull, attisdropped, attacl)
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace in (select oid from ours) and attnum > 0
    union all
    select concat_ws(' ', oid::regprocedure, proacl, md5(prosrc), proconfig)
    from pg_proc where pronamespace in (select oid from ours)
    union all
    select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace in (select oid from ours)
    union all
    select concat_ws(' ', nspname, nspacl) from pg_namespace where nspname !~ '^pg_(temp|toast)'
    union all
    select concat_ws(' ', datacl, datconnlimit, datallowconn) from pg_database where datname = current_database()
    union all
    select concat_ws(' ', rolname, setconfig) from pg_db_role_setting left join pg_roles on pg_roles.oid = setrole
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))
  ) as lines(line)
"""
OWN = """
  select format('%I.%I', schemaname, tablename) from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema', 'views', 'public')
"""
SEQUENCES = "select format('%I.%I', schemaname, sequencename) from pg_sequences where schemaname <> 'views'"
SIZE = "select pg_total_relation_size('log.log') + pg_total_relation_size('inbox.events')"
CUT = "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1"
END_CALLERS = """
  select pg_terminate_backend(pid, 10000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
"""


class Kept(NamedTuple):
    """A database, and who empties it between two tests: a connection that stays costs less than a new one each time."""

    name: str
    keeper: AdminConnection


# By server: databases that nobody has at the moment; what a new one looks like, and what makes one new.
spare: dict[str, list[Kept]] = defaultdict(list)
as_new: dict[str, tuple[str, str]] = {}

# By their URL: keepers of the databases that somebody has, as long as nobody uses them; each in the loop that it is of.
idle: dict[tuple[str, asyncio.AbstractEventLoop], AdminConnection] = {}


async def make_template(server: str) -> None:
    async with connection(server) as admin:
        await admin.execute(f"create role {ROLE} login password '{PASSWORD}'")
        await admin.execute(f"create database {TEMPLATE}")
    async with connection(at(server, database=TEMPLATE)) as template:
        await migrate(template)
        await grant(template, ROLE)


async def fresh_database(server: str) -> str:
    """A database in which nothing has ever been written, for good; answers its URL as the role of a service."""
    return lent_url(server, await _made(server))


def lent_url(server: str, name: str) -> str:
    return at(server, database=name, user=ROLE, password=PASSWORD)


@asynccontextmanager
async def lent(server: str, number: int = 1) -> AsyncGenerator[list[str]]:
    databases = [await _lend(server) for _ in range(number)]
    loop = asyncio.get_running_loop()
    urls = [lent_url(server, database.name) for database in databases]
    idle.update({(url, loop): database.keeper for url, database in zip(urls, databases, strict=True)})
    try:
        yield urls
    finally:
        for url in urls:
            idle.pop((url, loop), None)
        for database in databases:
            await _take_back(server, database)


@asynccontextmanager
async def beside(database: str) -> AsyncGenerator[AdminConnection]:
    """Who does something in a database beside its service: the keeper of one that is lent, which is there already, and
    otherwise a connection of its own."""
    place = database, asyncio.get_running_loop()
    keeper = idle.pop(place, None)
    if keeper is None or keeper.is_closed():
        async with connection(database) as own:
            yield own
        return
    try:
        yield keeper
    finally:
        idle[place] = keeper


async def _lend(server: str) -> Kept:
    while spare[server]:
        kept = spare[server].pop()
        if not kept.keeper.is_closed():
            await kept.keeper.execute("update log.head set incarnation = gen_random_uuid()")  # another log than before
            return kept
    name = await _made(server)
    return Kept(name, await asyncpg.connect(at(server, database=name), connection_class=Connection))


async def _take_back(server: str, kept: Kept) -> None:
    """Nobody may be using it any more; who still is connected is not in a moment."""
    try:
        await kept.keeper.execute(END_CALLERS)
        emptied = await _emptied(server, kept.keeper)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):  # the test has ended the server or its backends
        kept.keeper.terminate()
        return
    if emptied:
        spare[server].append(kept)
        return
    await kept.keeper.close()
    async with connection(server) as admin:
        await admin.execute(f"drop database {kept.name} with (force)")


async def dismiss_keepers(server: str) -> None:
    """Before the server stops."""
    for kept in spare.pop(server, ()):
        await kept.keeper.close()


async def empty(server: str, database: str) -> None:
    """Make a log as if nothing had ever been written; quicker than a fresh database."""
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute("truncate log.log, log.answers; update log.head set position = 0, public = 0")


async def _made(server: str) -> str:
    name = f"test_{next(numbers)}"
    async with connection(server) as admin:
        await admin.execute(f"create database {name} template {TEMPLATE}")
    if server not in as_new:
        async with connection(at(server, database=name)) as admin:
            as_new[server] = await admin.fetchval(SHAPE), await _emptying(admin)
    return name


async def _emptying(new: AdminConnection) -> str:
    """The statements that leave in each table the rows that it has now, when it is new."""
    lines = ["set session_replication_role = replica;"]
    for table in [row[0] for row in await new.fetch(OWN)]:
        rows = await new.fetchval(f"select quote_literal(json_agg(t)) from {table} as t")
        lines.append(f"delete from {table};")
        if rows is not None:
            lines.append(f"insert into {table} select * from json_populate_recordset(null::{table}, {rows});")
    lines += [f"alter sequence {row[0]} restart;" for row in await new.fetch(SEQUENCES)]
    lines += ["drop schema views cascade; create schema views;", f"grant usage, create on schema views to {ROLE};"]
    lines += ["reset session_replication_role;"]
    return "\n".join(lines)


async def _emptied(server: str, admin: AdminConnection) -> bool:
    """Whether it is as good as new again."""
    shape, emptying = as_new[server]
    if await admin.fetchval(SHAPE) != shape or await admin.fetchval(SIZE) > LARGE:
        return False
    await admin.execute(emptying)
    return True


async def cut_connections(server: str, database: str) -> None:
    """Returns when they are: to be told to end takes a backend a moment."""
    async with connection(server) as admin:
        cut = await admin.fetch(CUT, database.rpartition("/")[2])
    assert cut
