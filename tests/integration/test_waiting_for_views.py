"""How long somebody waits for what was written last: as long as the tables go on, and never for long."""

import asyncio
from collections.abc import Sequence
from typing import override

import pytest

from shared.log import follower
from shared.log.follower import LogFollower
from shared.log.memory import MemoryStore
from shared.log.store import Recorded
from shared.refusals import Unavailable
from tests.events import adding
from tests.patience import PATIENCE

EVENTS = 5


class Slow(LogFollower):
    """Shows one event after the other when it is told to."""

    @override
    async def _begin(self) -> int:
        return 0

    @override
    async def _take(self, page: Sequence[Recorded]) -> None:
        raise NotImplementedError

    def show(self, position: int) -> None:
        self._move(position)


@pytest.fixture
async def slow() -> Slow:
    store = MemoryStore()
    for number in range(EVENTS):
        await store.append(adding(f"s{number}"))
    return Slow(name="slow", version=1, store=store)


async def test_whoever_waits_sees_what_was_there_when_they_asked(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "PATIENCE", PATIENCE)
    monkeypatch.setattr(follower, "MOST", PATIENCE)
    waiting = asyncio.create_task(slow.caught_up())
    for position in range(1, EVENTS):
        await asyncio.sleep(0)
        slow.show(position)
        await asyncio.sleep(0)
        assert not waiting.done()
    slow.show(EVENTS)
    await waiting


@pytest.mark.parametrize("limit", ["PATIENCE", "MOST"])
async def test_nobody_waits_for_long(slow: Slow, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    for name in ("PATIENCE", "MOST"):
        monkeypatch.setattr(follower, name, 0.01 if name == limit else PATIENCE)
    with pytest.raises(Unavailable):
        await slow.caught_up()


async def test_what_is_shown_already_is_not_waited_for(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "MOST", 0.0)
    slow.show(EVENTS)
    await slow.caught_up()
