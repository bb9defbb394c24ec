"""What is known of persons besides their names, in a table that can be erased. It never stands in a log.

A new field of a person is one more field of `Particulars`, of the same name as its column in the migrations, which says its
type. How it is sent and shown stands in `services/registration/api/persons`, as JSON and as a column of files; how it is called
where the rules ask for it, in `services/registration/eligibility/conditions.py`.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import asdict, fields

from shared.log.connection import Connection
from shared.log.database import Database
from shared.values import Value

ERASE = """
  with gone as (delete from personal.licences where person = any($1))
  delete from personal.particulars where person = any($1)
"""
# Of two who claim a number at once the second one waits for the first; each is answered who has it.
CLAIM = """
  insert into personal.licences (federation, licence, person)
  select $1, * from unnest($2::text[], $3::text[]) order by 2
  on conflict (federation, licence) do update set person = licences.person,
    at = case when licences.person = excluded.person then now() else licences.at end
  returning licence, person
"""
GIVE_BACK = "delete from personal.licences where federation = $1 and person = any($2) and licence = any($3)"
SETTLE = """
  with gone as (delete from personal.licences where person = any($1) and licence is distinct from $3)
  update personal.licences set person = $2 where person = any($1) and licence = $3
"""
# Whoever claims a number has it at once, or is known to have it a moment later.
IS_VOID = """
  at < now() - interval '1 minute'
    and not exists (select from personal.particulars p where p.person = l.person and p.licence = l.licence)
"""
FORGET = f"""
  delete from personal.licences l where federation = $1 and licence = any($2)
    and ({IS_VOID} or person = any($3) and at < now() - interval '1 minute')
"""
HOLDERS = (
    f"select licence, person from personal.licences l where federation = $1 and licence = any($2) and not ({IS_VOID})"
)


class Particulars(Value):
    born: str | None = None  # a date, or a year
    citizenship: tuple[str, ...] = ()
    town: str | None = None
    email: str | None = None
    phone: str | None = None
    licence: str | None = None


NOTHING_KNOWN = Particulars()
PARTICULARS = tuple(field.name for field in fields(Particulars))
COLUMNS = ", ".join(PARTICULARS)
KEEP = f"""
  insert into personal.particulars (person, {COLUMNS})
  select person, {COLUMNS} from jsonb_populate_recordset(null::personal.particulars, $1::jsonb)
  on conflict (person) do update set ({COLUMNS}) = ({", ".join(f"excluded.{name}" for name in PARTICULARS)})
"""
OF = f"select person, {COLUMNS} from personal.particulars where person = any($1)"


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
        return {row["person"]: msgspec.convert(dict(row), Particulars) for row in rows}

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

    async def forget_claims(self, federation: str, licences: Iterable[str], nobody: Iterable[str]) -> None:
        """Those of a service that was killed before it could say that somebody has the number, or register them."""
        await self._database.execute(FORGET, federation, list(licences), list(nobody))

    async def settle(self, ids: Iterable[str], person: str, licence: str | None) -> None:
        """This is the only number that whoever is known by these ids has; it is found by this one."""
        await self._database.execute(SETTLE, list(ids), person, licence)

    async def holders(self, federation: str, licences: Iterable[str]) -> Mapping[str, str]:
        """Who has them, of those that somebody has."""
        rows = await self._database.fetch(HOLDERS, federation, list(licences))
        return {row["licence"]: row["person"] for row in rows}

    async def erase(self, persons: Iterable[str]) -> None:
        await self._database.execute(ERASE, list(persons))
