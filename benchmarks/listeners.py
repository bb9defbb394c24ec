"""Many who listen to tables, in a process of their own: whoever measures how long others wait must not read for them.

`python -m benchmarks.listeners <port> <how many> <path> …` says `ready` when all of them listen. For each line that it
reads it says how many tables they were told so far; when there are no more lines, they go.
"""

import asyncio
import sys
from collections.abc import Sequence
from typing import cast, override

import uvloop

AT_ONCE = 20  # who come at the same time
TABLE = b"\nevent: table\n"


class Listening(asyncio.Protocol):
    """One connection. It only looks for the beginnings of tables in what comes."""

    told = 0

    def __init__(self, path: str) -> None:
        self._path = path
        self._rest = b""
        self.hears = asyncio.get_running_loop().create_future()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        asked = f"GET {self._path} HTTP/1.1\r\nHost: x\r\n\r\n"
        cast("asyncio.Transport", transport).write(asked.encode())  # uvloop's own is no instance of it

    @override
    def data_received(self, data: bytes) -> None:
        Listening.told += (self._rest + data[: len(TABLE) - 1]).count(TABLE) + data.count(TABLE)
        self._rest = (self._rest + data)[1 - len(TABLE) :] if len(data) < len(TABLE) else data[1 - len(TABLE) :]
        if not self.hears.done() and b"\r\n\r\n" in data:
            self.hears.set_result(None)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if not self.hears.done():
            self.hears.set_exception(exc or ConnectionError("it was not let in"))


async def listen(port: int, count: int, paths: Sequence[str]) -> None:
    loop = asyncio.get_running_loop()
    places = asyncio.Semaphore(AT_ONCE)

    async def come(number: int) -> None:
        async with places:
            path = paths[number % len(paths)]
            _, one = await loop.create_connection(lambda: Listening(path), "127.0.0.1", port)
            await one.hears

    await asyncio.gather(*map(come, range(count)))
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(Listening.told, flush=True)


if __name__ == "__main__":
    uvloop.run(listen(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
