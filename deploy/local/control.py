"""What is done to a launcher from outside: it is started in the background, asked to stop, and its data are deleted."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import psutil

from deploy.local import folder as folders
from deploy.local import lock, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.options import ROOT, Options
from deploy.local.processes import until_gone


def detach(options: Options) -> None:
    """`roundlog up --detach`: in a session of its own; returns when it is ready, and says why when it has failed."""
    command = [sys.executable, "-m", "deploy.cli", "up", f"--data={options.folder}", "--in-background"]
    if options.base_port is not None:
        command.append(f"--base-port={options.base_port}")
    if options.demo is not None:
        command += [f"--demo={options.demo}", f"--demo-pace={options.demo_pace}"]
    launcher = subprocess.Popen(  # noqa: S603 - this very program
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        for line in launcher.stdout or ():  # until it is ready and lets go of us
            sys.stdout.write(line)
            sys.stdout.flush()
    except KeyboardInterrupt:
        launcher.send_signal(signal.SIGTERM)
        raise
    known = state.read(Folder(path=options.folder).state)
    if launcher.poll() is None and known and known.launcher.pid == launcher.pid and known.phase == "ready":
        launcher.returncode = 0  # it is meant to outlive us: no warning that it still runs
        return
    if (code := launcher.wait()) < 0:
        raise CannotRun(f"The launcher was ended by {signal.Signals(-code).name}.")
    raise SystemExit(code or 1)  # it has said why


PATIENCE = 60.0
COPIES_PATIENCE = 15.0  # longer than a service takes at most


def stop(folder: Folder, say: Callable[[str], None]) -> None:
    """`roundlog down`: returns when the last of its servers is gone."""
    asyncio.run(_stop(folder, say))


async def _stop(folder: Folder, say: Callable[[str], None]) -> None:
    await _stop_copies(folder, say)
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


async def _stop_copies(folder: Folder, say: Callable[[str], None]) -> None:
    """They finish what they are at while the servers are there."""
    for copy, process in state.living_copies(folder.copies):
        say(f"stopping {copy.name} (process {process.pid})")
        _ask(process)
    await until_gone(lambda: [process for _, process in state.living_copies(folder.copies)], patience=COPIES_PATIENCE)


def _ask(process: psutil.Process) -> None:
    try:
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)  # it may have been suspended with Ctrl-Z
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as refused:
        raise CannotRun(f"Process {process.pid} belongs to another user: stop it as that user.") from refused


def require_deletable(folder: Folder) -> None:
    if not folder.path.exists():
        raise CannotRun(f"There is nothing at {folder.path}.")
    if not folders.is_ours(folder):
        raise CannotRun(f"{folder.path} is not a data folder of Roundlog: it is left alone.")
    if not lock.is_free(folder) or any(state.living_copies(folder.copies)):
        raise CannotRun(f"{folder.path} is in use: stop it first with `roundlog down`.")


def delete(folder: Folder) -> None:
    require_deletable(folder)
    if lock.attempt(folder.launcher) is None or lock.attempt(folder.lock) is None:
        raise CannotRun(f"{folder.path} is in use: stop it first with `roundlog down`.")
    try:
        folders.remove(folder)
    except OSError as refused:
        raise CannotRun(f"{folder.path} cannot be deleted: {refused}.") from refused
