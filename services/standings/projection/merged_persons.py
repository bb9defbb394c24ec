"""Which ids of persons lead to another one, as registration has said it; read where it lies, in the inbox."""

from collections.abc import Iterable, Mapping

from shared import contracts
from shared.contracts.registration import PersonMerged
from shared.log.database import Database

# What is said of a merge has the id that is left as its scope.
MERGED = """
  select scope, message from inbox.events
  where scope = any($1) and source = 'registration' and type = 'PersonMerged' and lost is null and state <> 'skipped'
"""


class MergedPersons:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def merged(self, persons: Iterable[str]) -> Mapping[str, str]:
        """The id that counts by now, for each of these that leads to another one, and for those on the way."""
        into: dict[str, str] = {}
        wanted = set(persons)
        while wanted:
            rows = await self._database.fetch(MERGED, list(wanted))
            told = [contracts.decode("registration", PersonMerged.__name__, row["message"]) for row in rows]
            found = {one.person: one.into for one in told if isinstance(one, PersonMerged)}
            into |= found
            wanted = set(found.values()) - into.keys()
        return {person: last(into, person) for person in into}


def last(into: Mapping[str, str], person: str) -> str:
    while person in into:
        person = into[person]
    return person
