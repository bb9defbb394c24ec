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
    """`unseen` counts the rings for what does not lie in the memory of this process: whoever follows has to look."""

    def __init__(self, database: str, name: str) -> None:
        self._database = database
        self._name = name
        self._owed = asyncio.Event()
        self._rung = asyncio.Event()
        self.unseen = 0
        self.running = Work(f"bell of the {name}", self._work).running

    def ring(self, *, is_at_hand: bool = False) -> None:
        """Wake the followers of this process now and those of the others very soon."""
        self._wake(is_at_hand=is_at_hand)
        self._owed.set()

    def next_ring(self) -> asyncio.Event:
        """Taken before reading, so that whatever comes meanwhile has rung it."""
        return self._rung

    async def _work(self) -> NoReturn:
        while True:
            try:
                connection = await asyncpg.connect(self._database, server_settings={"synchronous_commit": "off"})
                try:
                    await connection.add_listener(self._name, self._hear)
                    self._wake()  # whoever rang while nobody heard it here
                    while True:
                        await wait(self._owed)
                        self._owed.clear()
                        await connection.execute(RING, self._name)
                finally:
                    await close(connection)
            except BROKEN as error:
                logger.warning("the bell of the %s lost its connection: %r", self._name, error)
                await asyncio.sleep(HEARTBEAT)

    def _hear(self, connection: object, pid: int, *_: object) -> None:
        own = connection.get_server_pid() if isinstance(connection, asyncpg.Connection) else None
        if pid != own:  # whoever is here was woken when it was rung
            self._wake()

    def _wake(self, *, is_at_hand: bool = False) -> None:
        self.unseen += not is_at_hand
        self._rung.set()
        self._rung = asyncio.Event()


async def wait(event: asyncio.Event) -> bool:
    """Wait for it, but no longer than a heartbeat; says whether it has come."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):
            return await event.wait()
    return False


async def close(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Say goodbye, but do not wait long for a server that may be gone."""
    with suppress(*BROKEN):
        await connection.close(timeout=HEARTBEAT)
