-- What a neighbour says next is received in one call. Where nothing of its scope waits, it is marked as done: the caller
-- lets it take effect within the same transaction. Whatever cannot take effect now waits.

create index on inbox.events (scope) where state = 'waiting';

-- Answers nothing when the cursor is not where the caller believes it to be: somebody else has received meanwhile.
-- The settings keep the plans on the indexes, whatever the planner thinks of unnest().
create function inbox.receive(
  said_by text, in_log uuid, behind bigint,
  said_number bigint[], said_scope text[], said_type text[], said_message bytea[], at_once boolean,
  out arrivals bigint[], out free text[])
language plpgsql
set search_path = inbox, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  update sources set number = said_number[cardinality(said_number)]
    where (source, incarnation, number) = (said_by, in_log, behind);
  if not found then
    return;
  end if;

  insert into scopes (scope) select distinct unnest(said_scope) order by 1 on conflict do nothing;

  if at_once then
    -- Nobody waits for a scope that somebody else works on, or that failed and is tried again later.
    select array_agg(scope) into free from (
      select scope from scopes where scope = any (said_scope) and parked is null and attempts = 0
      for update skip locked
    ) locked;
    -- A statement of its own: its snapshot is taken behind the locks, so it sees whatever waits there. That goes first.
    select array_agg(locked.scope) into free from unnest(free) locked(scope)
      where not exists (select from events e where e.scope = locked.scope and e.state = 'waiting');
  end if;

  with stored as (
    insert into events (source, number, scope, type, message, state)
    select said_by, said.number, said.scope, said.type, said.message,
      case when said.scope = any (free) then 'done' else 'waiting' end
    from unnest(said_number, said_scope, said_type, said_message) said(number, scope, type, message)
    order by said.number
    returning events.arrival, events.number
  )
  select array_agg(stored.arrival order by stored.number) into arrivals from stored;
end $$;
