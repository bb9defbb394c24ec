"""A kept server is started again, ever more slowly; one that never comes up is given up."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from deploy.local import keeper
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.keeper import Keeper
from deploy.local.spawn import Child, Program, Spawned, spawn


class Starting:
    """Starts a harmless process, or fails in the ways given."""

    def __init__(self, folder: Path, *failures: CannotRun) -> None:
        self.said: list[str] = []
        self.children: list[Child] = []
        self.failures = list(failures)
        self._program = Program(
            name="example",
            command=("/bin/sleep", "60"),
            log=folder / "example.log",
            death_signal=signal.SIGKILL,
            endings=((signal.SIGTERM, 5.0),),
        )

    async def __call__(self, spawned: Spawned) -> Child:
        if self.failures:
            raise self.failures.pop(0)
        child = await spawn(self._program)
        spawned(child)
        self.children.append(child)
        return child

    def kept(self) -> Keeper:
        return Keeper("example", self, say=self.said.append, changed=lambda: None)


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "FIRST_DELAY", 0.02)
    monkeypatch.setattr(keeper, "LONGEST_DELAY", 0.08)


async def test_a_dead_server_is_started_again_ever_more_slowly(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    for times in range(1, 5):
        os.kill(starting.children[-1].pid, signal.SIGKILL)
        async with asyncio.timeout(5):
            while len(starting.children) == times:
                await asyncio.sleep(0.01)
    delays = [line.rpartition("again in ")[2] for line in starting.said if "SIGKILL" in line]
    assert delays == ["0.02 s", "0.04 s", "0.08 s", "0.08 s"]
    await kept.end()
    assert all(child.ended for child in starting.children)


async def test_after_a_time_of_health_it_is_quick_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "HEALTHY_AFTER", 0.0)
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    for times in range(1, 4):
        os.kill(starting.children[-1].pid, signal.SIGKILL)
        async with asyncio.timeout(5):
            while len(starting.children) == times:
                await asyncio.sleep(0.01)
    assert [line for line in starting.said if "again in 0.02 s" in line] == starting.said[1::2]
    await kept.end()


async def test_a_server_that_dies_at_start_is_tried_again(tmp_path: Path) -> None:
    starting = Starting(tmp_path, *(DiedAtStart("It died.", log="") for _ in range(4)))
    kept = starting.kept()
    await kept.ready()
    assert len(starting.children) == 1
    await kept.end()


async def test_a_server_that_keeps_dying_at_start_is_given_up(tmp_path: Path) -> None:
    kept = Starting(tmp_path, *(DiedAtStart("It died.", log="") for _ in range(5))).kept()
    with pytest.raises(DiedAtStart):
        await kept.ready()


async def test_what_another_try_would_not_mend_is_given_up_at_once(tmp_path: Path) -> None:
    kept = Starting(tmp_path, CannotRun("Port 1 is in use.")).kept()
    with pytest.raises(CannotRun, match="Port 1"):
        await kept.ready()


async def test_once_it_was_ready_it_is_never_given_up(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    starting.failures += [CannotRun("Port 1 is in use.")] * 8
    starting.children[0].send(signal.SIGKILL)
    async with asyncio.timeout(5):
        while len(starting.children) == 1:
            await asyncio.sleep(0.01)
    assert not kept.kept.done()
    await kept.end()
