"""Telling what happens while it happens, as Server-Sent Events.

A notifier says that there is something new about a scope, never what: whoever was woken looks for itself, from where it
stands. So a ring too many does no harm, and one place in the log is all that a listener has to remember.

What is told is frames, of any kind and with ids of any kind. An `EventStream` writes them down until the caller goes, may
no longer listen, or the process stops; `OpenStreams` counts them and limits how many there are. They come `one_by_one`
from a generator of this stream, or are `newest`: where each is whole, whoever makes them writes each down once, and
hands it to every `NewestListener` who hears the same.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager
from http import HTTPStatus
from typing import Protocol
from weakref import WeakValueDictionary

from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.access.asker import Asker
from shared.background import Work, first_of
from shared.clock import Now
from shared.http.limits import name_of
from shared.http.problems import problem
from shared.log.store import EventStore
from shared.refusals import Unavailable
from shared.values import Value

EVENT_STREAM = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # no proxy keeps it, or keeps it back
BEAT = b":\n\n"
BEAT_CHUNK = b"%x\r\n%s\r\n" % (len(BEAT), BEAT)  # as a part of an answer in parts
RETRY = 2000  # milliseconds that a caller waits before it connects again
PAUSE = 1.0  # seconds between two tries to reach the log
LONGEST = 3600.0  # seconds; whoever only seems to listen does not do it for ever, others connect again
SECONDS_TO_COME_BACK = 10
DIRECT = "roundlog.direct"  # the extension of ASGI by which a server offers its `DirectConnection`


class ScopeNotifier:
    """Wakes those who listen to a scope: each waits for a ring, taken before reading, and then looks for itself."""

    def __init__(self) -> None:
        self._rings: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()  # those that somebody waits for

    def next_ring(self, scope: str) -> asyncio.Event:
        """Taken before reading, so that whatever comes meanwhile has rung it."""
        if (ring := self._rings.get(scope)) is None:
            ring = self._rings[scope] = asyncio.Event()
        return ring

    def ring(self, scope: str) -> None:
        if ring := self._rings.pop(scope, None):
            ring.set()

    def ring_all(self) -> None:
        for scope in list(self._rings):
            self.ring(scope)


class LogNotifier(ScopeNotifier):
    """Follows the log once for all the listeners of a process."""

    def __init__(self, store: EventStore) -> None:
        super().__init__()
        self._store = store
        following = Work("hub of the listeners", self._follow)
        self.running, self.check = following.running, following.check

    async def _follow(self) -> None:
        position = await self._begin()
        self.ring_all()  # they may have read before this position
        async for page in self._store.follow(after=position):
            for scope in {recorded.event.scope for recorded in page}:
                self.ring(scope)

    async def _begin(self) -> int:
        while True:
            try:
                return (await self._store.head()).position
            except Unavailable:
                await asyncio.sleep(PAUSE)


class Frame(Value):
    """One thing that is told. Whoever names its id afterwards is told what came behind it."""

    id: str
    event: str
    data: bytes

    def __bytes__(self) -> bytes:
        lines = b"".join(b"data: %s\n" % line for line in self.data.splitlines())
        return b"id: %s\nevent: %s\n%s\n" % (self.id.encode(), self.event.encode(), lines)


class WrittenFrame(Value):
    """A frame as it is sent, made once for all who hear it."""

    lines: bytes
    chunk: bytes  # the same as a part of an answer in parts (RFC 9112, 7.1)


def written(frame: Frame) -> WrittenFrame:
    lines = bytes(frame)
    return WrittenFrame(lines=lines, chunk=b"%x\r\n%s\r\n" % (len(lines), lines))


class DirectConnection(Protocol):
    """A connection that takes parts of an answer that goes on as they are to be sent, past all layers above it."""

    def tell(self, chunk: bytes) -> bool:
        """Nothing is taken, and the answer is no, as long as something that was told before is not sent."""
        ...


class NewestListener:
    """Somebody who is told what is whole each time. Of what comes while they take what came before, they are told the last.

    So of those who are slow as little is kept as of others: two frames at the most, which they share with everybody.
    """

    def __init__(self) -> None:
        self.connection: DirectConnection | None = None
        self._is_late = False  # something waits for its turn, and goes the long way
        self._newest: WrittenFrame | None = None
        self._fault: BaseException | None = None
        self._woken = asyncio.Event()

    def tell(self, frame: WrittenFrame) -> None:
        if self._is_late or self.connection is None or not self.connection.tell(frame.chunk):
            self._is_late, self._newest = True, frame
            self._woken.set()

    def fail(self, fault: BaseException) -> None:
        """Nothing can be told any more: the stream breaks off, and who listens connects again."""
        self._fault = fault
        self._woken.set()

    async def hear(self, send: Send) -> None:
        """Hand on what the connection did not take at once."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            if self._fault is not None:
                raise self._fault
            while (frame := self._newest) is not None:
                self._newest = None
                await send(chunk(frame.lines))
            self._is_late = False


type Telling = Callable[[Scope, Send], Awaitable[None]]  # goes on until there is nothing more to tell


def one_by_one(frames: AsyncGenerator[Frame]) -> Telling:
    async def tell(_: Scope, send: Send) -> None:
        async with aclosing(frames):
            async for frame in frames:
                await send(chunk(bytes(frame)))

    return tell


def newest(listener: NewestListener, told: AbstractAsyncContextManager[None]) -> Telling:
    """Within `told` somebody tells the listener."""

    async def tell(scope: Scope, send: Send) -> None:
        listener.connection = scope.get("extensions", {}).get(DIRECT)
        async with told:
            await listener.hear(send)

    return tell


class OpenStreams:
    """The open streams of a process: how many, whose, and until when."""

    def __init__(self, *, most: int, most_of_one: int, heartbeat: float, now: Now) -> None:
        self.heartbeat = heartbeat
        self.stopping = asyncio.Event()
        self._most = most
        self._most_of_one = most_of_one
        self._now = now
        self._open: Counter[str] = Counter()

    def stop(self) -> None:
        """End all of them, and begin no other: a server waits for what is open before it ends."""
        self.stopping.set()

    def count(self) -> int:
        return self._open.total()

    def refusal(self, listener: str) -> ASGIApp | None:
        if self._open[listener] >= self._most_of_one:
            return too_many_of_one(self._most_of_one)
        return too_many() if self.stopping.is_set() or self.count() >= self._most else None

    @contextmanager
    def opened(self, listener: str) -> Generator[None]:
        self._open[listener] += 1
        try:
            yield
        finally:
            self._open[listener] -= 1
            if not self._open[listener]:
                del self._open[listener]

    def seconds(self, asker: Asker) -> float:
        """How long this caller may listen at the most."""
        return min(LONGEST, asker.caller.expires - self._now().timestamp()) if asker.caller else LONGEST


class EventStream(StreamingResponse):
    """The answer that goes on. `stays` is asked at every heartbeat whether the caller still may listen."""

    def __init__(
        self,
        telling: Telling,
        *,
        streams: OpenStreams,
        asker: Asker,
        stays: Callable[[], Awaitable[bool]],
        behind: str,
    ) -> None:
        super().__init__((), headers=HEADERS, media_type=EVENT_STREAM)
        self._telling = telling
        self._streams = streams
        self._asker = asker
        self._stays = stays
        self._behind = behind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listener = name_of(self._asker.caller, scope)
        if refusal := self._streams.refusal(listener):
            await refusal(scope, receive, send)
            return
        with self._streams.opened(listener):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            until = [
                self._tell(scope, send),
                self._beat(scope, send),
                disconnected(receive),
                self._streams.stopping.wait(),
            ]
            await first_of(until, self._streams.seconds(self._asker))
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, scope: Scope, send: Send) -> None:
        """From its first line on a caller knows where to go on."""
        await send(chunk(b"retry: %d\nid: %s\n\n" % (RETRY, self._behind.encode())))
        await self._telling(scope, send)

    async def _beat(self, scope: Scope, send: Send) -> None:
        """Whoever has not taken yet what was told before needs no sign of life."""
        connection: DirectConnection | None = scope.get("extensions", {}).get(DIRECT)
        while True:
            await asyncio.sleep(self._streams.heartbeat)
            if not await self._stays():
                return
            if connection is None:
                await send(chunk(BEAT))
            else:
                connection.tell(BEAT_CHUNK)


def chunk(content: bytes) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": True}


async def disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def too_many_of_one(most: int) -> ASGIApp:
    return problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        slug="too-many-streams",
        detail=f"You are listening to {most} streams already: close one, or share one among your own listeners.",
        headers={"Retry-After": f"{SECONDS_TO_COME_BACK}"},
    )


def too_many() -> ASGIApp:
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        slug="too-many-streams",
        detail="As many are listening as the service can bear: come back after as long as Retry-After says.",
        headers={"Retry-After": f"{SECONDS_TO_COME_BACK}"},
    )
