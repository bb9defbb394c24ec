"""A child process: it cannot outlive the launcher, and it ends within a bound."""

import asyncio
import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from deploy.local import logs, nats, postgres
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.logs import GLANCE, LARGEST, keep_small
from deploy.local.ports import PortTaken, any_free, listen
from deploy.local.processes import SHIM, Program, spawn, spawn_ready
from tests.integration.launching import kill, until
from tests.patience import PATIENCE

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user needs no other identity")
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"


def program(tmp_path: Path, *command: str, **more: Any) -> Program:
    wanted: dict[str, Any] = {
        "name": "example",
        "command": command,
        "log": tmp_path / "example.log",
        "death_signal": signal.SIGKILL,
        "endings": ((signal.SIGTERM, 0.3),),
    }
    return Program(**(wanted | more))


async def never() -> bool:
    return False


async def always() -> bool:
    return True


def start_and_kill_the_parent(*options: str) -> int:
    """A parent of its own starts a child through the shim and is killed; answers the child."""
    script = f"""if True:
        import os, subprocess, sys
        reading, writing = os.pipe()
        options = {list(options)!r} + (["--lifeline", str(reading)] if "--guarded" in sys.argv else [])
        shim = [sys.executable, "-I", "-S", {str(SHIM)!r}, "--parent", str(os.getpid()), "--death-signal", "TERM"]
        child = subprocess.Popen([*shim, *options, "--", "/bin/sleep", "60"], pass_fds=(reading,))
        print(child.pid, flush=True)
        child.wait()
    """
    guarded = [option for option in options if option == "--guarded"]
    script = script.replace("'--guarded'", "")
    with subprocess.Popen([sys.executable, "-c", script, *guarded], stdout=subprocess.PIPE, text=True) as parent:  # noqa: S603 - ours
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        until(lambda: psutil.Process(pid).name() == "sleep")
        assert psutil.pid_exists(pid)
        parent.kill()
    return pid


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@LINUX_ONLY
def test_a_child_dies_with_its_parent() -> None:
    child = start_and_kill_the_parent()
    until(lambda: is_gone(child))


async def test_a_log_that_cannot_be_put_aside_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd, log = tmp_path / "a.log", tmp_path / "b.log"

    def put_aside(one: Path) -> None:
        if one == odd:
            raise PermissionError(errno.EPERM, "Operation not permitted")  # as of a file that may only be appended to
        one.write_bytes(b"")

    monkeypatch.setattr(logs, "put_aside", put_aside)
    for one in (odd, log):
        with one.open("wb") as written:
            written.truncate(LARGEST + 1)
    keeping = asyncio.create_task(keep_small(tmp_path))
    try:
        async with asyncio.timeout(PATIENCE):
            while log.stat().st_size and not keeping.done():
                await asyncio.sleep(0.01)
        assert not log.stat().st_size
        assert not keeping.done()
    finally:
        keeping.cancel()


@LINUX_ONLY
@ROOT_ONLY
def test_a_child_in_a_user_namespace_dies_with_its_parent() -> None:
    child = start_and_kill_the_parent("--as-user=1000")
    until(lambda: is_gone(child))


def test_where_the_system_does_not_tell_a_guardian_does() -> None:
    child = start_and_kill_the_parent("--guarded")
    until(lambda: is_gone(child))


async def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    deaf = await spawn(program(tmp_path, sys.executable, "-c", DEAF))
    until(lambda: "deaf" in deaf.written())
    await deaf.end()
    assert deaf.outcome() == "was ended by SIGKILL"


async def test_a_stopped_child_is_woken_to_end(tmp_path: Path) -> None:
    child = await spawn(program(tmp_path, "/bin/sleep", "60"))
    until(lambda: psutil.Process(child.pid).name() == "sleep")
    os.kill(child.pid, signal.SIGSTOP)
    await child.end(((signal.SIGTERM, PATIENCE),))
    assert child.outcome() == "was ended by SIGTERM"


async def test_a_child_that_dies_at_start_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(DiedAtStart, match="example ended with code 3 before it was ready") as died:
        await spawn_ready(program(tmp_path, "/bin/sh", "-c", "echo the reason; exit 3"), never)
    assert "the reason" in str(died.value)


async def test_a_child_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    found: list[int] = []
    with pytest.raises(CannotRun, match="not ready after 0 s"):
        await spawn_ready(
            program(tmp_path, "/bin/sleep", "60"), never, lambda child: found.append(child.pid), patience=0.2
        )
    assert not psutil.pid_exists(found[0])


async def test_a_large_log_is_put_aside_at_start(tmp_path: Path) -> None:
    log = tmp_path / "example.log"
    with log.open("wb") as written:
        written.truncate(LARGEST + 1)
    child = await spawn_ready(program(tmp_path, "/bin/sleep", "60"), always)
    await child.end()
    assert log.stat().st_size == 0
    assert (tmp_path / "example.log.1").stat().st_size == LARGEST


async def test_a_log_is_bounded_while_it_is_written(tmp_path: Path) -> None:
    """Of a process that knows nothing of it, and writes on."""
    chatty = "import time\nfor n in range(30_000): print(f'{n:07}', 'x' * 1_000)\nprint('the end', flush=True)\ntime.sleep(60)"
    log, aside = tmp_path / "example.log", tmp_path / "example.log.1"
    keeping = asyncio.create_task(keep_small(tmp_path))
    child = await spawn_ready(program(tmp_path, sys.executable, "-c", chatty), always)
    try:
        async with asyncio.timeout(PATIENCE):
            while not any(one.exists() and one.read_bytes().endswith(b"the end\n") for one in (log, aside)):
                await asyncio.sleep(GLANCE / 10)
            while log.stat().st_size > LARGEST:
                await asyncio.sleep(GLANCE / 10)
    finally:
        keeping.cancel()
        await child.end()
    assert aside.stat().st_size < 2 * LARGEST
    last = [line for line in (aside.read_bytes() + log.read_bytes()).splitlines() if line.endswith(b"x")][-1]
    assert last.startswith(b"0029999")


@LINUX_ONLY
@ROOT_ONLY
async def test_without_namespaces_root_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = tmp_path / "refusing.py"
    refusing.write_text(SHIM.read_text().replace("os.CLONE_NEWUSER", "0x40000001"))
    monkeypatch.setattr("deploy.local.processes.SHIM", refusing)
    with pytest.raises(CannotRun, match="an ordinary user, or set ROUNDLOG_DATABASE_URL"):
        async with postgres.running(tmp_path):
            pass


async def test_a_port_that_is_lost_to_another_is_named(tmp_path: Path) -> None:
    taken = any_free()
    with listen(taken):
        with pytest.raises(PortTaken, match=str(taken)):
            async with nats.running(tmp_path, port=taken):
                pass
        with pytest.raises(PortTaken, match=str(taken)):
            async with postgres.running(tmp_path, port=taken):
                pass


async def test_a_postgres_without_a_free_connection_is_not_taken_for_one_with_another_password(tmp_path: Path) -> None:
    few = {"max_connections": "4", "superuser_reserved_connections": "0", "max_wal_senders": "0"}
    async with postgres.running(tmp_path, settings=few) as server:
        async with asyncpg.create_pool(server.url, min_size=4, max_size=4):
            assert await postgres.opens(server.cluster)
            assert not await postgres.answers(server.url)
        with pytest.raises(CannotRun, match="opens with another password"):
            await postgres.opens(replace(server.cluster, password="another"))  # noqa: S106 - of nobody


async def test_a_number_that_another_process_has_by_now_does_not_keep_postgres_down(tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        await server.kill()
        left = tmp_path / "postgres" / "postmaster.pid"
        lines = left.read_text().splitlines()
        child = await spawn(program(tmp_path, "/bin/sleep", "60"))
        left.write_text("\n".join([str(child.pid), *lines[1:]]) + "\n")
        await server.start()
        await child.end()


@pytest.mark.parametrize("left", [b"", bytes(64)], ids=["empty", "zeros"])
async def test_a_lock_that_a_breakdown_has_left_without_a_number_does_not_keep_postgres_down(
    tmp_path: Path, left: bytes
) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        await server.kill()
        (tmp_path / "postgres" / "postmaster.pid").write_bytes(left)
        await server.start()


async def test_a_lock_without_a_number_stays_where_a_postgres_works(tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        lock = tmp_path / "postgres" / "postmaster.pid"
        number = lock.read_bytes()
        lock.write_bytes(b"")
        assert not postgres.may_pass(server.cluster.folder, 'FATAL:  lock file "postmaster.pid" is empty', 0)
        assert lock.exists()
        lock.write_bytes(number)


async def test_a_paused_backend_of_a_killed_postgres_does_not_keep_it_down(tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        backend = psutil.Process(server.pid).children()[0].pid
        os.kill(backend, signal.SIGSTOP)
        kill(server.pid)
        await server.start()
        assert is_gone(backend)


async def test_data_of_another_major_version_is_refused(tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        await server.kill()
        (tmp_path / "postgres" / "PG_VERSION").write_text("17\n")
        with pytest.raises(CannotRun, match="another major version of PostgreSQL"):
            await server.start()


async def test_postgres_starts_right_after_it_was_killed(tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings={"fsync": "off"}) as server:
        for _ in range(5):
            kill(server.pid)
            await server.start()
