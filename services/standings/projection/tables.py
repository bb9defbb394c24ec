"""The rows in which tables are kept: one for each stage of a tournament, in the generation that is shown. What a tournament
gives to its season is one more row of it, under a name that no stage has.

A rebuild makes the next generation beside it, and then switches. Whoever reads does so in one statement, and so sees
the one or the other, whole.
"""

from collections.abc import Collection, Mapping, Sequence

import asyncpg
import msgspec

from services.standings.domain.table import MAKING, Ranked
from shared.log.connection import Connection
from shared.messaging.history import SOURCES, InboxMessage, Inputs, parse
from shared.messaging.reactions import Batch
from shared.refusals import Unavailable
from shared.tournament.facts import Facts
from shared.tournament.ranking import Table
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

# Whoever writes tables holds this lock with others (`LOOK`); whoever switches generations holds it alone.
ALONE = "select set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock(hashtextextended('tables', 0))"

WRITER = "pg_current_xact_id()::xid::text as writer"  # as rows will say by whom they were written

# Locks some tournaments and says all that their tables follow from, in one call. Each statement has a snapshot of its
# own, so whatever is read is read behind the locks, which are taken in one order by all. Once made the function stays:
# another one needs another name, since copies of different versions run side by side. Its plans are made while there is
# next to nothing, when to read everything looks as cheap as an index, and are kept until PostgreSQL has counted what came.
# So what is looked for by its key is never joined: `offset 0` keeps a lateral part from becoming a join, of which there are
# plans that go through all events.
LOOK_MADE = """
  do $make$ begin
    if to_regprocedure('views.tables_locked(text, text[], text[], text[], bigint[])') is null then
      create function views.tables_locked(
        service text, tournaments text[], known_scope text[], known_source text[], known_number bigint[],
        out generation int, out making int, out decisions bigint, out sources text[], out numbers bigint[],
        out kept text[], out kept_inputs text[],
        out said_scope text[], out said_source text[], out said_number bigint[], out said_type text[],
        out said_message bytea[])
      language plpgsql
      set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
      as $look$
      begin
        perform set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock_shared(hashtextextended('tables', 0));
        perform pg_advisory_xact_lock(key) from (
          select distinct hashtextextended('table ' || scope, 0) as key from unnest(tournaments) scope order by key
        ) keys;

        select g.current, g.making into generation, making from views.generation g;
        select count(*) into decisions from inbox.decisions;
        select array_agg(said.source), array_agg(said.number) into sources, numbers from (
          select s.source, s.number from inbox.sources s union all select service, h.public from log.head h
        ) said;
        select array_agg(t.tournament), array_agg(t.inputs) into kept, kept_inputs
          from views.tables t where t.generation = tables_locked.generation and t.tournament = any (tournaments);

        select array_agg(said.scope), array_agg(said.source), array_agg(said.number), array_agg(said.type),
          array_agg(said.message)
        into said_scope, said_source, said_number, said_type, said_message from (
          select known.scope, known.source, heard.number, heard.type, heard.message
          from unnest(known_scope, known_source, known_number) known(scope, source, number) cross join lateral (
            select e.number, e.type, e.message from inbox.events e
            where (e.scope, e.source) = (known.scope, known.source) and e.number > known.number
              and e.lost is null and e.state <> 'skipped' offset 0
          ) heard
          union all
          select known.scope, known.source, own.public, convert_from(own.message, 'UTF8')::json ->> 'type', own.message
          from unnest(known_scope, known_source, known_number) known(scope, source, number)
          join log.log own on own.scope = known.scope
          where known.source = service and own.public > known.number
          order by 1, 2, 3
        ) said;
      end $look$;
    end if;
  end $make$;
"""
LOOK = f"select *, {WRITER} from views.tables_locked($1, $2, $3, $4, $5)"

# Receives what makes only tables that were worked out from it and from those before, and keeps them: in one call, where
# nothing else has come between. Otherwise it answers nothing and has done nothing. Of what is not free nothing is kept: it
# waits. It locks what the function above locks, in the same order. `rested_on` are the inputs of those before.
RECEIVE_MADE = """
  do $make$ begin
    if to_regprocedure('views.receive_and_keep(text, uuid, bigint, bigint[], text[], text[], bytea[], int, int, bigint, '
      'text[], text[], text[], text[], text[], bytea[])') is null then
      create function views.receive_and_keep(
        said_by text, in_log uuid, behind bigint,
        said_number bigint[], said_scope text[], said_type text[], said_message bytea[],
        of_generation int, made_by int, decided bigint, tournaments text[],
        made_tournament text[], made_stage text[], rested_on text[], made_inputs text[], made_body bytea[],
        out received boolean, out free text[])
      language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
      set enable_material = off set plan_cache_mode = force_generic_plan
      as $receive$
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended('tables', 0));
        perform pg_advisory_xact_lock(key) from (
          select distinct hashtextextended('table ' || scope, 0) as key from unnest(tournaments) scope order by key
        ) keys;

        if not exists (select from views.generation g where g.current = of_generation and g.making <= made_by)
          or decided <> (select count(*) from inbox.decisions)
          or cardinality(made_stage) <> (
            select count(*) from views.tables t
            where t.generation = of_generation and t.tournament = any (tournaments))
          or cardinality(made_stage) <> (
            select count(*) from unnest(made_tournament, made_stage, rested_on) made(tournament, stage, inputs)
            cross join lateral (
              select from views.tables t
              where (t.generation, t.tournament, t.stage) = (of_generation, made.tournament, made.stage)
                and t.inputs = made.inputs offset 0
            ) of_before)
        then
          return;
        end if;

        select r.arrivals is not null, coalesce(r.free, '{}') into received, free
        from inbox.receive(said_by, in_log, behind, said_number, said_scope, said_type, said_message, true) r;

        for nth in 1..cardinality(made_stage) loop
          update views.tables t set inputs = made_inputs[nth], body = made_body[nth]
          where (t.generation, t.tournament, t.stage) = (of_generation, made_tournament[nth], made_stage[nth])
            and made_tournament[nth] = any (free);
        end loop;
      end $receive$;
    end if;
  end $make$;
"""
RECEIVE = f"""
  select *, {WRITER}
  from views.receive_and_keep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
"""
# The bodies are large, and are looked at once: what is gone is found without them.
KEEP = """
  with gone as (
    delete from views.tables where generation = $1 and tournament = any($6)
      and (tournament, stage) not in (select * from unnest($2::text[], $3::text[]))
  )
  insert into views.tables (generation, tournament, stage, inputs, body)
  select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::bytea[])
  on conflict (generation, tournament, stage) do update set inputs = excluded.inputs, body = excluded.body
  where tables.inputs <> excluded.inputs
"""
READ = """
  select inputs, body from views.generation join views.tables on generation = current
  where tournament = $1 and stage = $2
"""

# What is shown of a tournament, row by row as it was written, for whoever keeps what follows from it.
VERSIONS = """
  select string_agg(stage || ' ' || t.inputs || ' ' || t.xmin, ',' order by stage)
  from views.generation join views.tables t on generation = current where tournament = $1
"""


def is_among(versions: str | None, table: "TableAtHand") -> bool:
    """Whether a look has found this very row."""
    return f",{table.stage} {table.inputs} {table.writer}," in f",{versions or ''},"


SEASON = "season "  # no stage is called so
OF_SEASON = """
  select tournament, body from views.generation join views.tables on generation = current
  where stage like 'season %' and stage = $1 order by tournament
"""

KEPT_BY_NEWER = "a newer version of the service keeps the tables"
DECODER = msgspec.json.Decoder(Ranked)
NOTHING_KNOWN: Mapping[str, Inputs] = {}


class Stored(Value):
    """A table as it is kept, and what it rests on."""

    inputs: str
    body: bytes
    table: Ranked | None = None  # where it was made here, and is that of a stage

    @property
    def ranked(self) -> Ranked:
        return self.table or DECODER.decode(self.body)

    def is_same(self, other: "Stored") -> bool:
        """However it came here."""
        return (self.inputs, self.body) == (other.inputs, other.body)

    @property
    def registration(self) -> int:
        """Up to which number registration is known in it."""
        return parse(self.inputs).registration


class Made(Stored):
    """A table as it is to be kept, and what it was made of."""

    tournament: str
    stage: str
    facts: Facts
    ranking: Table | None = None  # of which it is what is kept

    @property
    def stored(self) -> Stored:
        return Stored(inputs=self.inputs, body=self.body, table=self.table)

    def written(self, writer: str) -> "TableAtHand":
        """Field by field, which takes a fifth of the time: one is made with each result."""
        return TableAtHand(
            tournament=self.tournament,
            stage=self.stage,
            inputs=self.inputs,
            body=self.body,
            facts=self.facts,
            table=self.table,
            ranking=self.ranking,
            writer=writer,
        )


class TableAtHand(Made):
    """A table as it was written here."""

    writer: str  # the transaction, as the row bears it


type WrittenTables = Mapping[str, Mapping[str, TableAtHand]]  # of tournaments, by stage


def written(made: Mapping[str, Sequence[Made]], writer: str) -> WrittenTables:
    return {name: {one.stage: one.written(writer) for one in several} for name, several in made.items()}


class Age(Value):
    """What has to be the same for what is remembered of tournaments to hold."""

    generation: int
    decisions: int  # of operators, who may have skipped something


async def prepare(connection: Connection) -> None:
    """Make what there is not yet; other copies of the service may do the same."""
    async with connection.transaction():
        await connection.execute(ONE_AT_A_TIME)
        await connection.execute(SCHEMA)
        await connection.execute(LOOK_MADE)
        await connection.execute(RECEIVE_MADE)
        await connection.execute(BEGIN, MAKING)


class LockedTables(Value):
    """What the tables of some tournaments follow from."""

    age: Age
    received: Mapping[str, int]  # how far each source is known, whatever it was said about
    kept: Mapping[str, frozenset[str]]  # the inputs that the tables rest on which there are
    said: Sequence[InboxMessage]  # what was said behind what is known already
    writer: str  # the transaction that has locked them

    def knows(self, inputs: Inputs) -> bool:
        """Nobody can know more of a neighbour than the inbox, unless a transaction was taken back."""
        return all(inputs.of(source) <= number for source, number in self.received.items())

    def rests_on(self, tournament: str, inputs: Inputs) -> bool:
        """Whether all tables that there are of it are those that follow from this."""
        return self.kept.get(tournament) == frozenset([str(inputs)])


async def look(
    connection: Connection, service: str, scopes: Sequence[str], known: Mapping[str, Inputs] = NOTHING_KNOWN
) -> LockedTables:
    """Until the transaction ends, nobody else makes the tables of these tournaments, and no generation ends."""
    reached = [(scope, source, inputs.of(source)) for scope, inputs in known.items() for source in SOURCES]
    columns = [[one[nth] for one in reached] for nth in range(3)]
    row = await connection.fetchrow(LOOK, service, list(scopes), *columns)
    if row is None or row["generation"] is None:
        raise Unavailable("the tables are being made")
    if row["making"] > MAKING:
        raise Unavailable(KEPT_BY_NEWER)
    kept: dict[str, set[str]] = {}
    for tournament, inputs in zip(row["kept"] or (), row["kept_inputs"] or (), strict=True):
        kept.setdefault(tournament, set()).add(inputs)
    said = [row[name] or () for name in ("said_scope", "said_source", "said_number", "said_type", "said_message")]
    return LockedTables(
        age=Age(generation=row["generation"], decisions=row["decisions"]),
        received=dict(zip(row["sources"] or (), row["numbers"] or (), strict=True)),
        kept={tournament: frozenset(several) for tournament, several in kept.items()},
        said=[
            InboxMessage(scope=scope, source=source, number=number, type=name, message=message)
            for scope, source, number, name, message in zip(*said, strict=True)
        ],
        writer=row["writer"],
    )


async def receive(
    connection: Connection,
    batch: Batch,
    age: Age,
    before: Mapping[str, Inputs],
    made: Mapping[str, Sequence[Made]],
) -> WrittenTables | None:
    """Receive what has led to these tables, if they all follow from it and from those that there are, which have to be
    theirs before; answers those that are kept. Nothing is received where something else has come between."""
    several = [one for tables in made.values() for one in tables]
    row = await connection.fetchrow(
        RECEIVE,
        *batch.arguments,
        age.generation,
        MAKING,
        age.decisions,
        list(before),
        [one.tournament for one in several],
        [one.stage for one in several],
        [str(before[one.tournament]) for one in several],
        [one.inputs for one in several],
        [one.body for one in several],
    )
    if row is None or not row["received"]:
        return None
    return written({tournament: made[tournament] for tournament in row["free"]}, row["writer"])


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


def stored_table(record: asyncpg.Record | None) -> Stored | None:
    return Stored(inputs=record["inputs"], body=record["body"]) if record else None
