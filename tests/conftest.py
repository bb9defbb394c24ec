"""Real servers for the tests: one PostgreSQL a test process, an empty database for each test that asks for one."""

import asyncio
import functools
import gc
import os
import sys
from collections.abc import AsyncGenerator
from importlib.util import find_spec
from typing import Any, cast
from warnings import catch_warnings

import pytest
import pytest_timeout
import uvloop
from httpx._config import DEFAULT_TIMEOUT_CONFIG, create_ssl_context
from httpx._transports import default
from hypothesis import settings

from deploy.local import postgres
from shared.garbage import collect_seldom
from shared.log.memory import MemoryStore
from shared.log.postgres import PostgresStore
from shared.log.store import EventStore
from tests.databases import FAST, dismiss_keepers, lent, make_template
from tests.exploring import PROFILE
from tests.hanging import dump_tasks
from tests.patience import PATIENCE
from tests.shares import shared_out

# All of them ask without TLS, and one that is made ready for it takes as long as forty answers.
cast("Any", default).create_ssl_context = functools.cache(create_ssl_context)

# No server here speaks TLS either, and whoever may be asked to makes ready for it with each connection.
os.environ["PGSSLMODE"] = "disable"

# Whoever asks in a test without saying for how long is patient.
for wait in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, wait, PATIENCE)

settings.load_profile(PROFILE)

# A test that hangs says what it waits for.
cast("Any", pytest_timeout).dump_stacks = dump_tasks

# httpx looks for it several times in each request, and what is not there Python looks for anew each time.
if find_spec("sniffio") is None:
    cast("Any", sys.modules)["sniffio"] = None


# The loop on which the services run in production; it also costs less. The hook that pytest-asyncio has for it gives another
# one to what tests share that are not asynchronous themselves.
with catch_warnings(action="ignore", category=DeprecationWarning):  # behind Python 3.13
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())  # pyrefly: ignore[deprecated]


gc.disable()  # until all is imported


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = shared_out({item: item.path for item in items}, processes)


def pytest_collection_finish() -> None:
    """What has been imported and collected stays: looking through it for garbage finds nothing."""
    collect_seldom()


@pytest.fixture(scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    """The administrator's URL of a PostgreSQL with a migrated template."""
    async with postgres.running(tmp_path_factory.mktemp("postgres"), settings=FAST) as running:
        await make_template(running.url)
        yield running.url
        await dismiss_keepers(running.url)


@pytest.fixture
async def database(server: str) -> AsyncGenerator[str]:
    async with lent(server) as (lent_one,):
        yield lent_one


@pytest.fixture
async def databases(server: str) -> AsyncGenerator[tuple[str, str]]:
    """Of one who speaks and of one who listens."""
    async with lent(server, 2) as (one, another):
        yield one, another


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
