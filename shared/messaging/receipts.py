"""Receipts for messages that were put into streams: all of them come to one address, for as long as the connection lives.

The driver has receipts too. It makes an address for each `jetstream()` that asks for some, listens there as long as it is
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
from shared.values import Value


class Fault(Value):
    description: str = ""


class Answer(Value):
    seq: int = 0
    error: Fault | None = None


class Receipts:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = client.new_inbox()
        self._listens = False
        self._numbers = itertools.count(1)
        self._awaited: dict[str, asyncio.Future[int]] = {}

    async def send(self, subject: str, body: bytes, headers: Mapping[str, str]) -> asyncio.Future[int]:
        """Returns when it was sent. What comes of it is its place in the stream; whoever waits no more cancels it."""
        if not self._listens:
            self._listens = True
            await self._client.subscribe(f"{self._address}.*", cb=self._hear)
        receipt = asyncio.get_running_loop().create_future()
        address = f"{self._address}.{next(self._numbers)}"
        self._awaited[address] = receipt
        receipt.add_done_callback(lambda _: self._awaited.pop(address))
        try:
            await self._client.publish(subject, body, reply=address, headers=dict(headers))
        except BaseException:
            receipt.cancel()
            raise
        return receipt

    async def _hear(self, message: Msg) -> None:
        receipt = self._awaited.get(message.subject)
        if receipt is None or receipt.done():  # nobody waits for it any more
            return
        try:
            answer = msgspec.json.decode(message.data, type=Answer)
        except msgspec.DecodeError:  # nothing at all where nobody keeps such a stream
            receipt.set_exception(Unavailable(f"the broker gives no receipt: {message.headers}"))
            return
        if answer.error is not None:
            receipt.set_exception(Unavailable(f"the broker does not take it: {answer.error.description}"))
        else:
            receipt.set_result(answer.seq)
