-- What the log has signed of its tree, and what witnesses have signed of that. All of it is kept, and a service's role may
-- only add to it: each note proves by its signature that it is one, so nobody has to believe this table.

create table proof.checkpoints (
  number bigint      not null primary key generated always as identity, -- in the order in which they were signed
  origin text        not null,                                          -- of which log: another one after a restore
  size   bigint      not null,
  note   bytea       not null,
  at     timestamptz not null default now(),
  unique (origin, size)
);

create table proof.cosignatures (
  checkpoint bigint      not null references proof.checkpoints,
  witness    text        not null,                                      -- its key, as verifiers are told it
  line       text        not null,
  at         timestamptz not null default now(),
  primary key (checkpoint, witness)
);
create index on proof.cosignatures (witness, checkpoint);
