"""The live stream of a table: who listens is told each one that is another one, until the stream ends."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from weakref import WeakKeyDictionary

from fastapi import Request

from services.standings.api.permissions import LOOK
from services.standings.api.responses import Tagged
from services.standings.api.tables.answers import TableAnswers
from services.standings.projection.notification import TableNotification
from shared.access.asker import ASKING, Asker
from shared.access.tokens import Unauthenticated
from shared.http.authorization import Door
from shared.http.live_streams import EVENT_STREAM, PAUSE, EventStream, Frame, OpenStreams
from shared.http.moments import INPUTS
from shared.http.responses import BAD
from shared.messaging import history
from shared.refusals import Unavailable

EVENT = "table"
EXAMPLE = f"""retry: 2000
id: reg0.pai0.res0.sta0

id: {INPUTS}
event: table
data: {{"tournament":"019aa4c2","stage":"swiss","round":3,"complete":true,"inputs":"{INPUTS}","standings":[]}}

:

"""
ANSWER = {200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
DESCRIPTION = (
    "Server-Sent Events: `event` is `table`, `data` the table as `getStandings` answers it, `id` what it rests on. "
    "Begins with the table as it is, unless it is that of `Last-Event-ID`; of some that follow quickly only the last "
    "may come. Ends after an hour: connect again."
)


class LiveTables:
    """What many listeners wait for is looked up and put together once."""

    def __init__(
        self,
        *,
        answers: TableAnswers,
        notification: TableNotification,
        streams: OpenStreams,
        door: Door,
    ) -> None:
        self._answers = answers
        self._notification = notification
        self._streams = streams
        self._door = door
        self._shared: WeakKeyDictionary[asyncio.Event, dict[tuple[str, str, bool], SharedLook]] = WeakKeyDictionary()

    def stream(
        self, request: Request, asker: Asker, tournament: str, stage: str, last_event_id: str | None
    ) -> EventStream:
        """It ends when the caller goes or may no longer listen, after the longest time, and when the service stops."""

        async def seen_by(is_first: bool) -> str:  # noqa: FBT001 - handed on as it is
            """Who listens may have been appointed or dismissed meanwhile."""
            try:
                await self._door.asker(request, LOOK, None)
            except Unauthenticated:  # the stream will end; until then they are nobody in particular
                ASKING.set(None)
            return await self._answers.seen_by(tournament, stage, as_made=not is_first)

        return EventStream(
            self._frames(tournament, stage, last_event_id, seen_by),
            streams=self._streams,
            asker=asker,
            stays=lambda: self._door.stays(request, LOOK),
            behind=last_event_id or str(history.NOTHING),
        )

    async def _frames(
        self, tournament: str, stage: str, inputs: str | None, seen_by: Callable[[bool], Awaitable[str]]
    ) -> AsyncGenerator[Frame]:
        """The table unless it rests on these inputs, and then every other one; as the listener may see it by then."""
        last, is_first = b"", True
        while True:
            ring = self._notification.next_ring(tournament)
            try:
                shown = await self._look(ring, tournament, (stage, await seen_by(is_first), is_first))
            except Unavailable:  # the database will be back, with the table as it is then
                await asyncio.sleep(PAUSE)
                continue
            if shown is not None and (shown.inputs == inputs or without_inputs(shown) == last):
                last = without_inputs(shown)  # something was said that moves nothing
            elif shown is not None:
                last = without_inputs(shown)
                yield Frame(id=shown.inputs, event=EVENT, data=shown.content)
            inputs, is_first = None if shown is None else shown.inputs, False
            await ring.wait()

    async def _look(self, ring: asyncio.Event, tournament: str, of: tuple[str, str, bool]) -> Tagged | None:
        """Those who wait for the same ring share one look: whatever comes behind it rings that. Who has just come sees
        all that was in the log by then; for the others there was a ring for each change, and the table is at hand."""
        stage, _, is_first = of
        look = self._shared.setdefault(ring, {}).setdefault(of, SharedLook())
        async with look.one_at_a_time:
            if not look.has_looked:
                answer = self._answers.now if is_first else self._answers.as_made
                look.shown = await answer(tournament, stage)
                look.has_looked = True
            return look.shown


class SharedLook:
    """One look at a table, for all those who wait for the same ring."""

    def __init__(self) -> None:
        self.one_at_a_time = asyncio.Lock()
        self.has_looked = False
        self.shown: Tagged | None = None


def without_inputs(shown: Tagged) -> bytes:
    return shown.content.replace(shown.inputs.encode(), b"", 1)
