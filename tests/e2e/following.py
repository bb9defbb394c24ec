"""Somebody who follows the table of a tournament from its beginning, whatever happens to the connection."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import httpx

from shared.messaging.history import NOTHING, parse
from tests.e2e.record import rows
from tests.listening import blocks

SILENCE = 4.0  # seconds after which the connection is given up
PAUSE = 0.1


class Follower:
    def __init__(self, url: str) -> None:
        self._url = url
        self._last = str(NOTHING)
        self.table: list[tuple[Any, ...]] = []
        self.connected = 0
        self.told = 0

    async def follow(self) -> None:
        """Until it is cancelled."""
        async with httpx.AsyncClient(timeout=SILENCE) as client:
            while True:
                with suppress(httpx.TransportError):
                    await self._listen(client)
                await asyncio.sleep(PAUSE)

    async def _listen(self, client: httpx.AsyncClient) -> None:
        async with client.stream("GET", self._url, headers={"Last-Event-ID": self._last}) as answer:
            if answer.is_error:
                return
            self.connected += 1
            async for block in blocks(answer.aiter_lines()):
                if block.event == "table" and block.id and block.data:
                    self._take(block.id, json.loads(block.data))

    def _take(self, id_: str, table: dict[str, Any]) -> None:
        """Each table rests on more than the one before, and none comes twice."""
        assert table["inputs"] == id_ != self._last
        assert parse(id_).include(parse(self._last))
        self._last, self.told = id_, self.told + 1
        self.table = rows(table["standings"])
