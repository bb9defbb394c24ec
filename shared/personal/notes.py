"""What people write to explain an act. It may be about persons, so it is kept beside the log and can be erased."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager

from shared.commands.handler import Key, digest
from shared.ids import NewId, new_id
from shared.log.connection import Connection
from shared.log.database import Database
from shared.refusals import Refusal

KEEP = "insert into beside.notes (id, scope, words) values ($1, $2, $3) on conflict do nothing"
ERASE_ALL = "delete from beside.notes where scope = any($1)"
ERASE = "delete from beside.notes where scope = $1 and id = $2"
READ = "select id, words from beside.notes where scope = $1 and id = any($2)"


async def erase_all(connection: Connection, scopes: Iterable[str]) -> None:
    """All words of these tournaments, within the transaction that is open: whom they are about nobody can tell."""
    await connection.execute(ERASE_ALL, list(scopes))


class Notes:
    def __init__(self, database: str, new_id: NewId = new_id) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._new_id = new_id

    @asynccontextmanager
    async def kept(self, scope: str, words: str | None, key: Key | None) -> AsyncGenerator[str | None]:
        """The note of these words, for an event to name. They are kept before the act happens, and go if it is refused.

        A repeated request names the same note, so that its refusal must not take the words of the first one away.
        """
        if words is None:
            yield None
            return
        note = digest(key.key, key.request).hex()[:32] if key else str(self._new_id())
        await self.keep(scope, note, words)
        try:
            yield note
        except Refusal:
            if key is None:
                await self.erase(scope, note)
            raise

    async def keep(self, scope: str, note: str, words: str) -> None:
        await self._database.execute(KEEP, note, scope, words)

    async def erase(self, scope: str, note: str) -> None:
        await self._database.execute(ERASE, scope, note)

    async def read(self, scope: str, notes: Collection[str]) -> Mapping[str, str]:
        """Those that are there; others were erased."""
        if not notes:
            return {}
        rows = await self._database.fetch(READ, scope, list(notes))
        return {row["id"]: row["words"] for row in rows}
