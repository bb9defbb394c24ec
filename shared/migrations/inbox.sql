-- The inbox: what neighbours have said, copied here once, and what has already been done about it.

create schema inbox;

create table inbox.sources (
  source      text   not null primary key,
  incarnation uuid   not null,               -- of the source's log, as first met
  number      bigint not null,               -- all its public events up to this number are in inbox.events
  stopped     text                           -- why nothing more is received, until an operator decides
);

create table inbox.events (
  arrival bigint generated always as identity primary key,
  source  text   not null,
  number  bigint not null,
  scope   text   not null,
  type    text   not null,
  message bytea  not null,
  state   text   not null default 'waiting' check (state in ('waiting', 'done', 'skipped')),
  lost    timestamptz                        -- since when the source, restored from a backup, does not have it any more
);
create unique index on inbox.events (source, number) where lost is null;
create index on inbox.events (arrival) where state = 'waiting';
create index on inbox.events (scope, arrival);
create index on inbox.events (scope, source, number) where lost is null; -- what is known of one tournament

-- Copies of a service share the work by locking scopes. A scope whose event cannot be handled is parked alone.
create table inbox.scopes (
  scope    text        not null primary key,
  attempts int         not null default 0,
  due      timestamptz not null default now(),
  parked   timestamptz,
  problem  text
);
create index on inbox.scopes (parked) where parked is not null;

-- What an operator decided about a parked scope, or about a source that was restored from a backup, and why.
create table inbox.decisions (
  at      timestamptz not null default now(),
  scope   text,
  act     text        not null check (act in ('retry', 'skip', 'accept')),
  source  text,
  number  bigint,                            -- of the event; of an accepted source, the last one that both still have
  actor   text        not null,
  reason  text        not null,
  check ((scope is null) = (act = 'accept'))
);

-- Who may act as what and where: what all services have to know of each other, and registration of itself.
create table inbox.grants (
  subject text not null,
  role    text not null,
  scope   text not null,
  primary key (subject, role, scope)
);

-- The federation above a tournament: its officials act for the tournament too. It never changes.
create table inbox.parents (
  scope  text not null primary key,
  parent text not null
);

-- The generation from which on tokens of an entrant's captain are good.
create table inbox.captains (
  entrant    text   not null primary key,
  generation bigint not null
);

-- The public keys that such tokens are signed with.
create table inbox.captain_keys (
  key        text        not null primary key,
  public     text        not null,
  introduced timestamptz not null
);
