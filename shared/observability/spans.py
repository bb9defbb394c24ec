"""Spans of OpenTelemetry: what one act was made of, from its request through the broker to the table that is pushed.

They are exported where `OTEL_EXPORTER_OTLP_ENDPOINT` says to whom. Elsewhere nothing of OpenTelemetry is loaded and nothing is
wrapped: `Spans` is made by the kernel or not at all, and whatever records one is put in place only with it.

The ids of spans follow from the ids of events, and their traces stand in the messages. So whoever sends a message, hears it, or
makes a table of it, in whichever process and however late, knows the span before without having been told of it.

A span is recorded once it is over. A thread of its own hands on what was recorded, and drops what nobody takes.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from shared.ids import random_hex
from shared.observability.logs import SAID_SELDOM
from shared.observability.tracing import trace_id
from shared.values import Value

if TYPE_CHECKING:  # loaded only where spans are wanted
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

HALF = 2**64
LAST_PATIENCE = 2.0  # seconds that a stopping service has for somebody who does not take its last spans
EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"  # the logger of what goes wrong on the way

type Step = Literal["append", "send", "receive", "tables"]
type Kind = Literal["INTERNAL", "SERVER", "PRODUCER", "CONSUMER"]

logger = logging.getLogger(__name__)


class SpanPlace(Value):
    """Where a span stands: in which trace, and under which id."""

    trace: int
    span: int


CURRENT_SPAN: ContextVar[SpanPlace | None] = ContextVar("span", default=None)  # of the request that is answered


def trace_of(trace: str) -> int:
    """The id of a trace as logs and records name it: one of W3C, or what a caller has called a request."""
    return int(trace_id(trace), 16)


def place_of(step: Step, event: UUID | str, trace: str, *, service: str = "") -> SpanPlace:
    """Of what was done with an event; where several services do it, each has its own."""
    told = sha256(f"{step} {service} {event}".encode()).digest()
    return SpanPlace(trace=trace_of(trace), span=int.from_bytes(told[:8]))


def somewhere(trace: int) -> SpanPlace:
    """A place to which nothing has to find."""
    return SpanPlace(trace=trace, span=int(random_hex(8), 16))


class Spans:
    """Those of one service: recorded while it runs, and otherwise dropped."""

    def __init__(self, *, service: str, deployment: str, share: float) -> None:
        self._service = service
        self._deployment = deployment
        self._bound = round(share * HALF)
        self._tracer: Tracer | None = None
        self._planned: SpanPlace | None = None

    def keeps(self, trace: int) -> bool:
        """By its id alone, whatever callers say of it: all services keep the same traces, and each of them whole."""
        return trace % HALF < self._bound

    def record(
        self,
        name: str,
        place: SpanPlace,
        parent: SpanPlace | None,
        began: datetime,
        ended: datetime,
        *,
        kind: Kind = "INTERNAL",
        failed: bool = False,
        facts: Mapping[str, str | int] | None = None,
    ) -> None:
        """Facts are names, numbers and ids of things, never what is known of a person."""
        if self._tracer is None or not self.keeps(place.trace):
            return
        try:
            self._record(self._tracer, name, place, parent, began, ended, kind=kind, failed=failed, facts=facts)
        except Exception as error:  # noqa: BLE001 - what was done is done, whether it is shown or not
            logger.warning("a span was not recorded: %r", error)

    def _record(
        self,
        tracer: "Tracer",
        name: str,
        place: SpanPlace,
        parent: SpanPlace | None,
        began: datetime,
        ended: datetime,
        *,
        kind: Kind,
        failed: bool,
        facts: Mapping[str, str | int] | None,
    ) -> None:
        from opentelemetry import context, trace  # noqa: PLC0415 - loaded only where spans are wanted

        before = context.Context()
        if parent is not None:
            flags = trace.TraceFlags(trace.TraceFlags.SAMPLED)
            known = trace.SpanContext(place.trace, parent.span, is_remote=True, trace_flags=flags)
            before = trace.set_span_in_context(trace.NonRecordingSpan(known), before)
        self._planned = place
        span = tracer.start_span(
            name,
            before,
            kind=trace.SpanKind[kind],
            attributes=facts,
            start_time=nanoseconds(began),
        )
        if failed:
            span.set_status(trace.StatusCode.ERROR)
        span.end(nanoseconds(ended))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        if (provider := self._provider_if_any()) is None:
            yield
            return
        logging.getLogger(EXPORTER).addFilter(SAID_SELDOM)
        self._tracer = provider.get_tracer("roundlog", version("roundlog"))
        try:
            yield
        finally:
            self._tracer = None
            await shut_down(provider)

    def _provider_if_any(self) -> "TracerProvider | None":
        """A service works without being watched."""
        try:
            return self._provider()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is said
            remedy = "install its extra `traces`" if isinstance(error, ImportError) else "look at its variables"
            logger.error("no spans are exported, %s: %r", remedy, error)  # noqa: TRY400 - the words say it
            return None

    def _provider(self) -> "TracerProvider":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - see above
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - see above
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - see above
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - see above
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator  # noqa: PLC0415 - see above
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON  # noqa: PLC0415 - see above

        planned = self._place_planned

        class PlannedIds(RandomIdGenerator):
            def generate_span_id(self) -> int:
                return planned().span

            def generate_trace_id(self) -> int:
                return planned().trace

        names = {"service.name": self._service, "service.namespace": self._deployment}
        resource = Resource.create({**names, "service.version": version("roundlog")})
        provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False, id_generator=PlannedIds())
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return provider

    def _place_planned(self) -> SpanPlace:
        if self._planned is None:
            raise RuntimeError("a span was begun without a place")
        return self._planned


def nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000) * 1_000


async def shut_down(provider: "TracerProvider") -> None:
    """Hand on the last spans. A thread that nobody waits for does it, since whoever takes them may have gone."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def end() -> None:
        provider.shutdown()
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=end, name="last spans", daemon=True).start()
    try:
        await asyncio.wait_for(done.wait(), LAST_PATIENCE)
    except TimeoutError:
        logger.warning("the last spans were taken by nobody")
