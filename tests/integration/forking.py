"""Services forked from one process that has loaded their code, as the launcher does it: to load it for each test is dear."""

import atexit
import functools
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping

import msgspec

from deploy.fork_server import ASKED, PID_SIZE, Instructions
from deploy.local import child
from tests.patience import PATIENCE


class Forked:
    """A child of ours that somebody else has forked. It is used like one of `subprocess`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._descriptor = os.pidfd_open(pid)

    def send_signal(self, sent: signal.Signals) -> None:
        if self.returncode is None:
            signal.pidfd_send_signal(self._descriptor, sent)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float = PATIENCE) -> int:
        if self.returncode is None:
            assert select.select([self._descriptor], [], [], timeout)[0], f"{self.pid} has not ended within {timeout} s"
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._descriptor)
        return self.returncode


@functools.cache
def fork_server() -> socket.socket:
    """Of this process, and ending with it."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "deploy.fork_server", f"--orders={number}"], pass_fds=[number]
        )

    @atexit.register
    def end() -> None:
        ours.close()
        process.wait(PATIENCE)

    return ours


def forked(service: str, *, log: int, listening: int, environment: Mapping[str, str]) -> Forked:
    orders = fork_server()
    reading, writing = os.pipe()
    child.take_in_orphans(wanted=True)
    try:
        socket.send_fds(orders, [ASKED], [log, listening, reading])
        answer = orders.recv(PID_SIZE)  # as late as the code is loaded, and nothing when it could not be
        assert answer, "the fork server has ended"
        started = Forked(int.from_bytes(answer))
        with os.fdopen(os.dup(writing), "wb") as pipe:
            pipe.write(msgspec.json.encode(Instructions(service=service, environment=dict(environment))))
    except BaseException:  # what it answers later would be taken for the next answer
        fork_server.cache_clear()
        orders.close()
        raise
    finally:
        child.take_in_orphans(wanted=False)
        os.close(reading)
        os.close(writing)
    return started
