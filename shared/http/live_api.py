"""`GET /v1/live/{scope}`: what happens here to a federation or tournament, told to whoever listens while it happens."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Annotated
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse

from shared.access.asker import Asker
from shared.access.policy import roles
from shared.access.roles import OFFICES
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.live_streams import EVENT_STREAM, PAUSE, EventStream, Frame, LogNotifier, OpenStreams
from shared.http.log_api import Scope
from shared.http.parameters import Absent
from shared.http.responses import BAD
from shared.log.envelope import name_of
from shared.log.store import EventStore, Recorded
from shared.refusals import Invalid, Unavailable
from shared.values import Value

LISTEN = roles(*OFFICES, scope="scope", operators=True)
AT_ONCE = 50  # events that a listener is given from one reading
MOST_POSITION = 2**62

EXAMPLE = """retry: 2000
id: 12872

id: 12873
event: FederationRenamed
data: {"id":"019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11","type":"FederationRenamed","scope":"019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11","at":"2026-11-21T09:00:00Z","trace":null,"data":{"federation":"019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11","name":"Slovak Scrabble Association"}}

:

"""
ANSWER = {200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
HOW = (
    "Server-Sent Events: `event` is the type of a public event, `data` the message that neighbours get, `id` its "
    "position in the log. Begins now, or behind the id in `Last-Event-ID`, also at another copy of the service and "
    "after a restart: nothing is left out and nothing comes twice. A comment comes as a heartbeat. The stream ends when "
    "the token does, when the caller is dismissed, after an hour, or when the service stops: connect again. Only so many "
    "may be open: more of one caller get 429, more of all 503."
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
        description="The same, for the first time; the header counts when both are there.",
        examples=[12873],
    ),
]


class NotYetThere(Invalid):
    """It names a position that the log does not have."""


def routes(*, store: EventStore, hub: LogNotifier, streams: OpenStreams, door: Door) -> APIRouter:
    router = Router(prefix="/v1/live", tags=["live"])
    told = LiveEvents(store, hub)

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
        last = (await store.head()).position
        named = after if last_event_id is None else last_event_id
        if named is not None and named > last:
            raise NotYetThere(f"The log goes as far as {last}: name an id that came from it, or none to begin now.")
        behind = last if named is None else named
        return EventStream(
            told.behind(scope, behind),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, LISTEN),
            behind=f"{behind}",
        )

    return router


class LivePage(Value):
    """What the log has about a scope behind a position."""

    after: int
    frames: Sequence[Frame]
    last: int
    is_full: bool


class LiveEvents:
    """The public events of a scope. What many listeners wait for is read once."""

    def __init__(self, store: EventStore, hub: LogNotifier) -> None:
        self._store = store
        self._hub = hub
        self._shared: WeakKeyDictionary[asyncio.Event, SharedPage] = WeakKeyDictionary()

    async def behind(self, scope: str, position: int) -> AsyncGenerator[Frame]:
        while True:
            ring = self._hub.next_ring(scope)
            try:
                page = await self._page(ring, scope, position)
            except Unavailable:  # the database will be back, and then nothing was missed
                await asyncio.sleep(PAUSE)
                continue
            for frame in page.frames:
                yield frame
            position = page.last
            if not page.is_full:
                await ring.wait()

    async def _page(self, ring: asyncio.Event, scope: str, after: int) -> LivePage:
        """What is not yet in a page will ring what its readers wait for. So those who wait for the same may share it."""
        shared = self._shared.setdefault(ring, SharedPage())
        async with shared.reading:
            if shared.page is None or shared.page.after != after:
                shared.page = page_of(await self._store.read_scope(scope, after=after, limit=AT_ONCE), after)
            return shared.page


class SharedPage:
    """A page that is read once for all listeners who wait for the same ring."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        self.page: LivePage | None = None


def page_of(recorded: Sequence[Recorded], after: int) -> LivePage:
    frames = [
        Frame(id=f"{one.position}", event=name_of(one.event.message), data=one.event.message)
        for one in recorded
        if one.event.message is not None
    ]
    last = recorded[-1].position if recorded else after
    return LivePage(after=after, frames=frames, last=last, is_full=len(recorded) == AT_ONCE)
