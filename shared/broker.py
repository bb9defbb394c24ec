"""The connection to NATS. A service starts, writes and reads without it, and catches up when it is there.

Whatever goes wrong on the way is `Unavailable`: nothing that is sent here is the only copy of anything.
"""

# nats-py annotates its functions in parts only; what leaves this module is typed in full.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig

from shared.event_store import Unavailable

PATIENCE = 5.0  # seconds for an answer of the broker
MOST_UNDER_WAY = 4_000
FORGOTTEN_AFTER = 60.0  # seconds after which the broker forgets a reader without a name who does not read

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Post:
    """A message for a stream."""

    subject: str
    body: bytes
    headers: Mapping[str, str]


class Broker:
    def __init__(self, url: str, *, name: str) -> None:
        self._url = url
        self._name = name
        self._client = Client()
        self._connected = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Connects in the background, for as long as it takes, and again whenever the connection is lost."""
        self._client = Client()  # one that was closed gets no answers any more
        self._connected = asyncio.Event()
        connecting = asyncio.create_task(self._connect(), name="broker connection")
        try:
            yield
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            # The driver stumbles when it says goodbye over a connection that has broken this moment.
            with suppress(OSError, nats.errors.Error, TypeError):
                if not self._client.is_closed:
                    await self._client.close()

    async def check(self) -> None:
        """Raise unless the broker answers right now."""
        if not self._client.is_connected:
            raise Unavailable("the broker is not connected")
        with unavailable():
            await self._client.flush(timeout=1)

    async def tell(self, subject: str, body: bytes) -> None:
        """Say it to whoever listens now."""
        await self._connected.wait()
        with unavailable():
            await self._client.publish(subject, body)

    async def ask(self, subject: str, body: bytes) -> bytes:
        await self._connected.wait()
        with unavailable():
            return (await self._client.request(subject, body, timeout=PATIENCE)).data

    async def listen(self, subject: str, *, queue: str = "") -> AsyncIterator[Msg]:
        """What is said from now on; with a queue, to one of those who share it."""
        await self._connected.wait()
        with unavailable():
            subscription = await self._client.subscribe(subject, queue=queue)
        try:
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
    ) -> None:
        """A stream that keeps messages so long and so many bytes of them; nothing happens if it is there.

        With `latest`, only the last one of each subject.
        """
        await self._connected.wait()
        config = StreamConfig(
            name=name,
            subjects=list(subjects),
            max_age=seconds,
            max_bytes=size,
            max_msgs_per_subject=1 if latest else -1,
        )
        with unavailable():
            try:
                await self._jetstream().update_stream(config)
            except nats.js.errors.NotFoundError:
                await self._jetstream().add_stream(config)

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
        """Put messages into their stream, in order; returns when it has them all."""
        with unavailable():
            async with asyncio.timeout(PATIENCE):
                jetstream = self._jetstream()
                receipts = [
                    await jetstream.publish_async(post.subject, post.body, headers=dict(post.headers)) for post in posts
                ]
                await asyncio.gather(*receipts)

    async def take(self, stream: str, *, reader: str | None, at_most: int) -> AsyncIterator[Sequence[Msg]]:
        """Batches of a stream for a reader whose place the broker remembers; the caller acknowledges the last of each.

        The place is only a convenience: who reads a number twice knows it, and who misses one asks for it. A reader
        without a name begins with the first message each time.
        """
        await self._connected.wait()
        config = ConsumerConfig(
            durable_name=reader,
            ack_policy=AckPolicy.ALL,
            ack_wait=30.0,
            max_ack_pending=-1,
            inactive_threshold=None if reader else FORGOTTEN_AFTER,
        )
        with unavailable():
            subscription = await self._jetstream().pull_subscribe("", durable=reader, stream=stream, config=config)
        try:
            while True:
                with unavailable():
                    try:
                        batch = await subscription.fetch(at_most, timeout=PATIENCE)
                    except nats.errors.TimeoutError:
                        await subscription.consumer_info()  # a quiet stream, unless it is gone
                        batch = []
                yield batch
        finally:
            with suppress(OSError, nats.errors.Error):  # the connection may be gone already
                await subscription.unsubscribe()

    def _jetstream(self) -> JetStreamContext:
        return self._client.jetstream(timeout=PATIENCE, publish_async_max_pending=MOST_UNDER_WAY)

    async def _connect(self) -> None:
        await self._client.connect(
            self._url,
            name=self._name,
            error_cb=self._warn,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=10,
        )
        self._connected.set()

    async def _warn(self, error: Exception) -> None:
        logger.warning("broker: %r", error)


@contextmanager
def unavailable() -> Generator[None]:
    try:
        yield
    except (OSError, nats.errors.Error) as error:
        raise Unavailable(f"the broker does not answer: {error!r}") from error
