"""Who holds the data folder.

Every server inherits `lock`, so it is free exactly when the last of them is gone. `launcher.lock` is the launcher's
alone: whoever has it knows that no other launcher lives, so what still holds `lock` was left by a dead one.
"""

import asyncio
import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from deploy.local import state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder

PATIENCE = 10.0  # for servers that a killed launcher left: they end by themselves, so this is rarely used up
LAST_PATIENCE = 5.0
STOPPING_PATIENCE = 60.0


def attempt(path: Path) -> int | None:
    """The descriptor that holds the lock, or None where somebody else holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.sameopenfile(descriptor, again := os.open(path, os.O_RDONLY)):
            os.close(again)
            return descriptor
        os.close(again)  # the folder was deleted meanwhile, and made anew
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


def is_free(folder: Folder) -> bool:
    if not folder.lock.exists():
        return True
    descriptor = attempt(folder.lock)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


async def take(folder: Folder, say: Callable[[str], None]) -> int:
    """Hold the folder for as long as this process lives; answers the descriptor for the servers to inherit."""
    await _be_the_launcher(folder, say)
    began = time.monotonic()
    if (held := attempt(folder.lock)) is None:
        say("waiting for the servers of an instance that was killed")
    while held is None:
        if time.monotonic() - began > PATIENCE:
            await clear(folder, say)
        await asyncio.sleep(0.05)
        held = attempt(folder.lock)
    return held


async def _be_the_launcher(folder: Folder, say: Callable[[str], None]) -> None:
    began, told = time.monotonic(), False
    while attempt(folder.launcher) is None:
        known = state.read(folder.state)
        other = state.find(known.launcher) if known else None
        if known is None or other is None or known.phase not in {"stopping", "stopped"}:
            where = f"process {other.pid}, {state.origin(known.base_port)}" if known and other else "just starting"
            raise CannotRun(
                f"Another instance is running on {folder.path} ({where}): "
                "`roundlog status` shows it, `roundlog down` stops it."
            )
        if not told:
            say("waiting for the last instance to stop")
            told = True
        if time.monotonic() - began > STOPPING_PATIENCE:
            raise CannotRun(f"The last instance (process {other.pid}) does not stop: end it with `kill -9`.")
        await asyncio.sleep(0.05)


async def clear(folder: Folder, say: Callable[[str], None]) -> None:
    """Kill what a dead launcher left: those it recorded, and whoever holds its lock."""
    known = state.read(folder.state)
    left = {process.pid: process for process in (*(state.living(known) if known else ()), *holders(folder.lock))}
    for process in left.values():
        with suppress(psutil.NoSuchProcess):
            say(f"killing {process.name()} (process {process.pid}), which a killed instance left")
            process.kill()
    give_up = time.monotonic() + LAST_PATIENCE
    while not is_free(folder):
        if time.monotonic() > give_up:
            raise CannotRun(f"{folder.path} is still held by processes that cannot be found: end them, then try again.")
        await asyncio.sleep(0.02)


def holders(path: Path) -> Iterator[psutil.Process]:
    """The other processes that hold the lock itself, not merely the file open. Only Linux can tell."""
    if sys.platform != "linux":
        return
    wanted = path.stat()
    for process in psutil.process_iter():
        if process.pid != os.getpid() and _holds(process.pid, wanted):
            yield process


def _holds(pid: int, wanted: os.stat_result) -> bool:
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                if os.path.samestat(descriptor.stat(), wanted):
                    return "\nlock:" in Path(f"/proc/{pid}/fdinfo/{descriptor.name}").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
    return False
