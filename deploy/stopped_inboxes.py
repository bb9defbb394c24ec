"""What an operator decides about a receiver that has stopped because its source was restored from a backup.

The inbox holds events that the source has lost, under numbers that it gives to other events now. Going on means: what
both still have stays, what is lost is marked so and makes way, and the source's log as it is now is received.
"""

from uuid import UUID

import msgspec

from deploy.databases import AdminConnection, connection
from deploy.parked_messages import Said
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.decisions import DecidedBy, SourceAccepted, record
from shared.messaging.subjects import Replay, ReplayRequest
from shared.personal import notes
from shared.values import Value

STOPPED = "select source, stopped from inbox.sources where stopped is not null order by source"
SOURCE = "select incarnation, number, stopped from inbox.sources where source = $1"
MESSAGE = "select message from inbox.events where source = $1 and number = $2 and lost is null"
TAIL = "from inbox.events where source = $1 and number > $2 and lost is null"
LOST = f"select number, scope, type, state {TAIL} order by number"
LOCK = f"select from inbox.scopes where scope in (select scope {TAIL}) order by scope for update"
FREE = f"""
  update inbox.scopes set parked = null, attempts = 0, due = now(), problem = null
  where parked is not null and scope in (select scope {TAIL} and state = 'waiting')
"""
LOSE = """
  update inbox.events set lost = now(), state = case state when 'waiting' then 'skipped' else state end
  where source = $1 and number > $2 and lost is null
"""
GO_ON = "update inbox.sources set incarnation = $2, number = $3, stopped = null where source = $1"
DECIDE = "insert into inbox.decisions (act, source, number, actor, reason) values ('accept', $1, $2, $3, $4)"


class NotStopped(Exception):
    """There is nothing to decide."""


class NotRenewed(Exception):
    """The source has lost something and does not say so: what it lost could be taken for what it will say."""


class Lost(Value):
    """An event that was received and that its source does not have any more."""

    number: int
    scope: str
    type: str
    state: str


class LogDifference(Value):
    """What was received of a source, and what it has now."""

    source: str
    log: UUID
    received: int
    head: int
    common: int  # the last number under which both have the same
    lost: list[Lost]


async def stopped(database: str) -> dict[str, str]:
    """The sources that nothing more is received of, and why."""
    async with connection(database) as reader:
        return {row["source"]: row["stopped"] for row in await reader.fetch(STOPPED)}


async def difference(database: str, source: str, broker: Broker) -> LogDifference:
    async with connection(database) as reader:
        received, known = await require_stopped(reader, source)
        now = await replay(broker, source, after=0)
        same, other = 0, min(received, now.head) + 1  # logs only grow: once they differ, they differ for good
        while other - same > 1:
            middle = (same + other) // 2
            (said, *_) = (await replay(broker, source, after=middle - 1)).events
            if said.message == await reader.fetchval(MESSAGE, source, middle):
                same = middle
            else:
                other = middle
        if same < received and now.log == known:
            raise NotRenewed(f"{source} has lost something and still calls itself the same log.")
        lost = [Lost(**row) for row in await reader.fetch(LOST, source, same)]
    return LogDifference(source=source, log=now.log, received=received, head=now.head, common=same, lost=lost)


async def accept(database: str, found: LogDifference, said: Said) -> None:
    """Go on with the source as it is now."""
    async with connection(database) as writer, writer.transaction():
        received, former = await require_stopped(writer, found.source, f"{SOURCE} for update")
        if received != found.received:
            raise NotStopped(f"More of {found.source} was received meanwhile: look again.")
        await writer.execute(LOCK, found.source, found.common)
        lost = [Lost(**row) for row in await writer.fetch(LOST, found.source, found.common)]
        await writer.execute(FREE, found.source, found.common)
        await writer.execute(LOSE, found.source, found.common)
        await writer.execute(GO_ON, found.source, found.log, found.common)
        await writer.execute(DECIDE, found.source, found.common, said.operator, said.reason)
        note = None if said.note is None else await notes.keep(writer, found.source, said.note)
        of: dict[str, list[Lost]] = {found.source: []}
        for one in lost:
            of.setdefault(one.scope, []).append(one)
        decisions = [
            SourceAccepted(
                scope=scope,
                source=found.source,
                former=str(former),
                log=str(found.log),
                common=found.common,
                received=received,
                lost=tuple(one.number for one in of[scope]),
                effective=tuple(one.number for one in of[scope] if one.state == "done"),
                reason=said.reason,
                note=note,
            )
            for scope in of
        ]
        await record(writer, said.service, decisions, DecidedBy(subject=said.operator, operation="roundlog accept"))


async def require_stopped(reader: AdminConnection, source: str, query: str = SOURCE) -> tuple[int, UUID]:
    row = await reader.fetchrow(query, source)
    if row is None or row["stopped"] is None:
        raise NotStopped(f"Receiving from {source} has not stopped there.")
    return row["number"], row["incarnation"]


async def replay(broker: Broker, source: str, *, after: int) -> Replay:
    answer = await broker.ask(subjects.replay(source), msgspec.json.encode(ReplayRequest(after=after)))
    return msgspec.msgpack.decode(answer, type=Replay)
