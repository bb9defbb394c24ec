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
  unique (source, number)
);
create index on inbox.events (arrival) where state = 'waiting';
create index on inbox.events (scope, arrival);

-- Copies of a service share the work by locking scopes. A scope whose event cannot be handled is parked alone.
create table inbox.scopes (
  scope    text        not null primary key,
  attempts int         not null default 0,
  due      timestamptz not null default now(),
  parked   timestamptz,
  problem  text
);
create index on inbox.scopes (parked) where parked is not null;

-- What an operator decided about a parked scope, and why.
create table inbox.decisions (
  at      timestamptz not null default now(),
  scope   text        not null,
  act     text        not null check (act in ('retry', 'skip')),
  source  text,
  number  bigint,
  actor   text        not null,
  reason  text        not null
);

-- Who may act as what and where: what all services have to know of each other, and registration of itself.
create table inbox.grants (
  subject text not null,
  role    text not null,
  scope   text not null,
  primary key (subject, role, scope)
);
