"""Tells whoever follows the log or the inbox, in any process of a service, that something has come.

The bell is rung after a commit and never inside it: a transaction that notifies holds, until it is on disk, a lock
that all databases of the server share, and four services would commit one after the other. A ring may be lost with
the process that owed it, so whoever waits for one, or the log for all who follow it, also looks by itself once a heartbeat.

All bells of a process for one database share a connection: it is the server that pays for each that there is.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

import asyncpg

HEARTBEAT = 1.0  # seconds
RING = "select pg_notify($1, '')"
RING_SEVERAL = "select pg_notify(name, '') from unnest($1::text[]) name"
BROKEN = (  # what a connection ends with that is used for one purpose only, and made anew
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver lost count when it broke
)

logger = logging.getLogger(__name__)


class Bell:
    """`unseen` counts the rings for what does not lie in the memory of this process: whoever follows has to look."""

    def __init__(self, database: str, name: str) -> None:
        self._database = database
        self._wire: Wire | None = None
        self._rung = asyncio.Event()
        self.name = name
        self.unseen = 0

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with wire(self._database, self) as self._wire:
            yield
        self._wire = None

    def ring(self, *, is_at_hand: bool = False) -> None:
        """Wake the followers of this process now and those of the others very soon."""
        self.wake(is_at_hand=is_at_hand)
        if self._wire is not None:
            self._wire.ring(self)

    def next_ring(self) -> asyncio.Event:
        """Taken before reading, so that whatever comes meanwhile has rung it."""
        return self._rung

    def wake(self, *, is_at_hand: bool = False) -> None:
        self.unseen += not is_at_hand
        self._rung.set()
        self._rung = asyncio.Event()


class Wire:
    """The connection over which the bells of this process are rung, and hear those of others."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._bells: dict[str, list[Bell]] = defaultdict(list)
        self._owed: set[str] = set()
        self._due = asyncio.Event()
        self._working = asyncio.create_task(self._work(), name="wire of the bells")

    async def end(self) -> None:
        self._working.cancel()
        await asyncio.gather(self._working, return_exceptions=True)

    def hang(self, bell: Bell) -> None:
        self._bells[bell.name].append(bell)
        self._due.set()

    def take_off(self, bell: Bell) -> bool:
        """Whether no other one is left."""
        self._bells[bell.name].remove(bell)
        return not any(self._bells.values())

    def ring(self, rung: Bell) -> None:
        for bell in self._bells[rung.name]:
            if bell is not rung:
                bell.wake()
        self._owed.add(rung.name)
        self._due.set()

    async def _work(self) -> NoReturn:
        while True:
            try:
                connection = await asyncpg.connect(self._database, server_settings={"synchronous_commit": "off"})
                try:
                    await self._carry(connection)
                finally:
                    await close(connection)
            except BROKEN as error:
                logger.warning("the bells lost their connection: %r", error)
                await asyncio.sleep(HEARTBEAT)

    async def _carry(self, connection: "asyncpg.Connection[asyncpg.Record]") -> NoReturn:
        heard: set[str] = set()
        has_come = True
        while True:
            self._due.clear()
            for name in self._bells.keys() - heard:
                await connection.add_listener(name, self._hear)
                heard.add(name)
                self._wake(name)  # whoever rang while nobody heard it here
            if self._owed or not has_come:  # after a silence it is asked whether the connection still is one
                owed, self._owed = self._owed, set()
                await connection.execute(RING_SEVERAL, list(owed))
            has_come = await wait(self._due)

    def _hear(self, connection: object, pid: int, name: object, *_: object) -> None:
        own = connection.get_server_pid() if isinstance(connection, asyncpg.Connection) else None
        if pid != own:  # whoever is here was woken when it was rung
            self._wake(str(name))

    def _wake(self, name: str) -> None:
        for bell in self._bells[name]:
            bell.wake()


wires: dict[tuple[str, asyncio.AbstractEventLoop], Wire] = {}


@asynccontextmanager
async def wire(database: str, bell: Bell) -> AsyncGenerator[Wire]:
    """The one of this database, which runs as long as a bell hangs on it."""
    place = database, asyncio.get_running_loop()
    if place not in wires:
        wires[place] = Wire(database)
    found = wires[place]
    found.hang(bell)
    try:
        yield found
    finally:
        if found.take_off(bell):
            del wires[place]
            await found.end()


async def wait(event: asyncio.Event) -> bool:
    """Wait for it, but no longer than a heartbeat; says whether it has come, also where both end at once."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):
            await event.wait()
    return event.is_set()


async def close(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Say goodbye, but do not wait long for a server that may be gone."""
    with suppress(*BROKEN):
        await connection.close(timeout=HEARTBEAT)
