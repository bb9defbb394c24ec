"""Asks a service what it has heard of the lots of a tournament."""

from shared.contracts import DECODERS
from shared.log.database import Database
from shared.log.envelope import MESSAGES
from shared.lots.known import TOLD, LotsKnown, known_of

TYPES = [told.__name__ for told in TOLD]

# Whoever hears registration has it in the inbox, and registration itself in its own log.
SAID = """
  select message from (
    select number, message from inbox.events
    where scope = $1 and source = 'registration' and type = any($2) and lost is null and state <> 'skipped'
    union all
    select public, message from log.log
    where $3 = 'registration' and scope = $1 and type = any($2) and public is not null
  ) said order by number
"""


class LotsHeard:
    def __init__(self, database: str, *, service: str) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._service = service

    async def of(self, tournament: str) -> LotsKnown:
        rows = await self._database.fetch(SAID, tournament, TYPES, self._service)
        said = [MESSAGES.decode(row["message"]) for row in rows]
        return known_of(DECODERS["registration", one.type].decode(one.data) for one in said)
