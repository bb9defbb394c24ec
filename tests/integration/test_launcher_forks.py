"""A fork of a service is a child like others, and the server that forks them is replaced when it does not."""

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from deploy.local import forks
from deploy.local.errors import CannotRun
from deploy.local.forks import ForkServer
from deploy.local.ports import any_free, listen
from deploy.local.processes import Child, Program
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each service is started by itself")


async def test_forks_are_children_of_ours_and_a_server_that_does_not_fork_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ForkServer(tmp_path / "services.log", ())
    with listen(any_free()) as listening:

        async def fork() -> Child:
            return await server.spawn("pairing", program(tmp_path), listening)

        child = await fork()  # which is told of no database, and so ends
        assert psutil.Process(child.pid).ppid() == os.getpid()
        assert await child.wait() == 1
        assert child.outcome() == "ended with code 1"
        assert "ROUNDLOG_DATABASE_URL: Field required" in child.written()
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)

        killed = child_named("rl-fork-server")
        killed.send_signal(signal.SIGSTOP)
        with monkeypatch.context() as hurried:
            hurried.setattr(forks, "PATIENCE", 0.5)
            with pytest.raises(CannotRun, match=r"services\.log"):
                await fork()
        assert not killed.is_running()
        child = await fork()
        await child.end()
        assert child.ended
        child_named("rl-fork-server").kill()
        with pytest.raises(CannotRun, match="fork server was ended by SIGKILL"):
            await fork()
    await server.end()


def program(folder: Path) -> Program:
    return Program(
        name="pairing",
        command=(),
        log=folder / "pairing.log",
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, PATIENCE),),
        environment={"PATH": os.environ["PATH"]},
    )


def child_named(name: str) -> psutil.Process:
    """The newest: other tests of this process may have one as well."""
    named = [one for one in psutil.Process().children() if one.name() == name]
    return max(named, key=psutil.Process.create_time)
