"""A name that is given at registration is known everywhere, one that is erased is gone everywhere."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg
import nats as client
import pytest

from deploy.databases import at, connection
from deploy.local import nats
from shared.ids import new_id
from shared.log.connection import Connection
from shared.log.postgres import PostgresStore
from shared.messaging import broker as messaging
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.subjects import NAMES
from shared.personal.name_stream import NameListener, Teller
from shared.personal.names import REMEMBERED, Names, keep
from shared.values import Value
from tests.databases import fresh_database
from tests.patience import PATIENCE

ANN, BOB, CID = "person-1", "person-2", "person-3"


class Place(Value):
    database: str
    names: Names

    async def shows(self, expected: Mapping[str, str]) -> None:
        """Straight from the table: what is remembered for a moment would only slow this down."""
        async with asyncio.timeout(PATIENCE):
            while await self.table() != expected:
                await asyncio.sleep(0.02)

    async def table(self) -> Mapping[str, str]:
        async with connection(self.database) as database:
            rows = await database.fetch("select id, name from names.names where name is not null")
        return {row["id"]: row["name"] for row in rows}


@asynccontextmanager
async def registration(database: str, broker_urls: Mapping[str, str]) -> AsyncGenerator[Place]:
    store, broker, names = (
        PostgresStore(database),
        Broker(broker_urls["registration"], name="registration"),
        Names(database),
    )
    teller = Teller(store=store, broker=broker, database=database)
    async with AsyncExitStack() as stack:
        for part in (store.running, broker.running, names.running, teller.running):
            await stack.enter_async_context(part())
        yield Place(database=database, names=names)
        await teller.check()


@asynccontextmanager
async def elsewhere(database: str, broker_urls: Mapping[str, str], service: str = "results") -> AsyncGenerator[Place]:
    broker, names = Broker(broker_urls[service], name=service), Names(database)
    listener = NameListener(service=service, broker=broker, database=database)
    async with AsyncExitStack() as stack:
        for part in (broker.running, names.running, listener.running):
            await stack.enter_async_context(part())
        yield Place(database=database, names=names)
        await listener.check()


async def test_names_arrive_change_and_are_erased(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna Nováková", BOB: "Bob"})
        assert await here.names.in_full([ANN, BOB, CID]) == {ANN: "Anna Nováková", BOB: "Bob"}
        await there.shows({ANN: "Anna Nováková", BOB: "Bob"})
        await here.names.keep({ANN: "Anna Kováčová", CID: "Cyril"})
        await there.shows({ANN: "Anna Kováčová", BOB: "Bob", CID: "Cyril"})
        assert await there.names.in_full([ANN, CID]) == {ANN: "Anna Kováčová", CID: "Cyril"}
        await here.names.erase([ANN])
        assert await here.names.in_full([ANN, CID]) == {CID: "Cyril"}
        await there.shows({BOB: "Bob", CID: "Cyril"})
        await asyncio.sleep(REMEMBERED)
        assert await there.names.in_full([ANN, BOB]) == {BOB: "Bob"}


async def test_who_listened_before_there_was_anything_to_hear_does_so_at_once(
    broker: nats.NatsServer, databases: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a platform starts for the first time: nobody waits as long as for an answer that does not come."""
    never = 2 * PATIENCE  # what comes in time has not waited for it
    monkeypatch.setattr(messaging, "PATIENCE", never)
    monkeypatch.setattr(messaging, "SOON", (*messaging.SOON[:-1] * 100, never))
    async with elsewhere(databases[1], broker.urls) as there:
        await asyncio.sleep(0.3)
        async with registration(databases[0], broker.urls) as here:
            await here.names.keep({ANN: "Ann"})
            await there.shows({ANN: "Ann"})


async def test_nothing_of_an_erased_name_stays_in_the_stream(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna", BOB: "Bob"})
        await there.shows({ANN: "Anna", BOB: "Bob"})
        await here.names.erase([ANN])
        await there.shows({BOB: "Bob"})
        assert await kept(broker) == {ANN: b"", BOB: b"Bob"}


async def test_who_comes_late_or_again_finds_every_name(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    async with registration(databases[0], broker.urls) as here:
        await here.names.keep({f"person-{n}": f"Name {n}" for n in range(1200)})
        await here.names.erase(["person-7"])
        expected = {f"person-{n}": f"Name {n}" for n in range(1200) if n != 7}
        async with elsewhere(databases[1], broker.urls) as there:
            await there.shows(expected)
        await here.names.erase(["person-8"])
        del expected["person-8"]
        async with elsewhere(databases[1], broker.urls) as there:
            await there.shows(expected)


@pytest.mark.parametrize("damage", ["delete", "purge"])
async def test_a_stream_that_was_lost_is_filled_anew(
    damage: str, broker: nats.NatsServer, databases: tuple[str, str], server: str
) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna", BOB: "Bob"})
        await here.names.erase([BOB])
        await there.shows({ANN: "Anna"})
        connected = await client.connect(broker.urls[subjects.NAMING])
        jetstream = connected.jetstream(timeout=PATIENCE)
        await (jetstream.delete_stream if damage == "delete" else jetstream.purge_stream)(NAMES)
        await connected.close()
        await here.names.keep({CID: "Cyril"})
        await there.shows({ANN: "Anna", CID: "Cyril"})
        another = await fresh_database(server)
        async with elsewhere(another, broker.urls, "pairing") as late:
            await late.shows({ANN: "Anna", CID: "Cyril"})


async def test_a_killed_broker_delays_and_loses_nothing(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna"})
        await there.shows({ANN: "Anna"})
        await broker.kill()
        await here.names.keep({ANN: "Hana", BOB: "Bob"})
        await broker.start()
        await there.shows({ANN: "Hana", BOB: "Bob"})


async def test_after_a_restored_backup_names_are_as_registration_has_them(
    broker: nats.NatsServer, databases: tuple[str, str], server: str
) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna"})
        await here.names.keep({BOB: "Bob", CID: "Cyril"})
        await here.names.keep({ANN: "Hana"})
        await there.shows({ANN: "Hana", BOB: "Bob", CID: "Cyril"})
    restored = await fresh_database(server)
    async with connection(restored) as database, database.transaction():
        await keep(database, {ANN: "Anna", BOB: "Robert"})
    async with registration(restored, broker.urls), elsewhere(databases[1], broker.urls) as there:
        await there.shows({ANN: "Anna", BOB: "Robert"})
        assert await kept(broker) == {ANN: b"Anna", BOB: b"Robert"}


async def test_the_same_log_that_lost_its_last_names_tells_them_anew(
    broker: nats.NatsServer, databases: tuple[str, str], server: str
) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await here.names.keep({ANN: "Anna"})
        await here.names.keep({ANN: "Hana"})
        await there.shows({ANN: "Hana"})
    async with connection(at(server, database=databases[0].rpartition("/")[2])) as admin:
        await admin.execute("update names.names set name = 'Anna', revision = 1; update names.head set revision = 1")
    async with registration(databases[0], broker.urls), elsewhere(databases[1], broker.urls) as there:
        await there.shows({ANN: "Anna"})


async def test_names_that_are_kept_at_once_all_get_a_place_of_their_own(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    async with registration(databases[0], broker.urls) as here, elsewhere(databases[1], broker.urls) as there:
        await asyncio.gather(*(here.names.keep({f"person-{n}": "A", f"person-{n + 1}": "A"}) for n in range(60)))
        await there.shows({f"person-{n}": "A" for n in range(61)})
        async with connection(databases[0]) as database:
            places = await database.fetch("select revision from names.names order by revision")
            head = await database.fetchrow("select revision, names from names.head")
        assert [row["revision"] for row in places] == list(range(1, 62))
        assert head is not None
        assert (head["revision"], head["names"]) == (61, 61)


async def test_keeping_the_same_name_changes_nothing(databases: tuple[str, str]) -> None:
    names = Names(databases[0])
    async with names.running():
        await names.keep({ANN: "Anna"})
        await names.keep({ANN: "Anna", CID: None})
    async with connection(databases[0]) as database:
        assert await database.fetchval("select revision from names.head") == 1
        assert await database.fetchval("select count(*) from names.names") == 1


@pytest.mark.parametrize("unusable", ["", "a b", "a.b", "a" * 65, "a*", "\x00"])
async def test_an_id_that_cannot_travel_gets_no_name(unusable: str, databases: tuple[str, str]) -> None:
    names = Names(databases[0])
    async with names.running():
        with pytest.raises(ValueError, match="no id of ours"):
            await names.keep({unusable: "Anna"})
        assert await names.in_full([unusable]) == {}


async def test_a_name_is_given_with_whatever_else_is_in_the_transaction(databases: tuple[str, str]) -> None:
    async with connection(databases[0]) as database:
        with pytest.raises(asyncpg.PostgresError):
            await given_with_an_error(database)
        assert await database.fetchval("select count(*) from names.names") == 0


async def given_with_an_error(database: Connection) -> None:
    async with database.transaction():
        await keep(database, {str(new_id()): "Anna"})
        await database.execute("select 1 / 0")


async def kept(broker: nats.NatsServer) -> Mapping[str, bytes]:
    connected = await client.connect(broker.urls[subjects.NAMING])
    jetstream = connected.jetstream(timeout=PATIENCE)
    state = (await jetstream.stream_info(NAMES)).state
    messages = [await jetstream.get_last_msg(NAMES, subjects.name(n)) for n in (ANN, BOB)]
    assert state.messages == len(messages)
    await connected.close()
    return {str(message.subject).rpartition(".")[2]: message.data or b"" for message in messages}
