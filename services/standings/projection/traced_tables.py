"""Spans at the end of the way: tables that were made of what was heard, and told to those who listen."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import override

from msgspec.structs import replace

from services.standings.projection.table_store import TableStore
from shared.clock import now
from shared.log.connection import Connection
from shared.log.database import Database
from shared.messaging import history
from shared.messaging.reactions import Batch, ReceivedAtOnce
from shared.observability.spans import SpanPlace, Spans, place_of, somewhere, trace_of
from shared.observability.traced import HEARD, traced_message
from shared.refusals import Unavailable
from shared.values import Value

MOST = 100  # pushes whose causes are looked up at once; of others there is no span

logger = logging.getLogger(__name__)


class TablePush(Value):
    """A table was another one, and was told to those who listen to it."""

    tournament: str
    stage: str
    before: str  # the inputs of what they knew
    inputs: str
    listeners: int
    began: datetime
    ended: datetime


type Pushed = Callable[[TablePush], None]


class TracedTables(TableStore):
    def __init__(self, url: str, spans: Spans, *, service: str) -> None:
        super().__init__(url, service=service)
        self._spans = spans
        self._told = service
        self._causes = Database(url)
        self._noting: set[asyncio.Task[None]] = set()

    @override
    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._causes.running(), super().running():
            yield
            for task in self._noting:
                task.cancel()
            await asyncio.gather(*self._noting, return_exceptions=True)

    @override
    async def refresh(self, connection: Connection, scopes: Iterable[str]) -> Callable[[], None]:
        wanted, began = set(scopes), now()
        return self._noting_tables(await super().refresh(connection, wanted), wanted, began)

    @override
    async def receive(self, connection: Connection, batch: Batch) -> ReceivedAtOnce | None:
        began = now()
        found = await super().receive(connection, batch)
        return found and replace(found, committed=self._noting_tables(found.committed, found.free, began))

    def _noting_tables(
        self, committed: Callable[[], None], scopes: Collection[str], began: datetime
    ) -> Callable[[], None]:
        """Below the hearing of each event that came into them."""
        ended, heard = now(), [one for one in HEARD.get() if one.scope in scopes]

        def done() -> None:
            committed()
            for one in heard:
                self._spans.record(
                    "make tables",
                    place_of("tables", one.message.id, one.trace),
                    place_of("receive", one.message.id, one.trace, service=self._told),
                    began,
                    ended,
                    facts={"roundlog.scope": one.scope},
                )

        return done

    def pushed(self, push: TablePush) -> None:
        """What the table rests on now and did not before has led to it; the inbox says what that was, in every copy."""
        if len(self._noting) < MOST:
            task = asyncio.create_task(self._note(push), name="spans of a push")
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)

    async def _note(self, push: TablePush) -> None:
        try:
            causes = await self._causes_of(push)
        except Unavailable as error:
            logger.warning("of a push there is no span: %s", error)
            return
        for cause in causes:
            self._spans.record(
                "push table",
                somewhere(cause.trace),
                cause,
                push.began,
                push.ended,
                kind="PRODUCER",
                facts={
                    "roundlog.scope": push.tournament,
                    "roundlog.stage": push.stage,
                    "roundlog.inputs": push.inputs,
                    "roundlog.listeners": push.listeners,
                },
            )

    async def _causes_of(self, push: TablePush) -> list[SpanPlace]:
        before, inputs = history.parse(push.before), history.parse(push.inputs)
        async with self._causes.transaction() as connection:
            said = await history.behind(connection, self._told, {push.tournament: before})
        found: list[SpanPlace] = []
        for one in said:
            message = traced_message(one.message)
            if message and message.trace and one.number <= inputs.of(one.source):
                step = "append" if one.source == self._told else "tables"  # our own are not heard
                if self._spans.keeps(trace_of(message.trace)):
                    found.append(place_of(step, message.id, message.trace))
        return found
