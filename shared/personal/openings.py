"""Personal facts beside the log, each with its salt: who erases the salt erases the link from the event to the fact."""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NoReturn

from shared.background import Work
from shared.commands.personal_facts import SaltedValue
from shared.ids import new_salt
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.notify import RING, Bell, wait

ERASED = "erased"

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
    await connection.execute(RING, ERASED)


class Openings:
    """Whoever remembers what it has read here is told when something of it is erased, also by another copy."""

    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self._bell = Bell(database, ERASED)
        self._hearing = Work("erasure of personal facts", self._hear)
        self._remembering: list[Callable[[], None]] = []

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._database.running())
            if self._remembering:
                await stack.enter_async_context(self._bell.running())
                await stack.enter_async_context(self._hearing.running())
            yield

    def remembered_by(self, forget: Callable[[], None]) -> None:
        self._remembering.append(forget)

    def forget(self) -> None:
        for forget in self._remembering:
            forget()

    async def _hear(self) -> NoReturn:
        while True:
            if await wait(self._bell.next_ring()):
                self.forget()

    def new_salt(self) -> bytes:
        return new_salt()

    async def keep(self, openings: Sequence[SaltedValue]) -> None:
        rows = [(one.commitment, one.scope, " ".join(one.about), one.salt, one.value) for one in openings]
        await self._database.execute(KEEP, *map(list, zip(*rows, strict=True)))

    async def drop(self, openings: Sequence[SaltedValue]) -> None:
        await self._database.execute(DROP, [one.commitment for one in openings])

    async def values(self, commitments: Collection[str]) -> Mapping[str, bytes]:
        return {one.commitment: one.value for one in await self._kept(commitments)}

    async def salted(self, commitments: Collection[str]) -> Mapping[str, bytes]:
        """Salt and value, one behind the other, for whoever is to check that an event said so."""
        return {one.commitment: one.salt + one.value for one in await self._kept(commitments)}

    async def _kept(self, commitments: Collection[str]) -> list[SaltedValue]:
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
        return [one for one in found if one.holds]
