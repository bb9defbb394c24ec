-- The federation that has registered each person, as registration has told it. It never changes.

create table inbox.persons (
  person     text not null primary key,
  federation text not null
);

-- Whoever was registered before that was told belongs to the federation of the first tournament that they took part in.
insert into inbox.persons (person, federation)
select distinct on (person) person, parents.parent
from inbox.events said
join inbox.parents on parents.scope = said.scope,
jsonb_array_elements_text(convert_from(said.message, 'UTF8')::jsonb #> '{data,persons}') as person
where said.source = 'registration' and said.type in ('EntrantAdmitted', 'EntrantChanged') and said.lost is null
order by person, said.arrival;
