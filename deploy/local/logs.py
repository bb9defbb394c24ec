"""What the launcher says, and the files that it and the processes write: each is bounded while it is written.

A process writes to a descriptor that it has inherited, opened for appending, and opens none itself. So a file that has
grown large is copied and then emptied where it is: what comes next stands at its beginning. What is written in the very
moment between the two is lost.
"""

import asyncio
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from shared.clock import now

LARGEST = 10 * 2**20  # bytes of a file, and of the one that was put aside
GLANCE = 1.0  # seconds between two looks


async def keep_small(folder: Path) -> None:
    """For as long as the launcher runs."""
    while True:
        for log in folder.glob("*.log"):
            with suppress(OSError):  # the others are kept small all the same; the doctor names what has grown
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


class Journal:
    """It speaks on the terminal for as long as there is one, and always in its log."""

    def __init__(self) -> None:
        self._log: Path | None = None

    def keep_in(self, log: Path) -> None:
        log.parent.mkdir(mode=0o700, exist_ok=True)
        put_aside_large(log)
        self._log = log

    def leave(self) -> None:
        """Its log will be gone."""
        self._log = None

    def note(self, text: str) -> None:
        """In the log alone."""
        if self._log:
            lines = "".join(f"{now():%Y-%m-%d %H:%M:%S} {line}\n" for line in text.splitlines())
            with suppress(OSError), self._log.open("a", encoding="utf-8") as log:  # a full disk must not stop us
                log.write(lines)

    def say(self, text: str) -> None:
        self.note(text)
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except OSError:
            self.let_go()  # the terminal was closed, or the reader of the pipe has ended

    def let_go(self) -> None:
        """Write to the terminal no more; whatever still comes, such as a traceback, goes to the log."""
        nowhere = os.open(os.devnull if self._log is None else self._log, os.O_WRONLY | os.O_APPEND)
        os.dup2(nowhere, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
