"""What one service says, its neighbour hears: all of it, once, in order, whatever happens on the way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import msgspec
import nats as client
import pytest

from deploy import parked_messages
from deploy.databases import at, connection
from deploy.local import nats
from deploy.parked_messages import Said
from shared.log.connection import Connection
from shared.log.envelope import Envelope
from shared.log.postgres import PostgresStore
from shared.messaging import subjects
from shared.messaging.broker import Broker, Post
from shared.messaging.reactions import Received
from shared.refusals import Unavailable
from tests.databases import fresh_database
from tests.events import everything
from tests.neighbours import READER, SOURCE, Listener, assert_heard_once, note, say, saying, speaker
from tests.patience import PATIENCE


async def administrate(server: str, database: str, command: str) -> None:
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute(command)


async def test_what_is_said_is_heard_once_and_in_order(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        await say(store, 700)
        await listener.has_noted(700)
        await say(store, 300)
        await listener.has_noted(1000)
        assert_heard_once(await listener.notes(), 1000)


async def test_who_comes_late_hears_what_was_said_before(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store:
        await say(store, 1200)
        async with listener.running():
            await listener.has_noted(1200)
            assert_heard_once(await listener.notes(), 1200)


async def test_a_killed_broker_delays_and_loses_nothing(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        for _ in range(3):
            saying_more = asyncio.create_task(say(store, 200))
            await broker.kill()
            await say(store, 100)
            await broker.start()
            await saying_more
        await listener.has_noted(900)
        assert_heard_once(await listener.notes(), 900)


@pytest.mark.parametrize("damage", ["delete", "purge", "republish"])
async def test_a_damaged_stream_changes_nothing(
    damage: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    listener = Listener(databases[1], broker.urls)
    connected = await client.connect(broker.urls[SOURCE])
    jetstream = connected.jetstream(timeout=PATIENCE)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        await say(store, 200)
        await listener.has_noted(200)
        if damage == "delete":
            await jetstream.delete_stream(subjects.stream(SOURCE))
        else:
            await jetstream.purge_stream(subjects.stream(SOURCE))
        if damage == "republish":  # within the time in which the broker drops what it takes for a repetition
            for recorded in await store.read_public(limit=50):
                headers = {subjects.NUMBER: str(recorded.public), subjects.LOG: str(await store.incarnation())}
                message = recorded.event.message or b""
                await jetstream.publish(
                    subjects.subject(SOURCE, recorded.event.scope, "Happened"), message, headers=headers
                )
        await say(store, 200)
        await listener.has_noted(400)
        await asyncio.sleep(0.5)
        assert_heard_once(await listener.notes(), 400)
    await connected.close()


async def test_what_cannot_be_read_stops_nobody(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls)
    unreadable: tuple[dict[str, str], ...] = (
        {},
        {subjects.NUMBER: "x", subjects.LOG: f"{UUID(int=1)}"},
        {subjects.NUMBER: "1", subjects.LOG: "mine"},
    )
    said = Broker(broker.urls[SOURCE], name="broken")
    async with speaker(databases[0], broker.urls) as store, said.running(), listener.running():
        await say(store, 50)
        await listener.has_noted(50)
        for headers in unreadable:
            await said.post(
                [Post(subject=subjects.subject(SOURCE, "scope-1", "Happened"), body=b"\xff", headers=headers)]
            )
        await say(store, 50)
        await listener.has_noted(100)
        await listener.receiver.check()
    async with speaker(databases[0], broker.urls) as store, listener.running():
        await say(store, 50)
        await listener.has_noted(150)
        await listener.receiver.check()
        assert_heard_once(await listener.notes(), 150)


async def test_two_copies_share_the_work(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener, copy = Listener(databases[1], broker.urls), Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store, speaker(databases[0], broker.urls), listener.running():
        async with copy.running():
            await say(store, 600, scopes=40)
            await listener.has_noted(600)
        await say(store, 100, scopes=40)
        await listener.has_noted(700)
        assert_heard_once(await listener.notes(), 700)


async def test_an_older_backup_of_the_source_stops_the_receiver(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    listener = Listener(databases[1], broker.urls)
    async with listener.running():
        async with speaker(databases[0], broker.urls) as store:
            await say(store, 50)
            await listener.has_noted(50)
        restored = await fresh_database(server)
        older = PostgresStore(restored)
        async with older.running():
            await say(older, 20)
        incarnation = await incarnation_of(databases[0])
        await administrate(server, restored, f"update log.head set incarnation = '{incarnation}'")
        async with speaker(restored, broker.urls) as store:
            assert "restored from an older backup" in await says(listener.receiver.check)
            await say(store, 100)
            await asyncio.sleep(1.5)
            assert (await listener.store.head()).position == 50
            with pytest.raises(Unavailable, match="older backup"):
                await listener.receiver.check()


async def test_another_log_of_the_source_stops_the_receiver(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    listener = Listener(databases[1], broker.urls)
    async with listener.running():
        async with speaker(databases[0], broker.urls) as store:
            await say(store, 50)
            await listener.has_noted(50)
        async with speaker(await fresh_database(server), broker.urls) as store:
            await say(store, 100)
            assert "another log" in await says(listener.receiver.check)
            assert (await listener.store.head()).position == 50


async def incarnation_of(database: str) -> str:
    async with connection(database) as reader:
        return str(await reader.fetchval("select incarnation from log.head"))


async def says(check: Callable[[], Awaitable[None]]) -> str:
    """What is wrong, as soon as something is."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await check()
            except Unavailable as wrong:
                return str(wrong)
            await asyncio.sleep(0.05)


async def choke(connection: Connection, events: Sequence[Received]) -> None:
    """Note everything but what cannot be."""
    if any(event.type == "Poison" for event in events):
        raise ValueError("this cannot be")
    await note(connection, events)


@pytest.fixture
def soon_parked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.messaging.reactions.ATTEMPTS", 2)


@pytest.mark.usefixtures("soon_parked")
async def test_a_poisonous_event_parks_its_own_scope_only(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls, effect=choke)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        await say(store, 30)
        await store.append(saying("scope-1", name="Poison"))
        await say(store, 30)
        await listener.has_noted(50)
        assert await says(listener.reactions.check) == "1 parked, first scope-1: ValueError('this cannot be')"
        noted = await listener.notes()
        assert [len(noted[f"scope-{n}"]) for n in range(3)] == [20, 10, 20]


@pytest.mark.usefixtures("soon_parked")
async def test_an_operator_lets_a_parked_scope_go_on(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls, effect=choke)
    async with speaker(speaking, broker.urls) as store, listener.running():
        await store.append(saying("scope-1", name="Poison"))
        await store.append(saying("scope-1"))
        await says(listener.reactions.check)
        (at_rest,) = await parked_messages.parked(listening)
        assert (at_rest.scope, at_rest.source, at_rest.number, at_rest.type) == ("scope-1", SOURCE, 1, "Poison")
        weather = Said(service=READER, operator="7be2d013", reason="has-passed", note="perhaps it was the weather")
        await parked_messages.decide(listening, "scope-1", weather, act="retry")
        assert "this cannot be" in await says(listener.reactions.check)
        mistake = Said(service=READER, operator="7be2d013", reason="sent-by-mistake", note="Sent by Ada by mistake.")
        await parked_messages.decide(listening, "scope-1", mistake, act="skip")
        await listener.has_noted(1)
        assert await listener.notes() == {"scope-1": [2]}
        await listener.reactions.check()
        with pytest.raises(parked_messages.NotParked):
            await parked_messages.decide(listening, "scope-1", mistake, act="skip")
        decided = [one for one in await everything(listener.store) if one.event.type != "Noted"]
    async with connection(listening) as reader:
        decisions = await reader.fetch("select act, number, reason from inbox.decisions order by at")
    assert [tuple(row) for row in decisions] == [
        ("retry", 1, "has-passed"),
        ("skip", 1, "sent-by-mistake"),
    ]
    records = [msgspec.json.decode(one.event.record, type=Envelope) for one in decided]
    assert [(one.type, one.scope, one.actor, one.role, one.operation) for one in records] == [
        ("ScopeRetried", "scope-1", "7be2d013", "operator", "roundlog retry"),
        ("EventSkipped", "scope-1", "7be2d013", "operator", "roundlog skip"),
    ]
    assert [one.public for one in decided] == [None, 1], "whatever is made from now on says that it rests on it"
    said = msgspec.json.decode(records[1].data, type=dict[str, str | int])
    assert (said["source"], said["number"], said["type"], said["reason"]) == (SOURCE, 1, "Poison", "sent-by-mistake")
    async with connection(listening) as reader:
        words = "select words from beside.notes where (scope, id) = ('scope-1', $1)"
        assert await reader.fetchval(words, said["note"]) == "Sent by Ada by mistake."
    assert b"Ada" not in b"".join(one.event.record for one in decided)
