"""Keeps one server running: starts it, and again whenever it dies."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable

from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.spawn import Child, Spawned

FIRST_DELAY, LONGEST_DELAY = 0.25, 30.0
HEALTHY_AFTER = 60.0
TRIES_AT_FIRST = 5
AT_ONCE = ((signal.SIGQUIT, 2.0),)  # PostgreSQL ends its backends; the others just end


class Keeper:
    def __init__(
        self,
        name: str,
        start: Callable[[Spawned], Awaitable[Child]],
        *,
        say: Callable[[str], None],
        changed: Callable[[], object],
    ) -> None:
        self.name = name
        self.child: Child | None = None
        self._start = start
        self._say = say
        self._changed = changed
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
                await child.wait()
                delay = FIRST_DELAY if time.monotonic() - began > HEALTHY_AFTER else delay
                self._say(f"  {self.name:13} {child.outcome()}; started again in {delay:g} s")
            self._changed()
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY)

    def _spawned(self, child: Child) -> None:
        self.child = child
        self._changed()


def _first_line(failed: CannotRun | OSError) -> str:
    return str(failed).splitlines()[0].partition(" The end of ")[0]
