"""What lies beside a log, held against what the log says of it: who changes it there, with all rights on the database, is told.

The trees prove what is in the log. What follows from it, or is only named in it by a hash, lies in tables of its own: who may
act as what, the secrets of lots, what people wrote, tables and word lists. All of that is read at the start and, as far as it
takes little of the time, again and again.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NoReturn

import msgspec

from shared.access import grants
from shared.background import Work
from shared.contracts.lots import LotSeedCommitted
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.envelope import MESSAGES
from shared.lots import formula
from shared.refusals import Unavailable
from shared.values import UNREADABLE

PATIENCE = 120.0  # seconds that a statement may take
PAUSE = 1.0  # seconds before it looks once more: what neighbours have said may have been about to take effect
LOOKS = 3  # until a difference is believed
SELDOM = 600.0  # seconds between two rounds, where they take little
SHARE = 0.01  # of the time that reading may take

SNAPSHOT = "set transaction isolation level repeatable read, read only"
HEAD = """
  select (position, public) is distinct from
    (coalesce((select max(position) from log.log), 0), coalesce((select max(public) from log.log), 0))
  from log.head
"""
# A message that counts as never said has to be one that the log says an operator has passed over.
SKIPPED = """
  select source, number from inbox.events e
  where state = 'skipped' and lost is null and ($1::text[] is null or scope = any($1)) and not exists (
    select from log.log l where l.scope = e.scope and l.type = 'EventSkipped'
      and (convert_from(l.record, 'UTF8')::json -> 'data' ->> 'source', convert_from(l.record, 'UTF8')::json -> 'data' ->> 'number')
        = (e.source, e.number::text)
  ) order by source, number limit 1
"""
CONTENTS = "select encode(digest, 'hex') from beside.contents where sha256(content) <> digest limit 1"
BOUND = r"encode(sha256('roundlog/personal/v1\012'::bytea || salt || {value}), 'hex')"
OPENINGS = f"select commitment from personal.openings where commitment <> {BOUND.format(value='value')} limit 1"
NOTES = f"""
  select id from beside.notes where (salt is not null or length(id) = 64)
    and id is distinct from {BOUND.format(value="convert_to(words, 'UTF8')")} limit 1
"""
# Until they are revealed: then everybody can compute what they were.
SEEDS = """
  select seed, message from log.log said left join beside.seeds on tournament = scope
  where type = 'LotSeedCommitted' and message is not null
    and not exists (select from log.log told where told.scope = said.scope and told.type = 'LotSeedRevealed')
"""
# What registration has said of offices, as far as that has taken effect: in its own log, or in an inbox.
# What is told counts, and not which record tells it: a scorer's link is told as an office.
IN_THE_LOG = """
  select position, message from log.log where public is not null and exists (
    select from unnest($1::text[]) told where position(convert_to('"type":"' || told || '"', 'UTF8') in message) > 0
  ) order by position
"""
IN_THE_INBOX = """
  select message from inbox.events where source = 'registration' and state = 'done' and type = any($1) order by arrival
"""
IS_SHOWN = "select to_regclass('views.progress') is not null"
SHOWN = "select position from views.progress where name = 'registration'"
OFFICES = [
    "OfficialAppointed",
    "OfficialDismissed",
    "TournamentAnnounced",
    "SeasonOpened",
    "CaptainNamed",
    "CaptainKeyIntroduced",
]

COMMITTED = msgspec.json.Decoder(LotSeedCommitted)

logger = logging.getLogger(__name__)


class BesideCheck:
    """Whatever it finds it finds a few times, one after the other, before it says so."""

    def __init__(self, database: str, *, service: str) -> None:
        self._database = Database(database, connections=1, patience=PATIENCE)
        self._service = service
        self._work = Work("reading of what lies beside the log", self._look_on)
        self._wrong: str | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._database.running(), self._work.running():
            yield

    async def check(self) -> None:
        await self._work.check()
        if self._wrong is not None:
            raise Unavailable(self._wrong)

    async def _look_on(self) -> NoReturn:
        while True:
            began = time.monotonic()
            try:
                found = await self.difference()
                for _ in range(LOOKS - 1):
                    if found is not None:
                        await asyncio.sleep(PAUSE)
                        found = found if await self.difference() == found else None
            except Unavailable as error:
                logger.warning("reading of what lies beside the log: %s", error)
                await asyncio.sleep(PAUSE)
                continue
            if found is not None and found != self._wrong:
                logger.critical("%s", found)
            self._wrong = found
            took = time.monotonic() - began
            await asyncio.sleep(PAUSE if found else max(SELDOM, took / SHARE))

    async def difference(self) -> str | None:
        """The first that is found."""
        async with self._database.transaction() as connection:
            await connection.execute(SNAPSHOT)
            for look in (self._columns, self._secrets, self._offices):
                try:
                    if (found := await look(connection)) is not None:
                        return found
                except UNREADABLE as error:
                    return f"what was said of offices or of lots cannot be read any more: {error}"
        return None

    async def _columns(self, connection: Connection) -> str | None:
        """What the server itself can compare."""
        if await connection.fetchval(HEAD):
            return "the head of the log is not where its last event stands"
        if row := await connection.fetchrow(SKIPPED, None):
            return f"number {row['number']} of {row['source']} is passed over, and the log does not say that anybody decided so"
        for statement, what in ((CONTENTS, "content"), (OPENINGS, "personal fact"), (NOTES, "note")):
            if (found := await connection.fetchval(statement)) is not None:
                return f"the {what} {found} is not what its hash is of"
        return None

    async def _secrets(self, connection: Connection) -> str | None:
        for row in await connection.fetch(SEEDS):
            told = COMMITTED.decode(MESSAGES.decode(row["message"]).data)
            seed: bytes | None = row["seed"]
            if seed is None or told.commitment != formula.commitment(
                seed, service=self._service, tournament=told.tournament, source=told.source
            ):
                return f"the secret of the lots of {told.tournament} is not the one that was fixed"
        return None

    async def _offices(self, connection: Connection) -> str | None:
        messages = await self._said_of_offices(connection)
        if messages is None:
            return None
        said = grants.tables_after(messages)
        for name, query in grants.TABLES.items():
            there = {tuple(row) for row in await connection.fetch(query)}
            if differs := sorted(map(str, there ^ said[name])):
                return f"inbox.{name} does not follow from what registration has said: {differs[0]}"
        return None

    async def _said_of_offices(self, connection: Connection) -> list[bytes] | None:
        """None while some of it has not taken effect yet."""
        if self._service != grants.SOURCE:
            return [row["message"] for row in await connection.fetch(IN_THE_INBOX, OFFICES)]
        rows = await connection.fetch(IN_THE_LOG, OFFICES)
        shown = await connection.fetchval(SHOWN) if await connection.fetchval(IS_SHOWN) else None
        if rows and (shown or 0) < rows[-1]["position"]:
            return None
        return [row["message"] for row in rows]
