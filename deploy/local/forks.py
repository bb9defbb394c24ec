"""Services are forked from one process that has loaded the code of all of them, where the system is Linux.

They are ready sooner, at the first start as after a death, and share the memory of what they have in common.
"""

import asyncio
import os
import socket
import sys
from pathlib import Path
from signal import Signals

import msgspec

from deploy.fork_server import ASKED, PID_SIZE, Instructions
from deploy.local import child
from deploy.local.errors import CannotRun
from deploy.local.logs import put_aside_large
from deploy.local.options import ROOT
from deploy.local.processes import Child, Program, spawn

PATIENCE = 60.0  # the first service waits until the code is loaded, on a machine that has much else to do


def can_fork() -> bool:
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class Forked:
    """A process that somebody else forked and we have taken in. It is used like one of asyncio."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.Event()
        self._descriptor = os.pidfd_open(pid)
        asyncio.get_running_loop().add_reader(self._descriptor, self._reap)

    async def wait(self) -> int:
        await self._ended.wait()
        return self.returncode or 0

    def send_signal(self, sent: Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, sent)

    def _reap(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._ended.set()


async def given_up(task: asyncio.Task[bytes]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


class ForkServer:
    def __init__(self, log: Path, descriptors: tuple[int, ...]) -> None:
        self._log = log
        self._descriptors = descriptors
        self._one_at_a_time = asyncio.Lock()
        self._running: tuple[Child, socket.socket] | None = None

    async def load(self) -> None:
        """Begin to, so that it has less to wait for who is forked first."""
        async with self._one_at_a_time:
            await self._started()

    async def spawn(self, service: str, program: Program, listening: socket.socket) -> Child:
        """As if it had been started by itself; what it has of descriptors besides are those of the server."""
        program.log.parent.mkdir(parents=True, exist_ok=True)
        put_aside_large(program.log)
        reading, writing = os.pipe()
        try:
            with program.log.open("ab") as log:
                started_at = log.tell()
                forked = await self._forked([log.fileno(), listening.fileno(), reading])
            told = Instructions(service=service, environment=dict(program.environment))
            with os.fdopen(os.dup(writing), "wb") as pipe:
                pipe.write(msgspec.json.encode(told))
        finally:
            os.close(reading)
            os.close(writing)
        return Child(program, forked, started_at)

    async def end(self) -> None:
        """Nobody may be waiting for a fork any more. Those that there are live on."""
        running, self._running = self._running, None
        if running:
            server, orders = running
            orders.close()
            await server.end()

    async def _forked(self, given: list[int]) -> Forked:
        async with self._one_at_a_time:
            server, orders = await self._started()
            child.take_in_orphans(wanted=True)
            answer = asyncio.create_task(self._asked(orders, given))
            dying = asyncio.create_task(server.wait())
            try:
                await asyncio.wait({answer, dying}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
                if answer.done() and not answer.exception() and answer.result():
                    return Forked(int.from_bytes(answer.result()))
                if not answer.done() and not dying.done():
                    raise CannotRun(f"No service is forked within {PATIENCE:g} s: look into {self._log}.")
                await server.end()
                raise server.failure()
            except BaseException:
                await given_up(answer)  # before its socket is closed
                await self.end()
                raise
            finally:
                child.take_in_orphans(wanted=False)
                dying.cancel()

    async def _asked(self, orders: socket.socket, given: list[int]) -> bytes:
        socket.send_fds(orders, [ASKED], given)
        return await asyncio.get_running_loop().sock_recv(orders, PID_SIZE)

    async def _started(self) -> tuple[Child, socket.socket]:
        if self._running and not self._running[0].ended:
            return self._running
        await self.end()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)  # noqa: FBT003 - so the socket takes it
        with theirs:
            server = await spawn(self._program(theirs.fileno()))
        self._running = server, ours
        return self._running

    def _program(self, orders: int) -> Program:
        return Program(
            name="fork server",
            command=(sys.executable, "-m", "deploy.fork_server", f"--orders={orders}"),
            log=self._log,
            death_signal=Signals.SIGKILL,
            endings=(),
            descriptors=(*self._descriptors, orders),
            working_folder=ROOT,
        )
