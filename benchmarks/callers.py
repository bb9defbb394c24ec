"""Callers over HTTP who each wait for their answer before they send the next request; they cost as little as they can."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping

ATTEMPTS = 400
PAUSE = 0.05


class NotAnswered(Exception):
    """A server did not do what it was asked."""


type Request = tuple[str, bytes, Mapping[str, str]]  # a path, a body, headers


async def calls(port: int, requests: Iterator[Request], *, callers: int, seconds: float) -> float:
    """Answers a second. The first request of each caller opens its connection, and is not counted."""
    first = asyncio.Barrier(callers)
    counts = await asyncio.gather(*(call(port, requests, first, seconds) for _ in range(callers)))
    return sum(counts) / seconds


async def call(port: int, requests: Iterator[Request], first: asyncio.Barrier, seconds: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await ask(reader, writer, next(requests))
        await first.wait()
        end = time.monotonic() + seconds
        done = 0
        while time.monotonic() < end:
            await ask(reader, writer, next(requests))
            done += 1
        return done
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
