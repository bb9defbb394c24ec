"""Work that only one copy of a service does at a time; when that copy is gone, another one takes over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import NoReturn

import asyncpg

from shared.background import first_of
from shared.log.notify import BROKEN, close

PAUSE = 1.0  # seconds

logger = logging.getLogger(__name__)


async def hold(
    database: str,
    name: str,
    work: Callable[[], Awaitable[object]],
    *,
    once: Callable[[], Awaitable[object]] | None = None,
) -> NoReturn:
    """Wait until this process alone holds the name, then work; stop working when that may no longer be so.

    The lock lives as long as its connection, so it never outlives the process that holds it. Whoever needs something else
    for the work names it as `once`, and leaves the work to others until it is there.
    """
    if once is not None:
        await once()
    while True:
        try:
            async with AsyncExitStack() as stack:
                connection = await asyncpg.connect(database, timeout=10)
                stack.push_async_callback(close, connection)
                lost = asyncio.Event()
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.execute("select pg_advisory_lock(hashtextextended($1, 0))", name)
                await first_of([work(), lost.wait()])
        except BROKEN as error:
            logger.warning("the lease %s: %r", name, error)
        await asyncio.sleep(PAUSE)
