"""Real servers for the tests: one PostgreSQL a test process, a fresh database for each test that asks for one."""

import itertools
import os
from collections.abc import AsyncGenerator

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import settings

from deploy.databases import at, connection, grant, migrate
from deploy.local import postgres
from shared.log.memory import MemoryStore
from shared.log.postgres import PostgresStore
from shared.log.store import EventStore
from tests.patience import PATIENCE

TEMPLATE = "template_of_tests"
ROLE = "roundlog_tests"
PASSWORD = "of tests"  # noqa: S105 - a server of its own, on loopback, for as long as the tests run

# Killing a server process loses nothing that the operating system has: only a power cut needs fsync.
FAST = {"fsync": "off"}

numbers = itertools.count(1)

# Whoever asks in a test without saying for how long is patient.
for wait in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, wait, PATIENCE)

# A gate says the same of the same code twice; `make explore` looks for what no run has tried yet.
settings.register_profile("gate", derandomize=True)
settings.register_profile("explore", print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


@pytest.fixture(scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    """The administrator's URL of a PostgreSQL with a migrated template."""
    async with postgres.running(tmp_path_factory.mktemp("postgres"), settings=FAST) as running:
        await make_template(running.url)
        yield running.url


async def make_template(server: str) -> None:
    async with connection(server) as admin:
        await admin.execute(f"create role {ROLE} login password '{PASSWORD}'")
        await admin.execute(f"create database {TEMPLATE}")
    async with connection(at(server, database=TEMPLATE)) as template:
        await migrate(template)
        await grant(template, ROLE)


async def fresh_database(server: str) -> str:
    """A database of its own; answers its URL as the role of a service."""
    name = f"test_{next(numbers)}"
    async with connection(server) as admin:
        await admin.execute(f"create database {name} template {TEMPLATE}")
    async with connection(at(server, database=name)) as admin:
        await admin.execute("update log.head set incarnation = gen_random_uuid()")  # the template's is no log of ours
    return at(server, database=name, user=ROLE, password=PASSWORD)


async def empty(server: str, database: str) -> None:
    """Make a log as if nothing had ever been written; quicker than a fresh database."""
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute("truncate log.log, log.answers; update log.head set position = 0, public = 0")


@pytest.fixture
async def database(server: str) -> str:
    return await fresh_database(server)


@pytest.fixture
async def postgres_store(database: str) -> AsyncGenerator[PostgresStore]:
    store = PostgresStore(database)
    async with store.running():
        yield store


@pytest.fixture(params=["memory", "postgres"])
def store(request: pytest.FixtureRequest) -> EventStore:
    """Every kind of log: one suite holds them all."""
    if request.param == "memory":
        return MemoryStore()
    return request.getfixturevalue("postgres_store")
