"""Lets a service hear of its neighbours without them: what they would have told it lies in its inbox.

    await tell(database, "registration", tournament, TournamentStarted(…), EntrantAdmitted(…))

The messages get the next numbers of their source, as they would arrive, and the running service reacts to them.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from deploy.databases import AdminConnection
from shared.clock import now
from shared.ids import new_id
from shared.log.envelope import Message
from tests.databases import beside
from tests.patience import PATIENCE

NEXT = "select coalesce(max(number), 0) from inbox.events where source = $1"
KNOW = "insert into inbox.events (source, number, scope, type, message) values ($1, $2, $3, $4, $5)"
REACH = """
  insert into inbox.sources (source, incarnation, number) values ($1, gen_random_uuid(), $2)
  on conflict (source) do update set number = excluded.number
"""
MEET = "insert into inbox.scopes (scope) values ($1) on conflict do nothing"
RING = "select pg_notify('inbox', '')"
WAITING = "select count(*) from inbox.events where state = 'waiting'"
WRONG = "select string_agg(scope || ': ' || problem, '; ') from inbox.scopes where problem is not null"


class NotDone(AssertionError):
    """Something that was told did not take effect."""


async def tell(
    database: str,
    source: str,
    scope: str,
    *events: msgspec.Struct,
    at: datetime | None = None,
    trace: str | None = None,
) -> int:
    """Let a neighbour have said these things; answers the public number that it has reached."""
    return await tell_of_several(database, source, {scope: events}, at=at, trace=trace)


async def tell_of_several(
    database: str,
    source: str,
    told: Mapping[str, Sequence[msgspec.Struct]],
    *,
    at: datetime | None = None,
    trace: str | None = None,
) -> int:
    """The same of several scopes at once."""
    events = [(scope, event) for scope, said in told.items() for event in said]
    async with beside(database) as inbox:
        async with inbox.transaction():
            before: int = await inbox.fetchval(NEXT, source)
            await inbox.executemany(MEET, [(scope,) for scope in told])
            known = [
                (source, number, scope, type(event).__name__, message(scope, event, at, trace))
                for number, (scope, event) in enumerate(events, start=before + 1)
            ]
            await inbox.executemany(KNOW, known)
            await inbox.execute(REACH, source, before + len(events))
        await inbox.execute(RING)
    return before + len(events)


def message(scope: str, event: msgspec.Struct, at: datetime | None = None, trace: str | None = None) -> bytes:
    """As a neighbour would have fixed it when it happened."""
    told = Message(
        id=new_id(),
        type=type(event).__name__,
        scope=scope,
        at=at or now(),
        trace=trace,
        data=msgspec.Raw(msgspec.json.encode(event)),
    )
    return msgspec.json.encode(told)


async def done(database: str) -> None:
    """Wait until the service has reacted to everything that it was told."""
    async with beside(database) as inbox:
        try:
            async with asyncio.timeout(PATIENCE):
                while await inbox.fetchval(WAITING):
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise NotDone(await problem(inbox)) from None


async def problem(inbox: AdminConnection) -> str:
    return await inbox.fetchval(WRONG) or "nobody reacts: is the service running?"
