"""The live stream of a table: who listens is told each one that is another one, until the stream ends."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from hashlib import blake2b
from itertools import batched
from weakref import WeakKeyDictionary

from fastapi import Request

from services.standings.api.permissions import LOOK
from services.standings.api.responses import Tagged
from services.standings.api.tables.answers import TableAnswers
from services.standings.projection.notification import TableNotification
from services.standings.projection.table_store import TableStore
from services.standings.projection.tables import Made
from services.standings.projection.traced_tables import Pushed, TablePush
from shared.access.asker import ASKING, Asker
from shared.access.tokens import Unauthenticated
from shared.clock import now
from shared.http.authorization import Door
from shared.http.live_streams import (
    EVENT_STREAM,
    PAUSE,
    EventStream,
    Frame,
    NewestListener,
    OpenStreams,
    WrittenFrame,
    newest,
    written,
)
from shared.http.moments import INPUTS
from shared.http.responses import BAD
from shared.messaging import history
from shared.messaging.history import Inputs
from shared.refusals import Unavailable
from shared.values import Value

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
    "Begins with the table as it is, unless it is that of `Last-Event-ID`; where that has more in it than is known here, ten "
    "seconds later, unless the rest has come by then. Of a stage that has not begun nothing comes before it has. Of some that "
    "follow quickly only the last may come. Ends after an hour: connect again."
)


PACE = 1 / 5000  # seconds for each listener of the process, from one telling of a table to the next
LONGEST_PAUSE = 1.0  # seconds between two tellings, however many listen
AT_ONCE = 20  # listeners, before others have their turn
CAUGHT_UP = 10.0  # seconds, in which a database that has crashed hears once more what was not on its disk yet


class ShownTable(Value):
    """A table as all are told it who are shown the same of it."""

    known: Inputs  # what it rests on
    content: bytes  # in brief, without what it rests on
    frame: WrittenFrame


class TableListener(NewestListener):
    """Who listens to a table, and what they know of it: to begin with, that which rests on these inputs."""

    def __init__(self, inputs: str | None, recognise: Callable[[], Awaitable[None]] | None) -> None:
        super().__init__()
        self.recognise = recognise  # whoever has signed in, as what they are by now; strangers all see the same
        self._known = None if inputs is None else history.parse(inputs)
        self._content: bytes = b""
        self.waits_since: float | None = None  # for a table that rests on no less than what they know

    def hear_of(self, shown: ShownTable | None) -> bool:
        """Much that is said moves nothing in a table; answers whether this is told."""
        if shown is not None and self._is_about_to_be_more(shown.known):
            return False
        self.waits_since = None
        is_told = shown is not None and shown.known != self._known and shown.content != self._content
        if shown is not None:
            if is_told:
                self.tell(shown.frame)
            self._content = shown.content
        self._known = None if shown is None else shown.known
        return is_told

    def _is_about_to_be_more(self, known: Inputs) -> bool:
        """A table does not go back for a moment. Where it stays behind, a source has lost something for good."""
        if self._known is None or known.include(self._known):
            return False
        since = self.waits_since = self.waits_since or time.monotonic()
        return time.monotonic() < since + CAUGHT_UP


class LiveTables:
    """Those who listen to tables, each table with a circle of its own."""

    def __init__(
        self,
        *,
        answers: TableAnswers,
        tables: TableStore,
        streams: OpenStreams,
        door: Door,
        pushed: Pushed | None = None,
    ) -> None:
        self._answers = answers
        self._notification = tables.notification
        tables.tell_beforehand(self._foresee)
        self._pushed = pushed
        self._streams = streams
        self._door = door
        self._circles: dict[tuple[str, str], Circle] = {}
        self._turn = asyncio.Lock()

    def stream(
        self, request: Request, asker: Asker, tournament: str, stage: str, last_event_id: str | None
    ) -> EventStream:
        """It ends when the caller goes or may no longer listen, after the longest time, and when the service stops."""

        async def recognise() -> None:
            """Who listens may have been appointed or dismissed meanwhile."""
            try:
                await self._door.asker(request, LOOK, None)
            except Unauthenticated:  # the stream will end; until then they are nobody in particular
                ASKING.set(None)

        listener = TableListener(last_event_id, recognise if asker.caller else None)
        return EventStream(
            newest(listener, self._listening(listener, tournament, stage)),
            streams=self._streams,
            asker=asker,
            stays=lambda: self._door.stays(request, LOOK),
            behind=last_event_id or str(history.NOTHING),
        )

    async def _foresee(self, made: Sequence[Made]) -> None:
        """What will be told is put together while the database keeps it."""
        for one in made:
            if circle := self._circles.get((one.tournament, one.stage)):
                await circle.foresee(one)

    @asynccontextmanager
    async def _listening(self, listener: TableListener, tournament: str, stage: str) -> AsyncGenerator[None]:
        place = tournament, stage
        if place not in self._circles:
            self._circles[place] = Circle(
                tournament, stage, self._answers, self._notification, self._pushed, turn=self._turn
            )
        circle = self._circles[place]
        circle.coming += 1
        try:
            async with circle.listening(listener, self._streams.count):
                yield
        finally:
            circle.coming -= 1
            if not circle.coming and self._circles.get(place) is circle:
                del self._circles[place]


class Circle:
    """Those who listen to one table. It is looked up, put together and written down once for all who are shown the same."""

    def __init__(
        self,
        tournament: str,
        stage: str,
        answers: TableAnswers,
        notification: TableNotification,
        pushed: Pushed | None,
        *,
        turn: asyncio.Lock,
    ) -> None:
        self.coming = 0  # and those who are there
        self._turn = turn  # of all tables, one at a time is told
        self._pushed = pushed  # hears of each telling
        self._inputs: str | None = None  # of what was told last
        self._due = 0.0  # when they can be told the next one
        self._shown: tuple[Tagged, ShownTable] | None = None  # as it was put together last
        self._tournament = tournament
        self._stage = stage
        self._answers = answers
        self._notification = notification
        self._listeners: set[TableListener] = set()
        self._telling: asyncio.Task[None] | None = None
        self._looking_again: asyncio.TimerHandle | None = None
        self._shared: WeakKeyDictionary[asyncio.Event, dict[tuple[str, bool], SharedLook]] = WeakKeyDictionary()

    @asynccontextmanager
    async def listening(self, listener: TableListener, count: Callable[[], int]) -> AsyncGenerator[None]:
        """Who comes is told the table unless they know it, and then every other one, as they may see it by then."""
        await self._welcome(listener)
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell(self._ring(), count))
        self._listeners.add(listener)  # whatever has not rung by now will ring what is waited for there
        self._look_again()
        try:
            yield
        finally:
            self._listeners.discard(listener)
            if not self._listeners:
                self._stop()

    def _stop(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        if self._looking_again is not None:
            self._looking_again.cancel()
            self._looking_again = None

    def _look_again(self) -> None:
        """Of a source that has lost something nothing may be heard any more: who waits for that is told the table anyway."""
        waiting = [one.waits_since for one in self._listeners if one.waits_since is not None]
        if waiting and self._looking_again is None:
            left = min(waiting) + CAUGHT_UP - time.monotonic()
            self._looking_again = asyncio.get_running_loop().call_later(left, self._ring_again)

    def _ring_again(self) -> None:
        self._looking_again = None
        self._notification.ring(self._tournament)

    def _ring(self) -> asyncio.Event:
        return self._notification.next_ring(self._tournament)

    async def _welcome(self, listener: TableListener) -> None:
        """Until they know a table behind which nothing has rung."""
        is_first = True
        while True:
            ring = self._ring()
            try:
                shown = await self._shown_to(listener, ring, is_first=is_first)
            except Unavailable:  # the database will be back, with the table as it is then
                await asyncio.sleep(PAUSE)
                continue
            listener.hear_of(shown)
            if self._inputs is None and shown is not None:
                self._inputs = str(shown.known)
            if not ring.is_set():
                return
            is_first = False

    async def _tell(self, ring: asyncio.Event, count: Callable[[], int]) -> None:
        """All of them, whenever there is news: what comes alone at once, and else as often as so many can be told."""
        try:
            while True:
                await ring.wait()
                await asyncio.sleep(self._due - time.monotonic())
                self._due = time.monotonic() + min(PACE * count(), LONGEST_PAUSE)
                ring = self._ring()
                try:
                    await self._tell_all(ring)
                    self._look_again()
                except Unavailable:
                    await asyncio.sleep(PAUSE)
                    ring = asyncio.Event()
                    ring.set()
        except Exception as error:  # noqa: BLE001 - it is raised at each of those whom it concerns
            self._telling = None
            for listener in self._listeners:
                listener.fail(error)

    async def foresee(self, made: Made) -> None:
        """Unless others will come before strangers are told the next one."""
        if time.monotonic() >= self._due and any(one.recognise is None for one in self._listeners):
            ASKING.set(None)
            if foreseen := await self._answers.foreseen(made):
                self._shown_once(foreseen)

    async def _tell_all(self, ring: asyncio.Event) -> None:
        """In parts, and in turn with other tables, so that whoever asks for something meanwhile is answered between them."""
        began, shown, told = now(), None, 0
        strangers = [one for one in self._listeners if one.recognise is None]
        for several in batched(strangers, AT_ONCE):
            shown = await self._shown_to(several[0], ring, is_first=False)
            async with self._turn:
                for listener in several:
                    told += listener.hear_of(shown)
                await asyncio.sleep(0)
        for listener in [one for one in self._listeners if one.recognise is not None]:
            seen = await self._shown_to(listener, ring, is_first=False)
            told += listener.hear_of(seen)
            shown = shown or seen
        if shown is not None:
            self._note(str(shown.known), told, began)

    def _note(self, inputs: str, told: int, began: datetime) -> None:
        before, self._inputs = self._inputs, inputs
        if self._pushed and before and told:
            self._pushed(
                TablePush(
                    tournament=self._tournament,
                    stage=self._stage,
                    before=before,
                    inputs=inputs,
                    listeners=told,
                    began=began,
                    ended=now(),
                )
            )

    async def _shown_to(self, listener: TableListener, ring: asyncio.Event, *, is_first: bool) -> ShownTable | None:
        """Those who wait for the same ring share one look: whatever comes behind it rings that. Who has just come sees
        all that was in the log by then; for the others there was a ring for each change, and the table is at hand."""
        if listener.recognise is None:
            ASKING.set(None)
        else:
            await listener.recognise()
        seen_by = await self._answers.seen_by(self._tournament, self._stage, as_made=not is_first)
        look = self._shared.setdefault(ring, {}).setdefault((seen_by, is_first), SharedLook())
        async with look.one_at_a_time:
            if not look.has_looked:
                answer = self._answers.now if is_first else self._answers.as_made
                found = await answer(self._tournament, self._stage)
                look.shown = None if found is None else self._shown_once(found)
                look.has_looked = True
            return look.shown

    def _shown_once(self, found: Tagged) -> ShownTable:
        if self._shown is None or self._shown[0] is not found:
            self._shown = found, shown_table(found)
        return self._shown[1]


class SharedLook:
    """One look at a table, for all those who wait for the same ring."""

    def __init__(self) -> None:
        self.one_at_a_time = asyncio.Lock()
        self.has_looked = False
        self.shown: ShownTable | None = None


def shown_table(found: Tagged) -> ShownTable:
    return ShownTable(
        known=history.parse(found.inputs),
        content=blake2b(found.content.replace(found.inputs.encode(), b"", 1), digest_size=16).digest(),
        frame=written(Frame(id=found.inputs, event=EVENT, data=found.content)),
    )
