"""`roundlog up`: start the platform, keep it running, and stop it when asked to, or when it cannot go on."""

import asyncio
import time

from deploy.local import log_files, table
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.instance import Instance
from deploy.local.journal import Journal
from deploy.local.options import Options
from deploy.local.state import State
from deploy.local.stopping import Stop
from deploy.serve import show_as


def launch(options: Options, parent: int) -> None:
    show_as("roundlog")
    asyncio.run(_launch(options, Stop(parent), Journal()))


async def _launch(options: Options, stop: Stop, journal: Journal) -> None:
    following = stop.watch()
    keeping = asyncio.create_task(log_files.keep_small(Folder(path=options.folder).logs), name="log files")
    instance = Instance(options, journal)
    running = asyncio.create_task(_run(instance, options, journal), name="running")
    asked = asyncio.create_task(stop.asked(), name="asked to stop")
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
    journal.say(table.places(running, Folder(path=options.folder), how_to_stop))
    if options.in_background:
        journal.let_go()
    playing = [] if options.demo is None else [_demo(running, options, options.demo, journal)]
    await asyncio.gather(*(keeper.kept for keeper in instance.keepers.values()), *playing)


async def _demo(running: State, options: Options, ruleset: str, journal: Journal) -> None:
    from deploy.demo.running import play  # noqa: PLC0415 - nobody else waits for what only the demo needs

    await play(running, Folder(path=options.folder), journal.say, ruleset=ruleset, pace=options.demo_pace)


async def _hurry(instance: Instance, stop: Stop, journal: Journal) -> None:
    await stop.at_once()
    journal.say("Stopping at once.")
    await instance.stop_at_once()
