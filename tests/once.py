"""What takes long to make and is only read or copied: made once in a run of tests, however many processes run them."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Who asks first makes it, and the others wait. What could not be made is tried by each, and said by each."""
    run = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent  # of all of them
    place, unfinished = run / name, run / f"{name}.{os.getpid()}"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(place)
    return place
