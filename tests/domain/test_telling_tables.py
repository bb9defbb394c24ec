"""Many tables that change at once are told in turn, so that whoever asks for something meanwhile is answered between them.
One that stays behind what somebody has heard is told them all the same."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any, cast, override

import pytest

from services.standings.api.responses import Tagged
from services.standings.api.tables.live import AT_ONCE, Circle, ShownTable, TableListener
from shared.http.live_streams import ScopeNotifier, WrittenFrame
from tests.patience import PATIENCE

TABLES, LISTENERS = 5, 2 * AT_ONCE


class Answers:
    """A table that is another one each time."""

    told = 0

    async def seen_by(self, tournament: str, stage: str, *, as_made: bool) -> str:  # noqa: ARG002 - strangers see it
        return "all"

    async def now(self, tournament: str, stage: str) -> Tagged:
        self.told += 1
        return Tagged(inputs=f"reg1.pai1.res{self.told}.sta0", content=f"{tournament} {stage} {self.told}".encode())

    as_made = now


class Counted(TableListener):
    def __init__(self, turns: "Turns") -> None:
        super().__init__(None, None)
        self._turns = turns

    @override
    def hear_of(self, shown: ShownTable | None) -> bool:
        self._turns.heard[self._turns.now] += 1
        return super().hear_of(shown)


class Turns:
    """The rounds of the loop: in each of them all get on that can."""

    def __init__(self) -> None:
        self.now = 0
        self.heard: Counter[int] = Counter()

    async def count(self) -> None:
        while True:
            self.now += 1
            await asyncio.sleep(0)


async def test_of_all_tables_only_some_listeners_are_told_before_others_get_on() -> None:
    notifier, turns, turn = ScopeNotifier(), Turns(), asyncio.Lock()
    counting = asyncio.create_task(turns.count())
    async with AsyncExitStack() as stack:
        for number in range(TABLES):
            circle = Circle(f"cup-{number}", "swiss", *cast("Any", (Answers(), notifier, None)), turn=turn)
            for _ in range(LISTENERS):
                await stack.enter_async_context(circle.listening(Counted(turns), lambda: 0))
        turns.heard.clear()
        notifier.ring_all()
        try:
            async with asyncio.timeout(5):
                while turns.heard.total() < TABLES * LISTENERS:
                    await asyncio.sleep(0)
        finally:
            counting.cancel()
    assert max(turns.heard.values()) == AT_ONCE


class Restored(Answers):
    """A table that stays as it is."""

    @override
    async def now(self, tournament: str, stage: str) -> Tagged:
        return Tagged(inputs="reg4.pai2.res7.sta1", content=f"{tournament} {stage}".encode())

    as_made = now


@pytest.mark.parametrize("heard", ["reg999999.pai2.res7.sta1", "reg4.pai2.res8.sta1", "reg9.pai9.res9.sta9"])
async def test_who_has_heard_more_than_there_is_waits_a_while_and_is_told_though_nothing_rings(
    heard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a backup was restored: nothing happens in the tournament until somebody sees how it stands."""
    monkeypatch.setattr("services.standings.api.tables.live.CAUGHT_UP", 0.5)
    circle = Circle("cup", "swiss", *cast("Any", (Restored(), ScopeNotifier(), None)), turn=asyncio.Lock())
    told = asyncio.Queue[bytes]()
    first, second = Told(heard, told), Told(heard, told)
    async with circle.listening(first, lambda: 0), circle.listening(second, lambda: 0):
        assert told.empty(), "the rest may be about to come"
        async with asyncio.timeout(PATIENCE):
            assert [b"cup swiss" in await told.get() for _ in range(2)] == [True, True]
        await asyncio.sleep(0.2)
        looked = first.heard, second.heard
        await asyncio.sleep(0.7)
        assert told.empty()
        assert (first.heard, second.heard) == looked, "nobody looks again when nobody waits"


class Told(TableListener):
    def __init__(self, known: str, told: asyncio.Queue[bytes]) -> None:
        super().__init__(known, None)
        self._told = told
        self.heard = 0

    @override
    def hear_of(self, shown: ShownTable | None) -> bool:
        self.heard += 1
        return super().hear_of(shown)

    @override
    def tell(self, frame: WrittenFrame) -> None:
        self._told.put_nowait(frame.lines)
