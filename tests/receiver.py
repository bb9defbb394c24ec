"""A receiver of webhooks on loopback: it keeps what it was sent, and answers as a test wants it."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import msgspec

from shared.values import Value
from tests.patience import PATIENCE

OK = HTTPStatus.NO_CONTENT
SLOW = 0  # instead of a code: nothing is answered


class Received(Value):
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def said(self) -> dict[str, Any]:
        return msgspec.json.decode(self.body)


class Receiver:
    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: Callable[[Received], int] = lambda _: OK
        self.location = ""
        self.delay = 0.0  # seconds before each answer
        self._server: asyncio.Server | None = None
        self._port = 0
        self._taking: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/hook?of=cup"

    async def open(self, encryption: ssl.SSLContext | None = None) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, ssl=encryption)
        self._port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._taking:
            task.cancel()
        await asyncio.gather(*self._taking, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._take(reader, writer))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            assert head[0] == "POST /hook?of=cup HTTP/1.1"
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            one = Received(headers=headers, body=body)
            self.received.append(one)
            code = self.answers(one)
            if code == SLOW:
                await asyncio.sleep(PATIENCE)
            await asyncio.sleep(self.delay)
            location = f"Location: {self.location}\r\n" if self.location else ""
            writer.write(
                f"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 {code} X\r\n{location}Content-Length: 0\r\n\r\n".encode()
            )
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def until(self, count: int) -> Sequence[Received]:
        async with asyncio.timeout(PATIENCE):
            while len(self.received) < count:
                await asyncio.sleep(0.01)
        return self.received


@asynccontextmanager
async def receiving(encryption: ssl.SSLContext | None = None) -> AsyncGenerator[Receiver]:
    receiver = Receiver()
    await receiver.open(encryption)
    try:
        yield receiver
    finally:
        await receiver.close()


async def so(found: Callable[[], Awaitable[bool]]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(PATIENCE):
        while not await found():
            await asyncio.sleep(0.02)
