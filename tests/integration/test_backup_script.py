"""The script that keeps backups, where what it starts is slow."""

import asyncio
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from deploy.databases import connection
from deploy.local import backups, binaries, postgres
from tests.databases import FAST
from tests.patience import PATIENCE

LATE = """#!/bin/sh
case "$*" in *--directory*) while [ ! -e {go} ]; do sleep 0.05; done ;; esac
exec {tool} "$@"
"""


def with_late_receiver(server: str, kept: Path, go: Path) -> dict[str, str]:
    """The receiver begins when `go` is there."""
    tools = go.with_name("tools")
    tools.mkdir()
    wrapper = tools / "pg_receivewal"
    wrapper.write_text(LATE.format(go=go, tool=binaries.postgres("pg_receivewal")))
    wrapper.chmod(0o700)
    told = backups.environment(kept)
    return told | backups.address(server) | {"PATH": f"{tools}:{told['PATH']}"}


@contextmanager
def keeping(environment: dict[str, str]) -> Generator[None]:
    """Behind the first base backup."""
    command = ["/bin/sh", str(backups.SCRIPT), "keep"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as kept:  # noqa: S603
        assert kept.stdout is not None
        assert kept.stdout.readline().startswith("backed up: ")
        yield
        kept.terminate()


async def test_what_was_written_before_the_receiver_came_is_kept(tmp_path: Path) -> None:
    kept, go = tmp_path / "kept", tmp_path / "go"
    async with postgres.running(tmp_path, settings=FAST) as server:
        environment = with_late_receiver(server.url, kept, go)
        async with connection(server.url) as admin:
            with keeping(environment):
                await admin.execute("create table was_there as select 'between' as at")
                piece = await leave_behind(admin)
                go.touch()
                async with asyncio.timeout(PATIENCE):
                    while not (kept / "wal" / piece).exists():
                        await asyncio.sleep(0.05)
    back = tmp_path / "back"
    restored = [os.fspath(backups.SCRIPT), "restore", os.fspath(back / "postgres")]
    back.mkdir()
    subprocess.run(["/bin/sh", *restored], env=environment, check=True)  # noqa: S603, ASYNC221 - our own
    async with postgres.running(back, settings=FAST) as server, connection(server.url) as admin:
        assert await admin.fetchval("select at from was_there") == "between"


async def leave_behind(admin: asyncpg.Connection) -> str:
    """The server keeps no piece of its log that nobody has asked for. Answers the one it was in."""
    piece = await admin.fetchval("select pg_walfile_name(pg_current_wal_lsn())")
    for _ in range(3):
        await admin.execute("select pg_switch_wal()")
        await admin.execute("checkpoint")
    return str(piece)
