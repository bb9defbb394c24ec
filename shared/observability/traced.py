"""What records spans on the way of an event: where it is appended, sent and heard. Each stands in for the part whose work it shows."""

from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import override
from uuid import UUID

import msgspec
from msgspec.structs import replace

from shared.clock import now
from shared.log.connection import Connection
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Appended, Event, Head
from shared.messaging.broker import Broker, Post
from shared.messaging.reactions import Batch, Committed, Effect, ReceiveAtOnce, Received, ReceivedAtOnce
from shared.messaging.subjects import stream
from shared.observability.spans import CURRENT_SPAN, SpanPlace, Spans, place_of, somewhere, trace_of
from shared.values import UNREADABLE, Value

HEARD: ContextVar[Sequence["HeardEvent"]] = ContextVar("heard", default=())  # what takes effect now


class TracedRecord(msgspec.Struct, frozen=True):
    """The part of a record that says where its span stands."""

    at: datetime
    causation: str | None
    trace: str | None


class TracedMessage(msgspec.Struct, frozen=True):
    """The part of a message that says where its span stands."""

    id: UUID
    type: str
    scope: str
    trace: str | None


class HeardEvent(Value):
    source: str
    scope: str
    message: TracedMessage
    trace: str


RECORDS = msgspec.json.Decoder(TracedRecord)
TRACED_MESSAGES = msgspec.json.Decoder(TracedMessage)


def traced_message(message: bytes) -> TracedMessage | None:
    """Nothing where it is none, as what tells a name, or cannot be read."""
    try:
        return TRACED_MESSAGES.decode(message)
    except UNREADABLE:
        return None


class TracedStore(PostgresStore):
    def __init__(self, database: str, spans: Spans, *, service: str) -> None:
        super().__init__(database)
        self._spans = spans
        self._service = service
        self._asked: set[int] = set()  # appends of requests and of our own work; the others follow from what was heard

    @override
    async def append(self, append: Append) -> Head:
        began = now()
        self._asked.add(id(append))
        try:
            head = await super().append(append)
        finally:
            self._asked.discard(id(append))
        for event in append.events:
            self._note(event, began, CURRENT_SPAN.get())
        return head

    @override
    def committed(self, several: Sequence[Appended]) -> None:
        super().committed(several)
        for written in several:
            for append in written.appends:
                if id(append) not in self._asked:
                    for event in append.events:
                        self._note(event, None, None)

    def _note(self, event: Event, began: datetime | None, asked: SpanPlace | None) -> None:
        """What follows from a message begins when it is decided, and stands below the hearing of that."""
        record = RECORDS.decode(event.record)
        if record.trace is None:
            return
        parent = asked if asked and asked.trace == trace_of(record.trace) else None
        if parent is None and record.causation is not None:
            parent = place_of("receive", record.causation, record.trace, service=self._service)
        self._spans.record(
            f"append {event.type}",
            place_of("append", event.id, record.trace),
            parent,
            began or record.at,
            now(),
            facts={"roundlog.scope": event.scope},
        )


class TracedBroker(Broker):
    def __init__(self, url: str, spans: Spans, *, name: str, copies: int) -> None:
        super().__init__(url, name=name, copies=copies)
        self._spans = spans
        self._service = name

    @override
    async def post(self, posts: Sequence[Post]) -> None:
        began = now()
        await super().post(posts)
        ended = now()
        for post in posts:
            if (message := traced_message(post.body)) and message.trace:
                self._spans.record(
                    f"send {message.type}",
                    place_of("send", message.id, message.trace),
                    place_of("append", message.id, message.trace),
                    began,
                    ended,
                    kind="PRODUCER",
                    facts=facts_of(message, "send", self._service),
                )


def traced_effect(effect: Effect, spans: Spans, *, service: str) -> Effect:
    async def follow(connection: Connection, received: Sequence[Received]) -> Committed:
        hearing = Hearing(spans, service, heard_of((event.source, event.message) for event in received))
        with hearing.under_way():
            committed = await effect(connection, received)
        return hearing.ended(committed, {event.scope for event in received})

    return follow


def traced_batch(at_once: ReceiveAtOnce, spans: Spans, *, service: str) -> ReceiveAtOnce:
    async def receive(connection: Connection, batch: Batch) -> ReceivedAtOnce | None:
        hearing = Hearing(spans, service, heard_of((batch.source, event.message) for event in batch.said))
        with hearing.under_way():
            received = await at_once(connection, batch)
        return received and replace(received, committed=hearing.ended(received.committed, received.free))

    return receive


class Hearing:
    """The spans of what is heard together."""

    def __init__(self, spans: Spans, service: str, heard: Iterable[HeardEvent]) -> None:
        self._spans = spans
        self._service = service
        self._heard = list(heard)
        self._began = now()

    @contextmanager
    def under_way(self) -> Generator[None]:
        token = HEARD.set(self._heard)
        try:
            yield
        except Exception:
            self._note(self._heard, failed=True)
            raise
        finally:
            HEARD.reset(token)

    def ended(self, committed: Committed | None, scopes: Collection[str]) -> Committed:
        def done() -> None:
            if committed is not None:
                committed()
            self._note((one for one in self._heard if one.scope in scopes), failed=False)

        return done

    def _note(self, heard: Iterable[HeardEvent], *, failed: bool) -> None:
        ended = now()
        for one in heard:
            self._spans.record(
                f"receive {one.message.type}",
                # What failed is tried again, and only what has come of it is the step that others go on from.
                somewhere(trace_of(one.trace))
                if failed
                else place_of("receive", one.message.id, one.trace, service=self._service),
                place_of("send", one.message.id, one.trace),
                self._began,
                ended,
                kind="CONSUMER",
                failed=failed,
                facts=facts_of(one.message, "process", one.source),
            )


def heard_of(said: Iterable[tuple[str, bytes]]) -> Iterable[HeardEvent]:
    for source, content in said:
        if (message := traced_message(content)) and message.trace:
            yield HeardEvent(source=source, scope=message.scope, message=message, trace=message.trace)


def facts_of(message: TracedMessage, does: str, source: str) -> dict[str, str | int]:
    return {
        "messaging.system": "nats",
        "messaging.operation.type": does,
        "messaging.destination.name": stream(source),
        "messaging.message.id": str(message.id),
        "roundlog.scope": message.scope,
    }
