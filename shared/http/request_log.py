"""What is known of every request: its trace, how long it took, how it ended. And no fault of ours leaves unanswered.

Tokens, bodies and paths, which have ids in them, are never logged: an operation's name is.
"""

import logging
import time
import traceback
from collections.abc import Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.access.tokens import CALLER
from shared.http.problems import problem
from shared.observability.logs import OftenSaid
from shared.observability.metrics import Metrics
from shared.observability.tracing import CURRENT, Correlation, correlate

UNKNOWN = "unknown"  # nothing is at this path
GONE = 499  # the caller did not wait for the answer
READING = frozenset({"GET", "HEAD", "OPTIONS"})

NO_SNIFFING = (b"x-content-type-options", b"nosniff")  # no browser guesses what an answer is
NO_STORE = (b"cache-control", b"no-store")
LOADS_NOTHING = (
    b"content-security-policy",
    b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
PAGES = (b"text/html", b"image/svg+xml")  # by browsers as pages, which could load and run things

logger = logging.getLogger(__name__)


class Broken(Exception):
    """An answer that had begun cannot be finished; the server cuts the connection."""


class RequestLog:
    """The outermost middleware: it measures, counts and logs each request, and answers what nobody has caught."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, service: str) -> None:
        self._app = app
        self._metrics = metrics
        self._lines = OftenSaid(service, logger)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        correlation = correlate(header(scope, b"traceparent"), header(scope, b"x-request-id"))
        token = CURRENT.set(correlation.trace)
        answering = ResponseHeaders(scope, send, correlation)
        try:
            await self._app(scope, receive, answering)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            log(error, scope)
            if answering.status:
                raise Broken(correlation.trace) from None
            await fault(correlation)(scope, receive, answering)
        finally:
            took = time.perf_counter() - began
            self._metrics.count(operation(scope), answering.status or GONE, took)
            report(self._lines, scope, answering.status or GONE, took)
            CURRENT.reset(token)


class ResponseHeaders:
    """Adds to an answer what all of them have, and remembers its status."""

    def __init__(self, scope: Scope, send: Send, correlation: Correlation) -> None:
        self.status = 0
        self._scope = scope
        self._send = send
        self._correlation = correlation

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = message["headers"]
            message["headers"] = [*own, *self._correlation.headers, *security_headers(self._scope, dict(own))]
        await self._send(message)


def security_headers(scope: MutableMapping[str, Any], own: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Against browsers and caches. What somebody sees who has signed in is for them alone; a page that needs more than
    nothing says so itself."""
    found: list[tuple[bytes, bytes]] = [NO_SNIFFING]
    if CALLER in scope and b"cache-control" not in own:
        found.append(NO_STORE)
    if LOADS_NOTHING[0] not in own and own.get(b"content-type", b"").startswith(PAGES):
        found.append(LOADS_NOTHING)
    return found


def header(scope: MutableMapping[str, Any], name: bytes) -> bytes:
    for known, value in scope["headers"]:
        if known == name:
            return value
    return b""


def operation(scope: MutableMapping[str, Any]) -> str:
    return getattr(scope.get("route"), "operation_id", None) or UNKNOWN


def report(lines: OftenSaid, scope: MutableMapping[str, Any], status: int, took: float) -> None:
    """Acts are worth a line each. What is read often is not, nor what nobody in particular or nobody in time asks."""
    is_act = scope["method"] not in READING and scope.get(CALLER) and status != HTTPStatus.TOO_MANY_REQUESTS
    facts = {"operation": operation(scope), "status": status, "milliseconds": round(1000 * took, 1)}
    lines.say(logging.INFO if is_act else logging.DEBUG, "answered", facts)


def log(error: Exception, scope: MutableMapping[str, Any]) -> None:
    """Where it happened, but not the error's own words: they may quote what somebody sent."""
    stack = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    facts = {"operation": operation(scope), "error": type(error).__name__, "stack": stack[-20:]}
    logger.error("a request failed", extra={"facts": facts})


def fault(correlation: Correlation) -> ASGIApp:
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        slug="internal-server-error",
        detail="The fault is ours and nothing is known to have happened: try again with the same Idempotency-Key, "
        f"and tell the operators of {correlation.trace} when it stays.",
    )
