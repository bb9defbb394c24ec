"""What runs now, for whoever asks from outside: one small file, replaced as a whole at every change."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import psutil

from deploy.local import files
from shared.values import Value

type Phase = Literal["starting", "ready", "stopping", "stopped"]

CLOCK_TOLERANCE = 0.05


class Recorded(Value):
    """A number alone may belong to another process by now; with the moment of its birth it cannot."""

    name: str
    pid: int
    born: float  # seconds since the machine started: corrections of the clock do not move it


class State(Value):
    phase: Phase
    base_port: int | None  # until one is found
    launcher: Recorded
    processes: tuple[Recorded, ...] = ()
    elsewhere: dict[str, str] = msgspec.field(
        default_factory=dict[str, str]
    )  # what it uses but did not start, and where


def read(path: Path) -> State | None:
    with suppress(FileNotFoundError, msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=State)
    return None


def write(path: Path, state: State) -> None:
    files.write(path, msgspec.json.format(msgspec.json.encode(state)).decode() + "\n")


def born(process: psutil.Process) -> float:
    return process.create_time() - psutil.boot_time()


def find(known: Recorded) -> psutil.Process | None:
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(known.pid)
        if abs(born(process) - known.born) < CLOCK_TOLERANCE and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def myself(name: str) -> Recorded:
    process = psutil.Process()
    return Recorded(name=name, pid=process.pid, born=born(process))


def recorded(name: str, pid: int) -> Recorded | None:
    with suppress(psutil.NoSuchProcess):
        return Recorded(name=name, pid=pid, born=born(psutil.Process(pid)))
    return None


def living(state: State) -> Iterator[psutil.Process]:
    for known in (state.launcher, *state.processes):
        if process := find(known):
            yield process
