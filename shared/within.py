"""The log as part of a transaction that is open: a command happens together with what else the transaction does.

So a reaction is carried like any other command, and takes effect exactly once, with the mark that it is done.
"""

from dataclasses import replace

from shared.envelope import MESSAGES
from shared.event_store import PAGE, Answer, Append, Head, Recorded
from shared.handle import Handler, Origin
from shared.log_rows import STREAM, recorded
from shared.postgres import Connection
from shared.reactions import Received, append_within

HEAD = "select position, public from log.head"
ANSWER = "select key, request, response from log.answers where key = $1"


class Within:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def append(self, append: Append) -> Head:
        if append.events:
            await append_within(self._connection, [append])
        return await self.head()

    async def answer(self, key: bytes) -> Answer | None:
        row = await self._connection.fetchrow(ANSWER, key)
        return Answer(**row) if row else None

    async def head(self) -> Head:
        (row,) = await self._connection.fetch(HEAD)
        return Head(**row)

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return [recorded(row) for row in await self._connection.fetch(STREAM, after, limit, stream)]


async def follow[State, Command, Event](
    handler: Handler[State, Command, Event],
    connection: Connection,
    event: Received,
    identity: str,
    command: Command,
    *,
    scope: str,
) -> None:
    """Let a command follow from what a neighbour has said."""
    await replace(handler, store=Within(connection)).handle(
        identity, command, scope=scope, origin=origin(event), respond=lambda _state, _version: b""
    )


def origin(event: Received) -> Origin:
    """The neighbour has led to it, and whoever has led to what the neighbour said."""
    message = MESSAGES.decode(event.message)
    return Origin(actor=event.source, causation=str(message.id), trace=message.trace)
