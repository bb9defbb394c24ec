"""Why the launcher stops: a signal, or the end of the program that started it."""

import asyncio
import os
import signal
from signal import Signals

REASONS = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "asked to by SIGTERM",
    signal.SIGHUP: "the terminal was closed",
}
PARENT_CHECK = 0.5


class Stop:
    def __init__(self, parent: int) -> None:
        self._parent = parent  # as it was at the very start: it may have ended since
        self._asked = asyncio.Event()
        self._at_once = asyncio.Event()
        self.reason = ""

    def watch(self) -> "asyncio.Task[None]":
        """Listen for signals; the task answered looks after the parent and must be kept."""
        loop = asyncio.get_running_loop()
        for sent in REASONS:
            if sent != signal.SIGHUP or not _outlives_terminal():
                loop.add_signal_handler(sent, self._signalled, sent)
        return asyncio.create_task(self._follow_parent(), name="parent")

    def ask(self, reason: str) -> None:
        if not self._asked.is_set():
            self.reason = reason
            self._asked.set()

    async def asked(self) -> None:
        await self._asked.wait()

    async def at_once(self) -> None:
        await self._at_once.wait()

    def _signalled(self, sent: Signals) -> None:
        if self._asked.is_set() and sent == signal.SIGINT:
            self._at_once.set()
        self.ask(REASONS[sent])

    async def _follow_parent(self) -> None:
        """Polled, since the kernel's own notice comes also when merely the parent's thread that started us ends."""
        if _outlives_terminal() or os.getsid(0) == os.getpid():
            return None
        while True:
            if os.getppid() != self._parent:
                return self.ask("the program that started it has ended (--detach would let it live on)")
            await asyncio.sleep(PARENT_CHECK)


def _outlives_terminal() -> bool:
    return signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # as nohup does
