"""The log as part of a transaction that is open: a command happens together with what else the transaction does.

So a reaction is carried like any other command, and takes effect exactly once, with the mark that it is done. What was
appended is noted for whoever commits (`noting_appends`): it is handed to those who follow the log.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from shared.log.connection import Connection
from shared.log.rows import APPEND_WITHIN, STREAM, columns, recorded
from shared.log.store import PAGE, Answer, Append, Appended, Head, Recorded, VersionConflict

WRITTEN: ContextVar[list[Appended] | None] = ContextVar("written", default=None)

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


async def append_within(connection: Connection, appends: Sequence[Append]) -> None:
    """Append as part of the transaction that is open; at most one append a stream and key, all of them or none."""
    row = await connection.fetchrow(APPEND_WITHIN, *columns(appends))
    if row is None or row["refused"]:
        raise VersionConflict(f"refused: {row and row['reasons']}")
    if (written := WRITTEN.get()) is not None:
        before = Head(position=row["position_before"], public=row["public_before"])
        written.append(Appended(before=before, appends=tuple(appends)))


@contextmanager
def noting_appends() -> Generator[list[Appended]]:
    """What is appended within the block; it has happened when the transaction around it is committed."""
    written: list[Appended] = []
    token = WRITTEN.set(written)
    try:
        yield written
    finally:
        WRITTEN.reset(token)
