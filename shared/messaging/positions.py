"""How far a log goes, as callers carry it from one answer to the next request: `results:12873/4411`."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping

from shared.log.store import Head
from shared.refusals import Unavailable
from shared.values import Value

PATIENCE = 2.0  # seconds
PATTERN = r"^(registration|pairing|results|standings):(\d{1,18})/(\d{1,18})$"
POSITIONS = re.compile(PATTERN)


class Position(Value):
    source: str
    head: Head  # position in the log of the source, and the public number reached there

    def __str__(self) -> str:
        return f"{self.source}:{self.head.position}/{self.head.public}"


type WaitUntilReached = Callable[[Head], Awaitable[object]]


class NotThereYet(Unavailable):
    """What the caller has seen elsewhere has not arrived here."""

    retry_after = 1.0


def parse(text: str) -> Position:
    match = POSITIONS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no position")
    source, position, public = match.groups()
    return Position(source=source, head=Head(position=int(position), public=int(public)))


async def wait_for(position: Position, reached: Mapping[str, WaitUntilReached]) -> None:
    """Until what is shown here includes it; a source that nothing here rests on is never waited for."""
    wait = reached.get(position.source)
    if wait is None:
        return
    try:
        async with asyncio.timeout(PATIENCE):
            await wait(position.head)
    except TimeoutError as late:
        raise NotThereYet(f"this service has not reached {position} yet") from late
