"""What is known of persons besides their names, in a table that can be erased. It never stands in a log."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import asdict

from shared.log.connection import Connection
from shared.log.database import Database
from shared.values import Value

KEEP = """
  insert into personal.particulars (person, born, citizenship, town, email, phone, licence)
  select person, born, citizenship, town, email, phone, licence from jsonb_to_recordset($1::jsonb)
    given(person text, born text, citizenship text[], town text, email text, phone text, licence text)
  on conflict (person) do update set born = excluded.born, citizenship = excluded.citizenship, town = excluded.town,
    email = excluded.email, phone = excluded.phone, licence = excluded.licence
"""
ERASE = """
  with gone as (delete from personal.licences where person = any($1))
  delete from personal.particulars where person = any($1)
"""
# Of two who claim a number at once the second one waits for the first; each is answered who has it.
CLAIM = """
  insert into personal.licences (federation, licence, person)
  select $1, * from unnest($2::text[], $3::text[]) order by 2
  on conflict (federation, licence) do update set person = licences.person
  returning licence, person
"""
GIVE_BACK = "delete from personal.licences where federation = $1 and person = any($2) and licence = any($3)"
SETTLE = """
  with gone as (delete from personal.licences where person = any($1) and licence is distinct from $3)
  update personal.licences set person = $2 where person = any($1) and licence = $3
"""
FORGET = "delete from personal.licences where person = any($1) and at < now() - interval '1 minute'"
HOLDERS = "select licence, person from personal.licences where federation = $1 and licence = any($2)"
OF = "select person, born, citizenship, town, email, phone, licence from personal.particulars where person = any($1)"


class Particulars(Value):
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

    async def claim(self, federation: str, licences: Mapping[str, str]) -> Mapping[str, str]:
        """Keep each number for its person, before it is known of them; or none of them, and answer who has those that
        are somebody else's."""
        first: dict[str, str] = {}
        for person, licence in licences.items():
            first.setdefault(licence, person)
        async with self._database.transaction() as connection:
            rows = await connection.fetch(CLAIM, federation, list(first), list(first.values()))
            have = {row["licence"]: row["person"] for row in rows}
            taken = {licence: have[licence] for person, licence in licences.items() if have[licence] != person}
            if taken:
                await connection.execute(GIVE_BACK, federation, list(licences), list(first))
        return taken

    async def forget_claims(self, persons: Iterable[str]) -> None:
        """Of those who never became known: a service was killed before it could register them."""
        await self._database.execute(FORGET, list(persons))

    async def settle(self, ids: Iterable[str], person: str, licence: str | None) -> None:
        """This is the only number that whoever is known by these ids has; it is found by this one."""
        await self._database.execute(SETTLE, list(ids), person, licence)

    async def holders(self, federation: str, licences: Iterable[str]) -> Mapping[str, str]:
        """Who has them, of those that somebody has."""
        rows = await self._database.fetch(HOLDERS, federation, list(licences))
        return {row["licence"]: row["person"] for row in rows}

    async def erase(self, persons: Iterable[str]) -> None:
        await self._database.execute(ERASE, list(persons))
