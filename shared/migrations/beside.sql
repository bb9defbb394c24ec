-- Beside the log: what must never be in it, because it is secret or because somebody may ask for it to be erased.

create schema beside;

-- The secret from which the lots of a tournament are drawn. It is made once, never changed, and in every backup.
create table beside.seeds (
  tournament text  not null primary key,
  seed       bytea not null
);

-- Words that somebody wrote, which may be about people. Events name them by id; what is erased is gone.
create table beside.notes (
  id    text        not null primary key,
  scope text        not null,
  words text        not null,
  at    timestamptz not null default now()
);
create index on beside.notes (scope);

-- What is long and never changes, such as a word list: events name it by its SHA-256.
create table beside.contents (
  digest  bytea not null primary key,
  content bytea not null
);
