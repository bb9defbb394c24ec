"""What is known of persons besides their names, in a table that can be erased. It never stands in a log."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from shared.event_store import Unavailable
from shared.postgres import PASSING, Pool

CONNECTIONS = 2
PATIENCE = 5.0  # seconds

KEEP = """
  insert into personal.particulars (person, born, citizenship, town, email, phone) values ($1, $2, $3, $4, $5, $6)
  on conflict (person) do update set born = excluded.born, citizenship = excluded.citizenship, town = excluded.town,
    email = excluded.email, phone = excluded.phone
"""
ERASE = "delete from personal.particulars where person = any($1)"
OF = "select person, born, citizenship, town, email, phone from personal.particulars where person = any($1)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Particulars:
    born: str | None = None  # a date, or a year
    citizenship: tuple[str, ...] = ()
    town: str | None = None
    email: str | None = None
    phone: str | None = None


NOTHING_KNOWN = Particulars()


class ParticularsOf:
    def __init__(self, database: str) -> None:
        self._database = database
        self._pool: Pool | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(
            self._database, min_size=0, max_size=CONNECTIONS, timeout=PATIENCE, command_timeout=PATIENCE
        ) as self._pool:
            yield
        self._pool = None

    async def of(self, persons: Iterable[str]) -> Mapping[str, Particulars]:
        """Of those of whom something is known."""
        wanted = list(persons)
        if not wanted:
            return {}
        try:
            rows = await self._pooled().fetch(OF, wanted)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        return {
            row["person"]: Particulars(
                born=row["born"],
                citizenship=tuple(row["citizenship"]),
                town=row["town"],
                email=row["email"],
                phone=row["phone"],
            )
            for row in rows
        }

    async def keep(self, person: str, known: Particulars) -> None:
        """This is all that is known of them."""
        fields = (known.born, list(known.citizenship), known.town, known.email, known.phone)
        try:
            await self._pooled().execute(KEEP, person, *fields)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error

    async def erase(self, persons: Iterable[str]) -> None:
        try:
            await self._pooled().execute(ERASE, list(persons))
        except PASSING as error:
            raise Unavailable("the database does not answer") from error

    def _pooled(self) -> Pool:
        if self._pool is None:
            raise Unavailable("the service is not running")
        return self._pool
