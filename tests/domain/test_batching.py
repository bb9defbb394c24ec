"""What goes into the next batch of writes, and what has to wait."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.log import queue as batching
from shared.log.queue import MOST_BYTES, MOST_EVENTS, Batches, QueuedAppend
from shared.log.store import Append, Overloaded
from shared.refusals import Unavailable
from tests.events import adding, answer, event


def appends(batch: list[QueuedAppend]) -> list[Append]:
    return [waiting.append for waiting in batch]


def queue(*put: Append) -> Batches:
    batches = Batches()
    for append in put:
        batches.put(append)
    return batches


def over(*streams: str) -> Append:
    return Append(expected=dict.fromkeys(streams, 0), events=[event(stream, 1) for stream in streams])


def heavy(stream: str, size: int) -> Append:
    return Append(expected={stream: 0}, events=[replace(event(stream, 1), record=bytes(size))])


async def all_batches(batches: Batches) -> list[list[Append]]:
    batches.close()
    found: list[list[Append]] = []
    while batch := await batches.next():
        found.append(appends(batch))
    return found


async def test_what_waits_goes_together_in_the_order_it_came() -> None:
    a, b, c = adding("a"), adding("b"), adding("c")
    assert await all_batches(queue(a, b, c)) == [[a, b, c]]


async def test_a_batch_is_made_as_soon_as_there_is_work() -> None:
    batches = Batches()
    coming = asyncio.ensure_future(batches.next())
    await asyncio.sleep(0)
    assert not coming.done()
    a = adding("a")
    batches.put(a)
    assert appends(await coming) == [a]


async def test_a_stream_is_once_in_a_batch() -> None:
    first, second, third, other = adding("a"), adding("a", 1), adding("a", 2), adding("b")
    assert await all_batches(queue(first, second, third, other)) == [[first, other], [second], [third]]


async def test_a_key_is_once_in_a_batch() -> None:
    first, second, other = (adding(s, answer=answer(k)) for s, k in (("a", "key"), ("b", "key"), ("c", "other")))
    assert await all_batches(queue(first, second, other)) == [[first, other], [second]]


async def test_a_stream_that_is_only_read_counts_too() -> None:
    moves, reads = adding("roster"), Append(expected={"game": 0, "roster": 1}, events=[event("game", 1)])
    assert await all_batches(queue(moves, reads)) == [[moves], [reads]]


async def test_whoever_is_held_back_is_not_overtaken() -> None:
    first, held, behind, free = over("a"), over("a", "b"), over("b"), over("c")
    assert await all_batches(queue(first, held, behind, free)) == [[first, free], [held], [behind]]


async def test_whoever_is_held_back_goes_before_later_ones() -> None:
    batches = queue(first := adding("a"), held := adding("a", 1))
    assert appends(await batches.next()) == [first]
    batches.put(late := adding("a", 2))
    assert await all_batches(batches) == [[held], [late]]


async def test_a_batch_has_not_too_many_events() -> None:
    half = MOST_EVENTS // 2
    a, b, c = (adding(stream, events=half) for stream in ("a", "b", "c"))
    assert await all_batches(queue(a, b, c)) == [[a, b], [c]]


async def test_an_append_without_events_counts_as_one() -> None:
    silent = [Append(expected={}, answer=answer(f"key {number}")) for number in range(MOST_EVENTS + 1)]
    assert await all_batches(queue(*silent)) == [silent[:-1], silent[-1:]]


async def test_a_batch_is_not_too_heavy() -> None:
    a, b, c = (heavy(stream, MOST_BYTES // 2) for stream in ("a", "b", "c"))
    assert await all_batches(queue(a, b, c)) == [[a, b], [c]]


async def test_what_is_larger_than_any_batch_goes_alone() -> None:
    small, many, weighty = adding("a"), adding("b", events=MOST_EVENTS + 1), heavy("c", MOST_BYTES + 1)
    assert await all_batches(queue(small, many, weighty, small)) == [[small], [many], [weighty], [small]]


async def test_whoever_has_gone_away_is_not_written() -> None:
    batches = Batches()
    gone = batches.put(adding("a"))
    batches.put(stays := adding("a"))
    gone.outcome.cancel()
    assert await all_batches(batches) == [[stays]]


async def test_when_all_have_gone_away_the_next_ones_are_waited_for() -> None:
    batches = Batches()
    coming = asyncio.ensure_future(batches.next())
    batches.put(adding("a")).outcome.cancel()
    await asyncio.sleep(0)
    batches.put(stays := adding("b"))
    assert appends(await coming) == [stays]


async def test_any_number_may_go_away_one_after_the_other() -> None:
    batches = Batches()
    coming = asyncio.ensure_future(batches.next())
    for _ in range(2_000):
        batches.put(adding("a")).outcome.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    batches.put(stays := adding("a"))
    assert appends(await coming) == [stays]


async def test_too_many_waiting_turn_the_next_one_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_WAITING", 2)
    batches = queue(first := adding("a"), second := adding("b"))
    with pytest.raises(Overloaded):
        batches.put(adding("c"))
    assert appends(await batches.next()) == [first, second]
    batches.put(adding("c"))


async def test_too_much_waiting_turns_the_next_one_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_BYTES_WAITING", 100)
    batches = queue(first := heavy("a", 99), held := heavy("a", 100))
    with pytest.raises(Overloaded):
        batches.put(adding("c"))
    assert appends(await batches.next()) == [first]
    with pytest.raises(Overloaded):
        batches.put(adding("c"))
    assert appends(await batches.next()) == [held]
    batches.put(adding("c"))


async def test_whoever_has_gone_away_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_BYTES_WAITING", 100)
    batches = queue(first := adding("a"))
    batches.put(heavy("b", 200)).outcome.cancel()
    with pytest.raises(Overloaded):
        batches.put(adding("c"))
    assert appends(await batches.next()) == [first]
    batches.put(adding("c"))


async def test_a_closed_queue_gives_what_it_has_and_takes_no_more() -> None:
    batches = queue(first := adding("a"), second := adding("a", 1))
    batches.close()
    with pytest.raises(Unavailable, match="stopping"):
        batches.put(adding("b"))
    assert await all_batches(batches) == [[first], [second]]
    assert await batches.next() == []


async def test_closing_wakes_whoever_waits_for_work() -> None:
    batches = Batches()
    coming = asyncio.ensure_future(batches.next())
    await asyncio.sleep(0)
    batches.close()
    assert await coming == []


async def test_a_closed_queue_of_which_all_have_gone_away_is_empty() -> None:
    batches = Batches()
    batches.put(adding("a")).outcome.cancel()
    assert await all_batches(batches) == []


async def test_all_that_waits_can_be_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_BYTES_WAITING", 100)
    batches = queue(first := adding("a"), second := heavy("a", 200))
    assert appends(batches.take_all()) == [first, second]
    assert batches.take_all() == []
    batches.put(adding("b"))


@given(
    wanted=st.lists(st.tuples(st.sets(st.sampled_from("abc"), max_size=2), st.none() | st.sampled_from("kl"))),
    limit=st.integers(1, 5),
)
def test_everything_goes_once_and_nobody_is_overtaken(wanted: list[tuple[set[str], str | None]], limit: int) -> None:
    put = [replace(over(*sorted(streams)), answer=answer(key) if key else None) for streams, key in wanted]

    async def batched() -> list[list[Append]]:
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(batching, "MOST_EVENTS", limit)
            return await all_batches(queue(*put))

    with asyncio.Runner() as runner:
        batches = runner.run(batched())
    went = [append for batch in batches for append in batch]
    assert sorted(map(id, went)) == sorted(map(id, put))
    for claim in "abckl":
        claimed = [append for append in put if claim in claims(append)]
        assert [id(append) for append in went if claim in claims(append)] == list(map(id, claimed))
        assert all(sum(claim in claims(append) for append in batch) <= 1 for batch in batches)


def claims(append: Append) -> set[str]:
    return {*append.expected, append.answer.key.decode()} if append.answer else {*append.expected}
