"""How much one caller may ask of a service: bytes, depth, time, requests a second."""

import asyncio
import re
import time
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.auth import Caller
from shared.problems import problem, unreadable

DEEPEST = 32  # arrays and objects inside one another
PATIENCE = 30.0  # seconds in which a body must have come
BURST = 2.0  # seconds of the rate that may come at once
MOST_CALLERS = 10_000

STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # the last one may lack its end
BRACKETS = bytes.maketrans(b"{}", b"[]")
NULL = re.compile(rb"\0|(?<!\\)(?:\\\\)*\\u0000")  # as it is, or as JSON writes it
OTHERS = bytes(set(range(256)) - set(b"[]{}"))


class Bounded:
    """Reads the body before anybody else does, up to what is bearable, and refuses the rest."""

    def __init__(self, app: ASGIApp, *, largest: int) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(PATIENCE):
                body = await self._read(receive)
        except TimeoutError:
            await too_slow()(scope, receive, send)
            return
        if body is None:
            return  # the caller has gone
        if len(body) > self._largest:
            await too_large(self._largest)(scope, receive, send)
        elif is_deeper_than(DEEPEST, body):
            await too_deep()(scope, receive, send)
        elif has_null(body):
            await unreadable("has the character U+0000 in it, which no text can hold: leave it out")(
                scope, receive, send
            )
        else:
            await self._app(scope, Replayed(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or a little more than the largest one, since the rest need not be read to refuse it."""
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return message.get("body", b"")
        body = bytearray(message.get("body", b""))
        while message.get("more_body") and len(body) <= self._largest:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
        return bytes(body)


class Replayed:
    """Gives a body that was read already, once; what comes after it comes from the connection."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def is_deeper_than(limit: int, body: bytes) -> bool:
    """Whether brackets stand deeper in one another. Each turn takes away the innermost pairs."""
    if body.count(b"[") + body.count(b"{") <= limit:
        return False
    brackets = STRINGS.sub(b"", body).translate(BRACKETS, OTHERS)
    for _ in range(limit):
        if len(fewer := brackets.replace(b"[]", b"")) == len(brackets):
            break
        brackets = fewer
    return b"[]" in brackets or brackets.count(b"[") > limit  # the latter are never closed


def has_null(body: bytes) -> bool:
    """Whether a text in it has the one character that databases refuse. Most bodies have no backslash at all."""
    return (b"\\" in body or b"\0" in body) and NULL.search(body) is not None


def name_of(caller: Caller | None, scope: Scope) -> str:
    """Under which to count: who has no good token shares what is bearable with all others at the same address."""
    return caller.subject if caller else f"address {scope['client'] and scope['client'][0]}"


class Rate:
    """A bucket for each caller, which fills at the rate and holds a burst."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, caller: str) -> float:
        """Take one out; or answer in how many seconds there is one."""
        if not self._rate:
            return 0.0
        now = time.monotonic()
        left, at = self._buckets.pop(caller, (self._rate * BURST, now))
        left = min(self._rate * BURST, left + (now - at) * self._rate)
        while len(self._buckets) >= MOST_CALLERS:
            del self._buckets[next(iter(self._buckets))]  # of who has been silent for longest
        if left < 1:
            self._buckets[caller] = left, now
            return (1 - left) / self._rate
        self._buckets[caller] = left - 1, now
        return 0.0


def too_large(largest: int) -> ASGIApp:
    detail = f"The body is larger than {largest} bytes: send less at once."
    return problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, slug="too-large", detail=detail, headers={"Connection": "close"}
    )


def too_slow() -> ASGIApp:
    detail = f"The body did not come within {PATIENCE:.0f} seconds: send it again, with the same Idempotency-Key."
    return problem(HTTPStatus.REQUEST_TIMEOUT, slug="too-slow", detail=detail, headers={"Connection": "close"})


def too_deep() -> ASGIApp:
    return unreadable(f"has more than {DEEPEST} arrays and objects inside one another")


def too_many(seconds: float) -> ASGIApp:
    return problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        slug="too-many-requests",
        detail="You ask more often than one caller may: wait as long as Retry-After says, and go on more slowly.",
        headers={"Retry-After": f"{max(1, round(seconds))}"},
    )
