-- What is known of persons besides their names: kept apart from the logs, so that it can be erased. Registration has it.

create schema personal;

create table personal.particulars (
  person      text not null primary key,
  born        text,                          -- a date, or a year
  citizenship text[] not null default '{}',  -- countries, as ISO 3166 writes them
  town        text,
  email       text,
  phone       text,
  licence     text                           -- the number under which a federation has licensed somebody to play
);
