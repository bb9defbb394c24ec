"""`roundlog up`: start the platform, keep it running, and stop it when asked to, or when it cannot go on."""

import asyncio
import os
import signal
import time
from signal import Signals

from deploy.local import logs, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.instance import Instance
from deploy.local.logs import Journal
from deploy.local.options import Options
from deploy.local.state import RunState
from deploy.serve import show_as

REASONS = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "asked to by SIGTERM",
    signal.SIGHUP: "the terminal was closed",
}
PARENT_CHECK = 0.5


class Stop:
    """Why the launcher stops: a signal, or the end of the program that started it."""

    def __init__(self, parent: int) -> None:
        self._parent = parent  # as it was at the very start: it may have ended since
        self.asked = asyncio.Event()
        self.at_once = asyncio.Event()
        self.reason = ""

    def watch(self) -> "asyncio.Task[None]":
        """Listen for signals; the task answered looks after the parent and must be kept."""
        loop = asyncio.get_running_loop()
        for sent in REASONS:
            if sent != signal.SIGHUP or not _outlives_terminal():
                loop.add_signal_handler(sent, self._signalled, sent)
        return asyncio.create_task(self._follow_parent(), name="parent")

    def ask(self, reason: str) -> None:
        if not self.asked.is_set():
            self.reason = reason
            self.asked.set()

    def _signalled(self, sent: Signals) -> None:
        if self.asked.is_set() and sent == signal.SIGINT:
            self.at_once.set()
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


def launch(options: Options, parent: int) -> None:
    show_as("roundlog")
    asyncio.run(_launch(options, Stop(parent), Journal()))


async def _launch(options: Options, stop: Stop, journal: Journal) -> None:
    following = stop.watch()
    keeping = asyncio.create_task(logs.keep_small(Folder(path=options.folder).logs), name="log files")
    instance = Instance(options, journal)
    running = asyncio.create_task(_run(instance, options, journal), name="running")
    asked = asyncio.create_task(stop.asked.wait(), name="asked to stop")
    await asyncio.wait({running, asked}, return_when=asyncio.FIRST_COMPLETED)
    if instance.keepers or stop.reason:
        journal.say(f"Stopping: {stop.reason or 'it cannot go on'}.")
    began = time.monotonic()
    running.cancel()
    hurrying = asyncio.create_task(_hurry(instance, stop, journal), name="hurry")
    (failure,) = await asyncio.gather(running, return_exceptions=True)
    if isinstance(failure, Exception):
        journal.note(str(failure))
    await instance.stop()
    hurrying.cancel()
    following.cancel()
    keeping.cancel()
    if instance.keepers:
        journal.say(f"Stopped after {time.monotonic() - began:.1f} s.")
    if isinstance(failure, Exception):
        instance.forget(failure)
    if isinstance(failure, OSError):
        raise CannotRun(f"The system refuses: {failure}.") from failure
    if failure is not None and not isinstance(failure, asyncio.CancelledError):
        raise failure


async def _run(instance: Instance, options: Options, journal: Journal) -> None:
    """Returns never: it is cancelled, or fails."""
    began = time.monotonic()
    running = await instance.start()
    how_to_stop = "`roundlog down` stops it." if options.in_background else "Ctrl-C stops it."
    journal.say(f"  {'everything':13} ready after {time.monotonic() - began:.1f} s")
    journal.say(state.places(running, Folder(path=options.folder), how_to_stop))
    if options.in_background:
        journal.let_go()
    playing = [] if options.demo is None else [_demo(running, options, options.demo, journal)]
    await asyncio.gather(*(keeper.kept for keeper in instance.keepers.values()), *playing)


async def _demo(running: RunState, options: Options, ruleset: str, journal: Journal) -> None:
    from deploy.demo.play import play_here  # noqa: PLC0415 - nobody else waits for what only the demo needs

    await play_here(running, Folder(path=options.folder), journal.say, ruleset=ruleset, pace=options.demo_pace)


async def _hurry(instance: Instance, stop: Stop, journal: Journal) -> None:
    await stop.at_once.wait()
    journal.say("Stopping at once.")
    await instance.stop_at_once()
