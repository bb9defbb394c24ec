"""What people write to explain an act. It may be about persons, so it is kept beside the log and can be erased.

The id of a note is a salted hash of its words, like that of a personal fact: so no event has them, and nobody puts others in
their place. Who erases the note with its salt erases the link.
"""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager

from shared.commands.handler import Key, digest
from shared.commands.personal_facts import commitment
from shared.ids import new_salt
from shared.log.connection import Connection
from shared.log.database import Database
from shared.refusals import Refusal

KEEP = "insert into beside.notes (id, scope, words, salt, asked) values ($1, $2, $3, $4, $5) on conflict do nothing"
ASKED = "select id, salt from beside.notes where asked = $1"
ERASE_ALL = "delete from beside.notes where scope = any($1)"
ERASE = "delete from beside.notes where scope = $1 and id = $2"
# Where the same request came twice at once, the other one may have happened.
TAKE_BACK = f"{ERASE} and not exists (select from log.answers where key = $3)"
READ = "select id, words, salt from beside.notes where scope = $1 and id = any($2)"

LENGTH = 64  # digits of a hash


async def erase_all(connection: Connection, scopes: Iterable[str]) -> None:
    """All words of these tournaments, within the transaction that is open: whom they are about nobody can tell."""
    await connection.execute(ERASE_ALL, list(scopes))


async def keep(database: Connection | Database, scope: str, words: str, asked: bytes | None = None) -> str:
    """Words beside the log, for an event to name."""
    salt = new_salt()
    await database.execute(KEEP, note := commitment(salt, words.encode()), scope, words, salt, asked)
    return note


class Notes:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    @asynccontextmanager
    async def kept(self, scope: str, words: str | None, key: Key | None) -> AsyncGenerator[str | None]:
        """The note of these words, for an event to name. They are kept before the act happens, and go if it is refused.

        A repeated request names the same note, so that its refusal must not take the words of the first one away.
        """
        if words is None:
            yield None
            return
        asked = digest(key.key, key.request) if key else None
        note, salt, is_first = await self._keep(scope, words, asked)
        try:
            yield note
        except Refusal:
            if is_first:
                await self._database.execute(TAKE_BACK, scope, note, key.key if key else None)
            raise
        if not is_first:  # whoever asked first may have been refused meanwhile, and have taken them back
            await self._database.execute(KEEP, note, scope, words, salt, asked)

    async def keep(self, scope: str, words: str, asked: bytes | None = None) -> str:
        """The note of these words; of those that came first, where the same is asked again."""
        note, _, _ = await self._keep(scope, words, asked)
        return note

    async def _keep(self, scope: str, words: str, asked: bytes | None) -> tuple[str, bytes | None, bool]:
        """With its salt, and whether nobody has asked the same before."""
        while True:
            own = await keep(self._database, scope, words, asked)
            if asked is None:
                return own, None, True
            # None is there where whoever asked first was refused just now.
            if found := await self._database.fetch(ASKED, asked):
                (first,) = found
                return first["id"], first["salt"], first["id"] == own

    async def erase(self, scope: str, note: str) -> None:
        await self._database.execute(ERASE, scope, note)

    async def read(self, scope: str, notes: Collection[str]) -> Mapping[str, str]:
        """Those that are there; others were erased. What somebody has put in the place of words is none of them."""
        if not notes:
            return {}
        rows = await self._database.fetch(READ, scope, list(notes))
        return {row["id"]: row["words"] for row in rows if is_note(row["id"], row["salt"], row["words"])}


def is_note(identity: str, salt: bytes | None, words: str) -> bool:
    """Ids from before bind nothing: they are shorter than a hash."""
    if salt is None:
        return len(identity) < LENGTH
    return commitment(salt, words.encode()) == identity
