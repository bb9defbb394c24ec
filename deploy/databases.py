"""Prepares the databases: a role and a database for each service, and the migrations that it lacks.

Running it again changes nothing. A service's own role may read its log, call the functions that write it, and do as
it likes in the schema `views`, where everything can be rebuilt from the log.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

import shared
from deploy import SERVICES
from shared.log.connection import Connection

SCHEMAS = Path(shared.__file__).parent / "migrations"
MIGRATIONS: Mapping[str, Path] = {
    name: SCHEMAS / f"{name}.sql"
    for name in (
        "log",
        "inbox",
        "beside",
        "names",
        "personal",
        "licences",
        "shown_names",
        "terms",
        "persons",
        "receiving",
        "proof",
        "checkpoints",
        "openings",
        "words",
        "webhooks",
        "webhook_acts",
        "arrivals",
        "webhook_calls",
    )
}

BESIDES = ("postgres", "template1")
ADMINISTRATOR = "postgres"
SORTED = (
    "encoding 'UTF8' locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'"  # the same on every server, for good
)
BACKUP = "roundlog_backup"
CONNECTIONS = 60  # that a process of a service takes, at most
MAX_CONNECTIONS = 2 * len(SERVICES) * CONNECTIONS  # a new copy of each runs beside the one before
RENAME_LOG = "update log.head set incarnation = gen_random_uuid() returning incarnation"
IS_RECOVERING = "select pg_is_in_recovery()"
HEARD_OF = "update inbox.sources set incarnation = $2 where source = $1"

LOOK_EVERY = 0.2

# One at a time: any number that nobody else uses as an advisory lock.
LOCK = 0x726F756E646C6F67

type AdminConnection = Connection


class DatabaseRefused(Exception):
    """A database is not one that this version can work with."""


async def prepare(server: str, passwords: Mapping[str, str]) -> dict[str, str]:
    """Make everything ready on a server, as its administrator; answers each service's own database URL."""
    async with connection(server) as admin:
        await admin.execute("select pg_advisory_lock($1)", LOCK)
        await close_to_the_public(admin)
        for service in SERVICES:
            await create(admin, service, passwords[service])
            async with connection(at(server, database=name(service))) as database:
                await migrate(database)
                await grant(database, name(service))
    return {service: own_url(server, service, passwords[service]) for service in SERVICES}


def own_url(server: str, service: str, password: str) -> str:
    """A service's own database, as its own role."""
    return at(server, database=name(service), user=name(service), password=password)


def name(service: str) -> str:
    """The name of a service's database, and of its role."""
    return f"roundlog_{service}"


async def close_to_the_public(admin: AdminConnection) -> None:
    """What every server has besides: whoever has a role may connect to it, unless that is taken back."""
    for database in BESIDES:
        await admin.execute(f"revoke all on database {database} from public")


async def create(admin: AdminConnection, service: str, password: str) -> None:
    role = name(service)
    if not await admin.fetchval("select 1 from pg_roles where rolname = $1", role):
        await admin.execute(f"create role {role} login")
    await admin.execute(f"alter role {role} password {await quoted(admin, password)}")
    if not await admin.fetchval("select 1 from pg_database where datname = $1", role):
        await admin.execute(f"create database {role} {SORTED} template template0")
    await admin.execute(f"revoke all on database {role} from public; grant connect on database {role} to {role}")


async def let_back_up(server: str, password: str) -> None:
    """A role that may copy the whole server, and read or write nothing by asking for it."""
    async with connection(server) as admin:
        if not await admin.fetchval("select 1 from pg_roles where rolname = $1", BACKUP):
            await admin.execute(f"create role {BACKUP} login replication")
        await admin.execute(f"alter role {BACKUP} password {await quoted(admin, password)}")


async def quoted(admin: AdminConnection, password: str) -> str:
    return await admin.fetchval("select quote_literal($1::text)", password)


async def migrate(database: AdminConnection) -> None:
    await database.execute("""
        create table if not exists public.migrations (
          name text primary key, digest text not null, at timestamptz not null default now())
    """)
    done = {row["name"]: row["digest"] for row in await database.fetch("select name, digest from public.migrations")}
    if unknown := done.keys() - MIGRATIONS.keys():
        raise DatabaseRefused(
            f"This data was prepared by a newer Roundlog (it has {', '.join(sorted(unknown))}): run that version, "
            "or choose another data folder."
        )
    for migration, file in MIGRATIONS.items():
        script = file.read_text()
        digest = sha256(script.encode()).hexdigest()
        if migration not in done:
            async with database.transaction():
                await database.execute(script)
                await database.execute("insert into public.migrations values ($1, $2)", migration, digest)
        elif done[migration] != digest:
            raise DatabaseRefused(
                f"This data was prepared with another version of the migration '{migration}', which is never "
                "changed once released: run the version that prepared it, or choose another data folder."
            )


async def grant(database: AdminConnection, role: str) -> None:
    await database.execute(f"""
        grant usage on schema log to {role};
        grant select on all tables in schema log to {role};
        grant execute on all functions in schema log to {role};
        grant usage on schema proof to {role};
        grant select on all tables in schema proof to {role};
        grant execute on all functions in schema proof to {role};
        grant insert on proof.checkpoints, proof.cosignatures to {role};
        grant usage on schema inbox to {role};
        grant select, insert, update on all tables in schema inbox to {role};
        grant delete on inbox.grants to {role};
        grant usage on schema beside to {role};
        grant select, insert on beside.seeds, beside.contents to {role};
        grant select, insert, delete on beside.notes to {role};
        grant usage on schema personal to {role};
        grant select, insert, update, delete on personal.particulars, personal.licences to {role};
        grant select, insert, delete on personal.openings to {role};
        grant usage on schema names to {role};
        grant select, insert, update, delete on names.names to {role};
        grant select, update on names.head to {role};
        grant usage on schema webhooks to {role};
        grant select, insert, update, delete on all tables in schema webhooks to {role};
        do $$ begin -- only once: an administrator who is no superuser may not ask for it again
          if has_function_privilege('public', 'lo_create(oid)', 'execute') then
            revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
          end if;
        end $$;
        create schema if not exists views;
        grant usage, create on schema views to {role};
    """)


async def brought_up(server: str) -> None:
    """Return when it takes changes. One that comes back from a backup answers long before that."""
    async with connection(server) as admin:
        if await admin.fetchval(IS_RECOVERING):
            print("The server reads its log: until that is over it takes no changes.", flush=True)  # noqa: T201 - for whoever waits
        while await admin.fetchval(IS_RECOVERING):  # noqa: ASYNC110 - nobody is told when it is over
            await asyncio.sleep(LOOK_EVERY)


async def rename_logs(server: str) -> None:
    """After all of the server came back as it was at a moment: what the logs said later was told and signed, so they are
    other logs now. Each inbox is of the same moment as the logs that it has heard, and goes on with their new names."""
    for service in SERVICES:
        async with connection(at(server, database=name(service))) as own:
            renamed = await own.fetchval(RENAME_LOG)
        for neighbour in SERVICES:
            async with connection(at(server, database=name(neighbour))) as other:
                await other.execute(HEARD_OF, service, renamed)


GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)


def why_unanswered(error: Exception) -> str:
    """Why a database gave no answer, and what to do: what the driver says of a server that goes away tells an operator nothing."""
    if isinstance(error, asyncpg.PostgresError) and not isinstance(error, GONE):
        return f"PostgreSQL says: {str(error).partition('\n')[0]}"  # without its hints
    return "PostgreSQL does not answer. Run this again once `roundlog status` shows that it is ready"


@asynccontextmanager
async def connection(url: str) -> AsyncGenerator[AdminConnection]:
    opened = await asyncpg.connect(url, connection_class=Connection)
    try:
        yield opened
    finally:
        await opened.close()


def at(server: str, *, database: str, user: str | None = None, password: str | None = None) -> str:
    """The URL of a database on the same server, for the same or another user."""
    url = urlsplit(server)
    credentials, _, place = url.netloc.rpartition("@")
    if user is not None:
        credentials = f"{user}:{quote(password or '', safe='')}"
    return urlunsplit(url._replace(netloc=f"{credentials}@{place}" if credentials else place, path=f"/{database}"))


def main() -> None:
    """Prepare the server of ROUNDLOG_DATABASE_URL; the passwords are files in the folder ROUNDLOG_SECRETS.

    With the word `restored`, say of its logs besides that they came back from a backup.
    """
    server, secrets = told("ROUNDLOG_DATABASE_URL"), Path(told("ROUNDLOG_SECRETS"))
    passwords = {service: secret(secrets / f"{service}-database") for service in SERVICES}
    administrator = at(server, database=BESIDES[0], user=ADMINISTRATOR, password=secret(secrets / ADMINISTRATOR))
    asyncio.run(brought_up(administrator))
    asyncio.run(prepare(administrator, passwords))
    asyncio.run(let_back_up(administrator, secret(secrets / "backup")))
    if sys.argv[1:] == ["restored"]:
        asyncio.run(rename_logs(administrator))


def told(variable: str) -> str:
    if value := os.environ.get(variable):
        return value
    raise SystemExit(f"{variable} is not set: it says which server is prepared, or where its passwords are.")


def secret(file: Path) -> str:
    found = file.read_text(encoding="utf-8").strip()
    if not found:
        raise SystemExit(f"{file} is empty: it has to hold a password (see deploy/secrets.sh).")
    return found


if __name__ == "__main__":
    main()
