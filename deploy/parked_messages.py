"""What waits for an operator: scopes whose next event could not be handled, and what is decided about them."""

from typing import Literal

import asyncpg

from deploy.databases import connection
from shared.messaging.decisions import DecidedBy, EventSkipped, ScopeRetried, record
from shared.personal import notes
from shared.values import Value

PARKED = """
  select s.scope, s.parked, s.attempts, s.problem, e.source, e.number, e.type
  from inbox.scopes s
  left join lateral (
    select source, number, type, arrival from inbox.events
    where scope = s.scope and state = 'waiting' order by arrival limit 1
  ) e on true
  where s.parked is not null order by s.parked
"""
RETRY = "update inbox.scopes set parked = null, attempts = 0, due = now() where scope = $1 and parked is not null"
SKIP = "update inbox.events set state = 'skipped' where source = $1 and number = $2 and state = 'waiting'"
DECIDE = "insert into inbox.decisions (scope, act, source, number, actor, reason) values ($1, $2, $3, $4, $5, $6)"


class NotParked(Exception):
    """Nothing is parked under this name."""


class Said(Value):
    """What an operator says with a decision: for which service, who they are, a code, and words that can be erased."""

    service: str
    operator: str
    reason: str
    note: str | None = None


class Parked(Value):
    """A scope at rest, the event that it cannot get past, and why."""

    scope: str
    since: str
    source: str | None
    number: int | None
    type: str | None
    problem: str | None


async def parked(database: str) -> list[Parked]:
    async with connection(database) as reader:
        return [shown(row) for row in await reader.fetch(PARKED)]


async def decide(database: str, scope: str, said: Said, *, act: Literal["retry", "skip"]) -> Parked:
    """Let it try again, for instance after a mended version was started; or go on without the event that it cannot get past."""
    async with connection(database) as writer, writer.transaction():
        await writer.execute("select from inbox.scopes where scope = $1 for update", scope)
        found = next((row for row in await writer.fetch(PARKED) if row["scope"] == scope), None)
        if found is None:
            raise NotParked(f"{scope} is not parked there.")
        source, number, kind = found["source"], found["number"], found["type"]
        await writer.execute(DECIDE, scope, act, source, number, said.operator, said.reason)
        if act == "skip":
            await writer.execute(SKIP, source, number)
        await writer.execute(RETRY, scope)
        decided = {"retry": ScopeRetried, "skip": EventSkipped}[act](
            scope=scope,
            source=source,
            number=number,
            type=kind,
            reason=said.reason,
            note=None if said.note is None else await notes.keep(writer, scope, said.note),
        )
        await record(writer, said.service, [decided], DecidedBy(subject=said.operator, operation=f"roundlog {act}"))
        return shown(found)


def shown(row: asyncpg.Record) -> Parked:
    return Parked(
        scope=row["scope"],
        since=row["parked"].isoformat(timespec="seconds"),
        source=row["source"],
        number=row["number"],
        type=row["type"],
        problem=row["problem"],
    )
