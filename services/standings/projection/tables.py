"""The rows in which tables are kept: one for each stage of a tournament, in the generation that is shown. What a tournament
gives to its season is one more row of it, under a name that no stage has.

A rebuild makes the next generation beside it, and then switches. Whoever reads does so in one statement, and so sees
the one or the other, whole.
"""

from collections.abc import Collection, Iterable, Sequence

import asyncpg
import msgspec

from services.standings.domain.table import MAKING, Ranked
from shared.log.connection import Connection
from shared.refusals import Unavailable
from shared.values import Value

SCHEMA = """
  create table if not exists views.generation (
    one boolean not null,
    current integer not null,
    making integer not null,
    primary key (one)
  );
  create table if not exists views.tables (
    generation integer not null,
    tournament varchar not null,
    stage varchar not null,
    inputs varchar not null,
    body bytea not null,
    primary key (generation, tournament, stage)
  );
  create index if not exists tables_of_seasons on views.tables (stage) where stage like 'season %';
"""
COLUMNS = ("generation", "tournament", "stage", "inputs", "body")

# `making` is that of the code that made what is shown: another one has to make it anew, and so has the first one where
# something was heard before there were tables.
BEGIN = """
  insert into views.generation (one, current, making)
  select true, 1, case when exists (select from inbox.events) then 0 else $1::int end on conflict do nothing
"""
ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtextextended('views', 0))"

# Whoever writes tables holds this one with others; whoever switches generations holds it alone.
TOGETHER = (
    "select set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock_shared(hashtextextended('tables', 0))"
)
ALONE = "select set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock(hashtextextended('tables', 0))"

# A statement behind the lock, so that it sees what was committed before. Tournaments are locked in one order by all.
TAKE = """
  select current, making, (select count(*) from inbox.decisions) as decisions, (
    select count(pg_advisory_xact_lock(key)) from (
      select distinct hashtextextended('table ' || scope, 0) as key from unnest($1::text[]) scope order by key
    ) keys
  ) from views.generation
"""
STORED = "select tournament, stage, inputs from views.tables where generation = $1 and tournament = any($2)"
KEEP = """
  with made as (
    select * from unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) made(tournament, stage, inputs, body)
  ), gone as (
    delete from views.tables t where generation = $1 and tournament = any($6)
      and not exists (select from made where (made.tournament, made.stage) = (t.tournament, t.stage))
  )
  insert into views.tables (generation, tournament, stage, inputs, body) select $1, * from made
  on conflict (generation, tournament, stage) do update set inputs = excluded.inputs, body = excluded.body
  where tables.inputs <> excluded.inputs
"""
READ = """
  select inputs, body from views.generation join views.tables on generation = current
  where tournament = $1 and stage = $2
"""

# What is shown of a tournament, row by row as it was written, for whoever keeps what follows from it.
VERSIONS = """
  select string_agg(stage || ' ' || t.xmin, ',' order by stage)
  from views.generation join views.tables t on generation = current where tournament = $1
"""

SEASON = "season "  # no stage is called so
OF_SEASON = """
  select tournament, body from views.generation join views.tables on generation = current
  where stage like 'season %' and stage = $1 order by tournament
"""

DECODER = msgspec.json.Decoder(Ranked)


class Stored(Value):
    """A table as it is kept, and what it rests on."""

    inputs: str
    body: bytes

    @property
    def ranked(self) -> Ranked:
        return DECODER.decode(self.body)


class Made(Value):
    """A table as it is to be kept."""

    tournament: str
    stage: str
    inputs: str
    body: bytes


class Age(Value):
    """What has to be the same for what is remembered of tournaments to hold."""

    generation: int
    decisions: int  # of operators, who may have skipped something


async def prepare(connection: Connection) -> None:
    """Make what there is not yet; other copies of the service may do the same."""
    async with connection.transaction():
        await connection.execute(ONE_AT_A_TIME)
        await connection.execute(SCHEMA)
        await connection.execute(BEGIN, MAKING)


async def take(connection: Connection, scopes: Iterable[str]) -> Age:
    """Until the transaction ends, nobody else makes the tables of these tournaments, and no generation ends."""
    await connection.execute(TOGETHER)
    row = await connection.fetchrow(TAKE, list(scopes))
    if row is None:
        raise Unavailable("the tables are being made")
    if row["making"] > MAKING:
        raise Unavailable("a newer version of the service keeps the tables")
    return Age(generation=row["current"], decisions=row["decisions"])


async def stored(connection: Connection, generation: int, tournaments: Collection[str]) -> dict[str, set[str]]:
    """The inputs that the tables of these tournaments rest on."""
    found: dict[str, set[str]] = {}
    for tournament, _, inputs in await connection.fetch(STORED, generation, list(tournaments)):
        found.setdefault(tournament, set()).add(inputs)
    return found


async def keep(connection: Connection, generation: int, tournaments: Collection[str], made: Sequence[Made]) -> None:
    """These are all tables of these tournaments."""
    await connection.execute(
        KEEP,
        generation,
        [one.tournament for one in made],
        [one.stage for one in made],
        [one.inputs for one in made],
        [one.body for one in made],
        list(tournaments),
    )


def of_season(season: str) -> str:
    return f"{SEASON}{season}"


def row(generation: int, made: Made) -> tuple[int, str, str, str, bytes]:
    """The table as a row to be copied."""
    return generation, made.tournament, made.stage, made.inputs, made.body


def stored_table(record: asyncpg.Record | None) -> Stored | None:
    return Stored(inputs=record["inputs"], body=record["body"]) if record else None
