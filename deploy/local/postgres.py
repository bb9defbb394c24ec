"""One PostgreSQL in one folder: started, killed and started again without damage."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import override

import asyncpg
import psutil

from deploy.databases import MAX_CONNECTIONS
from deploy.local import binaries, health
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.health import Condition
from deploy.local.killable import KillableServer, running_at
from deploy.local.ports import PortTaken, holder
from deploy.local.processes import Child, Program, Spawned, inherited, nobody, spawn, spawn_ready, until_gone
from shared import files
from shared.log.notify import BROKEN

EVERYWHERE = {  # also where containers run
    "max_connections": str(MAX_CONNECTIONS),
    "jit": "off",  # many short statements: compiling them costs more than it saves
    "timezone": "UTC",
    "log_error_verbosity": "terse",  # details of errors show rows, which may be personal
}
SETTINGS = EVERYWHERE | {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "cluster_name": "roundlog",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "scram_iterations": "1",  # passwords are random: nobody guesses them, and each connection would pay
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "log_checkpoints": "off",
}
CREATE = (
    "--username=postgres --auth=scram-sha-256 --set=scram_iterations=1 --data-checksums --encoding=UTF8 --no-locale "
    "--locale-provider=builtin --builtin-locale=C.UTF-8 --no-instructions"
)


@dataclass(frozen=True, kw_only=True)
class Cluster:
    folder: Path
    log: Path
    port: int
    password: str = field(repr=False)
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    descriptors: tuple[int, ...] = ()

    @property
    def url(self) -> str:
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/postgres"


def server(cluster: Cluster) -> Program:
    return Program(
        name="postgres",
        command=(
            str(binaries.postgres("postgres")),
            f"-D{cluster.folder}",
            f"--config-file={cluster.folder / 'roundlog.conf'}",
        ),
        log=cluster.log,
        death_signal=signal.SIGQUIT,
        endings=((signal.SIGINT, 10), (signal.SIGQUIT, 7)),
        environment=_environment(),
        descriptors=cluster.descriptors,
        refuses_root=True,
    )


async def create(cluster: Cluster) -> None:
    """Beside its place, then renamed: a kill in the middle leaves nothing that looks like a database."""
    if cluster.folder.exists():
        return
    unfinished = cluster.folder.with_name(cluster.folder.name + ".new")
    if unfinished.exists():
        shutil.rmtree(unfinished)
    reading, writing = os.pipe()
    try:
        os.write(writing, cluster.password.encode())
        os.close(writing)
        creating = await spawn(_initdb(cluster, unfinished, reading))
    finally:
        os.close(reading)
    try:
        code = await creating.wait()
    finally:
        await creating.end()
    if code != 0:
        raise creating.failure()
    files.rename(unfinished, cluster.folder)


def write_settings(cluster: Cluster) -> None:
    """After the file that initdb wrote, which stays open to the user's own changes."""
    forget_scrub(cluster.folder / "postgresql.auto.conf")
    wanted = SETTINGS | {"port": str(cluster.port)} | dict(cluster.settings)
    lines = ["include 'postgresql.conf'", *(f"{name} = '{value}'" for name, value in wanted.items())]
    files.write(cluster.folder / "roundlog.conf", "\n".join(lines) + "\n")


def forget_scrub(altered: Path) -> None:
    """What it has set for as long as it runs goes before our settings, and stays when it is killed."""
    lines = altered.read_text().splitlines(keepends=True)
    others = [line for line in lines if not line.startswith("wal_recycle ")]
    if others != lines:
        files.write(altered, "".join(others))


def _initdb(cluster: Cluster, folder: Path, password: int) -> Program:
    return Program(
        name="initdb",
        command=(
            str(binaries.postgres("initdb")),
            *CREATE.split(),
            f"--pgdata={folder}",
            f"--pwfile=/dev/fd/{password}",
        ),
        log=cluster.log,
        death_signal=signal.SIGKILL,
        endings=(),
        environment=_environment(),
        descriptors=(*cluster.descriptors, password),
        refuses_root=True,
    )


def _environment() -> dict[str, str]:
    """Messages in English, since some are read here; and no settings from a developer's own PGPORT or PGDATA."""
    return {name: value for name, value in inherited().items() if not name.startswith(("PG", "LC_"))} | {"LC_ALL": "C"}


ORPHAN_PATIENCE = 3.0
LOCK_IS_LEFT = (
    'lock file "postmaster.pid" already exists',
    'lock file "postmaster.pid" is empty',  # the machine broke down before the number was on the disk
    'bogus data in lock file "postmaster.pid"',
)


def may_pass(cluster: Path, log: str, seconds_so_far: float) -> bool:
    """Whether the reason in the log is one that ends by itself, or was ended here."""
    if "pre-existing shared memory block" in log:
        if seconds_so_far > ORPHAN_PATIENCE:
            _kill_orphans(cluster)
        return True
    return any(reason in log for reason in LOCK_IS_LEFT) and _forget_left_lock(cluster / "postmaster.pid")


def _kill_orphans(cluster: Path) -> None:
    """Backends end by themselves when their server is gone; one that somebody paused does not notice."""
    for process in _servers(cluster):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _forget_left_lock(lock: Path) -> bool:
    """After a reboot, or in a container, the number of the dead server may belong to any other process.

    Without a number it may be the lock of any server that works in this folder, since one that starts has yet to write it.
    """
    try:
        words = lock.read_bytes().split()
    except FileNotFoundError:
        return True
    number = int(words[0]) if words and words[0].isdigit() else None
    if any(number in {None, process.pid} for process in _servers(lock.parent)):
        return False
    lock.unlink(missing_ok=True)
    return True


def _servers(cluster: Path) -> Iterator[psutil.Process]:
    """All of PostgreSQL's processes work in the folder of their data."""
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.name() == "postgres" and Path(process.cwd()) == cluster:
                yield process


CRASH_PATIENCE = 20.0


async def start(cluster: Cluster, spawned: Spawned = nobody) -> Child:
    """Start it, over the remains of a crash if need be, and return when it answers a query."""
    await create(cluster)
    write_settings(cluster)
    began = time.monotonic()
    while True:
        try:
            return await spawn_ready(server(cluster), lambda: opens(cluster), spawned, patience=120)
        except DiedAtStart as died:
            if "Address already in use" in died.log:
                raise PortTaken(cluster.port, holder(cluster.port)) from died
            if "database files are incompatible with server" in died.log:
                raise CannotRun(
                    f"{cluster.folder} was made by another major version of PostgreSQL than the one that is installed: "
                    "run the version of Roundlog that made it, or move the folder's data with pg_upgrade."
                ) from died
            waited = time.monotonic() - began
            if not may_pass(cluster.folder, died.log, waited) or waited > CRASH_PATIENCE:
                raise
        await asyncio.sleep(0.1)


async def opens(cluster: Cluster) -> bool:
    """One that has as many connections as it takes works: whoever has them would come back after another start too."""
    found = await ask(cluster.url)
    if found == "refuses":
        raise CannotRun(
            f"{cluster.folder} opens with another password than that in `secrets.json`: put back the file that belongs to it."
        )
    return found in {"works", "is full"}


async def answers(url: str) -> bool:
    return await ask(url) == "works"


async def ask(url: str) -> Condition:
    """Over a new connection: those that there are go on while a server waits for their end to stop."""
    try:
        connection = await asyncpg.connect(url, timeout=5, ssl=False)
        try:
            return health.condition_of(await connection.fetchval("select 1", timeout=5) == 1)
        finally:
            connection.terminate()
    except asyncpg.CannotConnectNowError as refused:
        return "is stopping" if "shutting down" in str(refused) else "is starting"
    except asyncpg.InvalidAuthorizationSpecificationError:
        return "refuses"
    except asyncpg.TooManyConnectionsError:
        return "is full"
    except BROKEN:
        return "is silent"


async def kill_family(server: Child) -> None:
    """Kill the server and wait for its backends, which notice by themselves; a stopped one would not."""
    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(server.pid).children(recursive=True)
    await server.end(())
    await until_gone(lambda: list(filter(_lives, family)), patience=5)


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


class PostgresServer(KillableServer):
    def __init__(self, cluster: Cluster) -> None:
        super().__init__(partial(start, cluster))
        self.cluster = cluster
        self.url = cluster.url

    @override
    async def kill(self) -> None:
        """Returns when the last backend has noticed."""
        if self._child is not None and not self._child.ended:
            await kill_family(self._child)


def running(
    folder: Path, *, port: int | None = None, settings: Mapping[str, str] | None = None
) -> AbstractAsyncContextManager[PostgresServer]:
    """A server of tests in `folder`."""
    place = folder.resolve()

    def made_at(free: int) -> PostgresServer:
        return PostgresServer(
            Cluster(
                folder=place / "postgres",
                log=place / "postgres.log",
                port=free,
                password="roundlog",  # noqa: S106 - a test's own server on loopback
                settings=settings or {},
            )
        )

    return running_at(port, made_at)
