"""Tells webhooks what the log says: follows it for those that are registered, and calls them.

Nothing here is in the way of whoever writes: it looks into the log after it was written, and calls hold no transaction. A
webhook is called by one copy of the service at a time, with one delivery at a time, in the order of the log as long as
they are taken. One that is not taken is tried again later, others meanwhile; the position in it says what came before what.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import NoReturn

import msgspec

from shared.background import Work, first_of
from shared.clock import Now
from shared.commands.handler import Handler
from shared.log.store import EventStore, Recorded
from shared.refusals import Unavailable
from shared.values import Value
from shared.webhooks import stream
from shared.webhooks.addresses import read_address
from shared.webhooks.book import LEASE, ClaimedWebhook, DueDelivery, NotTaken, WebhookBook
from shared.webhooks.calling import CallOutcome, WebhookCaller
from shared.webhooks.signature import signed_headers
from shared.webhooks.stream import WebhookKind

AT_ONCE = 8  # webhooks that one copy of a service calls at once
IN_A_ROW = 25  # deliveries of one of them, before others have their turn
TURN = 5.0  # seconds after which they have it too, where one takes long to answer
LOOK = 5.0  # seconds after which it looks whether another copy has registered something
SETTLE = 60.0  # seconds between two looks whether all is here that the log says, and nothing else
PAUSE = 1.0  # seconds before it goes on after the database failed
LARGEST = 65_536  # bytes of what happened; of more it is only told that it did
FACTOR = 5  # by which each wait is longer than the one before
LONGEST_WAIT = 4 * 3600.0  # seconds
MOST_ATTEMPTS = 12  # which is more than a day
DAY = 86_400.0  # seconds
TEST = "webhook.test"

logger = logging.getLogger(__name__)

type WebhookHandler = Handler[stream.Webhooks, stream.Command, stream.Event]
type WebhookTypes = Mapping[WebhookKind, Collection[str]]  # by kind, records of the log


class WebhookEvent(Value):
    """What is told of a record: its type as neighbours or listeners know it, when it was, and what it says."""

    type: str
    at: datetime
    data: msgspec.Raw


type Describe = Callable[[Recorded], Awaitable[WebhookEvent | None]]


class Payload(Value):
    """The body of a delivery."""

    type: str
    timestamp: datetime
    service: str
    position: int | None
    tournament: str
    data: msgspec.Raw
    omitted: bool = False  # it is too large: the log has it


NOTHING = msgspec.Raw(b"null")


class Backoff(Value):
    """When a delivery is tried again, and when no more."""

    first: float  # seconds
    days: float  # of failures, after which a webhook is stopped

    def wait(self, failures: int) -> float:
        return min(self.first * FACTOR ** min(failures, MOST_ATTEMPTS), LONGEST_WAIT)


class WebhookSender:
    def __init__(
        self,
        *,
        service: str,
        types: WebhookTypes,
        handler: WebhookHandler,
        book: WebhookBook,
        caller: WebhookCaller,
        store: EventStore,
        describe: Describe,
        ring: Callable[[str], asyncio.Event],
        backoff: Backoff,
        now: Now,
    ) -> None:
        self._service = service
        self._types = types
        self._handler = handler
        self._book = book
        self._caller = caller
        self._store = store
        self._describe = describe
        self._ring = ring
        self._backoff = backoff
        self._now = now
        self._due = asyncio.Event()
        self._news = asyncio.Event()
        self._following = Work("following of webhooks", self._follow)
        self._sending = Work("sending of webhooks", self._send)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._following.running(), self._sending.running():
            yield

    async def check(self) -> None:
        await self._following.check()
        await self._sending.check()

    def look(self) -> None:
        """Something was registered, restarted or asked for."""
        self._news.set()
        self._due.set()

    # From the log to deliveries

    async def _follow(self) -> NoReturn:
        settled = -SETTLE
        while True:
            self._news.clear()
            try:
                if (clock := asyncio.get_running_loop().time()) >= settled + SETTLE:
                    await self._settle()
                    settled = clock
                known = {tournament for _, tournament, state in await self._book.every() if state == "active"}
                rings = [self._ring(tournament) for tournament in known]  # before looking
                if known:
                    await self._enqueue()
                await first_of([ring.wait() for ring in (*rings, self._news)], LOOK)
            except Unavailable as error:
                logger.warning("webhooks: %s", error)
                await asyncio.sleep(PAUSE)

    async def _settle(self) -> None:
        """The log is right: whoever was killed between the two has left something undone."""
        every = await self._book.every()
        for tournament in {tournament for _, tournament, _ in every}:
            state, _ = await self._handler.load(tournament)
            own = [(webhook, kept) for webhook, of, kept in every if of == tournament]
            if unconfirmed := [webhook for webhook, kept in own if kept == "asked" and webhook in state.known]:
                await self._book.confirm(*unconfirmed)
            if removed := [webhook for webhook, _ in own if webhook in state.removed]:
                await self._book.drop(*removed)
            paused = {webhook for webhook, known in state.known.items() if known.is_paused}
            if unpaused := [webhook for webhook, kept in own if kept == "active" and webhook in paused]:
                await self._book.pause(*unpaused)
            for webhook in [webhook for webhook, kept in own if kept == "paused" and webhook not in paused]:
                await self._book.restart(webhook, tournament)

    async def _enqueue(self) -> None:
        behind = await self._book.behind()
        for webhook, tournament, kinds in behind:
            types = {type_ for kind, types in self._types.items() if kind in kinds for type_ in types}
            while await self._book.enqueue(webhook, tournament, types):
                self._due.set()
        if behind:
            self._due.set()

    # From deliveries to receivers

    async def _send(self) -> NoReturn:
        async with asyncio.TaskGroup() as group:
            busy: set[asyncio.Task[None]] = set()
            while True:
                self._due.clear()
                try:
                    free = AT_ONCE - len(busy)
                    claimed = await self._book.claim(free) if free else []
                    for webhook in claimed:
                        task = group.create_task(self._serve(webhook))
                        busy.add(task)
                        task.add_done_callback(lambda task: (busy.discard(task), self._due.set()))
                    if not claimed:
                        soonest = await self._book.soonest() if free else None
                        seconds = LEASE if soonest is None else min(max(soonest, 0.01), LEASE)
                        await first_of([self._due.wait()], seconds)
                except Unavailable as error:
                    logger.warning("webhooks: %s", error)
                    await asyncio.sleep(PAUSE)

    async def _serve(self, webhook: ClaimedWebhook) -> None:
        """Some of its deliveries. Where the database goes away, the claim ends by itself and nothing is lost."""
        failures, clock = webhook.failures, asyncio.get_running_loop().time
        ends = clock() + TURN
        try:
            for _ in range(IN_A_ROW):
                delivery = await self._book.next(webhook.id)
                if delivery is None:
                    break
                called = await self._call(webhook, delivery)
                if called.problem is not None:
                    await self._book.refused(webhook.id, delivery, self._refusal(failures, delivery, called))
                    return
                await self._book.taken(webhook.id, delivery, called.code or 0)
                failures = 0
                if clock() >= ends:
                    break
            await self._book.release(webhook.id)
        except asyncio.CancelledError:  # the service is stopped: whoever is there next calls once more, and at once
            await self._book.release(webhook.id)
            raise
        except Unavailable as error:
            logger.warning("webhook %s: %s", webhook.id, error)
        except Exception:  # whatever it is, it keeps no other webhook from being served
            logger.exception("webhook %s cannot be served", webhook.id)

    async def _call(self, webhook: ClaimedWebhook, delivery: DueDelivery) -> CallOutcome:
        body = await self._body(webhook, delivery)
        if body is None:
            return CallOutcome(problem="there is nothing to be told of it any more")
        headers = signed_headers(webhook.secrets, str(delivery.id), self._now(), body)
        return await self._caller.call(read_address(webhook.url), headers, body)

    def _refusal(self, failures: int, delivery: DueDelivery, called: CallOutcome) -> NotTaken:
        """As long as others are not taken either it is not this one that is wrong: then it goes on waiting."""
        return NotTaken(
            code=called.code,
            problem=called.problem or "",
            is_last=delivery.attempts + 1 >= MOST_ATTEMPTS and failures == 0,
            again_in=self._backoff.wait(delivery.attempts),
            webhook_in=self._backoff.wait(failures),
            is_gone=called.is_gone,
            patience=self._backoff.days * DAY,
        )

    async def _body(self, webhook: ClaimedWebhook, delivery: DueDelivery) -> bytes | None:
        """The same bytes each time, since they follow from the log; of a test there is nothing in it."""
        told = await self._told(delivery)
        if told is None:
            return None
        payload = Payload(
            type=told.type,
            timestamp=told.at,
            service=self._service,
            position=delivery.position,
            tournament=webhook.tournament,
            data=told.data,
        )
        if len(bytes(told.data)) > LARGEST:
            payload = msgspec.structs.replace(payload, data=NOTHING, omitted=True)
        return msgspec.json.encode(payload)

    async def _told(self, delivery: DueDelivery) -> WebhookEvent | None:
        if delivery.position is None:
            return WebhookEvent(type=TEST, at=self._now(), data=NOTHING)
        (recorded,) = await self._store.read(after=delivery.position - 1, limit=1)
        return await self._describe(recorded)
