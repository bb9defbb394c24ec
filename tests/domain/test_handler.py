"""How a command becomes history: decided on the latest state, written once, answered the same when repeated."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import msgspec
import pytest

from shared.commands import handler as handle
from shared.commands.decider import Decider, UnknownEvent
from shared.commands.handler import (
    ATTEMPTS,
    ActPart,
    ChangedSince,
    Handled,
    Handler,
    Key,
    KeyReused,
    Origin,
    Reliance,
    Turns,
)
from shared.ids import new_id
from shared.log.envelope import Envelope, Message
from shared.log.memory import MemoryStore
from shared.log.store import PAGE, Append, Head, Overloaded, Recorded, VersionConflict
from shared.refusals import Conflict, Refusal
from shared.values import Value
from tests.events import everything
from tests.patience import PATIENCE

MOST = 2_000
SCORER = Origin(actor="scorer")
NOW = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)


class Score(Value):
    """So many points for a player, one at a time, of all that there are."""

    points: int


class Scored(Value):
    total: int


class Told(Value):
    total: int


class NoPointsLeft(Conflict):
    """There are not that many left."""


def decide(total: int, command: Score) -> list[Scored]:
    if total + command.points > MOST:
        raise NoPointsLeft("There are not that many points left.")
    return [Scored(total=total + n) for n in range(1, command.points + 1)]


SHEET: Decider[int, Score, Scored] = Decider(
    kind="sheet", initial=0, decide=decide, evolve=lambda _, event: event.total, events=(Scored,)
)

type Sheets = Handler[int, Score, Scored]


def sheets(store: MemoryStore, *, publish: Callable[[Scored], Told | None] = lambda _: None) -> Sheets:
    return Handler(decider=SHEET, publish=publish, store=store, now=lambda: NOW, new_id=new_id, service="sheets")


def tell(event: Scored) -> Told:
    return Told(total=event.total)


def shown(total: int, version: int) -> bytes:
    return f"{total} points in version {version}".encode()


def key(name: str, request: str = "as it was asked") -> Key:
    return Key(key=name.encode(), request=request.encode())


async def score(
    handler: Sheets,
    points: int,
    with_key: Key | None = None,
    *,
    sheet: str = "s1",
    over: Collection[int] | None = None,
    also: Sequence[ActPart] = (),
    relying: Reliance | None = None,
) -> Handled:
    return await handler.handle(
        sheet,
        Score(points=points),
        scope="t1",
        origin=SCORER,
        respond=shown,
        key=with_key,
        versions=over,
        also=also,
        relying=relying,
    )


@dataclass
class Contested(MemoryStore):
    """A log to which somebody else writes at the worst moment: after we have read, before we append."""

    meanwhile: Callable[[], Awaitable[object]]
    times: int
    conflicts: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        super().__init__()

    async def append(self, append: Append) -> Head:
        if self.times:
            self.times -= 1
            await self.meanwhile()
        try:
            return await super().append(append)
        except VersionConflict:
            self.conflicts += 1
            raise


def contested(points: int, times: int, with_key: Callable[[], Key | None] = lambda: None) -> Contested:
    async def meanwhile() -> None:
        times_left, store.times = store.times, 0
        await score(sheets(store), points, with_key())
        store.times = times_left

    store = Contested(meanwhile=meanwhile, times=times)
    return store


class Unhurried(MemoryStore):
    """A log that takes its time, so that callers could come between a reading and a writing."""

    attempts = 0

    async def append(self, append: Append) -> Head:
        self.attempts += 1
        await asyncio.sleep(0)
        return await super().append(append)

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        await asyncio.sleep(0)
        return await super().read_stream(stream, after=after, limit=limit)


async def test_what_is_decided_happens() -> None:
    handler = sheets(MemoryStore(), publish=lambda event: Told(total=event.total) if event.total > 2 else None)
    assert await score(handler, 3) == Handled(response=b"3 points in version 3", head=Head(position=3, public=1))
    assert await score(handler, 2) == Handled(response=b"5 points in version 5", head=Head(position=5, public=3))
    assert await handler.load("s1") == (5, 5)


async def test_streams_know_nothing_of_each_other() -> None:
    handler = sheets(MemoryStore())
    await score(handler, 3)
    assert (await score(handler, 1, sheet="s2")).response == b"1 points in version 1"
    assert await handler.load("nobody") == (0, 0)


async def test_what_is_refused_leaves_no_trace() -> None:
    store = MemoryStore()
    with pytest.raises(NoPointsLeft):
        await score(sheets(store), MOST + 1, key("k"))
    assert await everything(store) == []
    assert await store.answer(b"k") is None


async def test_a_refused_key_may_be_used_again() -> None:
    handler = sheets(MemoryStore())
    with pytest.raises(NoPointsLeft):
        await score(handler, MOST + 1, key("k", "too many"))
    assert (await score(handler, 1, key("k", "one"))).response == b"1 points in version 1"


async def test_when_nothing_happens_the_state_is_answered() -> None:
    store = MemoryStore()
    await score(sheets(store), 3)
    assert await score(sheets(store), 0) == Handled(response=b"3 points in version 3", head=Head(position=3, public=0))
    assert await store.head() == Head(position=3, public=0)


async def test_when_nothing_happens_the_answer_is_kept_all_the_same() -> None:
    store = MemoryStore()
    first = await score(sheets(store), 0, key("k"))
    assert first == Handled(response=b"0 points in version 0", head=Head(position=0, public=0))
    await score(sheets(store), 3)
    assert (await score(sheets(store), 0, key("k"))).response == first.response


async def test_a_repeated_key_gets_the_first_answer_whatever_has_happened_since() -> None:
    handler = sheets(MemoryStore(), publish=tell)
    first = await score(handler, 2, key("k"))
    await score(handler, 5)
    repeated = await score(handler, 2, key("k"))
    assert repeated == Handled(response=first.response, head=Head(position=7, public=7))
    assert await handler.load("s1") == (7, 7)


async def test_a_repeated_key_gets_the_first_answer_even_when_deciding_anew_would_refuse() -> None:
    handler = sheets(MemoryStore())
    first = await score(handler, MOST, key("k"))
    with pytest.raises(NoPointsLeft):
        await score(handler, MOST)
    with pytest.raises(NoPointsLeft):
        await score(handler, MOST, key("another"))
    assert await score(handler, MOST, key("k")) == first


async def test_a_repeated_key_gets_the_first_answer_on_another_stream_too() -> None:
    """An act that makes a new stream has a new id each time that it is asked."""
    handler = sheets(MemoryStore())
    first = await score(handler, 2, key("k"))
    assert await score(handler, 2, key("k"), sheet="s2") == first
    assert await handler.load("s2") == (0, 0)


async def test_a_key_is_for_one_request_only() -> None:
    store = MemoryStore()
    await score(sheets(store), MOST, key("k", "all points"))
    for points in (0, 1):  # deciding anew would yield nothing, or refuse
        with pytest.raises(KeyReused, match="new key"):
            await score(sheets(store), points, key("k", f"{points} points"))
    assert await store.head() == Head(position=MOST, public=0)


async def test_a_lost_race_is_run_again_on_what_has_happened() -> None:
    store = contested(points=3, times=1)
    assert (await score(sheets(store), 2)).response == b"5 points in version 5"
    assert store.conflicts == 1


async def test_a_lost_race_may_end_in_a_refusal() -> None:
    store = contested(points=MOST, times=1)
    with pytest.raises(NoPointsLeft):
        await score(sheets(store), 1, key("k"))
    assert await store.head() == Head(position=MOST, public=0)


async def test_a_race_against_the_same_key_is_answered_like_the_winner() -> None:
    store = contested(points=2, times=1, with_key=lambda: key("k"))
    assert (await score(sheets(store), 2, key("k"))).response == b"2 points in version 2"
    assert await store.head() == Head(position=2, public=0)


async def test_a_race_against_the_same_key_for_something_else_is_refused() -> None:
    store = contested(points=2, times=1, with_key=lambda: key("k", "something else"))
    with pytest.raises(KeyReused):
        await score(sheets(store), 2, key("k"))


async def test_races_are_not_run_for_ever() -> None:
    barely = contested(points=1, times=ATTEMPTS - 1)
    assert (await score(sheets(barely), 1)).response == f"{ATTEMPTS} points in version {ATTEMPTS}".encode()
    never = contested(points=1, times=ATTEMPTS)
    with pytest.raises(Overloaded, match="too many processes"):
        await score(sheets(never), 1)
    assert never.conflicts == ATTEMPTS


async def test_callers_of_one_process_do_not_race_each_other() -> None:
    store = Unhurried()
    handler = sheets(store)
    handled = await asyncio.gather(*(score(handler, 1) for _ in range(50)))
    assert [each.response for each in handled] == [shown(n, n) for n in range(1, 51)]
    assert store.attempts == 50


async def test_callers_of_different_streams_do_not_wait_for_each_other() -> None:
    store = Unhurried()
    handler = sheets(store)
    crowd = [asyncio.ensure_future(score(handler, 1)) for _ in range(50)]
    await score(handler, 1, sheet="s2")
    assert not any(each.done() for each in crowd[2:])
    await asyncio.gather(*crowd)


async def test_whoever_gives_up_waiting_lets_the_next_one_go_on() -> None:
    handler = sheets(Unhurried())
    first, second, third = (asyncio.ensure_future(score(handler, 1)) for _ in range(3))
    await asyncio.sleep(0)
    first.cancel()
    second.cancel()
    assert (await third).response == b"1 points in version 1"


async def test_callers_of_two_processes_lose_nothing() -> None:
    store = Unhurried()
    copies = [sheets(store), sheets(store)]
    await asyncio.gather(*(score(handler, 1) for handler in copies for _ in range(15)))
    assert await copies[0].load("s1") == (30, 30)
    assert [r.event.version for r in await store.read_stream("sheet-s1")] == list(range(1, 31))


async def test_an_act_over_the_version_that_was_seen_happens() -> None:
    handler = sheets(MemoryStore())
    await score(handler, 3, over=[0])
    assert (await score(handler, 1, over=[2, 3])).response == b"4 points in version 4"


async def test_an_act_over_another_version_than_was_seen_does_not_happen() -> None:
    store = MemoryStore()
    await score(sheets(store), 3)
    for over in ([2], [4], []):
        with pytest.raises(ChangedSince, match="read it again"):
            await score(sheets(store), 1, over=over)
    assert await store.head() == Head(position=3, public=0)


async def test_a_repeated_act_is_not_told_that_it_has_itself_changed_the_version() -> None:
    handler = sheets(MemoryStore())
    first = await score(handler, 3, key("k"), over=[0])
    assert await score(handler, 3, key("k"), over=[0]) == first


async def test_turns_come_in_the_order_in_which_they_were_asked_for_whoever_goes_away() -> None:
    turns, order = Turns(), list[int]()

    async def take(number: int) -> None:
        await turns.take("game-1")
        try:
            order.append(number)
            await asyncio.sleep(0)
        finally:
            turns.leave("game-1")
            if number == 0:
                waiting[2].cancel()  # in the moment in which its turn has come

    waiting = [asyncio.create_task(take(number)) for number in range(6)]
    await asyncio.sleep(0)
    waiting[1].cancel()  # while it waits
    await asyncio.wait(waiting)
    assert order == [0, 3, 4, 5]
    async with asyncio.timeout(PATIENCE):
        await take(6)  # nobody has kept it


async def test_a_lost_race_is_not_run_again_over_a_version_that_nobody_saw() -> None:
    store = contested(points=3, times=1)
    with pytest.raises(ChangedSince):
        await score(sheets(store), 2, over=[0])
    assert await store.head() == Head(position=3, public=0)


def scored_beside(handler: Sheets, points: int) -> Sequence[ActPart]:
    return [handler.part("s2", Score(points=points), scope="t1", origin=SCORER)]


async def test_what_happens_beside_an_act_happens_with_it() -> None:
    handler = sheets(MemoryStore())
    handled = await score(handler, 3, also=scored_beside(handler, 2))
    assert handled == Handled(response=b"3 points in version 3", head=Head(position=5, public=0))
    assert await handler.load("s2") == (2, 2)


async def test_what_happens_beside_an_act_may_go_on_with_what_is_there() -> None:
    handler = sheets(MemoryStore())
    await score(handler, 2, sheet="s2")
    await score(handler, 3, also=scored_beside(handler, 2))
    assert (await handler.load("s1"), await handler.load("s2")) == ((3, 3), (4, 4))


@pytest.mark.parametrize("with_key", [None, key("k")])
async def test_what_is_to_happen_beside_an_act_that_changes_nothing_happens(with_key: Key | None) -> None:
    handler = sheets(MemoryStore())
    handled = await score(handler, 0, with_key, also=scored_beside(handler, 2))
    assert handled == Handled(response=b"0 points in version 0", head=Head(position=2, public=0))
    assert await handler.load("s2") == (2, 2)


async def test_an_act_of_several_parts_that_change_nothing_writes_nothing() -> None:
    handler = sheets(MemoryStore())
    handled = await score(handler, 0, also=scored_beside(handler, 0))
    assert handled.head == Head(position=0, public=0)


async def test_what_was_to_happen_beside_a_refused_act_does_not_happen() -> None:
    store = MemoryStore()
    handler = sheets(store)
    with pytest.raises(NoPointsLeft):
        await score(handler, MOST + 1, also=scored_beside(handler, 2))
    assert await everything(store) == []


async def test_an_act_does_not_happen_when_what_belongs_to_it_is_refused() -> None:
    store = MemoryStore()
    handler = sheets(store)
    with pytest.raises(NoPointsLeft):
        await score(handler, 2, key("k"), also=scored_beside(handler, MOST + 1))
    assert await everything(store) == []


async def test_an_act_is_decided_again_when_somebody_was_faster_beside_it() -> None:
    async def meanwhile() -> None:
        await score(sheets(store), 3, sheet="s2")

    store = Contested(meanwhile=meanwhile, times=0)
    handler = sheets(store)
    store.times = 1
    await score(handler, 1, also=scored_beside(handler, 2))
    assert (await handler.load("s1"), await handler.load("s2")) == ((1, 1), (5, 5))
    assert store.conflicts == 1


async def test_an_act_is_decided_again_when_somebody_has_moved_what_it_relies_on() -> None:
    async def meanwhile() -> None:
        await score(sheets(store), 3, sheet="s2")

    async def points_there() -> dict[str, int]:
        total, version = await handler.load("s2")
        seen.append(total)
        return {"sheet-s2": version}

    seen: list[int] = []
    store = Contested(meanwhile=meanwhile, times=1)
    handler = sheets(store)
    await score(handler, 1, relying=points_there)
    assert (await handler.load("s1"), await handler.load("s2")) == ((1, 1), (3, 3))
    assert (seen, store.conflicts) == ([0, 3], 1)


async def test_an_act_does_not_happen_when_what_it_relies_on_is_no_longer_so() -> None:
    async def all_given_away() -> dict[str, int]:
        raise NoPointsLeft("Somebody else has them.")

    store = MemoryStore()
    with pytest.raises(NoPointsLeft):
        await score(sheets(store), 1, relying=all_given_away)
    assert await everything(store) == []


def standing_at_least(handler: Sheets, least: int) -> Sequence[ActPart]:
    def require(total: int) -> None:
        if total < least:
            raise NoPointsLeft("There are not that many points yet.")

    return [handler.standing("s2", require)]


async def test_an_act_that_rests_on_what_was_seen_last_asks_for_nothing() -> None:
    store = Counted()
    handler = sheets(store)
    await score(handler, 3, sheet="s2")
    await score(handler, 1)
    store.questions = 0
    await score(handler, 1, also=standing_at_least(handler, 3))
    assert (store.questions, await handler.load("s1")) == (0, (2, 2))


async def test_an_act_happens_where_somebody_else_has_brought_about_what_it_rests_on() -> None:
    store = MemoryStore()
    handler = sheets(store)
    await score(handler, 1, sheet="s2")
    await score(sheets(store), 2, sheet="s2")
    await score(handler, 1, also=standing_at_least(handler, 3))
    assert await handler.load("s1") == (1, 1)


async def test_an_act_does_not_happen_where_what_it_rests_on_was_never_there() -> None:
    store = MemoryStore()
    handler = sheets(store)
    await score(handler, 2, sheet="s2")
    with pytest.raises(NoPointsLeft):
        await score(handler, 1, also=standing_at_least(handler, 3))
    assert await store.head() == Head(position=2, public=0)


async def test_what_an_act_rests_on_is_looked_at_again_when_it_has_moved() -> None:
    async def meanwhile() -> None:
        await score(sheets(store), 3, sheet="s2")

    store = Contested(meanwhile=meanwhile, times=0)
    handler = sheets(store)
    await score(handler, 1, sheet="s2")
    store.times = 1
    await score(handler, 1, also=standing_at_least(handler, 1))
    assert (await handler.load("s1"), await handler.load("s2"), store.conflicts) == ((1, 1), (4, 4), 1)


async def test_a_repeated_act_of_several_parts_happens_once() -> None:
    handler = sheets(MemoryStore())
    first = await score(handler, 1, key("k"), also=scored_beside(handler, MOST))
    assert await score(handler, 1, key("k"), also=scored_beside(handler, MOST)) == first
    assert (await handler.load("s1"), await handler.load("s2")) == ((1, 1), (MOST, MOST))


class Counted(MemoryStore):
    """A log that counts what is read of its streams."""

    read_events = questions = 0

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        self.questions += 1
        page = await super().read_stream(stream, after=after, limit=limit)
        self.read_events += len(page)
        return page


async def test_a_command_on_a_long_stream_reads_only_what_is_new() -> None:
    store = Counted()
    handler, elsewhere = sheets(store), sheets(store)
    await score(handler, MOST - 10)
    await handler.load("s1")
    store.read_events = 0
    assert (await score(handler, 3)).response == shown(MOST - 7, MOST - 7)
    assert store.read_events == 0
    await score(elsewhere, 2)
    store.read_events = 0
    assert (await score(handler, 1)).response == shown(MOST - 4, MOST - 4)
    assert store.read_events == 2


async def test_what_another_process_has_written_counts_as_if_it_were_our_own() -> None:
    store = MemoryStore()
    handler, elsewhere = sheets(store), sheets(store)
    await score(handler, 1)
    await score(elsewhere, MOST - 1)
    with pytest.raises(NoPointsLeft):
        await score(handler, 1)


async def test_only_the_streams_that_were_asked_for_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Counted()
    await score(sheets(store), 10, sheet="s1")
    monkeypatch.setattr(handle, "REMEMBERED", 2 * sum(len(one.event.record) for one in await store.read()))
    handler = sheets(store)
    await handler.load("s1")
    for sheet in ("s2", "s3"):
        await score(handler, 10, sheet=sheet)
    for sheet in ("s1", "s2", "s1", "s3", "nobody"):  # which forgets s2
        await handler.load(sheet)
    read: dict[str, int] = {}
    for sheet in ("s1", "s3", "s2"):
        store.read_events = 0
        assert await handler.load(sheet) == (10, 10)
        read[sheet] = store.read_events
    assert read == {"s1": 0, "s3": 0, "s2": 10}


async def test_what_is_foreseen_does_not_happen() -> None:
    store = MemoryStore()
    handler = sheets(store)
    await score(handler, 3)
    assert await handler.foresee("s1", Score(points=1)) == (3, [Scored(total=4)])
    with pytest.raises(NoPointsLeft):
        await handler.foresee("s1", Score(points=MOST))
    assert await store.head() == Head(position=3, public=0)


async def test_the_record_tells_all_about_an_event() -> None:
    store = MemoryStore()
    handler = dataclasses.replace(sheets(store, publish=tell), new_id=lambda: UUID(int=7))
    origin = Origin(actor="person-1", role="scorer", operation="score", causation="results:12", trace="act-9")
    await handler.handle("s1", Score(points=1), scope="t1", origin=origin, respond=shown)
    ((recorded, stored),) = [(r, r.event) for r in await everything(store)]
    assert stored.message is not None
    envelope = msgspec.json.decode(stored.record, type=Envelope)
    assert envelope == Envelope(
        id=UUID(int=7),
        stream="sheet-s1",
        version=1,
        type="Scored",
        scope="t1",
        at=NOW,
        actor="person-1",
        role="scorer",
        operation="score",
        causation="results:12",
        trace="act-9",
        data=envelope.data,
        public=sha256(stored.message).hexdigest(),
    )
    assert SHEET.read(recorded) == Scored(total=1)
    assert (stored.id, stored.stream, stored.version) == (envelope.id, envelope.stream, envelope.version)
    assert (stored.type, stored.scope) == (envelope.type, envelope.scope)


async def test_neighbours_are_told_what_is_public_and_no_more() -> None:
    store = MemoryStore()
    handler = dataclasses.replace(sheets(store, publish=tell), new_id=lambda: UUID(int=7))
    origin = Origin(actor="person-1", causation="results:12", trace="act-9")
    await handler.handle("s1", Score(points=1), scope="t1", origin=origin, respond=shown)
    (recorded,) = await store.read_public()
    assert recorded.event.message is not None
    message = msgspec.json.decode(recorded.event.message, type=Message)
    assert message == Message(id=UUID(int=7), type="Told", scope="t1", at=NOW, trace="act-9", data=message.data)
    assert msgspec.json.decode(message.data, type=Told) == Told(total=1)
    assert b"person-1" not in recorded.event.message


async def test_what_is_not_public_has_no_message() -> None:
    store = MemoryStore()
    await score(sheets(store), 1)
    (recorded,) = await everything(store)
    assert (recorded.public, recorded.event.message) == (None, None)
    assert msgspec.json.decode(recorded.event.record, type=Envelope).public is None


async def test_every_event_has_an_id_of_its_own_and_the_next_version() -> None:
    store = MemoryStore()
    await score(sheets(store), 3)
    log = [msgspec.json.decode(r.event.record, type=Envelope) for r in await everything(store)]
    assert [envelope.version for envelope in log] == [1, 2, 3]
    assert len({envelope.id for envelope in log}) == 3
    assert [SHEET.read(r).total for r in await everything(store)] == [1, 2, 3]


async def test_an_event_of_a_newer_version_stops_whoever_does_not_know_it() -> None:
    store = MemoryStore()
    await score(sheets(store), 1)
    older = dataclasses.replace(sheets(store), decider=dataclasses.replace(SHEET, events=()))
    with pytest.raises(UnknownEvent, match="Scored at position 1: run a newer version"):
        await score(older, 1)
    assert await store.head() == Head(position=1, public=0)


@pytest.mark.parametrize("events", [PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 7])
async def test_long_streams_are_read_to_their_end(events: int) -> None:
    handler = sheets(MemoryStore())
    await score(handler, events)
    assert await handler.load("s1") == (events, events)
    assert (await score(handler, 1)).response == shown(events + 1, events + 1)


def test_every_refusal_is_of_one_kind() -> None:
    assert issubclass(KeyReused, Refusal)
