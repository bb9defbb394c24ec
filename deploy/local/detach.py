"""`roundlog up --detach`: start the launcher in a session of its own, and wait until it is ready or has failed."""

import signal
import subprocess
import sys

from deploy.local import state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.options import ROOT, Options


def detach(options: Options) -> None:
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
