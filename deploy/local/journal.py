"""What the launcher says: on the terminal for as long as there is one, and always in its log."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from deploy.local.log_files import put_aside_large
from shared.clock import now


class Journal:
    def __init__(self) -> None:
        self._log: Path | None = None

    def keep_in(self, log: Path) -> None:
        log.parent.mkdir(mode=0o700, exist_ok=True)
        put_aside_large(log)
        self._log = log

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
