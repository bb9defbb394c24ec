"""Listeners to tables are woken by whoever has made them, and now and then by nobody in particular."""

import asyncio

import pytest

from services.standings.projection import notification
from services.standings.projection.notification import TableNotification
from tests.patience import PATIENCE

OFTEN = 0.01


async def test_a_ring_that_was_lost_is_made_up_for_also_while_tables_change_all_the_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notification, "NOW_AND_THEN", 10 * OFTEN)
    bells = TableNotification(database)
    async with bells.running():
        changing = asyncio.create_task(change_all_the_time(bells))
        for _ in range(3):  # the first is for all that was missed before
            await rung(bells.next_ring("a tournament of another copy, which was killed"))
        changing.cancel()


async def test_another_copy_is_told_what_has_changed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notification, "NOW_AND_THEN", 10 * PATIENCE)
    one, other = TableNotification(database), TableNotification(database)
    async with one.running(), other.running():
        await rung(other.next_ring("any, as soon as it hears others"))
        ring = other.next_ring("cup")
        one.have_changed(["cup"])
        await rung(ring)


async def change_all_the_time(bells: TableNotification) -> None:
    while True:
        bells.have_changed(["a tournament of this copy"])
        await asyncio.sleep(OFTEN)


async def rung(ring: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE):
        await ring.wait()
