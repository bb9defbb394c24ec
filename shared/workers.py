"""What a caller can make heavy, computed in a process of its own, which can be killed.

A thread cannot: it goes on when nobody waits any more, holds up all other requests while it holds the interpreter, and
takes the memory of the service. A worker takes as much time and memory as it was given, is killed when that is used up
or nobody waits any more, and ends with the service, however that ends. Workers are started when they are needed, and
stay for whoever comes next, so that only the first waits for it.
"""

import asyncio
import ctypes
import os
import resource
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import cast

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from shared.refusals import Invalid, Unavailable

PATIENCE = 2.0  # seconds in which a worker has to become free
WAITING = 8  # for each worker, so many may wait for it
TRIES = 3
SEND_LESS = "send less, or compute it with the command `roundlog`, which needs no server"
PR_SET_PDEATHSIG = 1
KINDNESS = 5  # by how much a worker stands back behind the service, which only takes a moment for each request


class TooHeavy(Invalid):
    """A computation has taken all that one may have. Asked again it would do so again."""


class OneAtATime(Exception):
    """This caller has something computed already."""

    retry_after = 1.0


class NoWorker(Unavailable):
    """More is being computed than a service does at once."""

    retry_after = 5.0


class Workers:
    """So many processes that compute at once, each thing within so many seconds and bytes."""

    def __init__(
        self, *, most: int, seconds: float, memory: int, patience: float = PATIENCE, instead: str = SEND_LESS
    ) -> None:
        self._places = asyncio.Semaphore(most)
        self._bearable = most * (1 + WAITING)
        self._asked_for = 0
        self._seconds = seconds
        self._memory = memory
        self._patience = patience
        self._instead = instead
        self._served: set[str] = set()

    async def compute[**Given, Found](
        self, function: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found:
        """What a function of a module finds. It and all that it is given and finds is pickled, refusals included."""
        async with self._place():
            return cast("Found", await self._computed(function, given, named))

    async def compute_for[**Given, Found](
        self, caller: str, function: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found:
        """What a function finds for one caller, who has one thing computed at a time."""
        if caller in self._served:
            raise OneAtATime(
                "One thing at a time is computed for one caller: wait for the answer to the last, then ask again."
            )
        self._served.add(caller)
        try:
            return await self.compute(function, *given, **named)
        finally:
            self._served.discard(caller)

    @asynccontextmanager
    async def _place(self) -> AsyncGenerator[None]:
        if self._asked_for >= self._bearable:
            raise NoWorker("as much is waiting to be computed as the service can bear")
        self._asked_for += 1
        try:
            await self._free()
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._asked_for -= 1

    async def _free(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._places.acquire()
        except TimeoutError:
            raise NoWorker("all that the service computes at once is being computed") from None

    async def _computed(
        self, function: Callable[..., object], given: tuple[object, ...], named: Mapping[str, object]
    ) -> object:
        here = CapacityLimiter(1)  # nobody waits for it: there is a place
        await prepared(function, here)
        try:
            async with asyncio.timeout(self._seconds):
                return await to_process.run_sync(
                    within, self._seconds, self._memory, function, given, named, cancellable=True, limiter=here
                )
        except (TimeoutError, BrokenWorkerProcess, MemoryError):
            raise TooHeavy(
                f"This has taken more than {self._seconds:g} seconds or {self._memory >> 20} MiB, which is all that one "
                f"computation has here: {self._instead}."
            ) from None


async def prepared(function: Callable[..., object], here: CapacityLimiter) -> None:
    """One that has died while it had nothing to do is found dead now, when another can still be taken."""
    for tries_left in reversed(range(TRIES)):
        try:
            return await to_process.run_sync(prepare, os.getpid(), function, cancellable=True, limiter=here)
        except BrokenWorkerProcess as broken:
            if not tries_left:
                raise NoWorker("no process that computes can be started") from broken
    return None


def prepare(service: int, _: Callable[..., object]) -> None:
    """In a worker: to name a function is to have its module there, which takes longest. It is done once."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != service:  # it has gone before it could be followed
        os.kill(os.getpid(), signal.SIGKILL)
    os.setpriority(os.PRIO_PROCESS, 0, KINDNESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def within(
    seconds: float, memory: int, function: Callable[..., object], given: tuple[object, ...], named: Mapping[str, object]
) -> object:
    """In a worker: also by itself it takes no more, should nobody be there to kill it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    bound = int(used.ru_utime + used.ru_stime + seconds) + 2  # that of the service comes first: it knows what to say
    resource.setrlimit(resource.RLIMIT_CPU, (bound, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
    return function(*given, **named)
