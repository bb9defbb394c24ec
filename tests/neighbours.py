"""Two neighbours for tests: one speaks, one listens, with real logs and a real broker between them."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import msgspec

from shared.commands.transactional import append_within
from shared.ids import new_id
from shared.log.connection import Connection
from shared.log.notify import Bell
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event
from shared.log.trees import Trees
from shared.messaging.broker import Broker
from shared.messaging.inbox import Receiver
from shared.messaging.reactions import Effect, Reactions, Received
from shared.messaging.relay import Relay
from shared.refusals import Unavailable
from tests.events import everything
from tests.patience import PATIENCE

SOURCE, READER = "registration", "standings"


async def say(store: PostgresStore, events: int, *, scopes: int = 3) -> None:
    """Let the speaker say something about each scope in turn; every third act has a part that it keeps to itself."""
    await asyncio.gather(*(insist(store, saying(f"scope-{n % scopes}", private=n % 3 == 0)) for n in range(events)))


async def insist(store: PostgresStore, append: Append) -> None:
    """The same again until it is known to be written, however often the database dies meanwhile."""
    while True:
        try:
            await store.append(append)
        except Unavailable:
            await asyncio.sleep(0.1)
        else:
            return


def saying(scope: str, *, name: str = "Happened", private: bool = False) -> Append:
    identity = new_id()
    stream = f"stream-{identity}"
    message = msgspec.json.encode({"id": identity, "type": name, "scope": scope})
    public = Event(id=identity, stream=stream, version=1, type=name, scope=scope, record=b"", message=message)
    own = Event(id=new_id(), stream=stream, version=2, type="Private", scope=scope, record=b"")
    return Append(expected={stream: 0}, events=[public, own] if private else [public])


@asynccontextmanager
async def speaker(database: str, broker_urls: Mapping[str, str], source: str = SOURCE) -> AsyncGenerator[PostgresStore]:
    store = PostgresStore(database)
    broker = Broker(broker_urls[source], name="speaker")
    trees = Trees(database)
    relay = Relay(service=source, store=store, broker=broker, trees=trees, database=database)
    async with AsyncExitStack() as stack:
        for part in (store.running, trees.running, broker.running, relay.running):
            await stack.enter_async_context(part())
        yield store


class Listener:
    """Notes each event that it hears in a stream of its own log, named like the scope."""

    def __init__(
        self, database: str, broker_urls: Mapping[str, str], *, effect: Effect | None = None, source: str = SOURCE
    ) -> None:
        bell = Bell(database, "inbox")
        broker = Broker(broker_urls[READER], name="listener")
        self.store = PostgresStore(database)
        self.reactions = Reactions(database=database, effect=effect or note, bell=bell)
        self.receiver = Receiver(
            service=READER, source=source, database=database, broker=broker, reactions=self.reactions
        )
        self._parts = (self.store.running, bell.running, broker.running, self.reactions.running, self.receiver.running)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for part in self._parts:
                await stack.enter_async_context(part())
            yield

    async def has_noted(self, events: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while await self._noted(events) < events:
                await asyncio.sleep(0.02)

    async def _noted(self, enough: int) -> int:
        """What operators decide is in the log too."""
        with suppress(Unavailable):
            if (position := (await self.store.head()).position) < enough:
                return position
            return sum(recorded.event.type == "Noted" for recorded in await everything(self.store))
        return 0

    async def notes(self) -> dict[str, list[int]]:
        """The public numbers noted for each scope, in the order in which they took effect."""
        noted: dict[str, list[int]] = defaultdict(list)
        for recorded in await everything(self.store):
            if recorded.event.type != "Noted":
                continue
            noted[recorded.event.stream].append(int(recorded.event.record))
        return noted


async def note(connection: Connection, events: Sequence[Received]) -> None:
    rows = await connection.fetch(
        "select stream, max(version) as version from log.log where stream = any($1) group by stream",
        list({event.scope for event in events}),
    )
    versions: dict[str, int] = {row["stream"]: row["version"] for row in rows}
    notes: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        version = versions.get(event.scope, 0) + len(notes[event.scope]) + 1
        record = str(event.number).encode()
        notes[event.scope].append(
            Event(id=new_id(), stream=event.scope, version=version, type="Noted", scope=event.scope, record=record)
        )
    await append_within(
        connection,
        [Append(expected={scope: versions.get(scope, 0)}, events=added) for scope, added in notes.items()],
    )


def assert_heard_once(notes: dict[str, list[int]], said: int) -> None:
    """Every event took effect exactly once, and those of a scope in the order in which they were said."""
    assert sorted(number for numbers in notes.values() for number in numbers) == list(range(1, said + 1))
    for numbers in notes.values():
        assert numbers == sorted(numbers)
