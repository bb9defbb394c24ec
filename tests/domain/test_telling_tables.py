"""Many tables that change at once are told in turn, so that whoever asks for something meanwhile is answered between them."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any, cast, override

from services.standings.api.responses import Tagged
from services.standings.api.tables.live import AT_ONCE, Circle, ShownTable, TableListener
from shared.http.live_streams import ScopeNotifier

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
