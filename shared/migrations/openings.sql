-- What events say of persons: a record has a salted hash in its place, here it lies with its salt. Erasing the row erases it.

create table personal.openings (
  commitment text   not null primary key,    -- SHA-256("roundlog/personal/v1\n" ‖ salt ‖ value), hexadecimal
  scope      text   not null,                -- of the event
  about      text[] not null,                -- entrants and persons
  salt       bytea  not null check (length(salt) = 32),
  value      bytea  not null                 -- JSON, as it would have stood in the record
);
create index on personal.openings using gin (about);
