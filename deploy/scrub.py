"""Takes the last bytes of what was erased from the disks: out of old pages, statistics, write-ahead logs and streams.

A database deletes a row by no longer showing it, and a broker a message. The bytes stay until something else is written
over them, which may be never. Here the tables that can be erased are written anew, and what was the log of the server
until then is used up and removed.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import asyncpg

from deploy.databases import AdminConnection, connection
from shared.messaging.broker import Broker
from shared.messaging.subjects import NAMES

TABLES = ("names.names", "personal.particulars", "personal.licences", "personal.openings", "beside.notes")
# The planner keeps samples of columns; they are made anew first, so that nothing of the old ones is left.
REWRITE = (*(f"vacuum (full, analyze) {table}" for table in TABLES), "vacuum full pg_catalog.pg_statistic")
COUNT = "select names from names.head"

SEGMENTS = "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'"
CURRENT = "select pg_walfile_name(pg_current_wal_insert_lsn())"
USE_UP = "select pg_logical_emit_message(false, 'roundlog', 'scrub')", "select pg_switch_wal()"
PATIENCE = 60.0  # seconds
GLANCE = 0.05


class NotScrubbed(Exception):
    """Some bytes may still be there."""


async def scrub(
    databases: Mapping[str, str], server: str, registration: str, broker: Broker, say: Callable[[str], None]
) -> None:
    """As administrator of the databases; everything goes on meanwhile."""
    for service, database in databases.items():
        async with connection(database) as admin:
            for statement in REWRITE:
                await admin.execute(statement)
        say(f"{service}: names, particulars and words are written anew.")
    async with connection(registration) as reader:
        await refill(broker, await reader.fetchval(COUNT))
    say("The stream of names is filled anew.")
    async with connection(server) as admin:
        say(f"{await renew_log(admin)} files of the write-ahead log are removed.")


async def refill(broker: Broker, names: int) -> None:
    """Registration fills a stream that has lost something."""
    await broker.purge(NAMES)
    try:
        async with asyncio.timeout(PATIENCE):
            while await broker.count(NAMES) < names:  # noqa: ASYNC110 - no bell rings for it
                await asyncio.sleep(GLANCE)
    except TimeoutError as late:
        raise NotScrubbed("registration has not filled the stream of names anew: is it ready?") from late


async def renew_log(admin: AdminConnection) -> int:
    """Until no file is left of those that there are now; those to come are used up with zeros."""
    async with nothing_recycled(admin):
        first = old = await segments(admin)
        try:
            async with asyncio.timeout(PATIENCE):
                while old:
                    current = await admin.fetchval(CURRENT)
                    for _ in [name for name in old if name >= current]:
                        for statement in USE_UP:
                            await admin.execute(statement)
                    await admin.execute("checkpoint")
                    old = first & await segments(admin)
        except TimeoutError as late:
            raise NotScrubbed(
                f"The server keeps {len(old)} old files of its write-ahead log: look for replication slots and archives."
            ) from late
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
        yield
    finally:
        await admin.execute("alter system reset wal_recycle")
        await admin.execute("select pg_reload_conf()")
