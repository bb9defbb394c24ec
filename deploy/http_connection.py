"""One connection of a caller: in bounded time and size, whatever the other side sends, does not send or does not read.

uvicorn ends a connection that is idle between two requests. It waits for ever for the end of a head, for the rest of
a body that nobody reads, and for somebody who does not take an answer.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, override

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from shared.http.limits import PATIENCE
from shared.http.live_streams import DIRECT
from shared.http.problems import problem
from shared.http.proxies import Proxies, counted
from shared.http.request_log import NO_SNIFFING, header
from shared.observability.health import LOOKED_AFTER
from shared.observability.logs import SAID_SELDOM
from shared.observability.tracing import correlate
from shared.values import Value

LARGEST_HEAD = 2**16  # bytes of a request that are not its body
BETWEEN = len(b": \r\n")  # bytes of a field of the head besides its name and value
SPARE = 100  # connections beyond the bearable ones that are told so, and of those who look after the service
SPARE_OF_ONE = 20  # the same, of one address
MOST_AHEAD = 16  # requests that may come on a connection before the first of them is answered
SECONDS_TO_COME_BACK = 5
CROWDED = 0.5  # of the bearable connections: from here on, idle ones are closed soon
SOONER = 15  # times
LAST_PATIENCE = 1.0  # seconds that a stopping service has for somebody who takes nothing
GLANCE = 1.0  # seconds between two looks at a connection, or less where patience is short
AT_ONCE = 200  # connections that are looked at before others have their turn

logger = logging.getLogger(__name__)
logger.addFilter(SAID_SELDOM)


class Bounds(Value):
    connections: int
    connections_of_one: int  # address
    to_hear: float  # seconds in which the head of a request must have come
    to_tell: float  # seconds in which some of an answer must have been taken
    kept_open: float  # seconds for a next request, if there is room


class Callers:
    """How many connections each address has, its own and those requests for it that proxies carry."""

    def __init__(self, proxies: Proxies) -> None:
        self.proxies = proxies
        self._places: Counter[str] = Counter()

    def take(self, address: str) -> int:
        """One more; answers how many it has then."""
        self._places[address] += 1
        return self._places[address]

    def leave(self, address: str) -> None:
        self._places[address] -= 1
        if not self._places[address]:
            del self._places[address]


class Watch:
    """Looks at all connections now and then: a timer for each would cost more than all that most of them do."""

    def __init__(self) -> None:
        self._watched: dict[HttpConnection, None] = {}
        self._next: asyncio.TimerHandle | None = None

    def begin(self, connection: "HttpConnection") -> None:
        self._watched[connection] = None
        if self._next is None:
            self._next = connection.loop.call_later(connection.glance, self._look, connection.loop)

    def end(self, connection: "HttpConnection") -> None:
        self._watched.pop(connection, None)
        if not self._watched and self._next is not None:
            self._next.cancel()
            self._next = None

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        watched = list(self._watched)
        for first in range(0, len(watched), AT_ONCE):
            loop.call_soon(look_at, watched[first : first + AT_ONCE], loop)
        self._next = loop.call_later(watched[0].glance, self._look, loop)


def look_at(connections: Sequence["HttpConnection"], loop: asyncio.AbstractEventLoop) -> None:
    now = loop.time()
    for connection in connections:
        connection.look(now)


class TooLarge(Exception):
    """A head goes on and on."""


class HttpConnection(HttpToolsProtocol):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        bounds: Bounds,
        callers: Callers,
        watch: Watch,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.glance = min(GLANCE, bounds.to_tell / 4, bounds.to_hear / 4)  # seconds between two looks at it
        self._bounds = bounds
        self._callers = callers
        self._watch = watch
        self._address: str | None = None  # under which it is counted
        self._patience = bounds.to_tell
        self._due: float | None = None  # when the request that is coming must have come further
        self._taken = 0.0  # when the caller last took something, or had taken everything
        self._left = 0  # bytes that were still to be taken when it was last looked at
        self._framing = 0  # bytes of this request besides its body
        self._come = 0  # bytes that have come together
        self._is_too_large = False  # the head
        self._is_told = False  # something of the answer that goes on went straight to the caller

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        beyond = len(self.connections) - self._bounds.connections
        beyond_of_one = self._count()
        if beyond > SPARE or beyond_of_one > SPARE_OF_ONE:
            transport.abort()
        elif beyond_of_one > 0:
            self.app = Crowded(self.app, too_many_of_one)
        elif beyond > 0:
            self.app = Crowded(self.app, too_many)
        self._due = self.loop.time() + self._bounds.to_hear
        self._taken = self.loop.time()
        self._watch.begin(self)

    def _count(self) -> int:
        """How many more its address has than it may. A proxy has as many as it likes: those whom it asks for are counted."""
        host = self.client[0] if self.client else ""
        if self._callers.proxies.are(host):
            self.app = Carried(self.app, self._callers, self._bounds.connections_of_one)
            return 0
        self._address = counted(host)
        return self._callers.take(self._address) - self._bounds.connections_of_one

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.end(self)
        if self._address is not None:
            self._callers.leave(self._address)
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        if self._due is None:
            self._due = self.loop.time() + self._bounds.to_hear
        self._come = len(data)
        self._framing += self._come
        super().data_received(data)
        if self._framing > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse_head()

    @override
    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {DIRECT: self}  # pyright: ignore[reportGeneralTypeIssues] - the type knows only those of others

    @override
    def on_headers_complete(self) -> None:
        if max(self._framing, self._come) > LARGEST_HEAD and self._size_of_head() > LARGEST_HEAD:
            self._is_too_large = True  # it has come at once, or is gone before its bytes were counted
            raise TooLarge
        if len(self.pipeline) >= MOST_AHEAD:
            self.transport.abort()
            return
        self._due = self.loop.time() + PATIENCE + self._bounds.to_hear  # a body is refused before, with a reason
        super().on_headers_complete()
        self.headers = []  # what comes behind a body in the form of a field is passed over: the request did not begin with it

    def _size_of_head(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + BETWEEN for name, value in self.headers)

    @override
    def on_body(self, body: bytes) -> None:
        self._framing -= len(body)
        super().on_body(body)

    @override
    def on_message_complete(self) -> None:
        self._due = None
        self._framing = 0
        super().on_message_complete()

    @override
    def on_response_complete(self) -> None:
        """Nobody waits any more for what is still missing of a request that is answered.

        A server that closes an idle connection before its callers do, closes it now and then under their next request.
        Clients and proxies keep theirs for five to sixty seconds, so it stays longer than that where there is room.
        """
        if self._is_told:
            self._is_told = False
            self.transport.set_write_buffer_limits()
        crowded = len(self.connections) > CROWDED * self._bounds.connections
        self.timeout_keep_alive = self._bounds.kept_open / (SOONER if crowded else 1)
        if self._due is not None:
            self._due = min(self._due, self.loop.time() + self._bounds.to_hear)
        super().on_response_complete()

    def tell(self, chunk: bytes) -> bool:
        """A part of the answer that goes on (`DirectConnection`). What the system does not take at once is all that waits."""
        if not self._is_told:
            self._is_told = True
            self.transport.set_write_buffer_limits(high=0)
        if self.flow.write_paused:
            return False
        if not self.transport.is_closing():
            self.transport.write(chunk)
        return True

    @override
    def resume_writing(self) -> None:
        self._taken = self.loop.time()
        super().resume_writing()

    @override
    def shutdown(self) -> None:
        self._patience = min(self._patience, LAST_PATIENCE)
        self.glance = min(self.glance, LAST_PATIENCE / 4)
        self._taken = self.loop.time()
        super().shutdown()

    @override
    def send_400_response(self, msg: str) -> None:
        if self._is_too_large:
            self._refuse_head()
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "send a request as HTTP/1.1 describes it")

    def look(self, now: float) -> None:
        left = self.transport.get_write_buffer_size()
        if left < self._left or not left:
            self._taken = now
        self._left = left
        if now > self._taken + self._patience or (self._due is not None and now > self._due):
            logger.info("a connection was cut: its caller was too slow")
            self.transport.abort()

    def _refuse_head(self) -> None:
        self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"send no more than {LARGEST_HEAD} bytes of it")

    def _refuse(self, status: HTTPStatus, what_to_do: str) -> None:
        """Outside of any operation, since there is no request that could be given to one."""
        answer = problem(status, slug="bad-request", detail=f"The head of the request cannot be read: {what_to_do}.")
        headers = [*answer.raw_headers, *correlate(b"", b"").headers, NO_SNIFFING, (b"connection", b"close")]
        lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *(b"%s: %s" % pair for pair in headers)]
        self.transport.write(b"\r\n".join([*lines, b"", bytes(answer.body)]))
        self.transport.close()


class Carried:
    """Counts the requests that a proxy carries as if each were a connection of whom it is for."""

    def __init__(self, app: Any, callers: Callers, most: int) -> None:
        self._app = app
        self._callers = callers
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = self._callers.proxies.caller(scope)
        try:
            beyond = self._callers.take(address) > self._most
            app: ASGIApp = Crowded(self._app, too_many_of_one) if beyond else self._app
            await app(scope, receive, send)
        finally:
            self._callers.leave(address)


class Crowded:
    """Turns callers away, but nobody who looks after the service: it works, and a restart would not help."""

    def __init__(self, app: Any, refusal: Callable[[dict[str, str]], ASGIApp]) -> None:
        self._app = app
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = self._app if scope["path"] in LOOKED_AFTER else self._turned_away(scope)
        await app(scope, receive, send)

    def _turned_away(self, scope: Scope) -> ASGIApp:
        correlation = correlate(header(scope, b"traceparent"), header(scope, b"x-request-id"))
        ours = [*correlation.headers, NO_SNIFFING]
        headers = {name.decode(): value.decode() for name, value in ours}
        return self._refusal({"Retry-After": f"{SECONDS_TO_COME_BACK}", "Connection": "close", **headers})


def too_many(headers: dict[str, str]) -> ASGIApp:
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        slug="too-many-connections",
        detail="As many are connected as the service can bear: come back after as long as Retry-After says.",
        headers=headers,
    )


def too_many_of_one(headers: dict[str, str]) -> ASGIApp:
    return problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        slug="too-many-connections",
        detail="As many are connected from your address as one may have: close some, or send one after the other.",
        headers=headers,
    )
