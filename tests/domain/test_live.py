"""Live streams on a log in memory: what is told, and when it ends."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, nullcontext
from http import HTTPStatus

import msgspec
import pytest
from starlette.types import ASGIApp, Message

from services.pairing.api.live import telling
from services.pairing.api.permissions import SEE_DRAFTS
from shared.access.asker import Asker
from shared.access.tokens import Caller
from shared.clock import now
from shared.contracts.lots import LotDrawn, LotSeedCommitted
from shared.http.live_api import AT_ONCE, LISTEN, LiveEvents, in_public
from shared.http.live_streams import (
    DIRECT,
    EventStream,
    Frame,
    LogNotifier,
    NewestListener,
    OpenStreams,
    newest,
    one_by_one,
    written,
)
from shared.ids import new_id
from shared.log.memory import MemoryStore
from shared.log.store import Append, Event, EventStore, Recorded
from tests.patience import PATIENCE


class Writer:
    """Lets things happen in some scope."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._version = 0

    async def happens(self, scope: str = "mine", *, public: bool = True) -> None:
        self._version += 1
        message = msgspec.json.encode({"type": "SaidSo", "data": self._version}) if public else None
        event = Event(
            id=new_id(),
            stream="stream",
            version=self._version,
            type="Happened",
            scope=scope,
            record=b"a secret",
            message=message,
        )
        await self._store.append(Append(expected={"stream": self._version - 1}, events=[event]))


@asynccontextmanager
async def following(store: EventStore, behind: int = 0) -> AsyncGenerator[AsyncGenerator[Frame]]:
    hub = LogNotifier(store)
    async with (
        hub.running(),
        aclosing(LiveEvents(store, hub, in_public("registration")).behind("mine", behind)) as frames,
    ):
        yield frames


async def told(frames: AsyncGenerator[Frame], count: int) -> list[str]:
    return [(await asyncio.wait_for(anext(frames), 2)).id for _ in range(count)]


async def stays_quiet(frames: AsyncGenerator[Frame]) -> bool:
    waiting = asyncio.ensure_future(anext(frames))
    await asyncio.sleep(0.01)
    quiet = not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    return quiet


async def test_what_is_public_in_a_scope_is_told_in_order_and_nothing_else() -> None:
    store = MemoryStore()
    writer = Writer(store)
    await writer.happens()
    await writer.happens("another")
    await writer.happens(public=False)
    await writer.happens()
    async with following(store) as frames:
        first = await anext(frames)
        assert bytes(first) == b'id: 1\nevent: SaidSo\ndata: {"type":"SaidSo","data":1}\n\n'
        assert await told(frames, 1) == ["4"]
        assert await stays_quiet(frames)


async def test_a_listener_is_woken_by_what_happens_in_its_scope() -> None:
    store = MemoryStore()
    async with following(store) as frames:
        waiting = asyncio.create_task(told(frames, 1))
        await asyncio.sleep(0)
        await Writer(store).happens()
        assert await waiting == ["1"]


async def test_a_listener_that_comes_back_is_told_the_rest_once() -> None:
    store, count = MemoryStore(), 3 * AT_ONCE + 7
    writer = Writer(store)
    for _ in range(count):
        await writer.happens()
    for behind in (0, 1, AT_ONCE, count - 1):
        async with following(store, behind) as frames:
            assert await told(frames, count - behind) == [f"{n}" for n in range(behind + 1, count + 1)]
            assert await stays_quiet(frames)


@pytest.mark.parametrize("seed", range(5))
async def test_however_reading_and_writing_meet_nobody_misses_or_repeats_anything(seed: int) -> None:
    class Slow(MemoryStore):
        async def read_scope(self, scope: str, *, after: int = 0, limit: int = AT_ONCE) -> list[Recorded]:
            await asyncio.sleep(chance.random() / 1000)
            found = await super().read_scope(scope, after=after, limit=limit)
            await asyncio.sleep(chance.random() / 1000)
            return found

    chance, store, count = random.Random(seed), Slow(), 100
    hub = LogNotifier(store)
    told_all = LiveEvents(store, hub, in_public("registration"))

    async def listen() -> list[str]:
        async with aclosing(told_all.behind("mine", 0)) as frames:
            found: list[str] = []
            while len(found) < count:
                found += await told(frames, 1)
                if not chance.randrange(5):
                    await asyncio.sleep(chance.random() / 500)
            return found

    async with hub.running():
        listeners = [asyncio.create_task(listen()) for _ in range(10)]
        writer = Writer(store)
        for _ in range(count):
            await writer.happens()
            await asyncio.sleep(chance.random() / 1000)
        assert await asyncio.gather(*listeners) == [[f"{n}" for n in range(1, count + 1)]] * 10


async def test_many_listeners_cost_one_reading() -> None:
    class Counted(MemoryStore):
        readings = 0

        async def read_scope(self, scope: str, *, after: int = 0, limit: int = AT_ONCE) -> list[Recorded]:
            self.readings += 1
            return await super().read_scope(scope, after=after, limit=limit)

    store = Counted()
    hub = LogNotifier(store)
    told_all = LiveEvents(store, hub, in_public("registration"))
    async with hub.running():
        everybody = [told_all.behind("mine", 0) for _ in range(100)]
        waiting = [asyncio.create_task(told(frames, 1)) for frames in everybody]
        await asyncio.sleep(0.01)
        assert store.readings == 1
        await Writer(store).happens()
        await asyncio.gather(*waiting)
        assert store.readings == 2
        for frames in everybody:
            await frames.aclose()


async def test_what_happened_before_the_hub_could_follow_wakes_too() -> None:
    store = MemoryStore()
    writer = Writer(store)
    hub = LogNotifier(store)
    ring = hub.next_ring("mine")
    await writer.happens()
    async with hub.running():
        await asyncio.wait_for(ring.wait(), 2)


def test_a_frame_keeps_its_lines_together() -> None:
    assert bytes(Frame(id="reg1.sta2", event="Table", data=b"a\nb\r\nc")).splitlines() == [
        b"id: reg1.sta2",
        b"event: Table",
        b"data: a",
        b"data: b",
        b"data: c",
        b"",
    ]


class Caught:
    """One answer, as the server takes it."""

    def __init__(self, answer: ASGIApp, *, stalls: bool = False) -> None:
        self.status = 0
        self.body = b""
        self.is_whole = False
        self._stalls = stalls
        self._leaves = asyncio.Event()
        scope = {"type": "http", "client": ("127.0.0.1", 1)}
        self.task = asyncio.ensure_future(answer(scope, self._receive, self._send))

    def leave(self) -> None:
        self._leaves.set()

    async def ends(self) -> None:
        await asyncio.wait_for(asyncio.shield(self.task), 2)

    async def _receive(self) -> Message:
        await self._leaves.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.body += message["body"]
        self.is_whole = not message.get("more_body")
        if self._stalls and not self.is_whole:
            await asyncio.Event().wait()


async def silence() -> AsyncGenerator[Frame]:
    await asyncio.Event().wait()
    yield Frame(id="never", event="Never", data=b"")


async def always() -> bool:
    return True


def several(*, most: int = 10, most_of_one: int = 10) -> OpenStreams:
    return OpenStreams(most=most, most_of_one=most_of_one, heartbeat=0.01, now=now)


def caught(
    streams: OpenStreams,
    *,
    subject: str = "somebody",
    seconds: float = 60,
    stays: Callable[[], Awaitable[bool]] = always,
    frames: Callable[[], AsyncGenerator[Frame]] = silence,
    stalls: bool = False,
) -> Caught:
    caller = Caller(subject=subject, expires=now().timestamp() + seconds)
    asker = Asker(caller=caller, grants=frozenset(), is_operator=False)
    stream = EventStream(one_by_one(frames()), streams=streams, asker=asker, stays=stays, behind="reg7.sta2")
    return Caught(stream, stalls=stalls)


async def begun(answer: Caught) -> Caught:
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return answer


async def test_a_stream_says_where_it_begins_and_shows_that_it_lives() -> None:
    answer = caught(several())
    async with asyncio.timeout(PATIENCE):
        while answer.body.count(b":\n\n") < 2:
            await asyncio.sleep(0.01)
    assert answer.body.startswith(b"retry: 2000\nid: reg7.sta2\n\n:\n\n:\n\n")
    answer.leave()
    await answer.ends()


async def test_a_stream_ends_when_its_caller_goes_and_counts_no_more() -> None:
    streams = several()
    answer = await begun(caught(streams))
    assert streams.count() == 1
    answer.leave()
    await answer.ends()
    assert streams.count() == 0


async def test_a_stream_ends_with_the_token() -> None:
    answer = caught(several(), seconds=0.05)
    await answer.ends()
    assert answer.is_whole


async def test_a_stream_ends_when_its_caller_may_no_longer_listen() -> None:
    async def no_more() -> bool:
        return False

    answer = caught(several(), stays=no_more)
    await answer.ends()
    assert answer.is_whole


@pytest.mark.parametrize("stalls", [False, True])
async def test_all_streams_end_when_the_service_stops(*, stalls: bool) -> None:
    streams = several()
    answers = [await begun(caught(streams, stalls=stalls)) for _ in range(5)]
    streams.stop()
    for answer in answers:
        await answer.ends()
        assert answer.is_whole
    late = caught(streams)
    await late.ends()
    assert late.status == HTTPStatus.SERVICE_UNAVAILABLE


async def test_a_stream_that_ends_by_itself_is_whole() -> None:
    async def one() -> AsyncGenerator[Frame]:
        yield Frame(id="reg8.sta2", event="Table", data=b"{}")

    answer = caught(several(), frames=one)
    await answer.ends()
    assert answer.body.endswith(b"id: reg8.sta2\nevent: Table\ndata: {}\n\n")
    assert answer.is_whole


async def test_a_fault_in_what_is_told_is_a_fault_of_the_answer() -> None:
    async def broken() -> AsyncGenerator[Frame]:
        yield Frame(id="1", event="Table", data=b"{}")
        raise ValueError("broken")

    streams = several()
    answer = caught(streams, frames=broken)
    with pytest.raises(ValueError, match="broken"):
        await answer.ends()
    assert not answer.is_whole
    assert streams.count() == 0


async def test_one_caller_may_listen_so_often_and_others_still_may() -> None:
    streams = several(most_of_one=2)
    first = [await begun(caught(streams)) for _ in range(2)]
    refused = caught(streams)
    await refused.ends()
    assert refused.status == HTTPStatus.TOO_MANY_REQUESTS
    assert json.loads(refused.body)["type"] == "/problems/too-many-streams"
    other = await begun(caught(streams, subject="somebody else"))
    assert other.status == HTTPStatus.OK
    first[0].leave()
    await first[0].ends()
    assert (await begun(caught(streams))).status == HTTPStatus.OK
    streams.stop()


async def test_so_many_may_listen_altogether() -> None:
    streams = several(most=2)
    for number in range(2):
        assert (await begun(caught(streams, subject=f"s{number}"))).status == HTTPStatus.OK
    refused = caught(streams, subject="s3")
    await refused.ends()
    assert refused.status == HTTPStatus.SERVICE_UNAVAILABLE
    streams.stop()


class Connection:
    """It takes what it has room for."""

    def __init__(self, *, room: int) -> None:
        self.room = room
        self.taken: list[bytes] = []

    def tell(self, chunk: bytes) -> bool:
        if len(self.taken) >= self.room:
            return False
        self.taken.append(chunk)
        return True


def table(number: int) -> Frame:
    return Frame(id=f"reg{number}", event="Table", data=b"{}")


class Heard:
    """A stream of what is newest, on a connection or through all layers, where it may wait for the caller."""

    def __init__(self, connection: Connection | None) -> None:
        self.listener = NewestListener()
        self.sent: list[bytes] = []
        self.takes = asyncio.Event()
        self.takes.set()
        scope = {"type": "http", "extensions": {} if connection is None else {DIRECT: connection}}
        telling = newest(self.listener, nullcontext())
        self.task = asyncio.ensure_future(telling(scope, self._send))

    async def _send(self, message: Message) -> None:
        await self.takes.wait()
        self.sent.append(message["body"])


async def test_what_is_newest_goes_straight_to_a_connection_that_has_room() -> None:
    connection = Connection(room=2)
    heard = Heard(connection)
    await asyncio.sleep(0)
    for number in (1, 2):
        heard.listener.tell(written(table(number)))
    lines = bytes(table(1))
    assert connection.taken[0] == b"%x\r\n%s\r\n" % (len(lines), lines)
    assert (len(connection.taken), heard.sent) == (2, [])
    heard.task.cancel()


async def test_who_is_slow_is_told_the_newest_and_nothing_older_behind_it() -> None:
    connection = Connection(room=1)
    heard = Heard(connection)
    await asyncio.sleep(0)
    heard.takes.clear()
    for number in range(1, 5):
        heard.listener.tell(written(table(number)))
        await asyncio.sleep(0)
    connection.room = 99  # it has taken all, and what waits for it is not on its way yet
    heard.listener.tell(written(table(5)))
    heard.takes.set()
    await asyncio.sleep(0.01)
    assert heard.sent == [bytes(table(2)), bytes(table(5))]
    heard.listener.tell(written(table(6)))
    assert connection.taken == [written(table(1)).chunk, written(table(6)).chunk]
    heard.task.cancel()


async def test_a_server_that_offers_no_connection_tells_the_same() -> None:
    heard = Heard(None)
    await asyncio.sleep(0)
    heard.listener.tell(written(table(1)))
    await asyncio.sleep(0.01)
    assert heard.sent == [bytes(table(1))]
    heard.listener.fail(ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        await asyncio.wait_for(heard.task, 2)


async def test_a_lot_of_pairing_is_told_to_those_who_may_see_drafts() -> None:
    """Who is drawn beside whom is who will meet."""
    drawn = LotDrawn(tournament="mine", purpose="pairing of round 1 of swiss", order=("A", "B"))
    committed = LotSeedCommitted(tournament="mine", commitment="ab" * 32)
    for said, to in ((drawn, SEE_DRAFTS), (committed, LISTEN)):
        kind = type(said).__name__
        message = msgspec.json.encode({"type": kind, "data": said})
        event = Event(id=new_id(), stream="lots-mine", version=1, type=kind, scope="mine", record=b"", message=message)
        told = await telling()(Recorded(position=1, public=1, event=event))
        assert told is not None
        assert (told.type, told.to) == (kind, to)
