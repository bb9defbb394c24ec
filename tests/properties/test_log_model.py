"""The log against a model of a few lines: whatever is appended in whatever order, both say the same."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from shared.log.memory import MemoryStore
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event, EventStore, Head, IdTaken, KeyTaken, Recorded, Refused, VersionConflict
from tests.databases import empty, fresh_database
from tests.events import answer, event, everything
from tests.exploring import tries

type Opened = tuple[EventStore, AbstractAsyncContextManager[None]]
type Opening = Callable[[], Awaitable[Opened]]

EXAMPLES = settings(
    max_examples=tries(40),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
STREAMS = st.sampled_from(["a", "b", "c"])
KEYS = st.none() | st.sampled_from(["k", "l"])


@dataclass
class Model:
    """What a log is, as simply as it can be said."""

    events: list[Event] = field(default_factory=list[Event])
    keys: set[bytes] = field(default_factory=set[bytes])

    def version(self, stream: str) -> int:
        return sum(known.stream == stream for known in self.events)

    def append(self, append: Append) -> Head | type[Refused]:
        ids = [known.id for known in self.events]
        if any(new.id in ids for new in append.events):
            came_through = all(new in self.events for new in append.events)
            return self.head(ids.index(append.events[-1].id) + 1) if came_through else IdTaken
        if append.answer and append.answer.key in self.keys:
            return KeyTaken
        if any(self.version(stream) != version for stream, version in append.expected.items()):
            return VersionConflict
        self.events += append.events
        self.keys |= {append.answer.key} if append.answer else set()
        return self.head(len(self.events))

    def head(self, position: int) -> Head:
        return Head(position=position, public=sum(e.message is not None for e in self.events[:position]))

    def public_numbers(self) -> list[int | None]:
        totals = accumulate(known.message is not None for known in self.events)
        return [total if known.message is not None else None for known, total in zip(self.events, totals, strict=True)]


async def outcome(store: EventStore, append: Append) -> Head | type[Refused]:
    try:
        return await store.append(append)
    except Refused as refused:
        return type(refused)


def following(versions: dict[str, int], steps: list[tuple[str, bool]], key: str | None) -> Append:
    """An append that expects these versions and adds events after them."""
    reached = dict(versions)
    events: list[Event] = []
    for stream, public in steps:
        reached[stream] += 1
        events.append(event(stream, reached[stream], public=public))
    return Append(expected=versions, events=events, answer=answer(key) if key else None)


class LogMachine(RuleBasedStateMachine):
    """One step after the other: each answer must be the model's."""

    appends: Bundle[Append] = Bundle("appends")

    async def open_store(self) -> Opened:
        raise AssertionError("each test says which store")

    @initialize()
    def open(self) -> None:
        self.model = Model()
        self.runner = asyncio.Runner()
        self.runner.run(self.start())

    async def start(self) -> None:
        self.store, running = await self.open_store()
        self.stack = AsyncExitStack()
        await self.stack.enter_async_context(running)

    def teardown(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()

    @rule(
        target=appends,
        steps=st.lists(st.tuples(STREAMS, st.booleans()), max_size=4),
        seen=st.sets(STREAMS, max_size=2),
        off_by=st.sampled_from([0, 0, 0, 1]),
        key=KEYS,
    )
    def append(self, steps: list[tuple[str, bool]], seen: set[str], off_by: int, key: str | None) -> Append:
        streams = sorted(seen | {stream for stream, _ in steps})
        assume(streams or key)
        append = following({stream: self.model.version(stream) + off_by for stream in streams}, steps, key)
        self.try_both(append)
        return append

    @rule(append=appends)
    def repeat(self, append: Append) -> None:
        self.try_both(append)

    @rule(append=appends, other=appends)
    def take_an_id_of_another(self, append: Append, other: Append) -> None:
        assume(append.events and other.events)
        stream = append.events[0].stream
        version = self.model.version(stream)
        ids = [append.events[0].id, other.events[-1].id]
        assume(ids[0] != ids[1])
        events = [event(stream, version + n, identity=identity) for n, identity in enumerate(ids, start=1)]
        self.try_both(Append(expected={stream: version}, events=events))

    @rule(after=st.integers(0, 12), limit=st.integers(1, 5), stream=STREAMS)
    def read(self, after: int, limit: int, stream: str) -> None:
        page = self.runner.run(self.store.read(after=after, limit=limit))
        assert [r.event for r in page] == self.model.events[after : after + limit]
        assert [r.public for r in page] == self.model.public_numbers()[after : after + limit]
        own = [known for known in self.model.events if known.stream == stream]
        page = self.runner.run(self.store.read_stream(stream, after=after, limit=limit))
        assert [r.event for r in page] == own[after : after + limit]

    def try_both(self, append: Append) -> None:
        assert self.runner.run(outcome(self.store, append)) == self.model.append(append)


async def memory() -> Opened:
    return MemoryStore(), nullcontext()


def in_postgres(server: str) -> Opening:
    with asyncio.Runner() as runner:
        database = runner.run(fresh_database(server))

    async def opening() -> Opened:
        await empty(server, database)
        store = PostgresStore(database)
        return store, store.running()

    return opening


@pytest.fixture(params=["memory", "postgres"])
def opening(request: pytest.FixtureRequest) -> Opening:
    return memory if request.param == "memory" else in_postgres(request.getfixturevalue("server"))


def test_every_answer_is_the_models(opening: Opening) -> None:
    class Machine(LogMachine):
        async def open_store(self) -> Opened:
            return await opening()

    run_state_machine_as_test(Machine, settings=EXAMPLES)


@EXAMPLES
@given(
    appends=st.lists(
        st.tuples(st.sets(STREAMS, min_size=1, max_size=2), st.integers(0, 3), st.booleans(), KEYS), max_size=25
    )
)
def test_appends_at_the_same_time_happen_one_after_the_other(
    opening: Opening, appends: list[tuple[set[str], int, bool, str | None]]
) -> None:
    """In the order of the log, the model admits exactly what the log admitted, and refuses the rest at some moment."""
    together = [
        following(dict.fromkeys(streams, version), [(stream, public) for stream in sorted(streams)], key)
        for streams, version, public, key in appends
    ]

    async def race() -> tuple[list[Head | type[Refused]], list[Recorded]]:
        store, running = await opening()
        async with running:
            return await asyncio.gather(*(outcome(store, append) for append in together)), await everything(store)

    with asyncio.Runner() as runner:
        outcomes, log = runner.run(race())
    admitted = sorted(
        ((head.position, append) for head, append in zip(outcomes, together, strict=True) if isinstance(head, Head)),
        key=itemgetter(0),
    )
    refused = [(why, append) for why, append in zip(outcomes, together, strict=True) if not isinstance(why, Head)]
    model = Model()
    for position, append in [(0, None), *admitted]:
        if append is not None:
            assert model.append(append) == model.head(position)
        refused = [(why, late) for why, late in refused if deepcopy(model).append(late) != why]
    assert not refused
    assert [r.event for r in log] == model.events
    assert [r.public for r in log] == model.public_numbers()
