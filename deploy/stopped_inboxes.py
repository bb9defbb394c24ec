"""What an operator decides about a receiver that has stopped because its source was restored from a backup.

The inbox holds events that the source has lost, under numbers that it gives to other events now. Going on means: what
both still have stays, what is lost is marked so and makes way, and the source's log as it is now is received. All that both
have is compared: a log that was restored differs from some number on for good. What differs before something that is the same
was changed in a database, and is nothing to go on with.
"""

from uuid import UUID

import msgspec

from deploy.databases import AdminConnection, connection
from deploy.parked_messages import Said
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.decisions import DecidedBy, SourceAccepted, record
from shared.messaging.inbox_tree import HEARD, is_filed_rightly
from shared.messaging.subjects import Replay, ReplayRequest
from shared.personal import notes
from shared.proof.leaves import message_leaf
from shared.proof.tiles import RightEdge, grow
from shared.refusals import Unavailable
from shared.values import Value

STOPPED = "select source, stopped from inbox.sources where stopped is not null order by source"
SOURCE = "select incarnation, number, stopped from inbox.sources where source = $1"
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


class NotRestored(Exception):
    """What differs does not come from a backup: a database was changed, and whoever goes on with it stops again."""


NAMED = 5  # numbers that are not the same on both sides


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
        end = min(received, now.head)
        odd = await differing(reader, source, broker, now, end)
        same = require_restored(source, odd, end, is_renewed=now.log != known)
        if same < received and now.log == known:
            raise NotRenewed(f"{source} has lost something and still calls itself the same log.")
        lost = [Lost(**row) for row in await reader.fetch(LOST, source, same)]
    return LogDifference(source=source, log=now.log, received=received, head=now.head, common=same, lost=lost)


async def differing(reader: AdminConnection, source: str, broker: Broker, now: Replay, end: int) -> list[int]:
    """The numbers up to this one under which something else lies here than the source says."""
    odd: list[int] = []
    after, edge, size = 0, RightEdge(), now.tree.size if now.tree else 0
    while after < max(end, min(size, now.head)):
        answer = await replay(broker, source, after=after)
        if answer.log != now.log or not answer.events:
            raise Unavailable(f"{source} became another log while it was asked, or lacks what follows number {after}")
        last = answer.events[-1].number
        said = {event.number: event.message for event in answer.events}
        rows = await reader.fetch(HEARD, source, after, end, len(said))
        heard = {row["number"]: row["message"] for row in rows if is_filed_rightly(row)}
        numbers = range(after + 1, min(last, end) + 1)
        odd += [number for number in numbers if number not in said or said[number] != heard.get(number)]
        edge, _ = grow(edge, [message_leaf(message) for number, message in said.items() if number <= size])
        after = last
    if now.tree and not odd and (edge.size, edge.root.hex()) != (size, now.tree.root):
        raise NotRestored(
            f"All of the {end} messages that both have are the same, and {source} has another tree than follows from what it says: "
            f"its tree or its log was changed, and its `/readyz` says which. Nothing is accepted; when that is mended, the inbox "
            "goes on by itself."
        )
    return odd


def require_restored(source: str, odd: list[int], end: int, *, is_renewed: bool) -> int:
    """The last number under which both have the same, where they differ behind it for good."""
    behind = end
    while odd and odd[-1] == behind:
        behind = odd.pop() - 1
    what_to_do = (
        f"Nothing is accepted. If `/readyz` of {source} says that one of its events was changed, bring back its database, otherwise "
        "what lies in the inbox (docs/operations.md, Backup); the inbox goes on by itself then."
    )
    if odd:
        several = f"{', '.join(map(str, odd[:NAMED]))}{f' and {len(odd) - NAMED} more' if len(odd) > NAMED else ''}"
        differ = f"Number {several} of {source} is" if len(odd) == 1 else f"Numbers {several} of {source} are"
        raise NotRestored(
            f"{differ} not the same on both sides, and others behind, up to {behind}, are: that does not come from a backup, somebody "
            f"has changed the inbox or the log of {source}. {what_to_do}"
        )
    if behind < end and not is_renewed:
        raise NotRestored(
            f"From number {behind + 1} on {source} says something else than what lies in the inbox, and it still calls itself the same "
            f"log. If it was restored from a backup, give it another name first (docs/operations.md, Backup). If it was not, somebody "
            f"has changed the inbox or the log of {source}. {what_to_do}"
        )
    return behind


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
