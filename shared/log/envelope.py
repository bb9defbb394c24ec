"""How a fact is written down: the envelope in the log, and the message that neighbours may read."""

from datetime import datetime
from hashlib import sha256
from uuid import UUID

import msgspec

from shared.log.store import Event
from shared.values import UNREADABLE, Value


class Envelope(Value, omit_defaults=True):
    """The bytes of this are the record of the log. Its field names are for ever; what came later is absent in older ones."""

    id: UUID
    stream: str
    version: int
    type: str
    scope: str
    at: datetime
    actor: str  # an opaque id, never a name
    role: str | None = None  # in which they acted: an office, or what `shared/access/asker.py` says otherwise
    operation: str | None = None  # by which: of the HTTP interface, of the command line, or what a neighbour has said
    causation: str | None  # the request or the neighbour's event that led to this
    trace: str | None  # follows one act of a person through all services
    data: msgspec.Raw
    public: str | None  # SHA-256 of the message, so that what was said is proved with what was known

    def store_as(self, message: bytes | None) -> Event:
        return Event(
            id=self.id,
            stream=self.stream,
            version=self.version,
            type=self.type,
            scope=self.scope,
            record=msgspec.json.encode(self),
            message=message,
        )


class Message(Value):
    """What neighbours are told: one of the contracts as `data`, and what is needed to place it."""

    id: UUID
    type: str
    scope: str
    at: datetime
    trace: str | None
    data: msgspec.Raw


MESSAGES = msgspec.json.Decoder(Message)


class Dated(msgspec.Struct, frozen=True):
    """The part of a record that says when it was written."""

    at: datetime


DATED = msgspec.json.Decoder(Dated)


def time_of(record: bytes) -> datetime:
    return DATED.decode(record).at


def seal(envelope: Envelope, public: msgspec.Struct | None) -> Event:
    """Fix the record of an event, and its public form if it has one, for ever."""
    if public is None:
        return envelope.store_as(None)
    message = msgspec.json.encode(
        Message(
            id=envelope.id,
            type=type(public).__name__,
            scope=envelope.scope,
            at=envelope.at,
            trace=envelope.trace,
            data=msgspec.Raw(msgspec.json.encode(public)),
        )
    )
    proved = msgspec.structs.replace(envelope, public=sha256(message).hexdigest())
    return proved.store_as(message)


class RecordColumns(msgspec.Struct, frozen=True):
    """The part of a record that the columns beside it repeat, and what was said of it."""

    id: UUID
    stream: str
    version: int
    type: str
    scope: str
    public: str | None


COLUMNS = msgspec.json.Decoder(RecordColumns)


def is_as_recorded(event: Event) -> bool:
    """Whether the columns say what the record says: they are copies to search by, and it is the record that is proved."""
    said = sha256(event.message).hexdigest() if event.message is not None else None
    columns = RecordColumns(event.id, event.stream, event.version, event.type, event.scope, said)
    try:
        return COLUMNS.decode(event.record) == columns
    except UNREADABLE:
        return False
