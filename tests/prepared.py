"""A data folder whose databases are there before the launcher looks: made once in a run of tests, and copied."""

import asyncio
import shutil

import pytest

from deploy.databases import prepare
from deploy.local import folder as folders
from deploy.local import ports
from deploy.local.folder import Folder
from deploy.local.postgres import Cluster, PostgresServer
from tests.databases import FAST
from tests.once import made_once


def copy_prepared(factory: pytest.TempPathFactory, into: Folder) -> None:
    prepared = made_once(factory, "prepared", lambda place: asyncio.run(prepare_data(Folder(path=place / "data"))))
    shutil.copytree(prepared / "data", into.path)


async def prepare_data(folder: Folder) -> None:
    folders.prepare(folder)
    passwords = folders.open_up(folder)
    (folder.path / "signing").mkdir()
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
