"""What whoever administers the databases can do: to the log of a service, with or without what would have to go with it, and to
what lies beside it. Nobody here has a key of a log.

A disturbance of a log is a change of its history and any of what covers its traces: messages and their hashes, positions, head,
trees, seals, the inboxes of neighbours, another name of the log, checkpoints.
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import zip_longest
from typing import Any, cast
from uuid import UUID

import msgspec

from deploy.bundles.streams import of_stream
from deploy.databases import AdminConnection
from shared.log.envelope import Envelope, Message, seal
from shared.log.rows import recorded
from shared.log.trees import Edges
from shared.messaging.subjects import SOURCES
from shared.proof.keys import KeyKind, Signer
from shared.proof.leaves import log_leaf
from shared.proof.notes import Checkpoint, Note
from shared.proof.tree import root_over
from shared.values import UNREADABLE
from tests.tampering.ground import INBOX_COLUMNS, LOG_COLUMNS, NEXT, Ground, ServiceGround, heard

type Change = Callable[[random.Random, list[Row]], None]


@dataclass(frozen=True)
class Row:
    """An event as it lies in the log, and what its columns say."""

    record: bytes
    message: bytes | None
    id: UUID
    stream: str
    version: int
    type: str
    scope: str

    @property
    def leaf(self) -> bytes:
        return log_leaf(self.record, self.message)

    @property
    def envelope(self) -> Envelope:
        return msgspec.json.decode(self.record, type=Envelope)


def row_of(record: bytes, message: bytes | None) -> Row:
    said = msgspec.json.decode(record, type=Envelope)
    return Row(record, message, said.id, said.stream, said.version, said.type, said.scope)


def written(envelope: Envelope, message: bytes | None) -> Row:
    """With the hash of the message, as the handler writes it."""
    public = sha256(message).hexdigest() if message is not None else None
    return row_of(msgspec.json.encode(msgspec.structs.replace(envelope, public=public)), message)


@dataclass(frozen=True)
class Disturbance:
    """What was done, and what has to be named."""

    name: str
    services: tuple[str, ...]  # whose databases were touched
    named: tuple[str, ...]  # one of these has to be said by whoever finds it
    history: tuple[Sequence[Row], Sequence[Row]] | None = None  # of the log, before and after


# What becomes of a history


def any_scalar(chance: random.Random, found: Any) -> Any:
    """The same with one of its words or numbers changed."""
    if isinstance(found, dict) and found:
        known = cast("dict[str, Any]", found)
        name = chance.choice(sorted(known))
        return known | {name: any_scalar(chance, known[name])}
    if isinstance(found, list) and found:
        several = cast("list[Any]", found)
        at = chance.randrange(len(several))
        return [*several[:at], any_scalar(chance, several[at]), *several[at + 1 :]]
    if isinstance(found, bool):
        return not found
    if isinstance(found, int):
        return found + chance.choice((-1, 1, 10))
    if isinstance(found, str) and found:
        at = chance.randrange(len(found))
        return found[:at] + chance.choice("0123456789abcdef".replace(found[at], "")) + found[at + 1 :]
    return "0"


def changed_data(chance: random.Random, rows: list[Row]) -> None:
    """One word of a record, and of its message as well where it says the same."""
    at = chance.randrange(len(rows))
    said = rows[at].envelope
    other = any_scalar(chance, msgspec.json.decode(said.data))
    envelope = msgspec.structs.replace(said, data=msgspec.Raw(msgspec.json.encode(other)))
    rows[at] = written(envelope, told_of(envelope, rows[at].message) if chance.random() < 0.7 else rows[at].message)


def told_of(envelope: Envelope, before: bytes | None) -> bytes | None:
    """What neighbours would have been told of such a record, if that makes sense; otherwise what they were told."""
    kind = of_stream("", envelope.stream)
    for service in ("registration", "pairing", "results", "standings"):
        kind = of_stream(service, envelope.stream) or kind
    decoder = None if kind is None else kind.decider.decoders.get(envelope.type)
    if kind is None or decoder is None:
        return before
    try:
        return seal(msgspec.structs.replace(envelope, public=None), kind.tells(decoder.decode(envelope.data))).message
    except (msgspec.DecodeError, ValueError, TypeError, LookupError):
        return before


def changed_envelope(chance: random.Random, rows: list[Row]) -> None:
    """Who it was, in which office, by which operation, what led to it."""
    at = chance.randrange(len(rows))
    name = chance.choice(("actor", "role", "operation", "causation", "trace"))
    changed = msgspec.structs.replace(
        rows[at].envelope, **{name: chance.choice(("director", "auth0|b2204f", "service"))}
    )
    rows[at] = written(changed, rows[at].message)


def timed_anew(chance: random.Random, rows: list[Row]) -> None:
    at = chance.randrange(len(rows))
    moved = rows[at].envelope.at + timedelta(seconds=chance.choice((-86_400, -60, -1, 1, 60, 86_400)))
    envelope = msgspec.structs.replace(rows[at].envelope, at=moved)
    rows[at] = written(envelope, message_at(rows[at].message, moved))


def message_at(message: bytes | None, at: datetime) -> bytes | None:
    if message is None:
        return None
    return msgspec.json.encode(msgspec.structs.replace(msgspec.json.decode(message, type=Message), at=at))


def changed_bytes(chance: random.Random, rows: list[Row]) -> None:
    """A bit of a record or of a message, whatever it means."""
    at = chance.randrange(len(rows))
    row = rows[at]
    if row.message is not None and chance.random() < 0.5:
        rows[at] = replace(row, message=flipped(chance, row.message))
    else:
        rows[at] = replace(row, record=flipped(chance, row.record))


def flipped(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]


def only_columns(chance: random.Random, rows: list[Row]) -> None:
    """By which the service reads: the record that is proved stays."""
    at = chance.randrange(len(rows))
    row = rows[at]
    rows[at] = chance.choice(
        (
            replace(row, scope=chance.choice(rows).scope + "x"),
            replace(row, type=chance.choice(("ResultFinal", "EntrantLeft", "Nothing"))),
            replace(row, stream=f"{row.stream}-other"),
            replace(row, version=row.version + 1_000),
            replace(row, id=UUID(int=chance.getrandbits(128))),
        )
    )


def dropped(chance: random.Random, rows: list[Row]) -> None:
    at = chance.randrange(len(rows))
    many = chance.choice((1, 1, 1, 2, 10))
    del rows[at : at + many]


def ends_dropped(chance: random.Random, rows: list[Row]) -> None:
    many = chance.randint(1, 30)
    del rows[-many:]


def added(chance: random.Random, rows: list[Row]) -> None:
    """As if somebody had done once more what was done once, or done it here."""
    at, like = chance.randrange(len(rows)), chance.choice(rows)
    versions = [row.version for row in rows if row.stream == like.stream]
    envelope = msgspec.structs.replace(
        like.envelope, id=UUID(int=chance.getrandbits(128), version=4), version=max(versions) + 1
    )
    rows.insert(at, written(envelope, told_of(envelope, like.message)))


def exchanged(chance: random.Random, rows: list[Row]) -> None:
    if len(rows) < 2:
        return
    one, other = sorted(chance.sample(range(len(rows)), 2))
    rows[one], rows[other] = rows[other], rows[one]


def moved(chance: random.Random, rows: list[Row]) -> None:
    if len(rows) < 2:
        return
    one, other = chance.sample(range(len(rows)), 2)
    rows.insert(other, rows.pop(one))


def message_alone(chance: random.Random, rows: list[Row]) -> None:
    """What neighbours were told, with or without its hash in the record."""
    told = [at for at, row in enumerate(rows) if row.message is not None]
    if not told:
        return
    at = chance.choice(told)
    message = rows[at].message or b""
    said = msgspec.json.decode(message, type=Message)
    other = any_scalar(chance, msgspec.json.decode(said.data))
    message = msgspec.json.encode(msgspec.structs.replace(said, data=msgspec.Raw(msgspec.json.encode(other))))
    rows[at] = written(rows[at].envelope, message) if chance.random() < 0.5 else replace(rows[at], message=message)


CHANGES: tuple[Change, ...] = (
    changed_data,
    changed_envelope,
    timed_anew,
    changed_bytes,
    only_columns,
    dropped,
    ends_dropped,
    added,
    exchanged,
    moved,
    message_alone,
)

# What goes with it


async def put(one: ServiceGround, rows: Sequence[Row]) -> None:
    """All positions and public numbers follow again."""
    public, records = 0, list[tuple[object, ...]]()
    for position, row in enumerate(rows, start=1):
        public += row.message is not None
        number = public if row.message is not None else None
        records.append(
            (position, row.stream, row.version, row.id, row.type, row.scope, row.record, number, row.message)
        )
    await one.admin.execute("truncate log.log")
    await one.admin.copy_records_to_table("log", schema_name="log", records=records, columns=LOG_COLUMNS)
    await one.admin.execute("update log.head set position = $1, public = $2", len(rows), public)


async def grown_anew(one: ServiceGround) -> None:
    """Both trees, over what stands there now."""
    page = [
        recorded(tuple(row))
        for row in await one.admin.fetch(
            "select position, public, id, stream, version, type, scope, record, message from log.log order by position"
        )
    ]
    edges, changed = Edges().grown(page)
    await one.admin.execute("truncate proof.tiles")
    await one.admin.copy_records_to_table(
        "tiles", schema_name="proof", records=[(tree, tile.level, tile.number, tile.hashes) for tree, tile in changed]
    )
    await one.admin.execute("update proof.head set position = $1, public = $2", edges.log.size, edges.messages.size)


async def heard_anew(ground: Ground, service: str, rows: Sequence[Row]) -> list[str]:
    """The neighbours have heard it so. Answers whom that concerns."""
    messages = [row.message for row in rows if row.message is not None]
    listeners = [name for name, sources in SOURCES.items() if service in sources]
    for name in listeners:
        admin = ground.services[name].admin
        await admin.execute("delete from inbox.events where source = $1", service)
        try:
            records = heard(service, messages)
        except UNREADABLE:  # nobody could have heard that
            records = [(service, number, "x", "x", said, "done") for number, said in enumerate(messages, start=1)]
        await admin.copy_records_to_table("events", schema_name="inbox", records=records, columns=INBOX_COLUMNS)
        await admin.execute("update inbox.sources set number = $2 where source = $1", service, len(messages))
    return listeners


async def renamed(ground: Ground, service: str) -> list[str]:
    """Another incarnation, of which neighbours know."""
    one = ground.services[service]
    name = await one.admin.fetchval("update log.head set incarnation = gen_random_uuid() returning incarnation")
    listeners = [reader for reader, sources in SOURCES.items() if service in sources]
    for reader in listeners:
        sources = ground.services[reader].admin
        await sources.execute("update inbox.sources set incarnation = $2 where source = $1", service, name)
    return listeners


async def signed_by_nobody(one: ServiceGround, rows: Sequence[Row]) -> None:
    """Checkpoints over what stands there now, by a key of one's own in the name of the log."""
    signer = Signer(name=one.origin, kind=KeyKind.LOG, seed=b"x" * 32)
    await one.admin.execute("truncate proof.checkpoints, proof.cosignatures")
    for size in dict.fromkeys((len(rows) // 2, len(rows))):
        root = root_over([row.leaf for row in rows[:size]])
        note = Note(text=Checkpoint(origin=one.origin, size=size, root=root).text, signatures=()).signed_by(signer)
        await one.admin.execute(
            "insert into proof.checkpoints (origin, size, note) values ($1, $2, $3)", one.origin, size, bytes(note)
        )


def sealed_anew(rows: list[Row]) -> None:
    """Every seal says what stands before it now."""
    for at, row in enumerate(rows):
        if row.type != "ScopeSealed":
            continue
        own = [one.leaf for one in rows[:at] if one.scope == row.envelope.scope]
        said: dict[str, Any] = msgspec.json.decode(row.envelope.data)
        said |= {"upto": at, "count": len(own), "root": root_over(own).hex()}
        rows[at] = written(
            msgspec.structs.replace(row.envelope, data=msgspec.Raw(msgspec.json.encode(said))), row.message
        )


def rewritten(chance: random.Random, before: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Another history, and what was done for it."""
    rows, words = list(before), list[str]()
    for change in chance.choices(CHANGES, k=chance.choice((1, 1, 1, 2))):
        if len(rows) > 5:
            words.append(attempted(change.__name__, lambda change=change: change(chance, rows)))
    if chance.random() < 0.3:
        words.append(attempted("sealed anew", lambda: sealed_anew(rows)))
    return rows, words


def attempted(name: str, change: Callable[[], None]) -> str:
    """Where a bit of a record was changed before, nothing can be read of it."""
    try:
        change()
    except UNREADABLE:
        return f"not {name}"
    return name


async def history_rewritten(ground: Ground, chance: random.Random) -> Disturbance | None:
    service = chance.choice(sorted(ground.services))
    one, log = ground.services[service], ground.logs.logs[service]
    before = [row_of(record, message) for record, message in log.events]
    rows, words = rewritten(chance, before)
    first = next((at for at, (old, new) in enumerate(zip_longest(before, rows), start=1) if old != new), None)
    if first is None:
        return None
    await put(one, rows)
    touched = [service]
    if chance.random() < 0.6:
        await grown_anew(one)
        words.append("trees")
    if chance.random() < 0.6:
        touched += await heard_anew(ground, service, rows)
        words.append("inboxes")
    if chance.random() < 0.2:
        touched += await renamed(ground, service)
        words.append("incarnation")
    if chance.random() < 0.2:
        await signed_by_nobody(one, rows)
        words.append("checkpoints")
    named = (f"event {first} ", *([f"ends with event {len(rows)}"] if first > len(rows) else []))
    return Disturbance(
        name=f"{service}: {', '.join(words)}",
        services=tuple(dict.fromkeys(touched)),
        named=named,
        history=(before, rows),
    )


# What lies beside it


async def row(admin: AdminConnection, query: str, *arguments: object) -> tuple[Any, ...]:
    (found,) = await admin.fetch(query, *arguments)
    return tuple(found)


type Beside = Callable[[Ground, random.Random], Awaitable[Disturbance | None]]


ONE = "where (source, number) = ($1, $2)"
OF_AN_INBOX = {
    "another message": f"update inbox.events set message = message || '}}' {ONE}",
    "dropped": f"delete from inbox.events {ONE}",
    "filed under another tournament": f"update inbox.events set scope = scope || 'x' {ONE}",
    "filed as something else": f"update inbox.events set type = 'Nothing' {ONE}",
    "passed over": f"update inbox.events set state = 'skipped' {ONE}",
    "lost": f"update inbox.events set lost = now() {ONE}",
    "dropped with all behind it": "delete from inbox.events where source = $1 and number >= $2",
}
ADD = """
  insert into inbox.events (source, number, scope, type, message, state)
  select source, $3, scope, type, message, 'done' from inbox.events where (source, number) = ($1, $2)
"""


async def inbox_changed(ground: Ground, chance: random.Random) -> Disturbance | None:
    reader = chance.choice(sorted(SOURCES))
    source = chance.choice(SOURCES[reader])
    admin, said = ground.services[reader].admin, ground.logs.logs[source].said
    if not said:
        return None
    number, what = chance.randint(1, said), chance.choice((*OF_AN_INBOX, "exchanged", "added", "a bit of a message"))
    named = [f"number {number} of {source}"]
    match what:
        case "exchanged":
            other = 1 + number % said
            for old, new in ((number, 10**9), (other, number), (10**9, other)):
                await admin.execute(f"update inbox.events set number = $3 {ONE}", source, old, new)
            named = [f"number {min(number, other)} of {source}"]
        case "added":
            await admin.execute(ADD, source, number, said + 1)
            await admin.execute("update inbox.sources set number = $2 where source = $1", source, said + 1)
            named = [f"{source} has said {said} things"]
        case "a bit of a message":
            message = await admin.fetchval(f"select message from inbox.events {ONE}", source, number)
            await admin.execute(f"update inbox.events set message = $3 {ONE}", source, number, flipped(chance, message))
        case _:
            await admin.execute(OF_AN_INBOX[what], source, number)
    return Disturbance(name=f"inbox of {reader}: {what}", services=(reader,), named=tuple(named))


async def trees_changed(ground: Ground, chance: random.Random) -> Disturbance | None:
    service = chance.choice(sorted(ground.services))
    admin = ground.services[service].admin
    tree, level, number, hashes = await row(
        admin,
        "select tree, level, number, hashes from proof.tiles order by md5(number::text || tree || level::text || $1) limit 1",
        f"{chance.random()}",
    )
    forged = flipped(chance, hashes)
    at = next(at for at, (one, other) in enumerate(zip(hashes, forged, strict=True)) if one != other) // 32
    await admin.execute(
        "update proof.tiles set hashes = $4 where (tree, level, number) = ($1, $2, $3)", tree, level, number, forged
    )
    leaf = {"log": "event", "messages": "message"}[tree]
    index = number * 256 + at
    what = f"{leaf} {index + 1}" if level == 0 else f"hash {index} on level {level}"
    named = f"the tree of the {tree} was changed at {what}, and the events under it are what they were"
    return Disturbance(name=f"{service}: tile", services=(service,), named=(named,))


async def head_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service = chance.choice(sorted(ground.services))
    admin, by = ground.services[service].admin, chance.choice((-5, -1, 1, 5))
    what = chance.choice(("position", "public"))
    await admin.execute(f"update log.head set {what} = {what} + $1", by)
    return Disturbance(name="head of the log", services=(service,), named=("the head of the log",))


async def incarnation_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service = chance.choice(sorted(ground.services))
    await renamed(ground, service)
    return Disturbance(
        name="incarnation", services=tuple(ground.services), named=("events that were signed are in it",)
    )


async def seed_changed(ground: Ground, chance: random.Random) -> Disturbance:
    admin = ground.services["pairing"].admin
    if chance.random() < 0.5:
        await admin.execute("update beside.seeds set seed = $1", chance.randbytes(32))
    else:
        await admin.execute("delete from beside.seeds")
    return Disturbance(name="seed", services=("pairing",), named=(f"the secret of the lots of {NEXT}",))


async def content_changed(ground: Ground, chance: random.Random) -> Disturbance:
    admin = ground.services["standings"].admin
    digest, content = await row(
        admin,
        "select digest, content from beside.contents order by md5(digest::text || $1) limit 1",
        f"{chance.random()}",
    )
    await admin.execute("update beside.contents set content = $2 where digest = $1", digest, flipped(chance, content))
    return Disturbance(name="table", services=("standings",), named=(digest.hex(),))


async def words_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service = chance.choice(sorted(ground.services))
    identity = await ground.services[service].admin.fetchval(
        "select id from beside.notes order by md5(id || $1) limit 1", f"{chance.random()}"
    )
    change = chance.choice(("words = words || '.'", "words = 'Nobody asked.', salt = sha256('x')", "salt = null"))
    await ground.services[service].admin.execute(f"update beside.notes set {change} where id = $1", identity)
    return Disturbance(name="words", services=(service,), named=(f"note {identity}",))


async def opening_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service = chance.choice(sorted(ground.services))
    admin = ground.services[service].admin
    found = await admin.fetchval(
        "select commitment from personal.openings order by md5(commitment || $1) limit 1", f"{chance.random()}"
    )
    change = chance.choice(("value = '1'", "salt = sha256(salt)"))
    await admin.execute(f"update personal.openings set {change} where commitment = $1", found)
    return Disturbance(name="personal fact", services=(service,), named=(found,))


GRANTED = {
    "grants": (
        "insert into inbox.grants values ('auth0|mallory', 'director', (select max(scope) from inbox.grants))",
        "delete from inbox.grants where ctid = (select min(ctid) from inbox.grants)",
        "update inbox.grants set subject = 'auth0|mallory' where ctid = (select min(ctid) from inbox.grants)",
    ),
    "parents": (
        "update inbox.parents set parent = 'another-federation'",
        "insert into inbox.parents values ('another-tournament', 'another-federation')",
        "delete from inbox.parents",
    ),
    "captain_keys": ("insert into inbox.captain_keys values ('mine', 'MCowBQYDK2VwAyEA', now())",),
    "captains": ("insert into inbox.captains values ('somebody', 7)",),
    "terms": ("insert into inbox.terms values ('auth0|7f31c0', 'director', 'x', 3)",),
}


async def office_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service, table = chance.choice(sorted(ground.services)), chance.choice(sorted(GRANTED))
    await ground.services[service].admin.execute(chance.choice(GRANTED[table]))
    return Disturbance(name=f"inbox.{table}", services=(service,), named=(f"inbox.{table}",))


async def checkpoint_changed(ground: Ground, chance: random.Random) -> Disturbance:
    service = chance.choice(sorted(ground.services))
    admin = ground.services[service].admin
    number, note = await row(admin, "select number, note from proof.checkpoints order by size desc limit 1")
    text = note[: note.rindex(b"\n\n")]
    forged = flipped(chance, text) + note[len(text) :]
    await admin.execute("update proof.checkpoints set note = $2 where number = $1", number, forged)
    return Disturbance(name="checkpoint", services=(service,), named=("the checkpoint of", "notes"))


BESIDE: tuple[Beside, ...] = (
    inbox_changed,
    inbox_changed,
    inbox_changed,
    trees_changed,
    head_changed,
    incarnation_changed,
    seed_changed,
    content_changed,
    words_changed,
    opening_changed,
    office_changed,
    checkpoint_changed,
)


async def drawn(ground: Ground, chance: random.Random) -> Disturbance | None:
    """Half of what is done is done to histories."""
    if chance.random() < 0.5:
        return await history_rewritten(ground, chance)
    return await chance.choice(BESIDE)(ground, chance)
