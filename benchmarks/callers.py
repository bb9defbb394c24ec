"""Callers over HTTP who each wait for their answer before they send the next request; they cost as little as they can."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping

from shared.values import Value

ATTEMPTS = 400
PAUSE = 0.05


class NotAnswered(Exception):
    """A server did not do what it was asked."""


type Request = tuple[str, bytes, Mapping[str, str]]  # a path, a body, headers


class Answers(Value):
    count: int
    a_second: float
    p99: float  # seconds that one of a hundred waited for, or longer


async def calls(port: int, requests: Iterator[Request], *, callers: int, seconds: float) -> Answers:
    """The first request of each caller opens its connection, and is not counted."""
    first = asyncio.Barrier(callers)
    several = await asyncio.gather(*(call(port, requests, first, seconds) for _ in range(callers)))
    waited = sorted(one for each in several for one in each)
    return Answers(count=len(waited), a_second=len(waited) / seconds, p99=waited[len(waited) * 99 // 100])


async def call(port: int, requests: Iterator[Request], first: asyncio.Barrier, seconds: float) -> list[float]:
    """How long each answer took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await ask(reader, writer, next(requests))
        await first.wait()
        waited: list[float] = []
        now = time.monotonic()
        end = now + seconds
        while now < end:
            began = now
            await ask(reader, writer, next(requests))
            now = time.monotonic()
            waited.append(now - began)
        return waited
    finally:
        writer.close()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Request) -> bytes:
    path, body, headers = request
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    answered = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in answered.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    content = await reader.readexactly(int(length.partition(b":")[2]))
    if not answered.startswith(b"HTTP/1.1 200"):
        raise NotAnswered(f"{answered.decode()}{content.decode()}")
    return content


async def is_up(port: int, alive: Callable[[], bool]) -> None:
    for _ in range(ATTEMPTS):
        if not alive():
            break
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            if (await _.readline()).startswith(b"HTTP/1.1 200"):
                writer.close()
                return
        except OSError:
            pass
        await asyncio.sleep(PAUSE)
    raise NotAnswered("a server did not start")
