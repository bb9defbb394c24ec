"""The connection to NATS. A service starts, writes and reads without it, and catches up when it is there.

Whatever goes wrong on the way is `Unavailable`: nothing that is sent here is the only copy of anything.

Each service has an account of its own at the broker, with streams that only it can change (`deploy/accounts.py`). So
the owner of a stream makes the places of those who read it, and they can do no more than ask for what comes next.
"""

# nats-py annotates its functions in parts only; what leaves this module is typed in full.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import asyncio
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TypedDict, override
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec
import nats.errors
import nats.js.errors
from nats.aio.client import Client, Srv
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig

from shared.messaging import subjects as channel
from shared.messaging.publish_acks import PublishAcks
from shared.refusals import Unavailable
from shared.values import Value

PATIENCE = 5  # seconds for an answer of the broker
SOON = (0.25, 0.5, 1, 2, PATIENCE)  # the same, of one that may be asked before there is anybody who answers
GRACE = 1  # second more, after which what was asked for comes no more
NANOSECONDS = 10**9  # in a second
MOST_REFUSALS = 100  # that are remembered
STATUS = "Status"  # header of what the broker says itself to whoever has asked for messages
LAST_WORDS = ("404", "408")  # no message is there, or none has come
REFUSAL = re.compile(r'permissions violation for \w+ to "([^"]*)"', re.IGNORECASE)  # the broker's own words

logger = logging.getLogger(__name__)


class Post(Value):
    """A message for a stream."""

    subject: str
    body: bytes
    headers: Mapping[str, str]


class Login(TypedDict):
    """Where the broker is, and as whom to come there."""

    servers: str
    user: str | None
    password: str | None


def login(url: str) -> Login:
    """The driver takes user and password of a URL as they are written there."""
    parts = urlsplit(url)
    place = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return Login(servers=place, user=parts.username and unquote(parts.username), password=unquote(parts.password or ""))


class Driver(Client):
    """Goes on hearing when an answer comes to a ping that nobody waits for any more, as after a pause; closes a connection
    that came to nothing; and reads headers faster.
    """

    @override
    async def _connect_to_server(self, s: Srv) -> None:
        """The driver would put the next connection into the place of one that is open still."""
        if self._transport is not None:
            self._transport.close()
        await super()._connect_to_server(s)

    @override
    async def _process_pong(self) -> None:
        if self._pongs and self._pongs[0].done():  # given up; to answer it would end the task that reads
            self._pongs.pop(0)
            self._pings_outstanding = 0
        else:
            await super()._process_pong()

    @staticmethod
    @override
    def _parse_header_lines(raw: bytes) -> dict[str, str]:
        """The driver looks at each letter of each name, which was the dearest part of reading a message."""
        lines = raw.decode(errors="replace").split("\r\n")
        return {
            name.strip(): value.strip() for name, is_one, value in [line.partition(":") for line in lines] if is_one
        }


class Broker:
    def __init__(self, url: str, *, name: str, copies: int = 1) -> None:
        self._url = url
        self._name = name
        self._copies = copies  # of each stream, on as many servers of a cluster
        self._client = Driver()
        self._acks = PublishAcks(self._client)
        self._connected = asyncio.Event()
        self._refusals: dict[str, str] = {}  # by subject, in small letters: what the broker does not let us do

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Connects in the background, for as long as it takes, and again whenever the connection is lost."""
        self._client = Driver()  # one that was closed gets no answers any more
        self._acks = PublishAcks(self._client)
        self._connected = asyncio.Event()
        connecting = asyncio.create_task(self._connect(), name="broker connection")
        try:
            yield
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            # The driver stumbles when it says goodbye over a connection that has broken this moment; uvloop then raises
            # RuntimeError, since its transport is closed.
            with suppress(OSError, nats.errors.Error, TypeError, RuntimeError):
                if not self._client.is_closed:
                    await self._client.close()

    async def connected(self) -> None:
        """Return when it has been there once. Whoever does something with it for all copies of a service begins then."""
        await self._connected.wait()

    async def check(self) -> None:
        """Raise unless the broker answers right now."""
        if not self._client.is_connected:
            raise Unavailable("the broker is not connected")
        with unavailable():
            await self._client.flush(timeout=1)
        self._require_allowed(*self._refusals)

    async def tell(self, subject: str, body: bytes) -> None:
        """Say it to whoever listens now."""
        await self._connected.wait()
        self._require_allowed(subject)
        with unavailable():
            await self._client.publish(subject, body)

    async def ask(self, subject: str, body: bytes) -> bytes:
        await self._connected.wait()
        with self._allowed(subject), unavailable():
            return (await self._client.request(subject, body, timeout=PATIENCE)).data

    async def listen(self, subject: str, *, queue: str = "") -> AsyncIterator[Msg]:
        """What is said from now on; with a queue, to one of those who share it."""
        await self._connected.wait()
        with unavailable():
            subscription = await self._client.subscribe(subject, queue=queue)
        try:
            with unavailable():
                await self._settle()
            self._require_allowed(subject)  # a subscription that was refused would wait for ever
            async for message in subscription.messages:
                yield message
        finally:
            with suppress(OSError, nats.errors.Error):  # the connection may be gone already
                await subscription.unsubscribe()

    async def make_stream(
        self,
        name: str,
        *,
        subjects: Sequence[str],
        seconds: float | None = None,
        size: int | None = None,
        latest: bool = False,
        readers: Collection[str] = (),
    ) -> None:
        """A stream that keeps messages so long and so many bytes of them, and a place in it for each reader.

        With `latest`, only the last one of each subject. Nothing happens if all is there.
        """
        await self._connected.wait()
        config = StreamConfig(
            name=name,
            subjects=list(subjects),
            max_age=seconds,
            max_bytes=size,
            max_msgs_per_subject=1 if latest else -1,
            num_replicas=self._copies,
        )
        with unavailable():
            try:
                await self._jetstream().update_stream(config)
            except nats.js.errors.NotFoundError:
                await self._jetstream().add_stream(config)
            for reader in readers:
                place = ConsumerConfig(
                    name=reader, durable_name=reader, ack_policy=AckPolicy.ALL, ack_wait=30.0, max_ack_pending=-1
                )
                await self._jetstream().add_consumer(name, place)

    async def delete(self, stream: str) -> None:
        await self._connected.wait()
        with unavailable():
            await self._jetstream().delete_stream(stream)

    async def purge(self, stream: str) -> None:
        await self._connected.wait()
        with unavailable():
            await self._jetstream().purge_stream(stream)

    async def count(self, stream: str) -> int:
        """How many messages a stream has."""
        with unavailable():
            return (await self._jetstream().stream_info(stream)).state.messages

    async def last_headers(self, stream: str) -> Mapping[str, str] | None:
        """The headers of the last message that a stream still has."""
        with unavailable():
            state = (await self._jetstream().stream_info(stream)).state
            if not state.messages:
                return None
            return (await self._jetstream().get_msg(stream, state.last_seq)).headers or {}

    async def post(self, posts: Sequence[Post]) -> None:
        """Put messages into their stream, in order; returns when it has them all.

        An acknowledgement costs more than its message. Of several messages only the first and the last are acknowledged, with their
        places: where as many lie between these as were sent, none is missing. Where others have come between, or some were
        lost, all are sent once more, each acknowledged: whoever reads a number twice knows it.
        """
        first, last, between = posts[:1], posts[1:][-1:], posts[1:-1]
        with self._allowed(*(post.subject for post in posts)), unavailable(), awaited() as acks:
            async with asyncio.timeout(PATIENCE):
                await self._send(first, acks)
                for post in between:
                    await self._client.publish(post.subject, post.body, headers=dict(post.headers))
                await self._send(last, acks)
                places = await asyncio.gather(*acks)
                if between and places[-1] - places[0] != len(posts) - 1:
                    await self._send(posts, acks)
                    await asyncio.gather(*acks)

    async def _send(self, posts: Sequence[Post], acks: list[asyncio.Future[int]]) -> None:
        for post in posts:
            ack = await self._acks.send(post.subject, post.body, post.headers)
            acks.append(ack)  # each at once: what goes wrong with the next one leaves none behind

    async def take(self, stream: str, *, reader: str, at_most: int, anew: bool = False) -> AsyncIterator[Sequence[Msg]]:
        """Batches of another's stream for a reader whose place the broker remembers; the caller acknowledges the last.

        The place is only a convenience: who reads a number twice knows it, and who misses one asks for it. It can be
        read anew from the first message. Where more is there already, it is asked for before a batch is handed out, and
        comes while the caller works on that.
        """
        await self._connected.wait()
        jetstream = self._client.jetstream(timeout=PATIENCE, prefix=channel.api(stream))
        place = f"{channel.api(stream)}.CONSUMER.MSG.NEXT.{stream}.{reader}"
        # Whatever is there, or else the first that comes.
        wanted = msgspec.json.encode({"batch": at_most, "no_wait": True, "expires": int(PATIENCE * NANOSECONDS)})
        inbox, come = self._client.new_inbox(), asyncio.Queue[Msg]()
        with unavailable():
            if anew:
                await self._reset(stream, reader)
            subscription = await self._client.subscribe(inbox, cb=come.put)
        try:
            is_asked = False
            while True:
                with unavailable():
                    if not is_asked:
                        await self._client.publish(place, wanted, reply=inbox)
                    batch = await answered(come, at_most)
                    if not batch:
                        await jetstream.consumer_info(stream, reader)  # a quiet stream, unless it is gone
                    if is_asked := bool(batch and batch[-1].metadata.num_pending):
                        await self._client.publish(place, wanted, reply=inbox)
                yield batch
        finally:
            with suppress(OSError, nats.errors.Error):  # the connection may be gone already
                await subscription.unsubscribe()

    async def _reset(self, stream: str, reader: str) -> None:
        """Nobody answers for a stream that its owner has not made yet, as when all services start at once."""
        for seconds in SOON:
            try:
                await self._client.jetstream(timeout=seconds, prefix=channel.api(stream)).reset_consumer(
                    stream, reader, seq=1
                )
            except TimeoutError:
                if seconds == PATIENCE:
                    raise
            else:
                return

    async def _settle(self) -> None:
        """Return when the broker has read what was written before. The driver lets one ping overtake it, but not two."""
        for _ in range(2):
            await self._client.flush(timeout=PATIENCE)

    def _jetstream(self) -> JetStreamContext:
        return self._client.jetstream(timeout=PATIENCE)

    async def _connect(self) -> None:
        await self._client.connect(
            **login(self._url),
            name=self._name,
            error_cb=self._warn,
            reconnected_cb=self._begin_anew,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=10,
        )
        self._connected.set()

    async def _warn(self, error: Exception) -> None:
        """A refusal comes as a word beside the conversation: whoever waits for an answer would learn nothing of it."""
        refusal = REFUSAL.search(str(error))
        if refusal is None:
            logger.warning("broker: %r", error)
            return
        logger.error("the broker refuses: %s", error)
        if len(self._refusals) < MOST_REFUSALS:
            self._refusals[refusal[1].lower()] = f"the broker refuses: {error}"

    async def _begin_anew(self) -> None:
        """Whoever gives the permissions may have changed them meanwhile."""
        self._refusals.clear()

    def _require_allowed(self, *subjects: str) -> None:
        for subject in subjects:
            if refusal := self._refusals.get(subject.lower()):
                raise Unavailable(refusal)

    @contextmanager
    def _allowed(self, *subjects: str) -> Generator[None]:
        """What the broker refuses is not answered: say so, instead of that nobody answers."""
        try:
            yield
        except Unavailable:
            self._require_allowed(*subjects)
            raise


async def answered(come: asyncio.Queue[Msg], at_most: int) -> Sequence[Msg]:
    """As many messages as were asked for, or those before the broker's word that there are no more."""
    batch: list[Msg] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE + GRACE):
            while len(batch) < at_most and not is_last_word(message := await come.get()):
                batch.append(message)
    return batch


def is_last_word(message: Msg) -> bool:
    status = (message.headers or {}).get(STATUS)
    if status is not None and status not in LAST_WORDS:
        raise Unavailable(f"the broker gives nothing of a stream: {message.headers}")
    return status is not None


@contextmanager
def awaited() -> Generator[list[asyncio.Future[int]]]:
    """Those that have not come by then are waited for no more."""
    acks: list[asyncio.Future[int]] = []
    try:
        yield acks
    finally:
        for ack in acks:
            ack.cancel()


@contextmanager
def unavailable() -> Generator[None]:
    try:
        yield
    except (OSError, nats.errors.Error) as error:
        raise Unavailable(f"the broker does not answer: {error!r}") from error
