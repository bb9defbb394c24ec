"""What was looked up is remembered for a moment, or for as long as it cannot change."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable

FOR_EVER = float("inf")
MOST_REMEMBERED = 10_000


def lasting(value: object) -> float:
    """For what never changes once it is there."""
    return 0.0 if value is None else FOR_EVER


class LoadingCache[Key: Hashable, Value]:
    """`seconds` says of a value for how long it is taken without being looked up again."""

    def __init__(self, load: Callable[[Key], Awaitable[Value]], *, seconds: Callable[[Value], float]) -> None:
        self._load = load
        self._seconds = seconds
        self._known: dict[Key, tuple[Value, float]] = {}
        self._loading: dict[Key, asyncio.Task[Value]] = {}

    async def of(self, key: Key) -> Value:
        if (known := self._known.get(key)) and time.monotonic() < known[1]:
            return known[0]
        if (loading := self._loading.get(key)) is None:  # one asks for all who wait
            loading = self._loading[key] = asyncio.create_task(self.now(key))
            loading.add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(loading)

    async def now(self, key: Key) -> Value:
        """As it is, whatever is remembered."""
        value = await self._load(key)
        self._known.pop(key, None)
        if seconds := self._seconds(value):
            while len(self._known) >= MOST_REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[key] = value, time.monotonic() + seconds
        return value
