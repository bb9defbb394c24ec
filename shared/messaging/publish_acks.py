"""Acknowledgements of messages that were put into streams: all of them come to one address, for as long as the connection lives.

The driver has them too. It makes an address for each `jetstream()` that asks for some, listens there as long as it is
connected, and keeps a place for whatever could not be sent.
"""

# nats-py annotates its functions in parts only.
# pyright: reportUnknownMemberType=false
import asyncio
import itertools
from collections.abc import Mapping

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared.refusals import Unavailable
from shared.values import UNREADABLE, Value


class PublishError(Value):
    description: str = ""


class PublishAck(Value):
    seq: int = 0
    error: PublishError | None = None


class PublishAcks:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = client.new_inbox()
        self._listens = False
        self._numbers = itertools.count(1)
        self._awaited: dict[str, asyncio.Future[int]] = {}

    async def send(self, subject: str, body: bytes, headers: Mapping[str, str]) -> asyncio.Future[int]:
        """Returns when it was sent. What comes of it is its place in the stream; whoever waits no more cancels it."""
        await self._listen()
        ack = asyncio.get_running_loop().create_future()
        address = f"{self._address}.{next(self._numbers)}"
        self._awaited[address] = ack
        ack.add_done_callback(lambda _: self._awaited.pop(address))
        try:
            await self._client.publish(subject, body, reply=address, headers=dict(headers))
        except BaseException:
            ack.cancel()
            raise
        return ack

    async def _listen(self) -> None:
        if self._listens:
            return
        self._listens = True
        try:
            await self._client.subscribe(f"{self._address}.*", cb=self._hear)
        except BaseException:
            self._listens = False
            raise

    async def _hear(self, message: Msg) -> None:
        ack = self._awaited.get(message.subject)
        if ack is None or ack.done():  # nobody waits for it any more
            return
        try:
            said = msgspec.json.decode(message.data, type=PublishAck)
        except UNREADABLE:  # nothing at all where nobody keeps such a stream
            ack.set_exception(Unavailable(f"the broker acknowledges nothing: {message.headers}"))
            return
        if said.error is not None:
            ack.set_exception(Unavailable(f"the broker does not take it: {said.error.description}"))
        else:
            ack.set_result(said.seq)
