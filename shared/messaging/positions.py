"""How far a log goes, as callers carry it from one answer to the next request: `results:12873/4411`, or of several logs."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from shared.log.store import Head
from shared.refusals import Unavailable
from shared.values import Value

PATIENCE = 2.0  # seconds
ONE = r"(?:registration|pairing|results|standings):[0-9]{1,18}/[0-9]{1,18}"
PATTERN = rf"^{ONE}(?:, ?{ONE}){{0,3}}$"
BETWEEN = re.compile("[:/]")


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
    """Of one log, as it stands in an answer."""
    source, position, public = BETWEEN.split(text.strip())
    return Position(source=source, head=Head(position=int(position), public=int(public)))


def parse_all(text: str) -> list[Position]:
    return [parse(one) for one in text.split(",")]


async def wait_for(positions: Sequence[Position], reached: Mapping[str, WaitUntilReached]) -> None:
    """Until what is shown here includes them; a source that nothing here rests on is never waited for."""
    try:
        async with asyncio.timeout(PATIENCE):
            for position in positions:
                if wait := reached.get(position.source):
                    await wait(position.head)
    except TimeoutError as late:
        raise NotThereYet(f"this service has not reached {', '.join(map(str, positions))} yet") from late
