"""What is asked of the platform, by the names that people have for it, and how long each of them waited."""

import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import override

import httpx

from deploy.demo.client import PASSING
from shared.values import Value

ACTS = tuple(
    (method, re.compile(path), act)
    for method, path, act in (
        ("POST", r"^/registration/v1/tournaments$", "announce a tournament"),
        ("POST", r"/entrants/import$", "enter a field of players"),
        ("POST", r"/start$", "start a tournament"),
        ("POST", r"^/registration/", "other acts of registration"),
        ("POST", r"/pair-and-publish$", "pair and publish a round"),
        ("POST", r"/reports$", "report a result"),
        ("POST", r"/decide$", "decide a dispute"),
        ("POST", r"/correct$", "correct a result"),
        ("GET", r"^/pairing/.*/rounds/\d+$", "look at a round"),
        ("GET", r"/standings$", "look at a table"),
    )
)
OTHERS = "other questions"


class Waited(Value):
    """How long several waited for the same, in seconds, shortest first."""

    seconds: Sequence[float]

    def within(self, share: float) -> float:
        """So many of them had an answer by then."""
        return self.seconds[max(math.ceil(share * len(self.seconds)), 1) - 1]


@dataclass
class Watch:
    """An act that has to be asked several times, under one key, lasts from the first time to its answer."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict[str, list[float]](list))
    again: Counter[str] = field(default_factory=Counter[str])  # asked once more after a 408, 429 or 503, or none at all
    refused: Counter[str] = field(default_factory=Counter[str])  # any other answer that is no success
    faults: list[str] = field(default_factory=list[str])  # the first of them, in words
    _since: dict[str, float] = field(default_factory=dict[str, float])

    def begins(self, request: httpx.Request) -> tuple[str, float]:
        now = time.monotonic()
        key = request.headers.get("Idempotency-Key")
        return act_of(request), now if key is None else self._since.setdefault(key, now)

    def ends(self, request: httpx.Request, act: str, began: float, response: httpx.Response | None) -> None:
        if response is None or response.status_code in PASSING:
            self.again[act] += 1
            return
        self._since.pop(request.headers.get("Idempotency-Key", ""), None)
        self.seconds[act].append(time.monotonic() - began)
        if response.is_error:
            self.refused[act] += 1
            self.faults.append(f"{act}: {response.status_code} {response.text[:200]}")

    def waited(self, act: str) -> Waited:
        return Waited(seconds=sorted(self.seconds[act]))


class Timed(httpx.AsyncBaseTransport):
    """Until the whole answer is there."""

    def __init__(self, transport: httpx.AsyncBaseTransport, watch: Watch) -> None:
        self._transport, self._watch = transport, watch

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        act, began = self._watch.begins(request)
        try:
            response = await self._transport.handle_async_request(request)
            await response.aread()
        except httpx.TransportError:
            self._watch.ends(request, act, began, None)
            raise
        self._watch.ends(request, act, began, response)
        return response

    @override
    async def aclose(self) -> None:
        await self._transport.aclose()


def act_of(request: httpx.Request) -> str:
    found = (act for method, path, act in ACTS if method == request.method and path.search(request.url.path))
    return next(found, OTHERS)
