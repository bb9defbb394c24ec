-- Who has which licence: a federation gives each number to one person. Kept apart from the logs, so that it can be
-- erased. Registration has it.

create table personal.licences (
  federation text        not null,
  licence    text        not null,
  person     text        not null,
  at         timestamptz not null default now(),  -- a claim of nobody whom the log knows by then is void
  primary key (federation, licence)
);
create index on personal.licences (person);
