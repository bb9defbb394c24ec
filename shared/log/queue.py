"""What waits to be written, and what of it goes into the next batch."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.log.store import Append, Head, Overloaded
from shared.refusals import Unavailable

MOST_WAITING = 10_000
MOST_BYTES_WAITING = 64 * 2**20
MOST_EVENTS = 1_000
MOST_BYTES = 4 * 2**20


@dataclass(eq=False, slots=True)
class QueuedAppend:
    append: Append
    outcome: asyncio.Future[Head] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def claims(self) -> set[str | bytes]:
        """What no other append of the same batch may touch."""
        answer = self.append.answer
        return {*self.append.expected, answer.key} if answer else {*self.append.expected}


class Batches:
    """A bounded queue, first come first served, cut into batches that are neither too many nor too heavy."""

    def __init__(self) -> None:
        self._waiting = deque[QueuedAppend]()
        self._bytes = 0
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, append: Append) -> QueuedAppend:
        if self._closed:
            raise Unavailable("the service is stopping")
        if len(self._waiting) >= MOST_WAITING or self._bytes >= MOST_BYTES_WAITING:
            raise Overloaded("too many writes are waiting")
        waiting = QueuedAppend(append)
        self._waiting.append(waiting)
        self._bytes += append.size
        self._arrived.set()
        return waiting

    async def next(self) -> list[QueuedAppend]:
        """Wait for work, then take as much as makes a good batch; empty when closed and all is taken."""
        while True:
            if batch := self._cut():
                return batch
            if self._closed:
                return []
            self._arrived.clear()
            await self._arrived.wait()

    def _cut(self) -> list[QueuedAppend]:
        """What goes next.

        Two appends that touch the same stream or key cannot go together: the later one stays, and holds back
        whatever touches its own, so that nobody is overtaken.
        """
        batch: list[QueuedAppend] = []
        stay: list[QueuedAppend] = []
        touched: set[str | bytes] = set()
        events = size = 0
        while self._waiting and len(stay) < MOST_EVENTS:
            waiting = self._waiting[0]
            weight = max(1, len(waiting.append.events))
            if batch and (events + weight > MOST_EVENTS or size + waiting.append.size > MOST_BYTES):
                break
            self._waiting.popleft()
            self._bytes -= waiting.append.size
            if waiting.outcome.cancelled():
                continue
            claims = waiting.claims
            if claims & touched:
                stay.append(waiting)
            else:
                batch.append(waiting)
                events += weight
                size += waiting.append.size
            touched |= claims
        self._waiting.extendleft(reversed(stay))
        self._bytes += sum(waiting.append.size for waiting in stay)
        return batch

    def take_all(self) -> list[QueuedAppend]:
        taken = list(self._waiting)
        self._waiting.clear()
        self._bytes = 0
        return taken

    def close(self) -> None:
        self._closed = True
        self._arrived.set()


def succeed(waiting: QueuedAppend, head: Head) -> None:
    if not waiting.outcome.done():
        waiting.outcome.set_result(head)


def fail(batch: Sequence[QueuedAppend], error: Exception) -> None:
    for waiting in batch:
        if not waiting.outcome.done():
            waiting.outcome.set_exception(error)
