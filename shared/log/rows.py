"""What is asked of `migrations/log.sql`, and how its rows are written and read."""

from collections.abc import Iterator, Sequence
from typing import Any

import asyncpg

from shared.log.store import Append, Event, Recorded

APPEND = "select * from log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
# As part of a longer transaction, which then ends on the disk whatever its connection is content with.
APPEND_WITHIN = f"{APPEND}, set_config('synchronous_commit', 'on', true)"
EVENTS = "select position, public, id, stream, version, type, scope, record, message from log.log where "
LOG = EVENTS + "position > $1 order by position limit $2"
PUBLIC = EVENTS + "public > $1 order by public limit $2"
STREAM = EVENTS + "version > $1 and stream = $3 order by version limit $2"
SCOPE = EVENTS + "position > $1 and scope = $3 order by position limit $2"
CAME_THROUGH = """
  select count(*) as events, max(position) as position, coalesce(max(public), (
    select max(public) from log.log where position < (select min(position) from log.log where id = any($1))
  ), 0) as public
  from log.log join unnest($1::uuid[], $2::bytea[]) sent(id, record) using (id, record)
"""


def columns(batch: Sequence[Append]) -> Iterator[list[Any]]:
    """The batch as `log.append` takes it: one list a column."""
    claims = [(number, *claim) for number, append in enumerate(batch) for claim in append.expected.items()]
    events = [
        (number, e.stream, e.version, e.id, e.type, e.scope, e.record, e.message)
        for number, append in enumerate(batch)
        for e in append.events
    ]
    answers = [
        (number, append.answer.key, append.answer.request, append.answer.response)
        for number, append in enumerate(batch)
        if append.answer
    ]
    for rows, width in ((claims, 3), (events, 8), (answers, 4)):
        yield from map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(width))


def recorded(row: asyncpg.Record | tuple[Any, ...]) -> Recorded:
    position, public, id_, stream, version, type_, scope, record, message = row
    event = Event(id=id_, stream=stream, version=version, type=type_, scope=scope, record=record, message=message)
    return Recorded(position=position, public=public, event=event)
