"""Servers that tests kill and start again on the same port."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from deploy.local.ports import PortTaken, any_free
from deploy.local.processes import Child


class KillableServer:
    def __init__(self, start: Callable[[], Awaitable[Child]]) -> None:
        self._start = start
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        if self._child is None:
            raise RuntimeError("It does not run.")
        return self._child.pid

    async def start(self) -> None:
        self._child = await self._start()

    async def kill(self) -> None:
        if self._child is not None:
            await self._child.end(())

    async def stop(self) -> None:
        if self._child is not None:
            await self._child.end()


@asynccontextmanager
async def running_at[Server: KillableServer](
    port: int | None, made_at: Callable[[int], Server]
) -> AsyncGenerator[Server]:
    """On a free port if none is asked for; stopped at the end, whatever happened to it."""
    while True:
        server = made_at(port or any_free())
        try:
            await server.start()
            break
        except PortTaken:
            if port is not None:
                raise
    try:
        yield server
    finally:
        await server.stop()
