"""What goes on in the background for as long as a service runs."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from shared.refusals import Unavailable

logger = logging.getLogger(__name__)


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, object]) -> AsyncGenerator[None]:
    """Goes on while what stands inside waits. It only spares the next step something: what is not done by then is given up,
    and what has failed is only said."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(ended, Exception):
            logger.warning("what was begun beforehand has failed: %r", ended)


async def first_of(several: Sequence[Awaitable[object]], seconds: float | None = None) -> None:
    """Go on with all of them until one ends or the time is over; what went wrong in one goes wrong here."""
    tasks = [asyncio.ensure_future(one) for one in several]
    try:
        timeout = None if seconds is None else max(0, seconds)
        done, _ = await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


def say_of_failure(task: asyncio.Task[Any], words: str) -> None:
    """In the log of the service, when a task ends by a fault of ours, whoever asks for it later."""

    def say(ended: asyncio.Task[Any]) -> None:
        if not ended.cancelled() and (error := ended.exception()):
            logger.critical(words, exc_info=error)

    task.add_done_callback(say)


class Work:
    """Goes on inside `async with work.running()`, and never ends before."""

    def __init__(self, name: str, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self._name = name
        self._work = work
        self._task: asyncio.Task[object] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        self._task = asyncio.create_task(self._work(), name=self._name)
        say_of_failure(self._task, f"the {self._name} has stopped")
        try:
            yield
        finally:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def check(self) -> None:
        """Raise when it has ended all the same: only a mended version can go on."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            raise Unavailable(f"the {self._name} has stopped: {self._task.exception()!r}")
