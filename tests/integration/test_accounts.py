"""What a service may do at the broker: its own, and nothing in the name of another, whatever it tries."""

# nats-py annotates its functions in parts only.
import asyncio
import subprocess
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from itertools import permutations
from pathlib import Path

import msgspec
import nats as client
import pytest
from nats.aio.client import Client
from nats.errors import Error
from nats.js.api import AckPolicy, ConsumerConfig, RePublish, StreamConfig

from deploy import SERVICES, accounts
from deploy.local import binaries, nats
from shared.ids import new_id
from shared.messaging import relay
from shared.messaging import subjects as channel
from shared.messaging.broker import Broker, Post
from shared.messaging.subjects import LOG, NUMBER, Announcement
from shared.refusals import Unavailable
from tests.databases import fresh_database
from tests.neighbours import READER, SOURCE, Listener, assert_heard_once, say, speaker
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
FORGED = ("tournament-1.ResultFinal", "federation-1.OfficialAppointed", "captains.CaptainKeyIntroduced")
STREAM_ACTS = ("CREATE", "UPDATE", "DELETE", "PURGE", "INFO", "MSG.GET", "MSG.DELETE", "SNAPSHOT", "RESTORE")
READER_ACTS = ("CREATE", "DELETE", "INFO", "MSG.NEXT", "RESET", "PAUSE")


@pytest.fixture(scope="module")
async def broker(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[nats.NatsServer]:
    async with nats.running(tmp_path_factory.mktemp("broker")) as running:
        yield running


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[tuple[Client, list[str]]]:
    """Straight at the broker, and what it refuses."""
    refused: list[str] = []

    async def note(error: Exception) -> None:
        refused.append(str(error))

    connection = await client.connect(url, error_cb=note)
    try:
        yield connection, refused
    finally:
        await connection.close()


async def settle(connection: Client) -> None:
    """Until the broker has read what was written before: the driver lets one ping overtake it, but not two."""
    for _ in range(2):
        await connection.flush(timeout=int(PATIENCE))


def foreign(service: str, other: str) -> Iterator[str]:
    """What belongs to another, and what it has with third ones."""
    yield from (f"roundlog.{other}.{what}" for what in FORGED)
    yield channel.head(other)
    if other not in channel.SOURCES[service]:
        yield channel.replay(other)
    for stream in accounts.streams(other):
        yield from (f"$JS.API.STREAM.{act}.{stream}" for act in STREAM_ACTS)
        for reader in SERVICES:
            place = f"{stream}.{channel.reader(reader)}"
            yield from (f"$JS.API.CONSUMER.{act}.{place}" for act in READER_ACTS)
            if reader != service or other not in channel.SOURCES[service]:
                yield from (f"{channel.api(stream)}.CONSUMER.{act}.{place}" for act in READER_ACTS)
                yield f"$JS.ACK.{place}.1.1.1.1.0"
        own = f"{stream}.{channel.reader(service)}"
        yield from (f"{channel.api(stream)}.CONSUMER.{act}.{own}" for act in ("CREATE", "DELETE", "PAUSE"))
        yield f"{channel.api(stream)}.STREAM.PURGE.{stream}"
    if other == channel.NAMING:
        yield channel.name("person-1")


def overheard(service: str, other: str) -> Iterator[str]:
    """What is meant for somebody else's ears, or for another to answer."""
    yield channel.replay(other)
    yield channel.events(other)
    yield f"roundlog.{other}.>"
    if other not in channel.SOURCES[service]:
        yield channel.head(other)
    yield from (f"$JS.API.STREAM.INFO.{stream}" for stream in accounts.streams(other))


EVERYTHING = (">", "*", "roundlog.>", "roundlog.names.*", "$JS.>", "$JS.API.>", "$SYS.>", "_R_.>")


@pytest.mark.parametrize(("service", "other"), list(permutations(SERVICES, 2)))
async def test_nobody_says_or_asks_anything_in_the_name_of_another(
    service: str, other: str, broker: nats.NatsServer
) -> None:
    subjects = [*foreign(service, other), "_INBOX.somebody", "$SYS.REQ.SERVER.PING", "anything"]
    async with connected(broker.urls[service]) as (connection, refused):
        for subject in subjects:
            await connection.publish(subject, b"{}")
        await settle(connection)
    assert refused == [f'nats: permissions violation for publish to "{subject.lower()}"' for subject in subjects]


@pytest.mark.parametrize(("service", "other"), list(permutations(SERVICES, 2)))
async def test_nobody_hears_or_answers_what_is_for_another(service: str, other: str, broker: nats.NatsServer) -> None:
    subjects = [*overheard(service, other), *EVERYTHING]
    async with connected(broker.urls[service]) as (connection, refused):
        for subject in subjects:
            await connection.subscribe(subject)
        await settle(connection)
    assert refused == [f'nats: permissions violation for subscription to "{subject.lower()}"' for subject in subjects]


async def test_an_answer_is_heard_by_nobody_but_who_has_asked(broker: nats.NatsServer) -> None:
    async with (
        connected(broker.urls["results"]) as (answering, _),
        connected(broker.urls["pairing"]) as (asking, _),
        connected(broker.urls["standings"]) as (listening, _),
    ):
        overheard = await listening.subscribe("_INBOX.>")
        asked = await answering.subscribe(channel.replay("results"))
        for connection in (listening, answering):
            await settle(connection)
        waiting = asyncio.create_task(asking.request(channel.replay("results"), b"?", timeout=PATIENCE))
        await (await asked.next_msg(timeout=PATIENCE)).respond(b"!")
        assert (await waiting).data == b"!"
        await settle(listening)
        assert overheard.pending_msgs == 0


async def test_no_setting_of_an_own_stream_reaches_into_another_account(broker: nats.NatsServer) -> None:
    """Streams repeat messages, and readers push them, with the rights of the broker itself."""
    stream = channel.stream("results")
    async with (
        connected(broker.urls["results"]) as (victim, _),
        connected(broker.urls["pairing"]) as (forger, refused),
        connected(broker.urls["standings"]) as (listening, _),
    ):
        theirs, own = victim.jetstream(timeout=PATIENCE), forger.jetstream(timeout=PATIENCE)
        await theirs.add_stream(StreamConfig(name=stream, subjects=[channel.events("results")]))
        heads = await listening.subscribe(channel.head("results"))
        await settle(listening)
        await own.add_stream(
            StreamConfig(
                name=channel.stream("pairing"),
                subjects=[channel.events("pairing")],
                republish=RePublish(src="roundlog.pairing.a.*", dest="roundlog.results.a.{{wildcard(1)}}"),
            )
        )
        pushing = ConsumerConfig(
            name=channel.reader("results"),
            durable_name=channel.reader("results"),
            deliver_subject=channel.head("results"),
            ack_policy=AckPolicy.NONE,
        )
        await own.add_consumer(channel.stream("pairing"), pushing)
        head = msgspec.json.encode(Announcement(log=new_id(), number=0))
        for scope in ("a", "b"):
            await own.publish(f"roundlog.pairing.{scope}.ResultFinal", head)
        await asyncio.sleep(1)
        for connection in (forger, victim, listening):
            await settle(connection)
        assert refused == []
        assert (await theirs.stream_info(stream)).state.messages == 0
        assert heads.pending_msgs == 0
        await own.delete_stream(channel.stream("pairing"))
        await theirs.delete_stream(stream)


@pytest.mark.parametrize("url", ["nats://{place}", "nats://results:wrong@{place}", "nats://roundlog:roundlog@{place}"])
async def test_whoever_has_no_account_does_not_get_in(url: str, broker: nats.NatsServer) -> None:
    with pytest.raises(Error, match="Authorization Violation"):
        await nats.require_account(url.format(place=f"127.0.0.1:{broker.broker.port}"))


async def test_a_refusal_is_told_to_whoever_waits_and_to_whoever_looks_after_the_service(
    broker: nats.NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    speaking = Broker(broker.urls["pairing"], name="pairing")
    async with speaking.running():
        await speaking.tell(channel.head("pairing"), b"")
        await speaking.check()
        with pytest.raises(Unavailable, match="the broker refuses"):
            await anext(aiter(speaking.listen(channel.replay("results"))))
        forged = Post(subject="roundlog.results.a.ResultFinal", body=b"", headers={NUMBER: "1", LOG: "a"})
        with pytest.raises(Unavailable, match=r"refuses: .* publish to .roundlog\.results\.a\.resultfinal"):
            await speaking.post([forged])
        with pytest.raises(Unavailable, match="the broker refuses"):
            await speaking.check()
    assert sum("the broker refuses" in line for line in caplog.messages) == 2


async def test_a_stream_that_is_lost_while_nobody_speaks_comes_back_with_its_readers(
    server: str, broker: nats.NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LOOK_AFTER_STREAM", 0.2)
    listener = Listener(await fresh_database(server), broker.urls)
    hand = Broker(broker.urls[SOURCE], name="hand")
    async with speaker(await fresh_database(server), broker.urls) as store, listener.running(), hand.running():
        await say(store, 10)
        await listener.has_noted(10)
        await hand.delete(channel.stream(SOURCE))
        reading = Broker(broker.urls[READER], name="reading")
        async with reading.running(), asyncio.timeout(PATIENCE):
            while True:
                try:
                    assert await hand.count(channel.stream(SOURCE)) == 0
                    await anext(aiter(reading.take(channel.stream(SOURCE), reader=channel.reader(READER), at_most=1)))
                    break
                except Unavailable:
                    await asyncio.sleep(0.1)
        await say(store, 10)
        await listener.has_noted(20)
        assert_heard_once(await listener.notes(), 20)


async def test_streams_of_a_time_without_accounts_are_removed_at_the_start(tmp_path: Path) -> None:
    """They hold names, and an erasure does not reach them any more."""
    left = tmp_path / "nats" / "jetstream" / "jetstream" / "$G" / "streams" / channel.NAMES / "msgs" / "1.blk"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"Qvorzelbine")
    async with nats.running(tmp_path):
        assert not list(tmp_path.rglob("1.blk"))


async def test_streams_are_made_however_small_the_disk_is(tmp_path: Path) -> None:
    """Left alone, NATS makes none that may become larger than what is free when it starts."""
    async with nats.running(tmp_path):
        assert "Max Storage:     8.00 GB" in (tmp_path / "nats.log").read_text()


def test_the_broker_of_compose_takes_its_configuration(tmp_path: Path) -> None:
    """As it is mounted there: the generated accounts, and the passwords as they are made."""
    subprocess.run(["/bin/sh", ROOT / "deploy/secrets.sh", tmp_path / "secrets"], check=True)  # noqa: S603 - our own
    for file in ("nats.conf", "accounts.conf"):
        (tmp_path / file).write_text((ROOT / "deploy" / file).read_text())
    (tmp_path / "secrets" / "nats-passwords.conf").rename(tmp_path / "passwords.conf")
    command = [str(binaries.nats()), "-t", "-c", str(tmp_path / "nats.conf")]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    assert "is valid" in checked.stderr, checked.stderr
