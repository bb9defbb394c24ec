"""One PostgreSQL in one folder: started, killed and started again without damage."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import psutil

from deploy.local import condition, remains
from deploy.local.cluster import Cluster, create, server, write_settings
from deploy.local.condition import Condition
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.ports import PortTaken, any_free, holder
from deploy.local.spawn import Child, Spawned, nobody, spawn_ready
from shared.log.notify import BROKEN

CRASH_PATIENCE = 20.0


async def start(cluster: Cluster, spawned: Spawned = nobody) -> Child:
    """Start it, over the remains of a crash if need be, and return when it answers a query."""
    await create(cluster)
    write_settings(cluster)
    began = time.monotonic()
    while True:
        try:
            return await spawn_ready(server(cluster), lambda: answers(cluster.url), spawned, patience=120)
        except DiedAtStart as died:
            if "Address already in use" in died.log:
                raise PortTaken(cluster.port, holder(cluster.port)) from died
            if "database files are incompatible with server" in died.log:
                raise CannotRun(
                    f"{cluster.folder} was made by another major version of PostgreSQL than the one that is installed: "
                    "run the version of Roundlog that made it, or move the folder's data with pg_upgrade."
                ) from died
            waited = time.monotonic() - began
            if not remains.may_pass(cluster.folder, died.log, waited) or waited > CRASH_PATIENCE:
                raise
        await asyncio.sleep(0.1)


async def answers(url: str) -> bool:
    return await ask(url) == "works"


async def ask(url: str) -> Condition:
    """Over a new connection: those that there are go on while a server waits for their end to stop."""
    try:
        connection = await asyncpg.connect(url, timeout=5, ssl=False)
        try:
            return condition.of(await connection.fetchval("select 1", timeout=5) == 1)
        finally:
            connection.terminate()
    except asyncpg.CannotConnectNowError as refused:
        return "is stopping" if "shutting down" in str(refused) else "is starting"
    except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.TooManyConnectionsError):
        return "refuses"
    except BROKEN:
        return "is silent"


class Server:
    """A PostgreSQL for tests: it can be killed and started again on the same port."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.url = cluster.url
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        if self._child is None:
            raise RuntimeError("It does not run.")
        return self._child.pid

    async def start(self) -> None:
        self._child = await start(self.cluster)

    async def kill(self) -> None:
        """SIGKILL; returns when the last backend has noticed."""
        if self._child is not None and not self._child.ended:
            await kill_family(self._child)

    async def stop(self) -> None:
        if self._child is not None:
            await self._child.end()


async def kill_family(server: Child) -> None:
    """Kill the server and wait for its backends, which notice by themselves; a stopped one would not."""
    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(server.pid).children(recursive=True)
    await server.end(())
    give_up = time.monotonic() + 5
    while family := [member for member in family if _lives(member)]:
        if time.monotonic() > give_up:
            for member in family:
                with suppress(psutil.NoSuchProcess):
                    member.kill()
        await asyncio.sleep(0.01)


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@asynccontextmanager
async def running(
    folder: Path, *, port: int | None = None, settings: Mapping[str, str] | None = None
) -> AsyncGenerator[Server]:
    """A server in `folder`, on a free port if none is asked for; stopped at the end, whatever happened to it."""
    server = await _started(folder.resolve(), port, settings or {})
    try:
        yield server
    finally:
        await server.stop()


async def _started(folder: Path, port: int | None, settings: Mapping[str, str]) -> Server:
    while True:
        server = Server(
            Cluster(
                folder=folder / "postgres",
                log=folder / "postgres.log",
                port=port or any_free(),
                password="roundlog",  # noqa: S106 - a test's own server on loopback
                settings=settings,
            )
        )
        try:
            await server.start()
        except PortTaken:
            if port is not None:
                raise
        else:
            return server
