"""What a server is found to be doing when it is asked, and for how long it may go on like that."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal

from deploy.local.ports import LOOPBACK

type Condition = Literal["works", "refuses", "is full", "is starting", "is stopping", "is silent"]

# What is missing may last for ever: a server that refuses us does answer, and would refuse us after another start too. The
# rest is generous in seconds, since a busy machine is slow, and whoever has paused a process may wake it again.
PATIENCE: Mapping[Condition, float] = {
    "is silent": 30.0,
    "is starting": 120.0,  # to recover from a crash takes as long as much was written, and would begin anew
    "is stopping": 5.0,  # nobody asked it to, and it may wait for its callers for ever
}


def condition_of(works: bool) -> Condition:  # noqa: FBT001 - the answer to the one question
    return "works" if works else "is silent"


OK = 200
ANSWERS_WITHIN = 3.0  # seconds


async def answer_status(port: int, path: str) -> int | None:
    """None where nobody answers. It is no more than this, since importing a whole client costs more than the question."""
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
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
