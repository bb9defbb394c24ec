-- The trees over the log and over the messages in it, as tiles: `shared/proof` makes them, this keeps them.
-- A service's role may read everything here and call grow(), which never changes a hash that is there. All of it can be
-- made anew from the log, and then says whether the log is still the same.

create schema proof;

create table proof.head (                             -- how far the trees go: their sizes
  one      bool   not null primary key default true check (one),
  position bigint not null default 0,
  public   bigint not null default 0
);
insert into proof.head default values;

create table proof.tiles (
  tree   text     not null check (tree in ('log', 'messages')),
  level  smallint not null,
  number bigint   not null,
  hashes bytea    not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
  primary key (tree, level, number)
);
alter table proof.tiles alter column hashes set storage external; -- hashes cannot be compressed: nobody shall try

-- Both trees grow together, or neither does. An unfinished tile is given whole, with the hashes that it had before.
create function proof.grow(
  position_before bigint, public_before bigint, position_after bigint, public_after bigint,
  tile_tree text[], tile_level int[], tile_number bigint[], tile_hashes bytea[])
returns void
language plpgsql security definer
set search_path = proof, pg_temp
as $$
declare
  written bigint;
begin
  update head set position = position_after, public = public_after
  where position = position_before and public = public_before
    and position_after >= position_before and public_after >= public_before;
  if not found then
    raise exception 'the trees have grown meanwhile' using errcode = 'serialization_failure';
  end if;

  insert into tiles as t (tree, level, number, hashes)
  select * from unnest(tile_tree, tile_level, tile_number, tile_hashes)
  on conflict (tree, level, number) do update set hashes = excluded.hashes
    where substring(excluded.hashes for length(t.hashes)) = t.hashes;
  get diagnostics written = row_count;
  if written <> cardinality(tile_tree) then
    raise exception 'a tile has other hashes than those that are kept';
  end if;
end $$;

revoke all on function proof.grow from public;
