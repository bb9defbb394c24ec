"""The way out: what a service says, sent in order to its JetStream stream.

The log is the truth and the stream only carries it. So the relay keeps no book of its own: it goes on behind the last
message of the stream, whatever became of the stream meanwhile. It announces every second how far the log goes, so
that receivers notice what did not reach them, and answers those who ask for it out of the log.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import batched
from typing import NoReturn
from uuid import UUID

import msgspec

from shared.background import Work
from shared.contracts import name_of
from shared.log.lease import hold
from shared.log.store import PAGE, EventStore, Recorded
from shared.log.trees import Trees
from shared.messaging import subjects as channel
from shared.messaging.broker import Broker, Post
from shared.messaging.subjects import LOG, NUMBER, Announcement, PublicEvent, Replay, ReplayRequest, TreeHead, placed
from shared.proof.findings import Malformed
from shared.refusals import Unavailable
from shared.values import UNREADABLE

ANNOUNCE_EVERY = 1.0  # seconds
WINDOW = 250  # messages on their way before their receipts are waited for
KEPT = 7 * 24 * 3600.0  # seconds that the stream keeps a message; who was away longer asks for a replay
KEPT_BYTES = 2**30
LOOK_AFTER_STREAM = 30.0  # seconds between two looks whether the stream and the places of its readers are there
REPLY_BYTES = 900_000  # below what the broker accepts as one message

logger = logging.getLogger(__name__)


class Relay:
    def __init__(self, *, service: str, store: EventStore, broker: Broker, trees: Trees, database: str) -> None:
        self._service = service
        self._store = store
        self._broker = broker
        self._trees = trees
        self._tree: TreeHead | None = None
        self._telling = Work("relay", lambda: hold(database, "relay", self._speak, once=broker.connected))
        self._answering = Work("answering of replays", self._answer)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._telling.running(), self._answering.running():
            yield

    async def check(self) -> None:
        await self._telling.check()
        await self._answering.check()

    async def _speak(self) -> None:
        """What one copy of the service does for all."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._send())
            group.create_task(self._announce())
            group.create_task(self._look_after_stream())

    async def _send(self) -> NoReturn:
        while True:
            try:
                incarnation = await self._store.incarnation()
                sent = await self._last_sent(incarnation)
                async for page in self._store.follow_public(after=sent):
                    for window in batched(page, WINDOW):
                        await self._broker.post([self._post(said(recorded), incarnation) for recorded in window])
            except Unavailable as error:
                logger.warning("relay: %s", error)
                await asyncio.sleep(ANNOUNCE_EVERY)

    async def _last_sent(self, incarnation: UUID) -> int:
        """The number of the stream's last message; of an empty or foreign stream, the head: replays do the rest."""
        await self._make_stream()
        head = (await self._store.head()).public
        last = placed(await self._broker.last_headers(channel.stream(self._service)), NUMBER)
        if last is None or last[0] != incarnation:
            return head
        return min(last[1], head)

    async def republish(self) -> int:
        """Fill the stream anew from the log; receivers pass over what they know. Answers how much was sent."""
        incarnation = await self._store.incarnation()
        await self._make_stream()
        await self._broker.purge(channel.stream(self._service))
        sent = 0
        while page := await self._store.read_public(after=sent):
            for window in batched(page, WINDOW):
                await self._broker.post([self._post(said(recorded), incarnation) for recorded in window])
            sent += len(page)
        return sent

    async def _make_stream(self) -> None:
        name, subjects = channel.stream(self._service), [channel.events(self._service)]
        readers = [channel.reader(service) for service in channel.readers(self._service)]
        await self._broker.make_stream(name, subjects=subjects, seconds=KEPT, size=KEPT_BYTES, readers=readers)

    async def _look_after_stream(self) -> NoReturn:
        """Readers cannot make what they have lost, and nobody else would notice while there is nothing to say."""
        while True:
            await asyncio.sleep(LOOK_AFTER_STREAM)
            try:
                await self._make_stream()
            except Unavailable as error:
                logger.warning("looking after the stream: %s", error)

    def _post(self, event: PublicEvent, incarnation: UUID) -> Post:
        return Post(
            subject=channel.subject(self._service, event.scope, event.type),
            body=event.message,
            headers={NUMBER: str(event.number), LOG: str(incarnation)},
        )

    async def _announce(self) -> NoReturn:
        while True:
            try:
                tree = await self._tree_head()  # first, so that it never goes further than the log is said to go
                number = (await self._store.head()).public
                head = Announcement(log=await self._store.incarnation(), number=number, tree=tree)
                await self._broker.tell(channel.head(self._service), msgspec.json.encode(head))
            except Unavailable as error:
                logger.warning("announcing the head: %s", error)
            await asyncio.sleep(ANNOUNCE_EVERY)

    async def _answer(self) -> NoReturn:
        """Every copy answers replays; the broker gives each request to one of them."""
        while True:
            try:
                async for request in self._broker.listen(channel.replay(self._service), queue="replay"):
                    try:
                        wanted = msgspec.json.decode(request.data, type=ReplayRequest)
                    except UNREADABLE as error:
                        logger.warning("a neighbour asked for what cannot be read: %r", error)
                    else:
                        await self._broker.tell(request.reply, msgspec.msgpack.encode(await self._replay(wanted)))
            except Unavailable as error:
                logger.warning("answering replays: %s", error)
                await asyncio.sleep(ANNOUNCE_EVERY)

    async def _replay(self, wanted: ReplayRequest) -> Replay:
        events: list[PublicEvent] = []
        size = 0
        for event in map(said, await self._store.read_public(after=wanted.after, limit=min(wanted.most or PAGE, PAGE))):
            size += len(event.message) + len(event.scope) + 100
            if events and size > REPLY_BYTES:
                break
            events.append(event)
        tree = await self._tree_head()
        head = (await self._store.head()).public
        return Replay(log=await self._store.incarnation(), head=head, events=events, tree=tree)

    async def _tree_head(self) -> TreeHead | None:
        """The root is computed when the tree has grown. Of tiles that are damaged there is none to tell."""
        size = (await self._trees.head()).public
        if size and (self._tree is None or self._tree.size != size):
            try:
                self._tree = TreeHead(size=size, root=(await self._trees.root("messages", size)).hex())
            except Malformed as error:
                logger.warning("the tree over the messages: %s", error)
                return None
        return self._tree if size else None


def said(recorded: Recorded) -> PublicEvent:
    message, number = recorded.event.message, recorded.public
    if message is None or number is None:
        raise ValueError(f"position {recorded.position} has no public form")
    try:
        name = name_of(message)
    except UNREADABLE as error:  # somebody has changed it
        raise Unavailable(f"number {number}, event {recorded.position} of the log, cannot be read: {error}") from error
    return PublicEvent(number=number, scope=recorded.event.scope, type=name, message=message)
