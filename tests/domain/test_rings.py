"""Whoever waits for a ring is told whether it has come, whenever that is."""

import asyncio
import time

import pytest

from shared.log import notify


async def test_a_ring_that_comes_in_the_same_turn_as_the_end_of_the_heartbeat_is_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever remembers what was erased forgets it with this ring, and with no later one."""
    monkeypatch.setattr(notify, "HEARTBEAT", 0.01)
    ring = asyncio.Event()
    waiting = asyncio.create_task(notify.wait(ring))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(notify.HEARTBEAT, ring.set)
    time.sleep(2 * notify.HEARTBEAT)  # noqa: ASYNC251 - so that both are due at once
    assert await waiting
