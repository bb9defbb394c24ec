"""What lies in an inbox is what the neighbour has said, or nothing more is received, and no table is made from it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from deploy import SERVICES, inbox_sources
from deploy.databases import at, connection
from deploy.inbox_sources import LeftOut
from deploy.local import nats
from deploy.local.errors import CannotRun
from deploy.local.rebuild import require_as_said, show_rebuilt
from services.standings.projection.rebuild import Rebuilt
from shared.log.postgres import PostgresStore
from shared.log.trees import TreeFollower, Trees
from shared.messaging import inbox
from tests.integration.test_between_services import administrate, says
from tests.neighbours import READER, SOURCE, Listener, say, speaker
from tests.patience import PATIENCE

FORGE = (
    "update inbox.events set message = convert_to(replace(convert_from(message, 'UTF8'), 'Happened', 'Forged'), 'UTF8')"
)
MEND = (
    "update inbox.events set message = convert_to(replace(convert_from(message, 'UTF8'), 'Forged', 'Happened'), 'UTF8')"
)


@asynccontextmanager
async def proved(database: str, broker: nats.NatsServer) -> AsyncGenerator[PostgresStore]:
    """A speaker whose tree follows its log."""
    trees = Trees(database)
    async with speaker(database, broker.urls) as store, trees.running():
        follower = TreeFollower(trees=trees, store=store, database=database)
        async with follower.running():
            yield store


async def said_and_heard(databases: tuple[str, str], broker: nats.NatsServer, events: int) -> None:
    """And nobody says or hears anything more."""
    speaking, listening = databases
    listener = Listener(listening, broker.urls)
    async with proved(speaking, broker) as store, listener.running():
        await say(store, events)
        await listener.has_noted(events)


async def held_against(listener: Listener) -> None:
    """Until the tree over the inbox was compared with what was announced."""
    async with asyncio.timeout(PATIENCE):
        while not listener.receiver.is_compared:
            await asyncio.sleep(0.05)


async def test_a_receiver_stops_when_a_message_was_changed_here_and_goes_on_when_it_is_mended(
    server: str, broker: nats.NatsServer, databases: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "LOOK_AGAIN", 0.1)
    speaking, listening = databases
    async with proved(speaking, broker) as store:
        listener = Listener(listening, broker.urls)
        async with listener.running():
            await say(store, 20)
            await listener.has_noted(20)
            await held_against(listener)
            await listener.receiver.check()
        await administrate(server, listening, f"{FORGE} where number = 7")
        again = Listener(listening, broker.urls)
        async with again.running():
            stopped = await says(again.receiver.check)
            assert f"number 7 of {SOURCE} is not what {SOURCE} has said" in stopped
            await say(store, 5)
            await asyncio.sleep(0.5)
            async with connection(listening) as reader:
                assert await reader.fetchval("select max(number) from inbox.events") == 20
            await administrate(server, listening, MEND)
            await again.has_noted(25)
            await again.receiver.check()


async def test_nothing_is_made_anew_from_what_was_not_said(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    await said_and_heard(databases, broker, 30)
    urls = dict.fromkeys(SERVICES, speaking) | {READER: listening}
    assert await inbox_sources.differences(READER, urls, ()) == []
    await administrate(server, listening, f"{FORGE} where number = 9")
    async with connection(at(server, database=listening.rpartition("/")[2])) as reader:
        scope = await reader.fetchval("select scope from inbox.events where number = 9")
    other = f"scope-{(int(scope[-1]) + 1) % 3}"
    assert await inbox_sources.differences(READER, urls, [scope]) == await inbox_sources.differences(READER, urls, ())
    assert await inbox_sources.differences(READER, urls, [other]) == []
    with pytest.raises(CannotRun, match=f"number 9 of {SOURCE} is not here as {SOURCE} has said it.*`roundlog accept`"):
        await asyncio.to_thread(require_as_said, urls, ())
    await administrate(server, listening, MEND)
    for change, back in (
        ("scope = 'scope-of-others'", "scope = convert_from(message, 'UTF8')::json ->> 'scope'"),
        ("type = 'Forged'", "type = 'Happened'"),
    ):
        await administrate(server, listening, f"update inbox.events set {change} where number = 9")
        (filed,) = await inbox_sources.differences(READER, urls, ())
        assert "number 9" in filed
        assert change.startswith("scope") or await inbox_sources.differences(READER, urls, [scope]) == [filed]
        await administrate(server, listening, f"update inbox.events set {back} where number = 9")
    await administrate(server, listening, "update inbox.events set state = 'skipped' where number = 9")
    passed_over = f"number 9 of {SOURCE} is passed over, and nobody has decided so"
    assert await inbox_sources.differences(READER, urls, ()) == [passed_over]
    assert await inbox_sources.differences(READER, urls, [scope]) == [passed_over]
    assert await inbox_sources.differences(READER, urls, [other]) == []
    await administrate(server, listening, "update inbox.events set state = 'done' where number = 9")
    await administrate(server, listening, "delete from inbox.events where number = 4")
    (missing,) = await inbox_sources.differences(READER, urls, ())
    assert "number 4" in missing


async def test_what_no_table_follows_from_is_counted(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    _, listening = databases
    await said_and_heard(databases, broker, 9)
    known = "update inbox.events set type = 'TournamentStarted' where number > 4"
    await administrate(server, listening, known)
    await administrate(server, listening, "update inbox.events set state = 'skipped' where number > 7")
    left_out = await inbox_sources.left_out(listening, ())
    assert left_out == [
        LeftOut(source=SOURCE, type="Happened", is_skipped=False, messages=4),
        LeftOut(source=SOURCE, type="TournamentStarted", is_skipped=True, messages=2),
    ]
    of_one = await inbox_sources.left_out(listening, ["scope-0"])
    assert sum(one.messages for one in of_one) < 6
    lines: list[str] = []
    made = Rebuilt(messages=7, tables=1, compared=0, different=(), lost={"results": 1})
    show_rebuilt(made, left_out, lines.append)
    assert lines[0] == "1 table is made anew from 7 messages; 0 could be compared."
    assert lines.pop(1) == "1 message of results is lost here: the tables lack what was said there."
    assert lines[1:3] == [
        f"4 messages of {SOURCE} (Happened) are of a kind that is not known here: the tables say nothing of that.",
        f"2 messages of {SOURCE} (TournamentStarted) are passed over, as an operator has decided: the tables say nothing of that.",
    ]


async def test_a_source_that_was_changed_with_its_tree_is_refuted_by_whoever_has_heard_it(
    server: str, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    speaking, listening = databases
    await said_and_heard(databases, broker, 20)
    await administrate(server, speaking, FORGE.replace("inbox.events", "log.log") + " where public = 11")
    await administrate(server, speaking, "delete from proof.tiles")
    await administrate(server, speaking, "update proof.head set position = 0, public = 0")
    async with proved(speaking, broker):
        again = Listener(listening, broker.urls)
        async with again.running():
            assert f"what lies here as number 11 of {SOURCE}" in await says(again.receiver.check)
