"""What is known of persons besides their names, in a table that can be erased. It never stands in a log."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

import msgspec

from shared.database import Database
from shared.postgres import Connection

KEEP = """
  insert into personal.particulars (person, born, citizenship, town, email, phone, licence)
  select person, born, citizenship, town, email, phone, licence from jsonb_to_recordset($1::jsonb)
    given(person text, born text, citizenship text[], town text, email text, phone text, licence text)
  on conflict (person) do update set born = excluded.born, citizenship = excluded.citizenship, town = excluded.town,
    email = excluded.email, phone = excluded.phone, licence = excluded.licence
"""
ERASE = "delete from personal.particulars where person = any($1)"
OF = "select person, born, citizenship, town, email, phone, licence from personal.particulars where person = any($1)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Particulars:
    born: str | None = None  # a date, or a year
    citizenship: tuple[str, ...] = ()
    town: str | None = None
    email: str | None = None
    phone: str | None = None
    licence: str | None = None


NOTHING_KNOWN = Particulars()


async def erase(connection: Connection, persons: Iterable[str]) -> None:
    """Within the transaction that is open."""
    await connection.execute(ERASE, list(persons))


class ParticularsOf:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def of(self, persons: Iterable[str]) -> Mapping[str, Particulars]:
        """Of those of whom something is known."""
        wanted = list(persons)
        if not wanted:
            return {}
        rows = await self._database.fetch(OF, wanted)
        return {
            row["person"]: Particulars(
                born=row["born"],
                citizenship=tuple(row["citizenship"]),
                town=row["town"],
                email=row["email"],
                phone=row["phone"],
                licence=row["licence"],
            )
            for row in rows
        }

    async def keep(self, person: str, known: Particulars) -> None:
        """This is all that is known of them."""
        await self.keep_all({person: known})

    async def keep_all(self, known: Mapping[str, Particulars]) -> None:
        """The same of many."""
        rows = [{"person": person} | asdict(particulars) for person, particulars in known.items()]
        if rows:
            await self._database.execute(KEEP, msgspec.json.encode(rows).decode())

    async def erase(self, persons: Iterable[str]) -> None:
        await self._database.execute(ERASE, list(persons))
