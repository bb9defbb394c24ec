"""Platforms as their users start them."""

import asyncio
import shutil
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from deploy.databases import connection, prepare
from deploy.local import folder as folders
from deploy.local import ports
from deploy.local.folder import Folder
from deploy.local.postgres import Cluster, PostgresServer
from tests.databases import FAST
from tests.integration.launching import Platform, free_base, until
from tests.once import made_once


@pytest.fixture(scope="session")
def running_platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    with started(tmp_path_factory) as platform:
        yield platform


@pytest.fixture
def platform(running_platform: Platform) -> Platform:
    """For all who leave it as it was: what the one before has killed is up again."""
    until(running_platform.is_ready)
    return running_platform


@pytest.fixture(scope="module")
def own_platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    """For those who look at all that it holds, or do to it what others would notice."""
    with started(tmp_path_factory) as platform:
        yield platform


@contextmanager
def started(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    """In a folder in which the databases have been prepared before: that the launcher does it is not asked here."""
    prepared = made_once(
        tmp_path_factory, "prepared", lambda place: asyncio.run(prepare_data(Folder(path=place / "data")))
    )
    folder = Folder(path=tmp_path_factory.mktemp("platform") / "data")
    shutil.copytree(prepared / "data", folder.path)
    platform = Platform(folder=folder, base_port=free_base())
    try:
        started = platform.up("--detach")
        assert started.returncode == 0, started.stdout
        asyncio.run(spare_the_disk(platform))
        yield platform
    finally:
        platform.clear()


async def prepare_data(folder: Folder) -> None:
    folders.prepare(folder)
    passwords = folders.open_up(folder)
    cluster = Cluster(
        folder=folder.path / "postgres",
        log=folder.log("postgres"),
        port=ports.any_free(),
        password=passwords["postgres"],
        settings=FAST,
    )
    server = PostgresServer(cluster)
    await server.start()
    try:
        await prepare(server.url, passwords)
    finally:
        await server.stop()


async def spare_the_disk(platform: Platform) -> None:
    """What the operating system has, no killed process loses: only a power cut needs the disk."""
    password = folders.passwords(platform.folder)["postgres"]
    place = f"127.0.0.1:{ports.of('postgres', platform.base_port)}"
    async with connection(f"postgresql://postgres:{password}@{place}/postgres") as admin:
        await admin.execute("alter system set fsync = off")
        await admin.execute("select pg_reload_conf()")
