"""What is too long for an event and never changes, stored once: events name it by its SHA-256, which proves it."""

from collections.abc import Collection, Mapping
from hashlib import sha256

from shared.log.connection import Connection
from shared.log.database import Database

KEEP = "insert into beside.contents (digest, content) values ($1, $2) on conflict do nothing"
READ = "select digest, content from beside.contents where digest = any($1)"


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


class Contents:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def keep(self, content: bytes) -> str:
        """Its digest, for an event to name. Kept before the act happens: what no event names is in nobody's way."""
        digest = digest_of(content)
        await self._database.execute(KEEP, bytes.fromhex(digest), content)
        return digest

    async def read(self, digests: Collection[str]) -> Mapping[str, bytes]:
        if not digests:
            return {}
        rows = await self._database.fetch(READ, [bytes.fromhex(digest) for digest in digests])
        return {row["digest"].hex(): row["content"] for row in rows}


async def keep_within(connection: Connection, content: bytes) -> None:
    """The same within a transaction that is open."""
    await connection.execute(KEEP, bytes.fromhex(digest_of(content)), content)
