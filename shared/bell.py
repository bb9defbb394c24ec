"""Tells whoever follows the log, in any process, that it has moved.

The bell is rung after a commit and never inside it: a transaction that notifies holds, until it is on disk, a lock
that all databases of the server share, and four services would commit one after the other. A ring may be lost with
the process that owed it, so followers also look by themselves once a heartbeat.
"""

import asyncio
import logging
from contextlib import suppress
from typing import NoReturn

import asyncpg

HEARTBEAT = 1.0  # seconds
RING = "select pg_notify('log', '')"

logger = logging.getLogger(__name__)


class Bell:
    def __init__(self, database: str) -> None:
        self._database = database
        self._owed = asyncio.Event()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the followers of this process now and those of the others very soon."""
        self._wake()
        self._owed.set()

    def next_ring(self) -> asyncio.Event:
        """Taken before reading, so that whatever comes meanwhile has rung it."""
        return self._rung

    async def work(self) -> NoReturn:
        while True:
            try:
                connection = await asyncpg.connect(self._database, server_settings={"synchronous_commit": "off"})
                try:
                    await connection.add_listener("log", self._wake)
                    while True:
                        await wait(self._owed)
                        self._owed.clear()
                        await connection.execute(RING)
                finally:
                    await close(connection)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                logger.warning("the bell of the log lost its connection: %r", error)
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
    with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        await connection.close(timeout=HEARTBEAT)
