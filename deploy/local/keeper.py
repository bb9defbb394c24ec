"""Keeps one server working: starts it, and again whenever it dies, or lives on and does not do its work any more.

Whether it works, it is asked every second as a caller of its own would ask it. Time that this process slept through
itself, as on a laptop whose lid was closed, says nothing about a server: a question that took longer than it may counts
as if it had taken as long as it may.
"""

import asyncio
import math
import signal
import time
from collections.abc import Awaitable, Callable

from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.health import PATIENCE, Condition
from deploy.local.processes import Child, Spawned

FIRST_DELAY, LONGEST_DELAY = 0.25, 30.0
HEALTHY_AFTER = 60.0
TRIES_AT_FIRST = 5
AT_ONCE = ((signal.SIGQUIT, 2.0),)  # PostgreSQL ends its backends; the others just end
ASKED_EVERY, SELDOM = 1.0, 5.0  # the second as long as it works
ANSWERS_WITHIN = 5.0


def nothing() -> None:
    """Nobody has to know that a server has ended."""


class Keeper:
    def __init__(
        self,
        name: str,
        start: Callable[[Spawned], Awaitable[Child]],
        ask: Callable[[], Awaitable[Condition]],
        *,
        say: Callable[[str], None],
        changed: Callable[[], object],
        ended: Callable[[], None] = nothing,
    ) -> None:
        self.name = name
        self.child: Child | None = None
        self._start = start
        self._ask = ask
        self._say = say
        self._changed = changed
        self._ended = ended
        self._first_ready = asyncio.Event()
        self.kept = asyncio.create_task(self._keep(), name=name)

    async def ready(self) -> None:
        """Returns when it was ready for the first time, raises why it never was."""
        waiting = asyncio.create_task(self._first_ready.wait())
        await asyncio.wait({waiting, self.kept}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.kept.done():
            self.kept.result()

    async def end(self) -> None:
        self.kept.cancel()
        await asyncio.gather(self.kept, return_exceptions=True)
        if self.child:
            await self.child.end()

    async def end_at_once(self) -> None:
        self.kept.cancel()
        if self.child:
            await self.child.end(AT_ONCE)

    async def _keep(self) -> None:
        delay, deaths = FIRST_DELAY, 0
        while True:
            began = time.monotonic()
            try:
                child = await self._start(self._spawned)
            except (CannotRun, OSError) as failed:
                deaths += 1
                if not self._first_ready.is_set() and not (isinstance(failed, DiedAtStart) and deaths < TRIES_AT_FIRST):
                    raise
                self._say(f"  {self.name:13} {_first_line(failed)} Next try in {delay:g} s.")
            else:
                verb = "again ready" if self._first_ready.is_set() else "ready"
                self._say(f"  {self.name:13} {verb} after {time.monotonic() - began:.1f} s")
                self._first_ready.set()
                await self._work(child)
                self._ended()
                delay = FIRST_DELAY if time.monotonic() - began > HEALTHY_AFTER else delay
                self._say(f"  {self.name:13} {child.outcome()}; started again in {delay:g} s")
            self._changed()
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY)

    async def _work(self, child: Child) -> None:
        """Returns when it has ended: by itself, or because it did its work no more."""
        dying = asyncio.create_task(child.wait())
        failing = asyncio.create_task(self._failed())
        try:
            await asyncio.wait({dying, failing}, return_when=asyncio.FIRST_COMPLETED)
            if not dying.done():
                self._say(f"  {self.name:13} lives, but {failing.result()}; it is ended")
                await child.end(AT_ONCE)
        finally:
            dying.cancel()
            failing.cancel()

    async def _failed(self) -> str:
        """Returns when its condition has lasted for too long, and answers what that was."""
        last, lasted = await self._asked(), 0.0
        while lasted <= PATIENCE.get(last, math.inf):
            began = time.monotonic()
            pause = SELDOM if last == "works" else ASKED_EVERY
            await asyncio.sleep(pause)
            found = await self._asked()
            step = min(time.monotonic() - began, pause + ANSWERS_WITHIN)
            last, lasted = found, (lasted + step if found == last else 0.0)
        return f"{last} since {lasted:.0f} s"

    async def _asked(self) -> Condition:
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                return await self._ask()
        except TimeoutError:
            return "is silent"

    def _spawned(self, child: Child) -> None:
        self.child = child
        self._changed()


def _first_line(failed: CannotRun | OSError) -> str:
    return str(failed).splitlines()[0].partition(" The end of ")[0]
