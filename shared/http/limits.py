"""How much one caller may ask of a service: bytes, values, depth, time, requests a second. The numbers that operators choose
stand in `shared/settings.py`."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from math import ceil

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.access.tokens import CALLER, Caller
from shared.cache import LruCache
from shared.csv_lines import not_text
from shared.faults import of_members
from shared.http.problems import Fault, problem, refuse_form, unreadable

LARGEST_OF_ANYBODY = 2**16  # bytes of a body that is read of somebody who need not sign in
MOST_VALUES = 100_000  # of a body of JSON: names of members, and what stands in objects and arrays
DEEPEST = 32  # arrays and objects inside one another
PATIENCE = 30.0  # seconds in which a body must have come
BURST = 2.0  # seconds of the rate that may come at once
MOST_CALLERS = 10_000
HALL = 4  # as many of one caller's shares has an address, which many may have in common
SMALL = 2**16  # bytes of a body that nobody counts: a connection holds as many by itself
EVERYBODY = ""
SECONDS_TO_COME_BACK = 5

STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # the last one may lack its end
OPENING = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+[\[{]")
BRACKETS = bytes.maketrans(b"{}", b"[]")
NULL = re.compile(rb"\0|(?<!\\)(?:\\\\)*\\u0000")  # as it is, or as JSON writes it
OTHERS = bytes(set(range(256)) - set(b"[]{}"))


class BodyLimits:
    """Reads the body before anybody else does, up to what is bearable, and refuses the rest."""

    def __init__(
        self, app: ASGIApp, *, largest: int, room: "BodyMemory", open_to_bodies: Sequence[re.Pattern[str]]
    ) -> None:
        self._app = app
        self._largest = largest
        self._room = room
        self._open_to_bodies = open_to_bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        message = await receive()
        if message["type"] == "http.disconnect":
            return  # the caller has gone
        body = message.get("body", b"")
        if message.get("more_body") or len(body) > SMALL:
            held = BodyShare(self._room, (name_of(scope.get(CALLER), scope), address_of(scope)))
            try:
                await self._in_pieces(held, message, scope, receive, send)
            finally:
                held.give_back()
        else:
            await self._whole(body, scope, receive, send)

    async def _in_pieces(self, held: "BodyShare", message: Message, scope: Scope, receive: Receive, send: Send) -> None:
        """The body, or a little more than the largest one, since the rest need not be read to refuse it."""
        body = bytearray()
        largest = self._largest_of(scope)
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    if message["type"] == "http.disconnect":
                        return
                    piece = message.get("body", b"")
                    if refusal := held.refusal(len(piece)):
                        await refusal(scope, receive, send)
                        return
                    body += piece
                    if not message.get("more_body") or len(body) > largest:
                        break
                    message = await receive()
        except TimeoutError:
            await too_slow()(scope, receive, send)
            return
        await self._whole(bytes(body), scope, receive, send)

    async def _whole(self, body: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        largest = self._largest if len(body) <= LARGEST_OF_ANYBODY else self._largest_of(scope)
        await (self._fault(body, largest) or self._app)(scope, ReplayedBody(body, receive), send)

    def _largest_of(self, scope: Scope) -> int:
        """Where nobody has to say who they are, nobody may make much work, signed in or not."""
        is_open = any(path.match(scope["path"]) for path in self._open_to_bodies)
        return min(self._largest, LARGEST_OF_ANYBODY) if is_open else self._largest

    def _fault(self, body: bytes, largest: int) -> ASGIApp | None:
        if not body:
            return None
        if len(body) > largest:
            return too_large(largest)
        if other := not_text(body):
            return unreadable(other)
        if is_deeper_than(DEEPEST, body):
            return too_deep()
        if has_more_values_than(MOST_VALUES, body):
            return unreadable(f"has more than {MOST_VALUES} values in it: send less at once")
        if has_null(body):
            return unreadable("has the character U+0000 in it, which no text can hold: leave it out")
        if twice := of_members(body):
            return refuse_form([Fault(pointer=fault.pointer, detail=fault.detail) for fault in twice])
        return None


class BodyMemory:
    """The bytes of bodies that are in memory, by whom they came from and by address."""

    def __init__(self, *, most: int, most_of_one: int) -> None:
        self._limits = (most_of_one, HALL * most_of_one)
        self._most = most
        self._held: Counter[str] = Counter()

    def refusal(self, names: tuple[str, str], more: int) -> ASGIApp | None:
        if any(self._held[name] + more > limit for name, limit in zip(names, self._limits, strict=True)):
            return too_much_of_one()
        return too_much() if self._held[EVERYBODY] + more > self._most else None

    def change(self, names: tuple[str, str], more: int) -> None:
        for name in {*names, EVERYBODY}:  # nobody in particular is the same as their address
            self._held[name] += more
            if not self._held[name]:
                del self._held[name]


class BodyShare:
    """The bytes that one request holds of the memory for bodies."""

    def __init__(self, room: BodyMemory, names: tuple[str, str]) -> None:
        self._room = room
        self._names = names
        self._bytes = 0

    def refusal(self, more: int) -> ASGIApp | None:
        """Takes so many bytes more, or answers why they cannot be held."""
        if refusal := self._room.refusal(self._names, more):
            return refusal
        self._room.change(self._names, more)
        self._bytes += more
        return None

    def give_back(self) -> None:
        self._room.change(self._names, -self._bytes)


class ReplayedBody:
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


def has_more_values_than(limit: int, body: bytes) -> bool:
    """Whether so many commas and colons part values. A body that begins with no bracket is no JSON, or a single value."""
    if body.count(b",") + body.count(b":") < limit or OPENING.match(body) is None:
        return False
    between = STRINGS.sub(b"", body)
    return between.count(b",") + between.count(b":") >= limit


def has_null(body: bytes) -> bool:
    """Whether a text in it has the one character that databases refuse. Most bodies have no backslash at all."""
    return (b"\\" in body or b"\0" in body) and NULL.search(body) is not None


def name_of(caller: Caller | None, scope: Scope) -> str:
    """The name under which a caller is counted. Whoever has no good token shares what is bearable with all others at the
    same address, and all tokens of the captain of one entrant share it too."""
    if caller is None:
        return address_of(scope)
    return caller.subject if caller.captain is None else f"captain of {caller.captain.entrant}"


def address_of(scope: Scope) -> str:
    """No subject has a space in it."""
    return f"address {scope['client'] and scope['client'][0]}"


class Rate:
    """A bucket for each caller, which fills at the rate and holds a burst, or one request where that is less."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._most = max(rate * BURST, 1.0)
        self._buckets = LruCache[str, tuple[float, float]](MOST_CALLERS)

    def wait(self, caller: str) -> float:
        """Take one out; or answer in how many seconds there is one."""
        if not self._rate:
            return 0.0
        now = time.monotonic()
        left, at = self._buckets.get(caller) or (self._most, now)
        left = min(self._most, left + (now - at) * self._rate)
        if left < 1:
            self._buckets.put(caller, (left, now))
            return (1 - left) / self._rate
        self._buckets.put(caller, (left - 1, now))
        return 0.0


def too_large(largest: int) -> ASGIApp:
    detail = f"The body is larger than {largest} bytes: send less at once."
    return problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, slug="too-large", detail=detail, headers={"Connection": "close"}
    )


def too_slow() -> ASGIApp:
    detail = f"The body did not come within {PATIENCE:.0f} seconds: send it again, with the same Idempotency-Key."
    return problem(HTTPStatus.REQUEST_TIMEOUT, slug="too-slow", detail=detail, headers={"Connection": "close"})


def too_much_of_one() -> ASGIApp:
    return problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        slug="too-many-bodies",
        detail="You are sending more at the same time than one caller may: send one after the other.",
        headers={"Retry-After": f"{SECONDS_TO_COME_BACK}", "Connection": "close"},
    )


def too_much() -> ASGIApp:
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        slug="too-many-bodies",
        detail="As much is being sent as the service can bear: come back after as long as Retry-After says.",
        headers={"Retry-After": f"{SECONDS_TO_COME_BACK}", "Connection": "close"},
    )


def too_deep() -> ASGIApp:
    return unreadable(f"has more than {DEEPEST} arrays and objects inside one another")


def too_many(seconds: float) -> ASGIApp:
    return problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        slug="too-many-requests",
        detail="You ask more often than one caller may: wait as long as Retry-After says, and go on more slowly.",
        headers={"Retry-After": f"{ceil(seconds)}"},
    )
