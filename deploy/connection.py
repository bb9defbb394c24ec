"""One connection of a caller: in bounded time and size, whatever the other side sends, does not send or does not read.

uvicorn ends a connection that is idle between two requests. It waits for ever for the end of a head, for the rest of
a body that nobody reads, and for somebody who does not take an answer.
"""

import asyncio
import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, override

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from shared.correlation import correlate
from shared.limits import PATIENCE
from shared.problems import problem
from shared.sign_in import GUARDED
from shared.watching import header

LARGEST_HEAD = 2**16  # bytes of a request that are not its body
SPARE = 100  # connections beyond the bearable ones that are told so, and of those who look after the service
SECONDS_TO_COME_BACK = 5
LAST_PATIENCE = 1.0  # seconds that a stopping service has for somebody who takes nothing
GLANCE = 1.0  # seconds between two looks at a connection, or less where patience is short

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    connections: int
    to_hear: float  # seconds in which the head of a request must have come
    to_tell: float  # seconds in which some of an answer must have been taken


class Connection(HttpToolsProtocol):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        bounds: Bounds,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._bounds = bounds
        self._patience = bounds.to_tell
        self._due: float | None = None  # when the request that is coming must have come further
        self._taken = 0.0  # when the caller last took something, or had taken everything
        self._left = 0  # bytes that were still to be taken when it was last looked at
        self._framing = 0  # bytes of this request besides its body
        self._looking: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        beyond = len(self.connections) - self._bounds.connections
        if beyond > SPARE:
            transport.abort()
        elif beyond > 0:
            self.app = Crowded(self.app)
        self._due = self.loop.time() + self._bounds.to_hear
        self._taken = self.loop.time()
        self._look()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        if self._due is None:
            self._due = self.loop.time() + self._bounds.to_hear
        self._framing += len(data)
        super().data_received(data)
        if self._framing > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"send no more than {LARGEST_HEAD} bytes of it")

    @override
    def on_headers_complete(self) -> None:
        self._due = self.loop.time() + PATIENCE + self._bounds.to_hear  # a body is refused before, with a reason
        super().on_headers_complete()

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
        """Nobody waits any more for what is still missing of a request that is answered."""
        if self._due is not None:
            self._due = min(self._due, self.loop.time() + self._bounds.to_hear)
        super().on_response_complete()

    @override
    def resume_writing(self) -> None:
        self._taken = self.loop.time()
        super().resume_writing()

    @override
    def shutdown(self) -> None:
        self._patience = min(self._patience, LAST_PATIENCE)
        self._taken = self.loop.time()
        super().shutdown()

    @override
    def send_400_response(self, msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST, "send a request as HTTP/1.1 describes it")

    def _look(self) -> None:
        now, left = self.loop.time(), self.transport.get_write_buffer_size()
        if left < self._left or not left:
            self._taken = now
        self._left = left
        if now > self._taken + self._patience or (self._due is not None and now > self._due):
            logger.info("a connection was cut: its caller was too slow")
            self.transport.abort()
        else:
            glance = min(GLANCE, self._patience / 4, self._bounds.to_hear / 4)
            self._looking = self.loop.call_later(glance, self._look)

    def _refuse(self, status: HTTPStatus, what_to_do: str) -> None:
        """Outside of any operation, since there is no request that could be given to one."""
        answer = problem(status, slug="bad-request", detail=f"The head of the request cannot be read: {what_to_do}.")
        headers = [*answer.raw_headers, *correlate(b"", b"").headers, (b"connection", b"close")]
        lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *(b"%s: %s" % pair for pair in headers)]
        self.transport.write(b"\r\n".join([*lines, b"", bytes(answer.body)]))
        self.transport.close()


class Crowded:
    """Turns callers away, but nobody who looks after the service: it works, and a restart would not help."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = crowded(scope) if scope["path"].startswith(GUARDED) else self._app
        await app(scope, receive, send)


def crowded(scope: Scope) -> ASGIApp:
    correlation = correlate(header(scope, b"traceparent"), header(scope, b"x-request-id"))
    ours = {name.decode(): value.decode() for name, value in correlation.headers}
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        slug="too-many-connections",
        detail="As many are connected as the service can bear: come back after as long as Retry-After says.",
        headers={"Retry-After": f"{SECONDS_TO_COME_BACK}", "Connection": "close", **ours},
    )
