"""A source that was restored from an older backup: its receivers stop, and go on when an operator says so.

One that was not restored is never stopped by what is announced of it: only its own word counts, given anew.
"""

import asyncio
from typing import Any, cast
from uuid import UUID

import msgspec
import pytest

from deploy import stopped_inboxes
from deploy.databases import at, connection
from deploy.local import nats
from deploy.parked_messages import Said
from shared.ids import new_id
from shared.messaging import subjects
from shared.messaging.broker import Broker
from shared.messaging.subjects import Announcement, Replay, ReplayRequest
from shared.refusals import Unavailable
from tests.integration.test_between_services import administrate, choke, says
from tests.integration.test_inbox_against_source import held_against, proved
from tests.neighbours import READER, SOURCE, Listener, assert_heard_once, say, saying, speaker
from tests.patience import PATIENCE

RENEW = "update log.head set incarnation = gen_random_uuid()"
CHANGE = "update inbox.events set message = convert_to(replace(convert_from(message, 'UTF8'), 'Happened', 'Happened '), 'UTF8')"


async def backup(server: str, database: str) -> str:
    """A copy of a database as it is now; nobody may be connected to it."""
    name = database.rpartition("/")[2]
    async with connection(server) as admin:
        await admin.execute(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'")
        await admin.execute(f"drop database if exists {name}_backup")
        await admin.execute(f"create database {name}_backup template {name}")
    return f"{database}_backup"


async def compared(database: str, broker: nats.NatsServer) -> stopped_inboxes.LogDifference:
    """As soon as the source answers, which may have been started just now."""
    asking = Broker(broker.urls[READER], name="operator")
    async with asking.running(), asyncio.timeout(PATIENCE):
        while True:
            try:
                return await stopped_inboxes.difference(database, SOURCE, asking)
            except Unavailable:
                await asyncio.sleep(0.05)


async def accept(database: str, found: stopped_inboxes.LogDifference) -> None:
    said = Said(service=READER, operator="7be2d013", reason="restored-from-backup", note="The disk was lost.")
    await stopped_inboxes.accept(database, found, said)


async def heard(server: str, database: str) -> list[tuple[int, str, bool]]:
    """What lies in an inbox: the number, what became of it, and whether its source has lost it."""
    async with connection(at(server, database=database.rpartition("/")[2])) as reader:
        rows = await reader.fetch("select number, state, lost is not null from inbox.events order by arrival")
    return [(number, state, lost) for number, state, lost in rows]


async def test_a_receiver_goes_on_with_what_a_restored_source_says_now(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running():
        async with speaker(speaking, broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(20)
        older = await backup(server, speaking)
        async with speaker(speaking, broker.urls) as store:
            await say(store, 30)
            await listener.has_noted(50)
    async with speaker(speaking, broker.urls) as store:
        await say(store, 10)  # they lie in the stream, and nobody has heard them
        await asyncio.sleep(0.5)
    await administrate(server, older, RENEW)
    async with speaker(older, broker.urls) as store, listener.running():
        await say(store, 25)
        assert "another log" in await says(listener.receiver.check)
        assert set(await stopped_inboxes.stopped(listening)) == {SOURCE}
        found = await compared(listening, broker)
        assert (found.received, found.head, found.common) == (50, 45, 20)
        assert [(lost.number, lost.state) for lost in found.lost] == [(n, "done") for n in range(21, 51)]
        await accept(listening, found)
        await listener.has_noted(75)
        await say(store, 5)
        await listener.has_noted(80)
        await asyncio.sleep(0.5)
        await listener.receiver.check()
    assert await heard(server, listening) == [
        *((n, "done", False) for n in range(1, 21)),
        *((n, "done", True) for n in range(21, 51)),
        *((n, "done", False) for n in range(21, 51)),
    ]
    assert await stopped_inboxes.stopped(listening) == {}
    async with connection(listening) as reader:
        (decision,) = await reader.fetch("select act, scope, source, number, actor, reason from inbox.decisions")
        accepted = await reader.fetch("select scope, public, record from log.log where type = 'SourceAccepted'")
    assert tuple(decision) == ("accept", None, SOURCE, 20, "7be2d013", "restored-from-backup")
    told = {one["scope"]: one["public"] for one in accepted}
    assert told.pop(SOURCE) is None
    assert sorted(told) == ["scope-0", "scope-1", "scope-2"]
    assert sorted(told.values()) == [1, 2, 3], "neighbours hear it, and inputs count it"
    said = [msgspec.json.decode(one["record"])["data"] for one in accepted]
    assert sorted(number for one in said for number in one["lost"]) == list(range(21, 51))
    assert all(one["lost"] == one["effective"] and one["common"] == 20 for one in said)


async def test_a_restored_source_that_has_lost_nothing_is_gone_on_with(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running():
        async with speaker(speaking, broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(20)
        await administrate(server, speaking, RENEW)
        async with speaker(speaking, broker.urls) as store:
            await says(listener.receiver.check)
            found = await compared(listening, broker)
            assert (found.common, found.lost) == (20, [])
            await accept(listening, found)
            await say(store, 5)
            await listener.has_noted(25)


async def test_what_waits_and_is_lost_never_takes_effect(
    server: str, broker: nats.NatsServer, databases: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.messaging.reactions.ATTEMPTS", 2)
    speaking, listening = databases
    older = await backup(server, speaking)
    await administrate(server, older, RENEW)
    listener = Listener(listening, broker.urls, effect=choke)
    async with listener.running():
        async with speaker(speaking, broker.urls) as store:
            await store.append(saying("scope-1", name="Poison"))
            await store.append(saying("scope-1"))
            await says(listener.reactions.check)
        async with speaker(older, broker.urls) as store:
            await says(listener.receiver.check)
            found = await compared(listening, broker)
            assert [(lost.number, lost.state) for lost in found.lost] == [(1, "waiting"), (2, "waiting")]
            await accept(listening, found)
            await store.append(saying("scope-1"))
            await listener.has_noted(1)
            await listener.reactions.check()
    assert await heard(server, listening) == [(1, "skipped", True), (2, "skipped", True), (1, "done", False)]


async def test_a_source_that_has_lost_something_has_to_call_itself_another_log(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    older = await backup(server, speaking)
    listener = Listener(listening, broker.urls)
    async with listener.running():
        async with speaker(speaking, broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(20)
        async with speaker(older, broker.urls):
            assert "older backup" in await says(listener.receiver.check)
            with pytest.raises(stopped_inboxes.NotRenewed, match="still calls itself the same log"):
                await compared(listening, broker)


@pytest.mark.parametrize("is_renewed", [False, True])
async def test_a_message_that_was_changed_here_is_named_and_not_accepted(
    server: str, broker: nats.NatsServer, databases: tuple[str, str], *, is_renewed: bool
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running(), speaker(speaking, broker.urls) as store:
        await say(store, 700)  # which are asked for in two pages
        await listener.has_noted(700)
    if is_renewed:
        await administrate(server, speaking, RENEW)
    await administrate(server, listening, f"{CHANGE} where number in (21, 640)")
    await stopped_by_hand(listening)
    async with speaker(speaking, broker.urls):
        with pytest.raises(stopped_inboxes.NotRestored) as refused:
            await compared(listening, broker)
    said = str(refused.value)
    assert f"Numbers 21, 640 of {SOURCE} are not the same on both sides, and others behind, up to 700, are:" in said
    assert "Nothing is accepted." in str(refused.value)


async def test_the_end_of_a_log_that_still_calls_itself_the_same_is_not_accepted_either(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running(), speaker(speaking, broker.urls) as store:
        await say(store, 20)
        await listener.has_noted(20)
    await administrate(server, listening, f"{CHANGE} where number >= 19")
    await stopped_by_hand(listening)
    async with speaker(speaking, broker.urls) as store:
        await say(store, 5)
        with pytest.raises(stopped_inboxes.NotRestored, match=f"From number 19 on {SOURCE} says something else"):
            await compared(listening, broker)
        await administrate(server, speaking, RENEW)
        found = await compared(listening, broker)
        assert (found.common, [lost.number for lost in found.lost]) == (18, [19, 20])


async def test_a_source_whose_tree_was_changed_is_not_gone_on_with(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running(), proved(speaking, broker) as store:
        await say(store, 20)
        await listener.has_noted(20)
        await held_against(listener)
    await stopped_by_hand(listening)
    async with speaker(speaking, broker.urls):
        assert (await compared(listening, broker)).common == 20
    other = "update proof.tiles set hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) where tree = 'messages'"
    await administrate(server, speaking, other)
    async with speaker(speaking, broker.urls):
        with pytest.raises(stopped_inboxes.NotRestored, match=f"{SOURCE} has another tree than follows"):
            await compared(listening, broker)


async def test_nothing_is_accepted_where_nothing_has_stopped(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    with pytest.raises(stopped_inboxes.NotStopped):
        await compared(listening, broker)
    async with speaker(speaking, broker.urls) as store, listener.running():
        await say(store, 5)
        await listener.has_noted(5)
        with pytest.raises(stopped_inboxes.NotStopped):
            await compared(listening, broker)
        log = await store.incarnation()
        found = stopped_inboxes.LogDifference(source=SOURCE, log=log, received=5, head=5, common=3, lost=[])
        with pytest.raises(stopped_inboxes.NotStopped):
            await accept(listening, found)


async def announce(broker: nats.NatsServer, *heads: Announcement) -> None:
    """What reaches receivers as an announcement of the source, whoever says it, and whenever it was true."""
    telling = Broker(broker.urls[SOURCE], name="late")
    async with telling.running():
        for head in heads:
            await telling.tell(subjects.head(SOURCE), msgspec.json.encode(head))
        await cast("Any", telling)._settle()


async def stopped_by_hand(database: str) -> None:
    async with connection(database) as writer:
        await writer.execute("update inbox.sources set stopped = $1", f"{SOURCE} was restored from an older backup")


async def test_late_announcements_stop_nothing(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    listener = Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        log, former = await store.incarnation(), new_id()
        await say(store, 50)
        await listener.has_noted(50)
        for told in range(60, 101, 10):
            late = [Announcement(log=of, number=n) for n in (43, told - 10, 0, 1000) for of in (log, former)]
            await announce(broker, *late, *late)
            await say(store, 10)
            await listener.has_noted(told)
            await listener.receiver.check()
        assert_heard_once(await listener.notes(), 100)
    assert await stopped_inboxes.stopped(databases[1]) == {}


# What is no JSON, what is no announcement, and one in which something is no text.
NO_TEXT = b'{"log": "7b1c8a52-5e4b-4c1f-9d0e-0d6a3c2f1e00", "number": 1, "tree": {"size": 1, "root": "\xff"}}'
GARBLED = (b"nonsense", b"{}", NO_TEXT)


@pytest.mark.parametrize("garbled", GARBLED)
async def test_what_cannot_be_read_is_passed_over(
    broker: nats.NatsServer, databases: tuple[str, str], garbled: bytes
) -> None:
    """Neither whoever hears it as an announcement nor whoever is asked by it stops working."""
    listener = Listener(databases[1], broker.urls)
    async with speaker(databases[0], broker.urls) as store, listener.running():
        await say(store, 10)
        await listener.has_noted(10)
        telling, asking = Broker(broker.urls[SOURCE], name="telling"), Broker(broker.urls[READER], name="asking")
        async with telling.running(), asking.running():
            await telling.tell(subjects.head(SOURCE), garbled)
            await asking.tell(subjects.replay(SOURCE), garbled)
            wanted = msgspec.json.encode(ReplayRequest(after=7))
            replay = msgspec.msgpack.decode(await asking.ask(subjects.replay(SOURCE), wanted), type=Replay)
        assert [one.number for one in replay.events] == [8, 9, 10]
        await say(store, 10)
        await listener.has_noted(20)
        await listener.receiver.check()
        assert_heard_once(await listener.notes(), 20)


async def test_who_is_met_first_by_a_late_announcement_is_known_by_the_own_word(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    listener = Listener(databases[1], broker.urls)
    async with listener.running():
        for _ in range(20):  # until the receiver listens, and longer
            await announce(broker, Announcement(log=new_id(), number=7))
            await asyncio.sleep(0.1)
        async with speaker(databases[0], broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(20)
            await listener.receiver.check()


async def test_while_the_source_is_away_nothing_that_is_announced_stops_a_receiver(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    listener = Listener(databases[1], broker.urls)
    async with listener.running():
        async with speaker(databases[0], broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(20)
            log = await store.incarnation()
        await announce(broker, Announcement(log=log, number=3), Announcement(log=UUID(int=0), number=30))
        await asyncio.sleep(1)
        await listener.receiver.check()
        async with speaker(databases[0], broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(40)
            await listener.receiver.check()


async def test_a_stop_that_is_untrue_ends_by_itself(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with listener.running(), speaker(speaking, broker.urls) as store:
        await say(store, 20)
        await listener.has_noted(20)
    await stopped_by_hand(listening)
    async with listener.running():
        assert "older backup" in await says(listener.receiver.check)  # as long as the source does not say otherwise
        async with speaker(speaking, broker.urls) as store:
            await say(store, 20)
            await listener.has_noted(40)
            await listener.receiver.check()
    assert await stopped_inboxes.stopped(listening) == {}


async def test_the_right_backup_after_a_wrong_one_is_gone_on_with(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with speaker(speaking, broker.urls) as store:
        await say(store, 20)
    older = await backup(server, speaking)
    async with listener.running():
        async with speaker(speaking, broker.urls) as store:
            await say(store, 10)
            await listener.has_noted(30)
        async with speaker(older, broker.urls):
            assert "older backup" in await says(listener.receiver.check)
        async with speaker(speaking, broker.urls) as store:
            await say(store, 10)
            await listener.has_noted(40)
            await listener.receiver.check()


async def test_a_restored_source_is_recognised_though_it_has_said_more_since(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    async with speaker(speaking, broker.urls) as store:
        await say(store, 20)
    older = await backup(server, speaking)
    listener = Listener(listening, broker.urls)
    async with speaker(speaking, broker.urls) as store, listener.running():
        await say(store, 10)
        await listener.has_noted(30)
    async with speaker(older, broker.urls) as store:
        await say(store, 40)
        async with listener.running():
            assert "says something else now as number 30" in await says(listener.receiver.check)
    assert set(await stopped_inboxes.stopped(listening)) == {SOURCE}
