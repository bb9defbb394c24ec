"""The connection to NATS. A service starts, writes and reads without it, and catches up when it is there."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client

from shared.event_store import Unavailable

logger = logging.getLogger(__name__)


class Broker:
    def __init__(self, url: str, *, name: str) -> None:
        self._url = url
        self._name = name
        self._client = Client()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Connects in the background, for as long as it takes, and again whenever the connection is lost."""
        connecting = asyncio.create_task(self._connect(), name="broker connection")
        try:
            yield
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            if not self._client.is_closed:
                await self._client.close()

    async def check(self) -> None:
        """Raise unless the broker answers right now."""
        if not self._client.is_connected:
            raise Unavailable("the broker is not connected")
        try:
            await self._client.flush(timeout=1)
        except (nats.errors.Error, OSError) as error:
            raise Unavailable("the broker does not answer") from error

    async def _connect(self) -> None:
        await self._client.connect(
            self._url,
            name=self._name,
            error_cb=self._warn,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=10,
        )

    async def _warn(self, error: Exception) -> None:
        logger.warning("broker: %r", error)
