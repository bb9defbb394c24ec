-- What persons, entrants and teams are called. It is kept apart from the logs, so that it can be erased: registration
-- has the names, the other services copies of them.

create schema names;

create table names.names (
  id       text   not null primary key,
  name     text,                          -- none: erased
  revision bigint not null                -- grows with every change, in the order in which the changes were committed
);
create index on names.names (revision);

create table names.head (
  one      bool   not null primary key default true check (one),
  revision bigint not null default 0,     -- of registration: the last one that was given
  names    bigint not null default 0,     -- of registration: how many there are, with those that were erased
  log      uuid                           -- of the others: the incarnation of registration that they copy
);
insert into names.head default values;
