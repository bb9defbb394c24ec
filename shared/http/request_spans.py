"""The outermost middleware of a service whose spans are exported: a request and all that follows from it are one trace."""

from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.clock import now
from shared.http.request_log import GONE, header, operation
from shared.observability.health import LOOKED_AFTER
from shared.observability.spans import CURRENT_SPAN, SpanPlace, Spans, somewhere, trace_of
from shared.observability.tracing import TRACEPARENT, correlate

TRACE = b"traceparent"


class RequestSpans:
    """It finds out the trace as `RequestLog` does, which is then told one that was made up here."""

    def __init__(self, app: ASGIApp, *, spans: Spans) -> None:
        self._app = app
        self._spans = spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in LOOKED_AFTER:
            await self._app(scope, receive, send)
            return
        sent = header(scope, TRACE)
        trace = correlate(sent, header(scope, b"x-request-id")).trace
        place = somewhere(trace_of(trace))
        if f"{place.trace:032x}" == trace:
            scope["headers"] = [*without_trace(scope["headers"]), (TRACE, self._written(place))]
        await self._answer(place, before(sent, place.trace), scope, receive, send)

    async def _answer(
        self, place: SpanPlace, parent: SpanPlace | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        began, status = now(), GONE

        async def answering(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*without_trace(message["headers"]), (TRACE, self._written(place))]
            await send(message)

        token = CURRENT_SPAN.set(place)
        try:
            await self._app(scope, receive, answering)
        finally:
            CURRENT_SPAN.reset(token)
            path = getattr(scope.get("route"), "path", None)
            facts = {"http.request.method": scope["method"], "http.response.status_code": status}
            self._spans.record(
                f"{scope['method']} {path or 'elsewhere'}",
                place,
                parent,
                began,
                now(),
                kind="SERVER",
                failed=status >= HTTPStatus.INTERNAL_SERVER_ERROR,
                facts={**facts, "roundlog.operation": operation(scope), **({"http.route": path} if path else {})},
            )

    def _written(self, place: SpanPlace) -> bytes:
        return b"00-%032x-%016x-%02x" % (place.trace, place.span, self._spans.keeps(place.trace))


def before(sent: bytes, trace: int) -> SpanPlace | None:
    """What the caller says that the request belongs to."""
    return SpanPlace(trace=trace, span=int(sent.split(b"-")[2], 16)) if TRACEPARENT.fullmatch(sent) else None


def without_trace(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [one for one in headers if one[0] != TRACE]
