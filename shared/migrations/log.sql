-- The log: one table of facts, one row that says how far it goes, one function that may write.
-- A service's role may read everything here and call append(); nobody may update or delete a fact.

create schema log;

create table log.log (
  position bigint not null primary key,               -- 1, 2, 3 … in commit order, without a gap
  stream   text   not null,
  version  int    not null check (version > 0),       -- 1, 2, 3 … within the stream
  id       uuid   not null unique,
  type     text   not null,
  scope    text   not null,                           -- the tournament, season or person it is about
  record   bytea  not null,                           -- the whole envelope: these bytes are what is proved
  public   bigint unique,                             -- 1, 2, 3 … over the events that have a public form
  message  bytea,                                     -- that public form, fixed for ever when appended
  unique (stream, version),
  check ((public is null) = (message is null))
);
create index on log.log (scope, position);

create table log.head (
  one         bool   not null primary key default true check (one),
  position    bigint not null,
  public      bigint not null,
  incarnation uuid   not null default gen_random_uuid() -- changed when a backup is restored
);
insert into log.head (position, public) values (0, 0);

create table log.answers (                            -- what a command was answered, by its idempotency key
  key      bytea not null primary key,
  request  bytea not null,                            -- hash of the request: the same key must mean the same
  response bytea not null,
  at       timestamptz not null default now()
);
create index on log.answers using brin (at);

-- Appends a batch in one call. Each append of the batch is admitted whole or refused whole; a refusal of one
-- does not touch the others. `*_append` numbers say to which append a claim, an event or a key belongs.
--
-- The caller sends at most one append per stream and per key in a batch, so checking everything before inserting
-- anything is exact. The settings keep the plans on the indexes, whatever the planner thinks of unnest().
create function log.append(
  claim_append int[], claim_stream text[], claim_version int[],
  event_append int[], event_stream text[], event_version int[], event_id uuid[], event_type text[],
  event_scope text[], event_record bytea[], event_message bytea[],
  key_append int[], key_name bytea[], key_request bytea[], key_response bytea[],
  out position_before bigint, out public_before bigint, out refused int[], out reasons text[])
language plpgsql security definer
set search_path = log, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  inserted bigint;
  spoken bigint;
begin
  -- A statement of its own: the next one's snapshot is taken after the lock, so it sees every commit before ours
  -- and the checks are exact. The lock is never held across a round trip to a client.
  select h.position, h.public into position_before, public_before from head h for update;

  -- An id that is there means that this very append came through before: it goes before all other reasons.
  select array_agg(a), array_agg(reason) into refused, reasons from (
    select distinct on (a) a, reason from (
      select e.a, 'id' reason, 1 rank from unnest(event_append, event_id) e(a, id)
        where exists (select from log l where l.id = e.id)
      union all
      select k.a, 'key', 2 from unnest(key_append, key_name) k(a, key)
        where exists (select from answers s where s.key = k.key)
      union all
      select c.a, 'version', 3 from unnest(claim_append, claim_stream, claim_version) c(a, stream, version)
        where c.version <> coalesce(
          (select l.version from log l where l.stream = c.stream order by l.version desc limit 1), 0)
    ) found order by a, rank
  ) first;

  with admitted as (
    select e.*,
      row_number() over (order by nr) as n,
      case when message is not null then count(message) over (order by nr) end as spoken_n
    from unnest(event_append, event_stream, event_version, event_id, event_type, event_scope, event_record,
                event_message) with ordinality
      e(a, stream, version, id, type, scope, record, message, nr)
    where refused is null or a <> all (refused)
  ), stored as (
    insert into log (position, stream, version, id, type, scope, record, public, message)
    select position_before + n, stream, version, id, type, scope, record, public_before + spoken_n, message
    from admitted
    returning log.public
  )
  select count(*), count(s.public) into inserted, spoken from stored s;

  if cardinality(key_append) > 0 then
    insert into answers (key, request, response)
    select key, request, response
    from unnest(key_append, key_name, key_request, key_response) k(a, key, request, response)
    where refused is null or a <> all (refused);
  end if;

  if inserted > 0 then
    update head set position = position_before + inserted, public = public_before + spoken;
  end if;
end $$;

-- Forgets answers older than the retention that the service promises.
create function log.forget_answers(older_than interval) returns bigint
language sql security definer set search_path = log, pg_temp
as $$
  with gone as (delete from answers where at < now() - older_than returning 1) select count(*) from gone
$$;

revoke all on function log.append, log.forget_answers from public;
