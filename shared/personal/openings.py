"""Personal facts beside the log, each with its salt: who erases the salt erases the link from the event to the fact."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from secrets import token_bytes

from shared.commands.personal_facts import SaltedValue
from shared.log.connection import Connection
from shared.log.database import Database

SALT = 32  # bytes

KEEP = """
  insert into personal.openings (commitment, scope, about, salt, value)
  select c, s, string_to_array(a, ' '), salt, value
  from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[]) kept(c, s, a, salt, value)
"""
DROP = "delete from personal.openings where commitment = any($1)"
ERASE = "delete from personal.openings where about && $1::text[]"
READ = "select commitment, scope, about, salt, value from personal.openings where commitment = any($1)"


async def erase(connection: Connection, ids: Iterable[str]) -> None:
    """All that is about these persons and entrants, within the transaction that is open."""
    await connection.execute(ERASE, list(ids))


class Openings:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    def new_salt(self) -> bytes:
        return token_bytes(SALT)

    async def keep(self, openings: Sequence[SaltedValue]) -> None:
        rows = [(one.commitment, one.scope, " ".join(one.about), one.salt, one.value) for one in openings]
        await self._database.execute(KEEP, *map(list, zip(*rows, strict=True)))

    async def drop(self, openings: Sequence[SaltedValue]) -> None:
        await self._database.execute(DROP, [one.commitment for one in openings])

    async def values(self, commitments: Collection[str]) -> Mapping[str, bytes]:
        """What somebody has put in the place of a value is none: it does not belong to its commitment."""
        rows = await self._database.fetch(READ, list(commitments))
        found = [
            SaltedValue(
                commitment=row["commitment"],
                scope=row["scope"],
                about=tuple(row["about"]),
                salt=row["salt"],
                value=row["value"],
            )
            for row in rows
        ]
        return {one.commitment: one.value for one in found if one.holds}
