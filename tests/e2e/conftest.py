"""Platforms as their users start them."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deploy.databases import connection
from deploy.local import folder as folders
from deploy.local import ports
from deploy.local.folder import Folder
from tests.e2e.browser import close_browser
from tests.integration.launching import Platform, free_base, until
from tests.prepared import copy_prepared

HERE = Path(__file__).parent
RECEIVERS = {"ROUNDLOG_WEBHOOK_NETWORKS": "127.0.0.0/8"}  # of webhooks live here

kept = ExitStack()  # stops the platform that runs
running: list[Platform] = []


@pytest.fixture
def platform(tmp_path_factory: pytest.TempPathFactory) -> Platform:
    """For all who leave it as it was: what the one before has killed is up again."""
    if not running:
        running.append(kept.enter_context(started(tmp_path_factory)))
    until(running[0].is_ready)
    return running[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Nobody asks for it behind the last of these tests; what it does by itself would cost the others their time."""
    if nextitem is None or HERE not in nextitem.path.parents:
        running.clear()
        kept.close()


@pytest.fixture(scope="module")
def own_platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    """For those who look at all that it holds, or do to it what others would notice."""
    with started(tmp_path_factory) as platform:
        yield platform


@pytest.fixture(scope="session", autouse=True)
async def browser_ends() -> AsyncGenerator[None]:
    """With the tests of this process, whichever of them has started it."""
    yield
    await close_browser()


@contextmanager
def started(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    """In a folder in which the databases have been prepared before: that the launcher does it is not asked here."""
    folder = Folder(path=tmp_path_factory.mktemp("platform") / "data")
    copy_prepared(tmp_path_factory, folder)
    platform = Platform(folder=folder, base_port=free_base(), environment=RECEIVERS)
    try:
        started = platform.up("--detach")
        assert started.returncode == 0, started.stdout
        asyncio.run(spare_the_disk(platform))
        yield platform
    finally:
        platform.clear()


async def spare_the_disk(platform: Platform) -> None:
    """What the operating system has, no killed process loses: only a power cut needs the disk."""
    password = folders.passwords(platform.folder)["postgres"]
    place = f"127.0.0.1:{ports.of('postgres', platform.base_port)}"
    async with connection(f"postgresql://postgres:{password}@{place}/postgres") as admin:
        await admin.execute("alter system set fsync = off")
        await admin.execute("select pg_reload_conf()")
