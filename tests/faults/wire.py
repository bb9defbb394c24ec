"""A way over loopback between two programs. Everything passes, until somebody cuts it, delays it, or says things twice."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

from deploy.local.ports import LOOPBACK

CHUNK = 2**16
LARGEST_HEAD = 2**20
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
PATIENCE = 20.0  # seconds for the answer to what is said twice, which nobody reads
BROKEN = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


@dataclass(kw_only=True)
class Wire:
    """From a port of its own to the first of several that can be reached; each connection begins with another one."""

    name: str
    port: int
    leads_to: Callable[[], Sequence[int]]
    chance: random.Random
    speaks_http: bool = False
    doubled: int = 0
    unanswered: int = 0
    _open: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    _tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _delays: list[float] = field(default_factory=list[float])
    _refusing: int = 0
    _losing: int = 0
    _doubling: int = 0
    _tearing: int = 0
    _holding: int = 0
    _flows: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        self._flows.set()
        server = await asyncio.start_server(self._accept, LOOPBACK, self.port, limit=LARGEST_HEAD)
        try:
            yield
        finally:
            server.close()
            self.cut()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> int:
        """Answers how many connections there were."""
        several = len(self._open) // 2
        for writer in list(self._open):
            writer.transport.abort()
        return several

    def tear(self) -> None:
        """The next that comes over any connection is cut in its middle."""
        self._tearing += 1

    @contextmanager
    def refusing(self) -> Generator[None]:
        self._refusing += 1
        self.cut()
        try:
            yield
        finally:
            self._refusing -= 1

    @contextmanager
    def holding(self) -> Generator[None]:
        """Nothing passes, and nobody is told."""
        self._holding += 1
        self._flows.clear()
        try:
            yield
        finally:
            self._holding -= 1
            if not self._holding:
                self._flows.set()

    @contextmanager
    def delaying(self, seconds: float) -> Generator[None]:
        self._delays.append(seconds)
        try:
            yield
        finally:
            self._delays.remove(seconds)

    @contextmanager
    def losing_answers(self) -> Generator[None]:
        """What is asked arrives; who has asked is cut off when the answer comes."""
        self._losing += 1
        try:
            yield
        finally:
            self._losing -= 1

    @contextmanager
    def doubling(self) -> Generator[None]:
        """Each act arrives twice, the second time at once or late."""
        self._doubling += 1
        try:
            yield
        finally:
            self._doubling -= 1

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            if not self._refusing:
                there, back = await self._reach()
                self._open.add(back)
                try:
                    ask = self._ask if self.speaks_http else self._pass
                    await first_of(ask(reader, back), self._answer(there, writer))
                finally:
                    self._open.discard(back)
                    back.transport.abort()
        except BROKEN:
            pass
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        ports = list(self.leads_to())
        self.chance.shuffle(ports)
        for port in ports:
            with suppress(OSError):
                return await asyncio.open_connection(LOOPBACK, port, limit=LARGEST_HEAD)
        raise ConnectionRefusedError(self.name)

    async def _may_pass(self) -> None:
        if self._delays:
            await asyncio.sleep(max(self._delays))
        await self._flows.wait()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await self._may_pass()
            await self._write(writer, data)

    async def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if self._tearing:
            self._tearing -= 1
            writer.write(data[: len(data) // 2])
            await writer.drain()
            raise ConnectionAbortedError
        writer.write(data)
        await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await self._may_pass()
            if self._losing:
                self.unanswered += 1
                raise ConnectionAbortedError
            await self._write(writer, data)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Request by request, so that a whole one can be said twice."""
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            request = head + (await reader.readexactly(int(length[1])) if length else b"")
            await self._may_pass()
            if self._doubling and head.startswith(b"POST "):
                self.doubled += 1
                task = asyncio.create_task(self._say_again(request, self.chance.choice((0.0, 0.0, 0.5, 2.0))))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            await self._write(writer, request)

    async def _say_again(self, request: bytes, late: float) -> None:
        await asyncio.sleep(late)
        with suppress(*BROKEN, TimeoutError):
            reader, writer = await self._reach()
            try:
                writer.write(request)
                async with asyncio.timeout(PATIENCE):
                    await reader.read(CHUNK)
            finally:
                writer.transport.abort()


async def first_of(*several: Coroutine[None, None, None]) -> None:
    """The end of one is the end of the other."""
    tasks = [asyncio.create_task(one) for one in several]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
