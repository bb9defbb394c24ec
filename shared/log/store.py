"""The log: what happened, in order, for ever.

A command's outcome is one `Append`: the events it adds, the version at which each touched stream must still
stand, and the answer to remember under the caller's idempotency key. It is admitted whole or not at all.

Admitted events get the next positions 1, 2, 3 … of the log, without a gap and in commit order; those with a public
form (`message`) also get the next public number. Whoever has read up to a position has seen everything before it,
so a reader keeps one number and never misses an event.

Every event has an id made by the caller. An append whose outcome is unknown, because the connection was cut, is
sent again: its ids say whether it came through.

An append that is not admitted raises one of

    Refused
     ├ VersionConflict    a stream has moved: read it again and decide again
     ├ KeyTaken           the idempotency key was answered before: give that answer again
     └ IdTaken            another event bears this id
    Unavailable           nothing is known to be written: try again later, with the same idempotency key
     └ Overloaded         the queue is full: nothing was written

Two stores do this: `MemoryStore` for tests, and `PostgresStore` with `migrations/log.sql`. One suite of tests holds both.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol
from uuid import UUID

from msgspec.structs import force_setattr

from shared.refusals import Unavailable
from shared.values import Value

PAGE = 500


class Event(Value):
    """One fact as it is stored. `record` is the whole envelope; the other fields are copies to look it up by."""

    id: UUID
    stream: str
    version: int
    type: str
    scope: str
    record: bytes
    message: bytes | None = None


class Recorded(Value):
    position: int
    public: int | None
    event: Event


class Answer(Value):
    """What a request was answered: the same key with the same request gets the same response."""

    key: bytes
    request: bytes
    response: bytes


class Append(Value):
    expected: Mapping[str, int]
    events: Sequence[Event] = ()
    answer: Answer | None = None
    size: int = 0  # worked out

    def __post_init__(self) -> None:
        following = dict(self.expected)
        for event in self.events:
            following[event.stream] = following.get(event.stream, -1) + 1
            if event.version != following[event.stream]:
                raise ValueError(f"{event.stream} {event.version} does not follow an expected version")
        said = sum([len(event.record) + len(event.message or b"") for event in self.events])
        force_setattr(self, "size", said + len(self.answer.response if self.answer else b""))


class Head(Value):
    """How far a log goes: its last position, and the public number reached there."""

    position: int
    public: int


class Appended(Value):
    """Appends that were admitted together, in this order, and how far the log went before."""

    before: Head
    appends: tuple[Append, ...]


class Refused(Exception):
    """The append contradicts what is in the log. Nothing was written."""


class VersionConflict(Refused):
    """A stream has moved since it was read."""


class IdTaken(Refused):
    """Another event bears the id of one of these."""


class KeyTaken(Refused):
    """The idempotency key was used before."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("this key was answered before")
        self.answer = answer


class Overloaded(Unavailable):
    """Too much is waiting to be written. Nothing of this append was."""

    retry_after = 1.0


class StreamStore(Protocol):
    """What a command needs of a log."""

    async def append(self, append: Append) -> Head:
        """Admit the append; answers how far the log goes with it."""
        ...

    async def answer(self, key: bytes) -> Answer | None: ...

    async def head(self) -> Head: ...

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        """The next events of a stream behind a version."""
        ...


class EventStore(StreamStore, Protocol):
    async def incarnation(self) -> UUID:
        """Which log this is: another one after a backup was restored, though its numbers may look the same."""
        ...

    async def read(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        """The next events of the log behind a position."""
        ...

    async def read_public(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        """The next events that have a public form, behind a public number."""
        ...

    async def read_scope(self, scope: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        """The next events about a tournament, season or person, behind a position."""
        ...

    def follow(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        """Everything behind a position, now and as it comes, until the caller stops listening."""
        ...

    def follow_public(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        """The same for the events that have a public form, behind a public number."""
        ...
