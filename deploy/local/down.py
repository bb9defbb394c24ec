"""`roundlog down`: ask the launcher to stop, and wait until the last of its servers is gone."""

import asyncio
import signal
import time
from collections.abc import Callable

import psutil

from deploy.local import lock, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder

PATIENCE = 60.0


def stop(folder: Folder, say: Callable[[str], None]) -> None:
    asyncio.run(_stop(folder, say))


async def _stop(folder: Folder, say: Callable[[str], None]) -> None:
    if lock.is_free(folder):
        say(f"Nothing runs on {folder.path}.")
        return
    known = state.read(folder.state)
    launcher = state.find(known.launcher) if known else None
    began = time.monotonic()
    if launcher:
        say(f"stopping (process {launcher.pid})")
        _ask(launcher)
    while not lock.is_free(folder):
        waited = time.monotonic() - began
        if launcher and not launcher.is_running():
            launcher, began = None, time.monotonic()  # it was killed before it was done
        elif launcher is None and waited > lock.PATIENCE:
            await lock.clear(folder, say)
        elif launcher and waited > PATIENCE:
            raise CannotRun(f"It does not stop within {PATIENCE:.0f} s: end process {launcher.pid} with `kill -9`.")
        await asyncio.sleep(0.05)
    say(f"Stopped after {time.monotonic() - began:.1f} s.")


def _ask(launcher: psutil.Process) -> None:
    try:
        launcher.send_signal(signal.SIGTERM)
        launcher.send_signal(signal.SIGCONT)  # it may have been suspended with Ctrl-Z
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as refused:
        raise CannotRun(f"Process {launcher.pid} belongs to another user: stop it as that user.") from refused
