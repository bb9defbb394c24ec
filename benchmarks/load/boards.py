"""The board of each hall: a live table, of which it is written down when it was told what."""

import asyncio
import bisect
import time
from typing import cast, override

from benchmarks.pushed import ID


class Board(asyncio.Protocol):
    """Comes again, where it was, when its connection is cut."""

    def __init__(self, port: int, path: str) -> None:
        self.came_again = -1  # the first time is none
        self._port, self._path = port, path
        self._times: list[float] = []
        self._numbers: list[int] = []  # of results, that a table rests on: they only grow
        self._rest = b""
        self._transport: asyncio.Transport | None = None
        self._coming: asyncio.Task[None] | None = None
        self._is_over = False

    async def hang(self) -> None:
        while not self._is_over:
            try:
                await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                return

    def take_down(self) -> None:
        self._is_over = True
        if self._transport is not None:
            self._transport.close()

    def told(self, number: int) -> float | None:
        """When a table was first told that rests on this result; none if it never was."""
        place = bisect.bisect_left(self._numbers, number)
        return self._times[place] if place < len(self._times) else None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.came_again += 1
        self._rest = b""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(f"GET {self._path} HTTP/1.1\r\nHost: board\r\n\r\n".encode())

    @override
    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        lines, end, rest = (self._rest + data).rpartition(b"\n")
        self._rest = rest
        for found in ID.findall(lines + end):
            number = int(found)
            if not self._numbers or number > self._numbers[-1]:
                self._numbers.append(number)
                self._times.append(now)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_over:
            self._coming = asyncio.ensure_future(self.hang())
