"""Caches: one of so many values, and one that loads what it does not have.

LruCache        where there is no more room, the value that nobody has asked for the longest is forgotten
LoadingCache    what was looked up is taken again for a moment, or for as long as it cannot change
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

FOR_EVER = float("inf")
MOST_REMEMBERED = 10_000


def lasting(value: object) -> float:
    """For what never changes once it is there."""
    return 0.0 if value is None else FOR_EVER


class LruCache[Key: Hashable, Value]:
    """So many values at most, or so much as they `weigh`: the one that nobody has asked for the longest goes first."""

    def __init__(self, most: int, weigh: Callable[[Value], int] | None = None) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._known: OrderedDict[Key, Value] = (
            OrderedDict()
        )  # to find the first one of a dict takes long when many have gone

    def get(self, key: Key) -> Value | None:
        value = self._known.get(key)
        if value is not None:
            self._known.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> None:
        """The last one stays, however much it weighs."""
        known, weigh = self._known, self._weigh
        before = known.pop(key, None)
        known[key] = value
        if weigh is None:
            if len(known) > max(self._most, 1):
                known.popitem(last=False)
            return
        self._weight += weigh(value) - (0 if before is None else weigh(before))
        while self._weight > self._most and len(known) > 1:
            _, gone = known.popitem(last=False)
            self._weight -= weigh(gone)

    def pop(self, key: Key) -> Value | None:
        """The value, which is forgotten until it is put back."""
        value = self._known.pop(key, None)
        if value is not None and self._weigh is not None:
            self._weight -= self._weigh(value)
        return value

    def clear(self) -> None:
        self._known.clear()
        self._weight = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._known


class LoadingCache[Key: Hashable, Value]:
    """`seconds` says of a value for how long it is taken without being looked up again."""

    def __init__(self, load: Callable[[Key], Awaitable[Value]], *, seconds: Callable[[Value], float]) -> None:
        self._load = load
        self._seconds = seconds
        self._known = LruCache[Key, tuple[Value, float]](MOST_REMEMBERED)
        self._loading: dict[Key, asyncio.Future[Value]] = {}

    async def of(self, key: Key) -> Value:
        while True:
            if (known := self._known.get(key)) and time.monotonic() < known[1]:
                return known[0]
            if (loading := self._loading.get(key)) is None:
                return await self._load_for_all(key)
            await asyncio.wait([loading])
            if not loading.cancelled():  # otherwise who asked for all has gone, and somebody else has to
                return loading.result()

    async def _load_for_all(self, key: Key) -> Value:
        """Whoever comes first asks, in their own task: most are alone, and another task would cost more than many answers."""
        loading = self._loading[key] = asyncio.get_running_loop().create_future()
        try:
            value = await self.now(key)
        except Exception as error:
            loading.set_exception(error)
            loading.exception()  # nobody may wait for it, and that is no fault
            raise
        else:
            loading.set_result(value)
            return value
        finally:
            loading.cancel()  # which does nothing to what is done
            del self._loading[key]

    def forget(self, key: Key) -> None:
        """It is known to have changed."""
        self._known.pop(key)

    async def now(self, key: Key) -> Value:
        """As it is, whatever is remembered."""
        value = await self._load(key)
        if seconds := self._seconds(value):
            self._known.put(key, (value, time.monotonic() + seconds))
        else:
            self._known.pop(key)
        return value
