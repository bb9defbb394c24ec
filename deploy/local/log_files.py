"""The log files of the processes: bounded while they are written, whoever writes them.

A process writes to a descriptor that it has inherited, opened for appending, and opens none itself. So a file that has
grown large is copied and then emptied where it is: what comes next stands at its beginning. What is written in the very
moment between the two is lost.
"""

import asyncio
import os
import shutil
from contextlib import suppress
from pathlib import Path

LARGEST = 10 * 2**20  # bytes of a file, and of the one that was put aside
GLANCE = 1.0  # seconds between two looks


async def keep_small(folder: Path) -> None:
    """For as long as the launcher runs."""
    while True:
        for log in folder.glob("*.log"):
            put_aside_large(log)
        await asyncio.sleep(GLANCE)


def put_aside_large(log: Path) -> None:
    with suppress(FileNotFoundError):
        if log.stat().st_size > LARGEST:
            put_aside(log)


def put_aside(log: Path) -> None:
    with log.open("r+b") as full:
        full.seek(max(0, full.seek(0, os.SEEK_END) - LARGEST))
        with suppress(OSError), log.with_suffix(".log.1").open("wb") as aside:  # on a full disk space comes first
            shutil.copyfileobj(full, aside)
        full.truncate(0)
