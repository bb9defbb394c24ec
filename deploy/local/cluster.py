"""The files of one PostgreSQL: created once, and the settings it starts with."""

import os
import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local import binaries, files
from deploy.local.spawn import Program, inherited, spawn

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "cluster_name": "roundlog",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "jit": "off",  # many short statements: compiling them costs more than it saves
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "log_checkpoints": "off",
    "log_error_verbosity": "terse",  # details of errors show rows, which may be personal
}
CREATE = (
    "--username=postgres --auth=scram-sha-256 --data-checksums --encoding=UTF8 --no-locale "
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
