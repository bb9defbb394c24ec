-- Terms of officials that have ended: what they issued in them, such as tokens of captains, is void.

create table inbox.terms (
  subject text   not null,
  role    text   not null,
  scope   text   not null,                   -- a federation or tournament
  ended   bigint not null,                   -- how many of theirs in this office, as far as they were counted
  primary key (subject, role, scope)
);
