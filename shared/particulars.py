"""What is known of persons besides their names, in a table that can be erased. It never stands in a log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.database import Database

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
            )
            for row in rows
        }

    async def keep(self, person: str, known: Particulars) -> None:
        """This is all that is known of them."""
        fields = (known.born, list(known.citizenship), known.town, known.email, known.phone)
        await self._database.execute(KEEP, person, *fields)

    async def erase(self, persons: Iterable[str]) -> None:
        await self._database.execute(ERASE, list(persons))
