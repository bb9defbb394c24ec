"""The platform as its users start it: a process of its own, in a folder of its own, on ports of its own."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress

import httpx
import msgspec
import psutil

from deploy.local import lock, ports, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.status import PlatformStatus
from shared.values import Value
from tests.patience import PATIENCE

MARK = "ROUNDLOG_TEST_RUN"
AS_ORDINARY_USER = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


class Platform(Value):
    folder: Folder
    base_port: int
    unprivileged: bool = False
    environment: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])

    def command(self, *words: str) -> list[str]:
        """As an ordinary user, root's own files stay readable, which no change to another user could give."""
        user = AS_ORDINARY_USER if self.unprivileged else ()
        return [*user, sys.executable, "-m", "deploy.cli", *words, f"--data={self.folder.path}"]

    def run(self, *words: str, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own command
            self.command(*words), capture_output=True, text=True, timeout=patience, check=False, env=self.environ()
        )

    def up(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("up", f"--base-port={self.base_port}", *words)

    @contextmanager
    def launcher(self, *words: str, own_session: bool = True) -> Generator[subprocess.Popen[str]]:
        """A launcher in the foreground, which ends with the block at the latest, and its servers with it."""
        command = self.command("up", f"--base-port={self.base_port}", *words)
        with subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environ(),
            start_new_session=own_session,
        ) as started:
            try:
                yield started
            finally:
                started.kill()
                self.clear()

    def status(self) -> PlatformStatus:
        return msgspec.json.decode(self.run("status", "--json").stdout, type=PlatformStatus)

    def pid(self, name: str) -> int:
        """From the file that the launcher keeps, which is quicker than to ask."""
        known = state.read(self.folder.state)
        assert known is not None
        return next(process.pid for process in (known.launcher, *known.processes) if process.name == name)

    def backends(self) -> list[int]:
        return [process.pid for process in psutil.Process(self.pid("postgres")).children()]

    def url(self, service: str) -> str:
        return f"http://127.0.0.1:{ports.of(service, self.base_port)}"

    def below(self, service: str) -> str:
        """The same through the proxy, as its users have it."""
        return f"{self.url('proxy')}/{service}"

    def is_ready(self) -> bool:
        try:
            asked = [f"{self.url(name)}/readyz" for name in ports.SERVICES] + [f"{self.url('proxy')}/healthz"]
            return all(httpx.get(url).is_success for url in asked)
        except httpx.TransportError:
            return False

    def is_gone(self) -> bool:
        """Asked often, it first looks whether the folder is held, which is quicker than to look at all processes."""
        return lock.is_free(self.folder) and not self.left()

    def left(self) -> list[psutil.Process]:
        """Every process of this run, however it is found."""
        found = {process.pid: process for process in psutil.process_iter() if process.pid and self._is_ours(process)}
        if self.folder.lock.exists():
            found |= {process.pid: process for process in lock.holders(self.folder.lock)}
        return list(found.values())

    def clear(self) -> None:
        """First the launcher alone: PostgreSQL then ends by itself, and takes its shared memory along."""
        if known := state.read(self.folder.state):
            if launcher := state.find(known.launcher):
                launcher.kill()
            with suppress(AssertionError):
                until(self.is_gone, 5)
        for process in self.left():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        until(self.is_gone)

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            if process.status() == psutil.STATUS_ZOMBIE or process.pid == os.getpid():
                return False
            return str(self.folder.path) in " ".join(process.cmdline()) or (
                process.environ().get(MARK) == str(self.folder.path)
            )
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return False

    def environ(self) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ROUNDLOG_")}
        return clean | {MARK: str(self.folder.path)} | dict(self.environment)


def free_base() -> int:
    """None that a process of tests beside this one may be about to take: each has every so many-th."""
    worker, workers = (
        int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]),
        int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")),
    )
    while True:
        base = random.SystemRandom().randrange(20_000 + 10 * worker, 30_000, 10 * workers)
        try:
            for port in range(base, base + 7):
                ports.require_free(port)
        except CannotRun:
            continue
        return base


def until(holds: Callable[[], object], patience: float = PATIENCE) -> float:
    """How long it took to come true. The longer it takes, the more seldom somebody looks: that is work as well."""
    began, pause = time.monotonic(), 0.01
    while not holds():
        assert time.monotonic() - began < patience, f"not within {patience} s"
        time.sleep(pause)
        pause = min(1.1 * pause, 0.06)
    return time.monotonic() - began


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
