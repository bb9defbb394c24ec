"""What every log promises, asked of each kind of log."""

import asyncio

import pytest

from shared.log.postgres import PostgresStore
from shared.log.store import Answer, Append, EventStore, Head, IdTaken, KeyTaken, Recorded, VersionConflict
from shared.refusals import Unavailable
from tests.events import adding, answer, event, everything
from tests.patience import PATIENCE


async def test_positions_and_public_numbers_have_no_gap(store: EventStore) -> None:
    assert await store.append(adding("a", events=2)) == Head(position=2, public=0)
    assert await store.append(adding("b", events=2, public=True)) == Head(position=4, public=2)
    assert await store.append(adding("a", 2)) == Head(position=5, public=2)
    assert [(r.position, r.public, r.event.stream, r.event.version) for r in await everything(store)] == [
        (1, None, "a", 1),
        (2, None, "a", 2),
        (3, 1, "b", 1),
        (4, 2, "b", 2),
        (5, None, "a", 3),
    ]


async def test_what_is_read_is_what_was_written(store: EventStore) -> None:
    written = event("a", 1, public=True)
    await store.append(Append(expected={"a": 0}, events=[written]))
    assert await store.read() == [Recorded(position=1, public=1, event=written)]


async def test_a_stale_version_refuses_and_writes_nothing(store: EventStore) -> None:
    await store.append(adding("a"))
    with pytest.raises(VersionConflict):
        await store.append(adding("a", answer=answer("key")))
    assert await store.head() == Head(position=1, public=0)
    assert await store.answer(b"key") is None


async def test_an_append_over_several_streams_is_admitted_whole_or_not_at_all(store: EventStore) -> None:
    await store.append(adding("b"))
    with pytest.raises(VersionConflict):
        await store.append(Append(expected={"a": 0, "b": 0}, events=[event("a", 1), event("b", 1)]))
    assert await store.read_stream("a") == []
    await store.append(Append(expected={"a": 0, "b": 1}, events=[event("b", 2), event("a", 1)]))
    assert [(r.event.stream, r.event.version) for r in await everything(store)] == [("b", 1), ("b", 2), ("a", 1)]


async def test_a_stream_that_is_only_read_is_checked_too(store: EventStore) -> None:
    await store.append(adding("roster"))
    with pytest.raises(VersionConflict):
        await store.append(Append(expected={"game": 0, "roster": 0}, events=[event("game", 1)]))
    await store.append(Append(expected={"game": 0, "roster": 1}, events=[event("game", 1)]))


async def test_the_same_append_twice_is_written_once(store: EventStore) -> None:
    append = adding("a", events=2, public=True, answer=answer("key"))
    first = await store.append(append)
    await store.append(adding("b", public=True))
    assert await store.append(append) == first
    assert await store.head() == Head(position=3, public=3)


async def test_the_same_append_at_the_same_time_is_written_once(store: EventStore) -> None:
    append = adding("a", public=True)
    heads = await asyncio.gather(*(store.append(append) for _ in range(5)))
    assert heads == [Head(position=1, public=1)] * 5


async def test_an_id_that_another_event_bears_is_refused(store: EventStore) -> None:
    first = event("a", 1)
    await store.append(Append(expected={"a": 0}, events=[first]))
    with pytest.raises(IdTaken):
        await store.append(Append(expected={"b": 0}, events=[event("b", 1), event("b", 2, identity=first.id)]))
    assert await store.head() == Head(position=1, public=0)


async def test_a_key_is_answered_once(store: EventStore) -> None:
    await store.append(adding("a", answer=answer("key", "first")))
    with pytest.raises(KeyTaken) as taken:
        await store.append(adding("b", answer=answer("key", "second")))
    assert taken.value.answer == answer("key", "first") == await store.answer(b"key")
    assert await store.read_stream("b") == []


async def test_an_answer_is_kept_even_when_nothing_happened(store: EventStore) -> None:
    await store.append(adding("a"))
    kept = Answer(key=b"key", request=b"request", response=b"it was so already")
    assert await store.append(Append(expected={"a": 1}, answer=kept)) == Head(position=1, public=0)
    assert await store.answer(b"key") == kept


async def test_pages_follow_each_other_without_gap(store: EventStore) -> None:
    for stream in ("a", "b"):
        await store.append(adding(stream, events=5, public=stream == "b"))
    first = await store.read(limit=4)
    second = await store.read(after=first[-1].position, limit=4)
    rest = await store.read(after=second[-1].position, limit=4)
    assert [r.position for r in first + second + rest] == list(range(1, 11))
    assert [r.event.version for r in await store.read_stream("b", after=2, limit=2)] == [3, 4]
    assert [r.public for r in await store.read_public(after=1, limit=3)] == [2, 3, 4]
    assert await store.read_stream("nobody") == []


async def test_a_scope_is_read_in_order_over_its_streams(store: EventStore) -> None:
    for stream, scope in (("a", "one"), ("b", "two"), ("c", "one")):
        await store.append(Append(expected={stream: 0}, events=[event(stream, 1, scope=scope)]))
    assert [r.event.stream for r in await store.read_scope("one")] == ["a", "c"]
    assert [r.event.stream for r in await store.read_scope("one", after=1, limit=5)] == ["c"]


async def test_a_follower_gets_what_is_there_and_what_comes(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PostgresStore, "head", away)  # it comes by the bell, not by the look once a heartbeat
    await store.append(adding("a", events=3))
    follower = store.follow(after=1)
    assert [r.position for r in await anext(follower)] == [2, 3]
    coming = asyncio.ensure_future(anext(follower))
    await asyncio.sleep(0)
    await store.append(adding("b"))
    async with asyncio.timeout(PATIENCE):
        assert [r.position for r in await coming] == [4]


async def away(_: PostgresStore) -> Head:
    raise Unavailable("nobody looks")


def test_an_append_must_continue_the_versions_it_expects() -> None:
    with pytest.raises(ValueError, match="does not follow"):
        Append(expected={"a": 1}, events=[event("a", 1)])
    with pytest.raises(ValueError, match="does not follow"):
        Append(expected={"a": 0}, events=[event("a", 2)])
    with pytest.raises(ValueError, match="does not follow"):
        Append(expected={}, events=[event("a", 1)])
