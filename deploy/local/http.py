"""The status of an answer, and nothing more: importing a whole client costs more than the question."""

import asyncio
from contextlib import suppress

from deploy.local.ports import LOOPBACK

OK = 200


async def status(port: int, path: str, *, patience: float = 3.0) -> int | None:
    """None where nobody answers."""
    try:
        async with asyncio.timeout(patience):
            reading, writing = await asyncio.open_connection(LOOPBACK, port)
            try:
                writing.write(f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\nConnection: close\r\n\r\n".encode())
                first_line = await reading.readline()
            finally:
                writing.close()
    except (OSError, TimeoutError):
        return None
    with suppress(IndexError, ValueError):
        return int(first_line.split()[1])
    return None
