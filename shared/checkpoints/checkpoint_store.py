"""The checkpoints that a log has signed, and what its witnesses have signed of them: all are kept, none is changed."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import asyncpg

from shared.log.database import Database
from shared.proof.findings import Malformed
from shared.proof.keys import base64
from shared.proof.moments import EVERY
from shared.proof.notes import Checkpoint, Note, Signature
from shared.refusals import Unavailable
from shared.values import Value

type RootOnPaper = Callable[[str], Awaitable[str]]  # what is printed below a page about a tournament

SHORT = 24  # characters of a root on paper: so many that nobody makes a second history with the same ones
COLUMNS = """
  select number, at, note, array(select line from proof.cosignatures where checkpoint = number order by witness) as lines
  from proof.checkpoints
"""
KEEP = "insert into proof.checkpoints (origin, size, note) values ($1, $2, $3) on conflict do nothing"
NUMBER = "select number from proof.checkpoints where (origin, size) = ($1, $2)"
COSIGN = "insert into proof.cosignatures (checkpoint, witness, line) values ($1, $2, $3) on conflict do nothing"
NEWEST = f"{COLUMNS} order by number desc limit 1"
LATEST_ORIGIN = "(select origin from proof.checkpoints order by number desc limit 1)"
OF_SIZE = f"{COLUMNS} where origin = {LATEST_ORIGIN} and size = $1"
COVERING = f"{COLUMNS} where origin = {LATEST_ORIGIN} and size >= $1 order by size limit 1"
FOLLOWING = f"{COLUMNS} where number > $1 order by number limit $2"
KNOWN_TO = """
  select coalesce(max(size), 0) from proof.checkpoints join proof.cosignatures on checkpoint = number
  where witness = $1 and origin = $2
"""
BEHIND = f"""
  origin = {LATEST_ORIGIN} and size >= (select max(position) from log.log where {{}}) order by size limit 1
"""
ENOUGH = 500  # checkpoints that are looked through for a witness who was away, at most
BEHIND_SCOPES = f"""
  with behind as (
    select number from proof.checkpoints where origin = {LATEST_ORIGIN} and size >= (
      select max(position) from log.log where scope = any($1)
    )
  ),
  looked_at as ((select number from behind order by number limit {ENOUGH}) union select max(number) from behind)
  {COLUMNS} join looked_at using (number)
  order by (select count(*) from proof.cosignatures where checkpoint = number) desc, number limit 1
"""
# The number of the first checkpoint behind all that has happened here to a scope, $1; of the newest while there is none.
PRINTED = f"""
  coalesce(
    (select number from proof.checkpoints where {BEHIND.format("scope = $1")}),
    (select max(number) from proof.checkpoints))
"""
OF_SCOPE = f"{COLUMNS} where number = ({PRINTED})"


class NotSigned(Unavailable):
    """No checkpoint is behind it yet."""

    retry_after = EVERY


class NoteChanged(Unavailable):
    """What is kept as a checkpoint is none: only somebody else can have written it there."""


class KeptCheckpoint(Value):
    number: int
    at: datetime  # as a clock of ours said: witnesses say it by theirs
    note: Note

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint.parse(self.note.text)

    @property
    def on_paper(self) -> str:
        """For whoever takes a sheet home: it refutes another history years later."""
        said = self.checkpoint
        return f"Log {said.origin}, {said.size} events, root {base64(said.root)[:SHORT]}"


class Checkpoints:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def keep(self, checkpoint: Checkpoint, note: Note) -> int:
        """Its number. Once is enough, however often it is tried."""
        await self._database.execute(KEEP, checkpoint.origin, checkpoint.size, bytes(note))
        return await self._database.fetchval(NUMBER, checkpoint.origin, checkpoint.size)

    async def cosign(self, number: int, witness: str, line: Signature) -> None:
        """`witness` is its key, as verifiers are told it."""
        await self._database.execute(COSIGN, number, witness, str(line))

    async def newest(self) -> KeptCheckpoint | None:
        return await self._one(NEWEST)

    async def of_size(self, size: int) -> KeptCheckpoint | None:
        """Of the log as it is now, that of exactly so many events."""
        return await self._one(OF_SIZE, size)

    async def covering(self, size: int) -> KeptCheckpoint | None:
        """The first one of the log as it is now that has at least so many."""
        return await self._one(COVERING, size)

    async def behind_scopes(self, scopes: Sequence[str]) -> KeptCheckpoint | None:
        """The first one behind all that has happened here in them, of those that most witnesses have signed: one who was
        away may have signed a later one only. None where something of it is not signed yet.
        """
        return await self._one(BEHIND_SCOPES, scopes)

    async def on_paper(self, scope: str) -> str:
        """What is printed below a page about a tournament: nothing where nothing was ever signed."""
        found = await self._one(OF_SCOPE, scope)
        return found.on_paper if found else ""

    async def following(self, number: int, limit: int = 500) -> Sequence[KeptCheckpoint]:
        """All that were ever signed, also under former names of the log, in their order; none that was changed into no note."""
        rows = await self._database.fetch(FOLLOWING, number, limit)
        return [found for found in map(readable, rows) if found is not None]

    async def known_to(self, witness: str, origin: str) -> int:
        """The size that a witness has signed last, as far as its answers have come."""
        return await self._database.fetchval(KNOWN_TO, witness, origin)

    async def _one(self, query: str, *arguments: object) -> KeptCheckpoint | None:
        rows = await self._database.fetch(query, *arguments)
        try:
            return kept(**rows[0]) if rows else None
        except Malformed as changed:
            raise NoteChanged(f"checkpoint {rows[0]['number']} is not kept as it was signed: {changed}") from changed


def readable(row: asyncpg.Record) -> KeptCheckpoint | None:
    try:
        return kept(**row)
    except Malformed:
        return None


def kept(number: int, at: datetime, note: bytes, lines: Sequence[str]) -> KeptCheckpoint:
    signed = Note.parse(note)
    Checkpoint.parse(signed.text)
    cosigned = tuple(Signature.parse(line.removesuffix("\n")) for line in lines)
    return KeptCheckpoint(number=number, at=at, note=Note(text=signed.text, signatures=(*signed.signatures, *cosigned)))
