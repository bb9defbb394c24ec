"""What a killed PostgreSQL leaves, and when another start may succeed over it."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

ORPHAN_PATIENCE = 3.0


def may_pass(cluster: Path, log: str, seconds_so_far: float) -> bool:
    """Whether the reason in the log is one that ends by itself, or was ended here."""
    if "pre-existing shared memory block" in log:
        if seconds_so_far > ORPHAN_PATIENCE:
            _kill_orphans(cluster)
        return True
    return 'lock file "postmaster.pid" already exists' in log and _forget_reused_number(cluster / "postmaster.pid")


def _kill_orphans(cluster: Path) -> None:
    """Backends end by themselves when their server is gone; one that somebody paused does not notice."""
    for process in _servers(cluster):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _forget_reused_number(lock: Path) -> bool:
    """After a reboot, or in a container, the number of the dead server may belong to any other process."""
    try:
        number = int(lock.read_text(encoding="ascii").split()[0])
    except FileNotFoundError:
        return True
    if any(process.pid == number for process in _servers(lock.parent)):
        return False
    lock.unlink(missing_ok=True)
    return True


def _servers(cluster: Path) -> Iterator[psutil.Process]:
    """All of PostgreSQL's processes work in the folder of their data."""
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.name() == "postgres" and Path(process.cwd()) == cluster:
                yield process
