"""Tells whoever follows the log or the inbox, in any process of a service, that something has come.

The bell is rung after a commit and never inside it: a transaction that notifies holds, until it is on disk, a lock
that all databases of the server share, and four services would commit one after the other. A ring may be lost with
the process that owed it, so followers also look by themselves once a heartbeat.
"""

import asyncio
import logging
from contextlib import suppress
from typing import NoReturn

import asyncpg

from shared.background import Work

HEARTBEAT = 1.0  # seconds
RING = "select pg_notify($1, '')"
BROKEN = (  # what a connection ends with that is used for one purpose only, and made anew
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the driver lost count when it broke
)

logger = logging.getLogger(__name__)


class Bell:
    def __init__(self, database: str, name: str) -> None:
        self._database = database
        self._name = name
        self._owed = asyncio.Event()
        self._rung = asyncio.Event()
        self.running = Work(f"bell of the {name}", self._work).running

    def ring(self) -> None:
        """Wake the followers of this process now and those of the others very soon."""
        self._wake()
        self._owed.set()

    def next_ring(self) -> asyncio.Event:
        """Taken before reading, so that whatever comes meanwhile has rung it."""
        return self._rung

    async def _work(self) -> NoReturn:
        while True:
            try:
                connection = await asyncpg.connect(self._database, server_settings={"synchronous_commit": "off"})
                try:
                    await connection.add_listener(self._name, self._wake)
                    while True:
                        await wait(self._owed)
                        self._owed.clear()
                        await connection.execute(RING, self._name)
                finally:
                    await close(connection)
            except BROKEN as error:
                logger.warning("the bell of the %s lost its connection: %r", self._name, error)
                await asyncio.sleep(HEARTBEAT)

    def _wake(self, *_: object) -> None:
        self._rung.set()
        self._rung = asyncio.Event()


async def wait(event: asyncio.Event) -> None:
    """Wait for it, but no longer than a heartbeat."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):
            await event.wait()


async def close(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Say goodbye, but do not wait long for a server that may be gone."""
    with suppress(*BROKEN):
        await connection.close(timeout=HEARTBEAT)
