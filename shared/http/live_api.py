"""`GET /v1/live/{scope}`: what happens here to a federation or tournament, told to whoever listens while it happens."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Annotated
from weakref import WeakKeyDictionary

import msgspec
from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse

from shared.access.asker import Asker
from shared.access.policy import NotPermitted, Policy, roles
from shared.access.roles import OFFICES
from shared.access.tokens import Unauthenticated
from shared.contracts import decode, name_of
from shared.contracts.concerned import NOBODY, Concerned, entrants_of
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.live_streams import EVENT_STREAM, PAUSE, EventStream, Frame, LogNotifier, OpenStreams, one_by_one
from shared.http.log_api import Scope
from shared.http.parameters import Absent
from shared.http.responses import BAD
from shared.log.envelope import Envelope, Message
from shared.log.store import EventStore, Recorded
from shared.refusals import Invalid, Unavailable
from shared.values import Value

LISTEN = roles(*OFFICES, scope="scope", operators=True, captains="scope")
AT_ONCE = 50  # events that a listener is given from one reading
MOST_POSITION = 2**62

EXAMPLE = """retry: 2000
id: 12872

id: 12873
event: FederationRenamed
data: {"id":"019aa4c2-7d5e","type":"FederationRenamed","scope":"019aa4c2","at":"2026-11-21T09:00:00Z","trace":null,"data":{"name":"Slovak Scrabble Association"}}

:

"""
ANSWER = {200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
HOW = (
    "Server-Sent Events: `event` is the type of what happened, `data` the message, `id` its position in the log. "
    "Begins now, or behind `Last-Event-ID`: nothing is left out, nothing comes twice. Ends with the token, or after an hour: connect "
    "again."
)

type LastEventId = Annotated[
    int | Absent,
    Header(alias="Last-Event-ID", ge=0, le=MOST_POSITION, description="The last `id` that came.", examples=[12873]),
]
type AfterNumber = Annotated[
    int | Absent,
    Query(
        ge=0,
        le=MOST_POSITION,
        description="The same, for the first time; the header goes before it.",
        examples=[12873],
    ),
]


class NotYetThere(Invalid):
    """It names a position that the log does not have."""


class LiveEvent(Value):
    """What is told of something that happened: to officials as far as `to` says, and to captains of these entrants."""

    type: str
    message: bytes
    to: Policy = LISTEN
    entrants: Concerned = NOBODY


type Tell = Callable[[Recorded], Awaitable[LiveEvent | None]]
type Hears = Callable[[LiveEvent], Awaitable[bool]]


def routes(*, store: EventStore, hub: LogNotifier, streams: OpenStreams, door: Door, tell: Tell) -> APIRouter:
    router = Router(prefix="/v1/live", tags=["live"])
    told = LiveEvents(store, hub, tell)

    @router.get(
        "/{scope}",
        summary="What happens here to one federation or tournament, while it happens",
        description=HOW,
        operation_id="followScope",
        response_class=StreamingResponse,
        responses=ANSWER,
    )
    async def follow(
        request: Request,
        scope: Scope,
        asker: Annotated[Asker, Depends(door.reads(LISTEN))],
        last_event_id: LastEventId = None,
        after: AfterNumber = None,
    ) -> EventStream:
        behind = await begin(store, after if last_event_id is None else last_event_id)
        return EventStream(
            one_by_one(told.behind(scope, behind, hears=hearing(request, scope, asker, door))),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, LISTEN),
            behind=f"{behind}",
        )

    return router


async def begin(store: EventStore, named: int | None) -> int:
    """Behind what the caller has heard last, or now."""
    last = (await store.head()).position
    if named is not None and named > last:
        raise NotYetThere(f"The log goes as far as {last}: name an id that came from it, or none to begin now.")
    return last if named is None else named


def hearing(request: Request, scope: str, asker: Asker, door: Door) -> Hears:
    """What this listener hears. Of what is not for all officials it is asked each time whether they still are such."""

    async def hears(event: LiveEvent) -> bool:
        captain = asker.caller and asker.caller.captain
        if captain is not None:
            return event.entrants is None or captain.entrant in event.entrants
        if event.to == LISTEN:
            return True
        try:
            return (await door.asker(request, LISTEN, None)).may(event.to, scope)
        except (NotPermitted, Unauthenticated):
            return False  # and the stream will end

    return hears


def in_public(service: str) -> Tell:
    """What neighbours are told."""

    async def tell(recorded: Recorded) -> LiveEvent | None:
        message = recorded.event.message
        if message is None:
            return None
        name = name_of(message)
        return LiveEvent(type=name, message=message, entrants=entrants_of(decode(service, name, message)))

    return tell


def told_here(
    recorded: Recorded, told: msgspec.Struct, *, to: Policy = LISTEN, entrants: Concerned = NOBODY
) -> LiveEvent:
    """What neighbours are not told, in the form of what they are."""
    envelope = msgspec.json.decode(recorded.event.record, type=Envelope)
    message = Message(
        id=envelope.id,
        type=envelope.type,
        scope=envelope.scope,
        at=envelope.at,
        trace=envelope.trace,
        data=msgspec.Raw(msgspec.json.encode(told)),
    )
    return LiveEvent(type=envelope.type, message=msgspec.json.encode(message), to=to, entrants=entrants)


async def everything(_: LiveEvent) -> bool:
    return True


class LivePage(Value):
    """What the log has about a scope behind a position."""

    after: int
    told: Sequence[tuple[int, LiveEvent]]
    last: int
    is_full: bool


class LiveEvents:
    """What is told of a scope. What many listeners wait for is read once."""

    def __init__(self, store: EventStore, hub: LogNotifier, tell: Tell) -> None:
        self._store = store
        self._hub = hub
        self._tell = tell
        self._shared: WeakKeyDictionary[asyncio.Event, SharedPage] = WeakKeyDictionary()

    async def behind(self, scope: str, position: int, *, hears: Hears = everything) -> AsyncGenerator[Frame]:
        while True:
            ring = self._hub.next_ring(scope)
            try:
                page = await self._page(ring, scope, position)
            except Unavailable:  # the database will be back, and then nothing was missed
                await asyncio.sleep(PAUSE)
                continue
            for place, event in page.told:
                if await hears(event):
                    yield Frame(id=f"{place}", event=event.type, data=event.message)
            position = page.last
            if not page.is_full:
                await ring.wait()

    async def _page(self, ring: asyncio.Event, scope: str, after: int) -> LivePage:
        """What is not yet in a page will ring what its readers wait for. So those who wait for the same may share it."""
        shared = self._shared.setdefault(ring, SharedPage())
        async with shared.reading:
            if shared.page is None or shared.page.after != after:
                recorded = await self._store.read_scope(scope, after=after, limit=AT_ONCE)
                shared.page = await page_of(recorded, after, self._tell)
            return shared.page


class SharedPage:
    """A page that is read once for all listeners who wait for the same ring."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        self.page: LivePage | None = None


async def page_of(recorded: Sequence[Recorded], after: int, tell: Tell) -> LivePage:
    """What has to be looked up for it is asked for together: a store answers that by one reading."""
    events = await asyncio.gather(*map(tell, recorded))
    told = [(one.position, event) for one, event in zip(recorded, events, strict=True) if event is not None]
    last = recorded[-1].position if recorded else after
    return LivePage(after=after, told=told, last=last, is_full=len(recorded) == AT_ONCE)
