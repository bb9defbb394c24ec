"""Start one process that cannot outlive this one, and end it within a bound."""

import asyncio
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from signal import Signals
from typing import Protocol

import msgspec
import psutil

from deploy.local import child
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.logs import put_aside_large
from shared.values import Value

ORDINARY_USER = 1000
SHIM = Path(child.__file__).resolve()

# What a child is told by us or not at all: as whom we administrate a database, and where a secret of somebody lies.
FOR_THE_LAUNCHER = {
    "ROUNDLOG_DATABASE_URL",
    "ROUNDLOG_DATABASE_PASSWORD_FILE",
    "ROUNDLOG_NATS_URL",
    "ROUNDLOG_NATS_PASSWORD_FILE",
    "ROUNDLOG_CAPTAIN_KEY",
}


def inherited() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in FOR_THE_LAUNCHER}


class Program(Value):
    name: str
    command: tuple[str, ...]
    log: Path
    death_signal: Signals  # what it gets when the launcher dies
    endings: tuple[tuple[Signals, float], ...]  # how to ask it to end, and for how many seconds; SIGKILL follows
    environment: Mapping[str, str] = msgspec.field(default_factory=inherited)
    descriptors: tuple[int, ...] = ()
    working_folder: Path | None = None
    refuses_root: bool = False


class Process(Protocol):
    """What is used of a process of asyncio."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    async def wait(self) -> int: ...
    def send_signal(self, signal: Signals, /) -> None: ...


class Child:
    def __init__(self, program: Program, process: Process, log_start: int) -> None:
        self.program = program
        self._process = process
        self._log_start = log_start

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    async def wait(self) -> int:
        return await self._process.wait()

    async def ends_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        return self.ended

    def send(self, sent: Signals) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(sent)

    def written(self) -> str:
        """What it has written to its log since it was started."""
        with suppress(FileNotFoundError), self.program.log.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            began = self._log_start if self._log_start <= size else 0  # it was emptied meanwhile
            log.seek(max(began, size - 20_000))
            return log.read().decode(errors="replace")
        return ""

    def outcome(self) -> str:
        code = self._process.returncode
        if code is None:
            return "runs"
        return f"ended with code {code}" if code >= 0 else f"was ended by {Signals(-code).name}"

    def failure(self) -> CannotRun:
        """Why it ended before it was ready, in a sentence with the end of its log."""
        name, log = self.program.name, self.program.log
        if self._process.returncode == child.NOT_PERMITTED:
            return CannotRun(
                "PostgreSQL refuses to run as root, and this machine permits no user namespace to run it in: "
                "start Roundlog as an ordinary user, or set ROUNDLOG_DATABASE_URL to a running PostgreSQL."
            )
        lines = self.written().splitlines()[-12:]
        sentence = f"{name} {self.outcome()} before it was ready. The end of {log}:"
        return DiedAtStart("\n    ".join([sentence, *lines]), log=self.written())

    async def end(self, endings: Sequence[tuple[Signals, float]] | None = None) -> None:
        for sent, patience in self.program.endings if endings is None else endings:
            if self.ended:
                return
            self.send(sent)
            self.send(signal.SIGCONT)  # a stopped process would not notice
            if await self.ends_within(patience):
                return
        if not self.ended:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)  # it leads its own group
        await self.wait()


type Spawned = Callable[[Child], None]


def nobody(_: Child) -> None:
    """Nobody needs to know of a child before it is ready."""


async def spawn(program: Program) -> Child:
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("A child dies with the thread that started it: only the main thread may start one.")
    program.log.parent.mkdir(parents=True, exist_ok=True)
    put_aside_large(program.log)
    lifeline = [] if sys.platform == "linux" else [_lifeline()]
    inherited = (*program.descriptors, *lifeline)
    shim = [sys.executable, "-I", "-S", str(SHIM), f"--parent={os.getpid()}"]
    shim.append(f"--death-signal={program.death_signal.name.removeprefix('SIG')}")
    shim += [f"--lifeline={descriptor}" for descriptor in lifeline]
    shim += [f"--held={descriptor}" for descriptor in program.descriptors]
    if program.refuses_root and os.geteuid() == 0:
        shim.append(f"--as-user={ORDINARY_USER}")
    with program.log.open("ab") as log:
        started_at = log.tell()
        process = await asyncio.create_subprocess_exec(
            *shim,
            "--",
            *program.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=program.environment,
            cwd=program.working_folder,
            pass_fds=inherited,
            start_new_session=True,  # a Ctrl-C in the terminal is for the launcher alone
        )
    return Child(program, process, started_at)


async def spawn_ready(
    program: Program,
    ready: Callable[[], Awaitable[bool]],
    spawned: Spawned = nobody,
    *,
    patience: float = 60.0,
    start: Callable[[Program], Awaitable[Child]] = spawn,
) -> Child:
    """Start it and return when it answers; one that does not is ended before the error leaves here."""
    started = await start(program)
    spawned(started)
    dying = asyncio.create_task(started.wait())
    asking = asyncio.create_task(_until(ready))
    try:
        await asyncio.wait({dying, asking}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if dying.done():
            raise started.failure()
        if not asking.done():
            raise CannotRun(f"{program.name} was not ready after {patience:.0f} s: look into {program.log}.")
        asking.result()
    except BaseException:
        await started.end()
        raise
    finally:
        asking.cancel()
        dying.cancel()
    return started


async def _until(ready: Callable[[], Awaitable[bool]]) -> None:
    while True:
        if await ready():
            return
        await asyncio.sleep(0.05)


async def until_gone(left: Callable[[], Sequence[psutil.Process]], *, patience: float) -> None:
    """Returns when none of them is left; those that are after so many seconds are killed."""
    give_up = time.monotonic() + patience
    while processes := left():
        if time.monotonic() > give_up:
            for process in processes:
                with suppress(psutil.Error):
                    process.kill()
        await asyncio.sleep(0.02)


@functools.cache
def _lifeline() -> int:
    """The reading end of a pipe whose writing end is never inherited, so it closes with this process."""
    return os.pipe()[0]
