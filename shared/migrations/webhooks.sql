-- Where a service tells others over HTTP what stands in its log, and how far that has come. The log says that a webhook was
-- registered, removed or restarted; where it leads and its secrets stand only here, as does what became of each delivery.

create schema webhooks;

create table webhooks.webhooks (
  id            text        not null primary key,
  tournament    text        not null,
  url           text        not null,
  kinds         text[]      not null,
  secrets       bytea[]     not null, -- the newest first; another one signs beside it until `former_until`
  former_until  timestamptz,
  rotation      text,                 -- the act that has made the newest secret
  state         text        not null default 'asked' check (state in ('asked', 'active', 'stopped')),
  position      bigint      not null, -- of the log: what stands behind it is not among the deliveries yet
  failures      int         not null default 0, -- in a row
  failing_since timestamptz,
  next_at       timestamptz not null default now(), -- not called before; while somebody calls it, when others may
  at            timestamptz not null default now()
);
create index on webhooks.webhooks (tournament);

create table webhooks.deliveries (
  number   bigint      not null generated always as identity primary key,
  webhook  text        not null references webhooks.webhooks on delete cascade,
  id       uuid        not null, -- of the event, and so the same each time
  position bigint,               -- of the event; none: a test
  type     text        not null,
  state    text        not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts int         not null default 0,
  next_at  timestamptz not null default now(),
  last_at  timestamptz,
  code     int,
  problem  text,
  unique (webhook, id)
);
create index on webhooks.deliveries (webhook, next_at, number) where state = 'waiting';
create index on webhooks.deliveries (webhook, number);
