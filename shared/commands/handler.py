"""The way of every command: load the stream, decide, append; once more when somebody else was faster."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import takewhile
from typing import Any

import msgspec

from shared.cache import LruCache
from shared.clock import Now
from shared.commands.decider import Decider
from shared.commands.personal_facts import OpeningStore, PrivateFact, SaltedValue, commitments_of, concealed, revealed
from shared.ids import NewId
from shared.log.envelope import Envelope, seal, time_of
from shared.log.store import (
    PAGE,
    Answer,
    Append,
    Head,
    KeyTaken,
    Overloaded,
    Recorded,
    Refused,
    StreamStore,
    VersionConflict,
)
from shared.log.store import Event as Sealed
from shared.refusals import Invalid, Refusal, Stale
from shared.values import Value

ATTEMPTS = 20
SERVICE = "service"  # the role of a service, in which it follows what it has heard or seen
REMEMBERED = 32 * 2**20  # bytes of records of streams of one kind whose state is kept in memory


class Origin(Value):
    """Who asked, in which role and by which operation, and what led to it."""

    actor: str
    role: str | None = None
    operation: str | None = None
    causation: str | None = None
    trace: str | None = None


class Key(Value):
    """An idempotency key, bound to who asked for which operation, and a hash of what exactly was asked."""

    key: bytes
    request: bytes


class Handled(Value):
    """What to answer, and how far the log goes with it."""

    response: bytes
    head: Head


class StreamAppend(Value):
    """What is to happen to one stream, as it was decided on one version of it."""

    stream: str
    version: int
    events: Sequence[Sealed]
    facts: Sequence[Any] = ()  # which these events are the records of
    openings: Sequence[SaltedValue] = ()  # of what these facts say of persons


class Remembered[State](Value):
    """A state as it was read or written last. It takes about as much room as the records from which it follows."""

    state: State
    version: int
    size: int


def size_of(remembered: Remembered[Any]) -> int:
    return remembered.size


def size_of_records(events: Iterable[Sealed]) -> int:
    return sum([len(event.record) for event in events])


class Turns:
    """Of each name, one at a time: the others wait and come in the order in which they asked."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by the names that somebody has

    async def take(self, name: str) -> None:
        if (waiting := self._waiting.get(name)) is None:
            self._waiting[name] = deque()
            return
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had come already
                self.leave(name)
            raise

    def leave(self, name: str) -> None:
        waiting = self._waiting[name]
        while waiting:
            if not (turn := waiting.popleft()).done():
                turn.set_result(None)
                return
        del self._waiting[name]


type ActPart = Callable[[], Awaitable[StreamAppend]]
type Reliance = Callable[[], Awaitable[Mapping[str, int]]]  # streams, and the version of each


class KeyReused(Invalid):
    """The same idempotency key came with another request."""


class ChangedSince(Stale):
    """The resource has another version than the one that the caller has seen."""


@dataclass(frozen=True, kw_only=True)
class Handler[State, Command, Event]:
    """Carries the commands of one kind of stream; wired in a service's `app.py`."""

    decider: Decider[State, Command, Event]
    publish: Callable[[Event], msgspec.Struct | None]
    store: StreamStore
    now: Now
    new_id: NewId
    service: str  # whose log it is
    remembered: int = 0  # bytes of records of streams whose state is kept in memory, where that are others than usual
    openings: OpeningStore | None = None  # where what facts say of persons lies; of no use to those that say nothing
    _turns: Turns = field(default_factory=Turns, init=False)

    @cached_property
    def _recent(self) -> LruCache[str, Remembered[State]]:
        return LruCache(self.remembered or REMEMBERED, size_of)

    async def handle(
        self,
        identity: str,
        command: Command,
        *,
        scope: str,
        origin: Origin,
        respond: Callable[[State, int], bytes],
        key: Key | None = None,
        versions: Collection[int] | None = None,
        also: Sequence[ActPart] = (),
        relying: Reliance | None = None,
    ) -> Handled:
        """Let the command happen. `respond` makes the answer from the state and version that follow.

        With `versions` only over one of them. `also` are parts of the act that other handlers decide, on streams of
        their own: all of it happens, or nothing. `relying` looks whether what the command was made by in streams that
        it does not write still holds, and refuses where it does not: these have to stand as they were seen too.

        With a key the answer is stored together with the events, so that a repeated request gets the first answer
        whatever has happened since, even when deciding anew would refuse it.

        What is remembered of the stream is tried first: the append is refused if that was not all.
        """
        stream = self.decider.stream(identity)
        await self._turns.take(stream)  # callers of this process do not race each other
        try:
            for attempt in range(ATTEMPTS):
                remembered = None if attempt else self._recent.get(stream)
                may_be_old = remembered is not None or bool(also and not attempt)
                known = remembered or await self._load(stream)
                try:
                    if versions is not None and known.version not in versions:
                        raise ChangedSince("It has changed since you saw it: read it again, and decide again.")
                    events = self.decider.decide(known.state, command)
                    others = [await decided() for decided in also]
                    relied: Mapping[str, int] = await relying() if relying else {}
                except Refusal:
                    if may_be_old:
                        continue  # others may have written meanwhile: look again before saying no
                    if key and (answer := await self.store.answer(key.key)):
                        return await self._repeat(key, answer)
                    raise
                own = self._part(stream, known.version, events, scope, origin)
                then = self._after(known, own)
                response = respond(then.state, then.version)
                parts = [own, *others]
                happens = [event for part in parts for event in part.events]
                personal = [opening for part in parts for opening in part.openings]
                if not happens and not key:
                    if may_be_old:
                        continue
                    return Handled(response=response, head=await self.store.head())
                append = Append(
                    expected={**relied, **{part.stream: part.version for part in parts}},
                    events=happens,
                    answer=Answer(key=key.key, request=key.request, response=response) if key else None,
                )
                try:
                    head = await self._append(append, personal)
                except VersionConflict:
                    continue
                except KeyTaken as taken:
                    return await self._repeat(key, taken.answer)
                self._remember(stream, then)
                return Handled(response=response, head=head)
        finally:
            self._turns.leave(stream)
        raise Overloaded("too many processes write to this stream at once")

    async def _append(self, append: Append, personal: Sequence[SaltedValue]) -> Head:
        """What is personal is kept before the event that commits to it, and goes when that was not admitted."""
        if not personal or self.openings is None:
            return await self.store.append(append)
        await self.openings.keep(personal)
        try:
            return await self.store.append(append)
        except Refused:
            await self.openings.drop(personal)
            raise

    def part(self, identity: str, command: Command, *, scope: str, origin: Origin) -> ActPart:
        """A command to happen beside another one; decided when that one is."""

        async def decided() -> StreamAppend:
            state, version = await self.load(identity)
            events = self.decider.decide(state, command)
            return self._part(self.decider.stream(identity), version, events, scope, origin)

        return decided

    def standing(self, identity: str, require: Callable[[State], None]) -> ActPart:
        """That a stream is as another act requires, and stays so until that happens. What is remembered of it is tried
        first here too."""
        stream = self.decider.stream(identity)
        remembered = self._recent.get(stream)

        async def stands() -> StreamAppend:
            nonlocal remembered
            known, remembered = remembered or await self._load(stream), None
            require(known.state)
            return StreamAppend(stream=stream, version=known.version, events=())

        return stands

    def beginning(self, identity: str, command: Command, *, scope: str, origin: Origin) -> ActPart:
        """The first command of a stream that is made up now, to happen beside another one: there is nothing to read."""

        async def decided() -> StreamAppend:
            return self.follow_up(identity, command, on=(self.decider.initial, 0), scope=scope, origin=origin)

        return decided

    def follow_up(
        self, identity: str, command: Command, *, on: tuple[State, int], scope: str, origin: Origin
    ) -> StreamAppend:
        """A command decided on a state and version that somebody else has read, to be appended by them."""
        state, version = on
        events = self.decider.decide(state, command)
        return self._part(self.decider.stream(identity), version, events, scope, origin)

    async def foresee(self, identity: str, command: Command) -> tuple[State, Sequence[Event]]:
        """What would happen, and to which state; nothing does."""
        state, _ = await self.load(identity)
        return state, self.decider.decide(state, command)

    async def repeated(self, key: Key | None) -> Handled | None:
        """What the same request was answered before. Whoever asks anything before deciding asks this first."""
        answer = await self.store.answer(key.key) if key else None
        return await self._repeat(key, answer) if answer else None

    async def load(self, identity: str) -> tuple[State, int]:
        """The state of a stream and its version; the initial state at version 0 when there is none.

        What was read before is remembered, and only what came behind it is read: others may have written meanwhile.
        """
        known = await self._load(self.decider.stream(identity))
        return known.state, known.version

    async def _load(self, stream: str) -> Remembered[State]:
        known = self._recent.get(stream) or self._unbegun
        while page := await self.store.read_stream(stream, after=known.version):
            known = Remembered(
                state=self.decider.fold(await self.read(page), known.state),
                version=page[-1].event.version,
                size=known.size + size_of_records(one.event for one in page),
            )
            self._recent.put(stream, known)
            if len(page) < PAGE:
                break
        return known

    def last_seen(self, identity: str) -> State | None:
        """The state as it was remembered, however long ago: good for what never changes."""
        remembered = self._recent.get(self.decider.stream(identity))
        return remembered and remembered.state

    def appended(self, parts: Iterable[StreamAppend]) -> None:
        """Remember what was decided here and appended by somebody else, together with other things.

        Only once that is committed: nobody would ever notice that a state is remembered of what has not happened.
        """
        for part in parts:
            known = self._recent.get(part.stream) or self._unbegun
            if known.version == part.version and part.facts:
                self._recent.put(part.stream, self._after(known, part))

    async def as_told(self, identity: str, public: int) -> tuple[State, int]:
        """The state that everybody knew of once a public number was reached, and its version."""
        recorded = await self.recorded(identity)
        told = [n for n, one in enumerate(recorded, start=1) if one.public is not None and one.public <= public]
        version = told[-1] if told else 0
        return self.decider.fold(await self.read(recorded[:version]), self.decider.initial), version

    async def at(self, identity: str, at: datetime) -> tuple[State, int]:
        """The state at a time, and its version."""
        recorded = await self.recorded(identity)
        version = sum(1 for _ in takewhile(lambda one: time_of(one.event.record) <= at, recorded))
        return self.decider.fold(await self.read(recorded[:version]), self.decider.initial), version

    async def recorded(self, identity: str) -> list[Recorded]:
        """All that has happened to one stream."""
        found: list[Recorded] = []
        while page := await self.store.read_stream(self.decider.stream(identity), after=len(found)):
            found += page
            if len(page) < PAGE:
                break
        return found

    async def read(self, recorded: Sequence[Recorded]) -> Sequence[Event]:
        """What has happened, with what is known of it beside the log."""
        events = list(map(self.decider.read, recorded))
        if self.openings is None or not (wanted := commitments_of(events)):
            return events
        values = await self.openings.values(wanted)
        return [revealed(event, values) for event in events]

    def forget(self) -> None:
        """Read everything anew next time: something that lies beside the log was erased."""
        self._recent.clear()

    @property
    def _unbegun(self) -> Remembered[State]:
        return Remembered(state=self.decider.initial, version=0, size=0)

    def _remember(self, stream: str, known: Remembered[State]) -> None:
        if known.version:
            self._recent.put(stream, known)

    def _after(self, known: Remembered[State], part: StreamAppend) -> Remembered[State]:
        return Remembered(
            state=self.decider.fold(part.facts, known.state),
            version=known.version + len(part.facts),
            size=known.size + size_of_records(part.events),
        )

    async def _repeat(self, key: Key | None, answer: Answer) -> Handled:
        if key is None or key.request != answer.request:
            raise KeyReused("this Idempotency-Key was used for another request: use a new key for a new act")
        return Handled(response=answer.response, head=await self.store.head())

    def _part(self, stream: str, version: int, events: Sequence[Event], scope: str, origin: Origin) -> StreamAppend:
        at = self.now()
        openings: list[SaltedValue] = []
        sealed = [
            self._seal(event, stream, version + n, scope, origin, at, openings)
            for n, event in enumerate(events, start=1)
        ]
        return StreamAppend(stream=stream, version=version, events=sealed, facts=events, openings=openings)

    def _seal(
        self,
        event: Event,
        stream: str,
        version: int,
        scope: str,
        origin: Origin,
        at: datetime,
        openings: list[SaltedValue],
    ) -> Sealed:
        written: object = event
        if isinstance(event, PrivateFact):
            if self.openings is None:
                raise TypeError(f"{type(event).__name__} is personal, and there is no place for that beside the log")
            written, salted = concealed(event, scope, self.openings.new_salt)
            openings += salted
        envelope = Envelope(
            id=self.new_id(),
            stream=stream,
            version=version,
            type=type(event).__name__,
            scope=scope,
            at=at,
            actor=origin.actor,
            role=origin.role,
            operation=origin.operation,
            causation=origin.causation,
            trace=origin.trace,
            data=msgspec.Raw(msgspec.json.encode(written)),
            public=None,
        )
        return seal(envelope, self.publish(event))


def digest(*parts: bytes) -> bytes:
    """One hash over the parts, each by its own hash, so that no two lists of parts read alike."""
    return sha256(b"".join([sha256(part).digest() for part in parts])).digest()
