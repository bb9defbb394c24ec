"""From the log of one service into the effects of three others, all on this machine.

The limit is the same way without the promises: the same messages put into JetStream and read by three with nothing but the
driver, each of whom inserts them into a table of its own with plain statements, a batch a commit, without checking or
deciding anything.
"""

# nats-py annotates its functions in parts only.
# pyright: reportUnknownMemberType=false
import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import nats as nats_driver

from benchmarks.rows import RECORD
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, migrate
from deploy.local import nats, postgres
from shared.commands.transactional import append_within
from shared.ids import new_id
from shared.log.notify import Bell
from shared.log.postgres import Connection, PostgresStore
from shared.log.store import Append, Event
from shared.log.trees import Trees
from shared.messaging import subjects
from shared.messaging.broker import Broker, Post, login
from shared.messaging.inbox import Receiver
from shared.messaging.reactions import Reactions, Received
from shared.messaging.relay import Relay
from shared.messaging.subjects import LOG, NUMBER

EVENTS = 10_000
SCOPES = 100
BATCH = 500
SOURCE = "results"
LISTENERS = ("registration", "pairing", "standings")
ROUNDS = 3
AT_LEAST = 0.6


async def measure(folder: Path) -> list[Figure]:
    print_heading(f"events from one log into the effects of three services; {EVENTS} events, the disk as it is")
    ours: list[float] = []
    limit: list[float] = []
    for number in range(ROUNDS):
        place = folder / f"between-{number}"
        place.mkdir()
        async with postgres.running(place) as server, nats.running(place) as broker:
            for name in (SOURCE, *LISTENERS, "plain"):
                await make(server.url, name)
            ours.append(await heard(server.url, broker.urls))
            limit.append(await carried(server.url, broker.urls))
    figure = Figure(name="events a second, each with three effects", ours=ours, limit=limit, at_least=AT_LEAST)
    print_figure(figure)
    floor = Figure(name="the same, held against 1 000 a second", ours=ours, limit=[1000.0] * ROUNDS, at_least=1.0)
    print_figure(floor)
    return [figure, floor]


async def make(server: str, name: str) -> None:
    async with connection(server) as admin:
        await admin.execute(f"create database {name}")
    async with connection(at(server, database=name)) as database:
        await migrate(database)


async def heard(server: str, broker_urls: Mapping[str, str]) -> float:
    """Append while all of it is relayed, received and reacted to; events a second until the last effect."""
    async with AsyncExitStack() as stack:
        database = at(server, database=SOURCE)
        store, trees, broker = PostgresStore(database), Trees(database), Broker(broker_urls[SOURCE], name=SOURCE)
        relay = Relay(service=SOURCE, store=store, broker=broker, trees=trees, database=database)
        for part in (store.running, trees.running, broker.running, relay.running):
            await stack.enter_async_context(part())
        listeners = [
            await stack.enter_async_context(listening(at(server, database=name), broker_urls, name))
            for name in LISTENERS
        ]
        await say(store, 1)
        await asyncio.gather(*(reaches(listener, 1) for listener in listeners))
        began = time.monotonic()
        await say(store, EVENTS)
        await asyncio.gather(*(reaches(listener, EVENTS + 1) for listener in listeners))
        return EVENTS / (time.monotonic() - began)


@asynccontextmanager
async def listening(database: str, broker_urls: Mapping[str, str], name: str) -> AsyncGenerator[PostgresStore]:
    bell, broker, store = Bell(database, "inbox"), Broker(broker_urls[name], name=name), PostgresStore(database)
    reactions = Reactions(database=database, effect=note, bell=bell, appended=store.committed)
    receiver = Receiver(service=name, source=SOURCE, database=database, broker=broker, reactions=reactions)
    async with AsyncExitStack() as stack:
        for part in (store.running, bell.running, broker.running, reactions.running, receiver.running):
            await stack.enter_async_context(part())
        yield store


async def note(connection: Connection, events: Sequence[Received]) -> None:
    """An effect as small as it can be, but a real one: an event of its own for each."""
    await append_within(
        connection,
        [
            Append(
                expected={(stream := f"note-{event.source}-{event.number}"): 0},
                events=[Event(id=new_id(), stream=stream, version=1, type="Noted", scope=event.scope, record=RECORD)],
            )
            for event in events
        ],
    )


async def say(store: PostgresStore, events: int) -> None:
    await asyncio.gather(*(store.append(saying(number)) for number in range(events)))


def saying(number: int) -> Append:
    identity = new_id()
    scope = f"tournament-{number % SCOPES}"
    message = msgspec.json.encode({"id": identity, "type": "ResultFinal", "scope": scope, "data": {"scores": [1, 2]}})
    event = Event(
        id=identity, stream=f"{identity}", version=1, type="ResultFinal", scope=scope, record=RECORD, message=message
    )
    return Append(expected={event.stream: 0}, events=[event])


async def reaches(store: PostgresStore, position: int) -> None:
    async for page in store.follow():
        if page[-1].position >= position:
            return


async def carried(server: str, broker_urls: Mapping[str, str]) -> float:
    """The limit: put in, read by three, inserted by three."""
    async with AsyncExitStack() as stack:
        writing = Broker(broker_urls[SOURCE], name=SOURCE)
        await stack.enter_async_context(writing.running())
        stream, readers = subjects.stream(SOURCE), [subjects.reader(name) for name in LISTENERS]
        await writing.delete(stream)
        await writing.make_stream(stream, subjects=[subjects.events(SOURCE)], seconds=3600, size=2**30, readers=readers)
        events = [event for number in range(EVENTS) for event in saying(number).events]
        began = time.monotonic()
        reading = [
            asyncio.create_task(read_all(broker_urls[name], at(server, database="plain"), name)) for name in LISTENERS
        ]
        for start in range(0, EVENTS, BATCH):
            await writing.post(
                [
                    Post(
                        subject=subjects.subject(SOURCE, event.scope, event.type),
                        body=event.message or b"",
                        headers={NUMBER: str(start + number), LOG: SOURCE},
                    )
                    for number, event in enumerate(events[start : start + BATCH])
                ]
            )
        await asyncio.gather(*reading)
        return EVENTS / (time.monotonic() - began)


async def read_all(broker: str, database: str, name: str) -> None:
    read, stream = 0, subjects.stream(SOURCE)
    async with connection(database) as plain, await nats_driver.connect(**login(broker)) as client:
        await plain.execute(f"create table {name} (number int primary key, subject text, message bytea)")
        places = client.jetstream(prefix=subjects.api(stream))
        subscription = await places.pull_subscribe_bind(consumer=subjects.reader(name), stream=stream)
        while read < EVENTS:
            batch = await subscription.fetch(BATCH)
            rows = [(int((m.headers or {})[NUMBER]), m.subject, m.data) for m in batch]
            await plain.execute(
                f"insert into {name} select * from unnest($1::int[], $2::text[], $3::bytea[])",
                *map(list, zip(*rows, strict=True)),
            )
            await batch[-1].ack()
            read += len(batch)
