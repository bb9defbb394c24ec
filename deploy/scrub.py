"""Takes the last bytes of what was erased from the disks: out of old pages, statistics, write-ahead logs and streams.

A database deletes a row by no longer showing it, and a broker a message. The bytes stay until something else is written
over them, which may be never. Here the tables that can be erased are written anew, and what was the log of the server
until then is used up and removed.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

import asyncpg

from deploy.counting import counted
from deploy.databases import AdminConnection, connection
from shared.messaging.broker import Broker
from shared.messaging.subjects import NAMES

TABLES = ("names.names", "personal.particulars", "personal.licences", "personal.openings", "beside.notes")
# The planner keeps samples of columns, also of a table that is empty since.
FORGET = """
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats
  where to_regclass(format('%I.%I', schemaname, tablename)) in (
    select $1::text::regclass::oid union select indexrelid from pg_index where indrelid = $1::text::regclass
  )
"""
SAMPLES = "pg_catalog.pg_statistic"
COUNT = "select names from names.head"

SEGMENTS = "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'"
CURRENT = "select pg_walfile_name(pg_current_wal_insert_lsn())"
USE_UP = "select pg_logical_emit_message(false, 'roundlog', 'scrub')", "select pg_switch_wal()"

NOW = "select pg_snapshot_xmax(pg_current_snapshot())::text"
# Whoever may still look at what was there before.
OLDER = """
  with holders (name, since, since_catalog, database) as (
    select format('connection %s (%s)', pid, coalesce(nullif(application_name, ''), backend_type)),
      backend_xid, backend_xmin, datname
    from pg_stat_activity where pid <> pg_backend_pid()
    union all
    select format('prepared transaction %s', gid), transaction, null, database from pg_prepared_xacts
    union all
    select format('replication slot %s', slot_name), xmin, catalog_xmin, null from pg_replication_slots
  )
  select name from holders
  where coalesce(database, current_database()) = current_database()
    and greatest(age(since), age(since_catalog)) > age($1::text::xid8::xid)
"""
PATIENCE = 60.0  # seconds
AGAIN = "End that, or wait for it, and scrub once more."
QUEUE = 10  # seconds, since whoever wants the table meanwhile waits behind us
GLANCE = 0.05


class NotScrubbed(Exception):
    """Some bytes may still be there."""


async def scrub(
    databases: Mapping[str, str], server: str, registration: str, broker: Broker, say: Callable[[str], None]
) -> None:
    """As administrator of the databases; everything goes on meanwhile."""
    for service, database in databases.items():
        async with connection(database) as admin:
            await rewrite(admin, TABLES)
        say(f"{service}: names, particulars and words are written anew.")
    async with connection(registration) as reader:
        await refill(broker, await reader.fetchval(COUNT))
    say("The stream of names is filled anew.")
    async with connection(server) as admin:
        removed = await renew_log(admin)
        say(f"{counted(removed, 'file of the write-ahead log is', 'files of the write-ahead log are')} removed.")


async def rewrite(admin: AdminConnection, tables: Iterable[str]) -> None:
    """The samples after the tables, which give new ones."""
    await admin.execute(f"set lock_timeout = '{QUEUE}s'")
    await outlive(admin)
    for table in tables:
        await work_on(admin, table, FORGET, table)
        await work_on(admin, table, f"vacuum (full, analyze) {table}")
    await outlive(admin)
    await work_on(admin, SAMPLES, f"vacuum full {SAMPLES}")


async def work_on(admin: AdminConnection, table: str, statement: str, *values: str) -> None:
    try:
        await admin.execute(statement, *values)
    except asyncpg.LockNotAvailableError as held:
        raise NotScrubbed(f"Somebody holds {table} for long. {AGAIN}") from held


async def outlive(admin: AdminConnection) -> None:
    """Rows that somebody could still look at, in a transaction begun before they were erased, would be written too."""
    begun = await admin.fetchval(NOW)
    older: list[str] = []
    async with otherwise(lambda: f"Somebody still sees what was erased: {', '.join(older)}. {AGAIN}"):
        while older := [row["name"] for row in await admin.fetch(OLDER, begun)]:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(GLANCE)


async def refill(broker: Broker, names: int) -> None:
    """Registration fills a stream that has lost something."""
    await broker.purge(NAMES)
    async with otherwise(lambda: "registration has not filled the stream of names anew: is it ready?"):
        while await broker.count(NAMES) < names:  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)


async def renew_log(admin: AdminConnection) -> int:
    """Until no file is left of those that there are now; those to come are used up with zeros."""
    async with nothing_recycled(admin):
        first = old = await segments(admin)
        async with otherwise(
            lambda: (
                f"The server keeps {counted(len(old), 'old file')} of its log: look for replication slots and archives."
            )
        ):
            while old:
                current = await admin.fetchval(CURRENT)
                for _ in [name for name in old if name >= current]:
                    for statement in USE_UP:
                        await admin.execute(statement)
                await admin.execute("checkpoint")
                old = first & await segments(admin)
    return len(first)


async def segments(admin: AdminConnection) -> set[str]:
    return {row["name"] for row in await admin.fetch(SEGMENTS)}


@asynccontextmanager
async def nothing_recycled(admin: AdminConnection) -> AsyncGenerator[None]:
    """Otherwise old files would be given a new name, with their bytes."""
    try:
        await admin.execute("alter system set wal_recycle = off")
    except asyncpg.InsufficientPrivilegeError as refused:
        raise NotScrubbed(
            "The tables are written anew, but the write-ahead log of this server is not ours: ask those who run it."
        ) from refused
    try:
        await admin.execute("select pg_reload_conf()")
        await heard(admin)
        yield
    finally:
        await admin.execute("alter system reset wal_recycle")
        await admin.execute("select pg_reload_conf()")


async def heard(admin: AdminConnection) -> None:
    """The server tells its processes, this connection and the one that recycles, and a checkpoint may be under way.

    One that we ask for waits for that, and is made by what was told.
    """
    async with otherwise(
        lambda: "The server does not take over a setting: its log says which of its files it cannot read."
    ):
        while await admin.fetchval("show wal_recycle") != "off":  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)
        await admin.execute("checkpoint")


@asynccontextmanager
async def otherwise(left: Callable[[], str]) -> AsyncGenerator[None]:
    """What is left, and why, when it has taken too long."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError as late:
        raise NotScrubbed(left()) from late
