"""A collector of OpenTelemetry on loopback: it keeps the spans that it was sent, by OTLP over HTTP."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

from shared.values import Value
from tests.patience import PATIENCE

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n"


class CollectedSpan(Value):
    service: str
    name: str
    trace: str
    id: str
    parent: str  # empty for none
    kind: str
    failed: bool
    began: int
    ended: int
    facts: Mapping[str, str | int]


class Collector:
    def __init__(self) -> None:
        self.spans: list[CollectedSpan] = []
        self.answers = True  # as long as it does
        self.asked = 0
        self._port = 0
        self._taking: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def of(self, trace: str) -> Sequence[CollectedSpan]:
        return [span for span in self.spans if span.trace == trace]

    async def until(self, trace: str, holds: Callable[[Sequence[CollectedSpan]], bool]) -> Sequence[CollectedSpan]:
        async with asyncio.timeout(PATIENCE):
            while not holds(found := self.of(trace)):
                await asyncio.sleep(0.02)
        return found

    @asynccontextmanager
    async def running(self) -> AsyncGenerator["Collector"]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in self._taking:
                task.cancel()
            await asyncio.gather(*self._taking, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._take(reader, writer))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
                self.asked += 1
                assert head[0] == "POST /v1/traces HTTP/1.1"
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                self.spans += spans(await reader.readexactly(int(headers["content-length"])))
                if not self.answers:
                    await asyncio.sleep(PATIENCE)
                writer.write(ANSWER)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


def spans(sent: bytes) -> list[CollectedSpan]:
    request = cast("Any", trace_service_pb2).ExportTraceServiceRequest.FromString(sent)
    return [
        CollectedSpan(
            service=facts(of_service.resource.attributes)["service.name"],
            name=one.name,
            trace=one.trace_id.hex(),
            id=one.span_id.hex(),
            parent=one.parent_span_id.hex(),
            kind=one.SpanKind.Name(one.kind).removeprefix("SPAN_KIND_"),
            failed=one.status.code == one.status.STATUS_CODE_ERROR,
            began=one.start_time_unix_nano,
            ended=one.end_time_unix_nano,
            facts=facts(one.attributes),
        )
        for of_service in request.resource_spans
        for of_scope in of_service.scope_spans
        for one in of_scope.spans
    ]


def facts(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}
