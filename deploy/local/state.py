"""What runs now, for whoever asks from outside: one small file, replaced as a whole at every change; and how it is shown."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import psutil

from deploy import SERVICES
from deploy.local import ports
from deploy.local.folder import OWNER_ONLY, Folder
from deploy.local.ports import LOOPBACK
from shared import files
from shared.values import Value

type Phase = Literal["starting", "ready", "stopping", "stopped"]

CLOCK_TOLERANCE = 0.05


class ProcessRecord(Value):
    """A number alone may belong to another process by now; with the moment of its birth it cannot."""

    name: str
    pid: int
    born: float  # seconds since the machine started: corrections of the clock do not move it


class Copy(Value):
    """Of a service, beside the one that the launcher keeps."""

    service: str
    port: int
    process: ProcessRecord

    @property
    def name(self) -> str:
        return f"{self.service}:{self.port}"


class RunState(Value):
    phase: Phase
    base_port: int | None  # until one is found
    launcher: ProcessRecord
    processes: tuple[ProcessRecord, ...] = ()
    elsewhere: Mapping[str, str] = {}  # what it uses but did not start, and where
    copies: tuple[str, ...] = ()  # further ones on this machine that the proxy knows, as `results:8103`


def read(path: Path) -> RunState | None:
    with suppress(FileNotFoundError, NotADirectoryError, msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=RunState)
    return None


def write(path: Path, state: RunState) -> None:
    files.write(path, msgspec.json.format(msgspec.json.encode(state)).decode() + "\n")


def add_copy(copies: Path, copy: Copy) -> None:
    """Each has a file of its own, which stays behind when it ends."""
    copies.mkdir(mode=OWNER_ONLY, exist_ok=True)
    files.write(copies / f"{copy.service}-{copy.port}.json", msgspec.json.encode(copy))


def living_copies(copies: Path) -> Iterator[tuple[Copy, psutil.Process]]:
    for path in sorted(copies.glob("*.json")):
        with suppress(FileNotFoundError, msgspec.DecodeError):
            copy = msgspec.json.decode(path.read_bytes(), type=Copy)
            if process := find(copy.process):
                yield copy, process


def born(process: psutil.Process) -> float:
    return process.create_time() - psutil.boot_time()


def find(known: ProcessRecord) -> psutil.Process | None:
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(known.pid)
        if abs(born(process) - known.born) < CLOCK_TOLERANCE and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def myself(name: str) -> ProcessRecord:
    process = psutil.Process()
    return ProcessRecord(name=name, pid=process.pid, born=born(process))


def recorded(name: str, pid: int) -> ProcessRecord | None:
    with suppress(psutil.NoSuchProcess):
        return ProcessRecord(name=name, pid=pid, born=born(psutil.Process(pid)))
    return None


def living(state: RunState) -> Iterator[psutil.Process]:
    for known in (state.launcher, *state.processes):
        if process := find(known):
            yield process


def url(name: str, base: int) -> str:
    """Of the proxy, or straight of a service."""
    return f"http://{LOOPBACK}:{ports.of(name, base)}"


def origin(base: int | None) -> str:
    return "starting" if base is None else url("proxy", base)


def places(running: RunState, folder: Folder, how_to_stop: str) -> str:
    base = running.base_port or 0
    return "\n".join(
        (
            "",
            f"Roundlog is ready at {origin(base)}. {how_to_stop}",
            "",
            f"  {'pages':13} {origin(base)}/ and the desk by the link of `roundlog token operator --link`",
            *(f"  {name:13} {origin(base)}/{name}/docs".ljust(57) + url(name, base) for name in SERVICES),
            f"  {'postgres':13} {server('postgres', running):23} passwords: {folder.secrets}",
            f"  {'nats':13} {server('nats', running)}",
            f"  {'data':13} {folder.path}",
            f"  {'logs':13} {folder.path / 'logs'}",
            "",
        )
    ).replace("  \n", "\n")


def place(name: str, running: RunState) -> str:
    if name in ports.LISTENED:
        return url(name, running.base_port or 0)
    return running.elsewhere.get(name) or f"{LOOPBACK}:{ports.of(name, running.base_port or 0)}"


def server(name: str, running: RunState) -> str:
    return place(name, running) + (" (not started here)" if name in running.elsewhere else "")
