"""`roundlog status`: what is recorded, compared with what is really there."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import psutil

from deploy import SERVICES
from deploy.local import folder as folders
from deploy.local import health, lock, nats, ports, postgres, proxy, state
from deploy.local.folder import Folder
from deploy.local.nats import NatsFiles
from deploy.local.postgres import Cluster
from deploy.local.state import Copy, ProcessRecord, RunState
from shared.values import Value

ALL_READY, PARTLY, NOTHING = 0, 1, 3


class ProcessStatus(Value):
    name: str
    state: str
    ready: bool
    pid: int | None = None
    url: str | None = None
    uptime_seconds: float | None = None
    memory_bytes: int | None = None


class PlatformStatus(Value):
    phase: str
    data: str
    processes: tuple[ProcessStatus, ...]


def show(folder: Folder, *, as_json: bool) -> int:
    found = asyncio.run(look(folder))
    text = msgspec.json.format(msgspec.json.encode(found)).decode() if as_json else _as_text(found)
    sys.stdout.write(text + "\n")
    if not any(process.pid for process in found.processes):
        return NOTHING
    return ALL_READY if found.processes and all(process.ready for process in found.processes) else PARTLY


async def look(folder: Folder) -> PlatformStatus:
    known = state.read(folder.state)
    if known is None or lock.is_free(folder):
        return PlatformStatus(phase="stopped", data=str(folder.path), processes=())
    phase = known.phase if state.find(known.launcher) else "killed"
    copies = {copy.name: (copy, process) for copy, process in state.living_copies(folder.copies)}
    shown = await asyncio.gather(
        *(_of(name, known, folder) for name in ("launcher", *ports.OFFSETS)),
        *(_of_copy(copy, process) for copy, process in copies.values()),
    )
    shown += [_of_process(name, None) for name in known.copies if name not in copies]
    return PlatformStatus(phase=phase, data=str(folder.path), processes=tuple(shown))


async def _of(name: str, known: RunState, folder: Folder) -> ProcessStatus:
    if name in known.elsewhere:
        return ProcessStatus(name=name, state="elsewhere", ready=True, url=known.elsewhere[name])
    recorded = known.launcher if name == "launcher" else _recorded(name, known)
    process = state.find(recorded) if recorded else None
    url = None if known.base_port is None or name == "launcher" else state.place(name, known)
    if process is None:  # whoever asked its socket, which the launcher keeps, would wait
        return _of_process(name, None, url)
    is_ready = known.phase == "ready" if name == "launcher" else await _is_ready(name, known.base_port, folder)
    return _of_process(name, process, url, is_ready=is_ready)


async def _of_copy(copy: Copy, process: psutil.Process) -> ProcessStatus:
    is_ready = await health.answer_status(copy.port, "/readyz") == health.OK
    return _of_process(copy.name, process, f"http://{ports.LOOPBACK}:{copy.port}", is_ready=is_ready)


def _of_process(
    name: str, process: psutil.Process | None, url: str | None = None, *, is_ready: bool = False
) -> ProcessStatus:
    if process is not None:
        with suppress(psutil.NoSuchProcess):
            return ProcessStatus(
                name=name,
                state="paused" if process.status() == psutil.STATUS_STOPPED else "running",
                ready=is_ready,
                pid=process.pid,
                url=url,
                uptime_seconds=round(_uptime(process), 1),
                memory_bytes=_memory(process, with_children=name == "postgres"),
            )
    return ProcessStatus(name=name, state="not running", ready=False, url=url)


def _recorded(name: str, known: RunState) -> ProcessRecord | None:
    return next((process for process in known.processes if process.name == name), None)


async def _is_ready(name: str, base: int | None, folder: Folder) -> bool:
    if base is None:
        return False
    port = ports.of(name, base)
    if name == "proxy":
        return await proxy.answers(port)
    if name in SERVICES:
        return await health.answer_status(port, "/readyz") == health.OK
    passwords = folders.passwords(folder)
    nowhere = Path()
    if name == "postgres":
        password = passwords.get("postgres", "")
        return await postgres.answers(Cluster(folder=nowhere, log=nowhere, port=port, password=password).url)
    return await nats.ready(NatsFiles(folder=nowhere, log=nowhere, port=port, passwords=folders.of_broker(passwords)))


def _uptime(process: psutil.Process) -> float:
    """By the clock that all processes are born by; this one has only just been."""
    return max(0.0, psutil.Process().create_time() - process.create_time())


def _memory(process: psutil.Process, *, with_children: bool) -> int:
    family = [process, *(process.children(recursive=True) if with_children else [])]
    total = 0
    for member in family:
        with suppress(psutil.NoSuchProcess):
            used = member.memory_info()
            total += used.rss - (getattr(used, "shared", 0) if member is not process else 0)
    return total


def _as_text(found: PlatformStatus) -> str:
    if not found.processes:
        return f"Nothing runs on {found.data}. `roundlog up` starts it."
    lines = [f"{'':18} {'state':12} {'ready':6} {'pid':>8} {'up':>9} {'memory':>9}  where"]
    lines += [
        f"{shown.name:18} {shown.state:12} {'yes' if shown.ready else 'no':6} {shown.pid or '-':>8} "
        f"{_duration(shown.uptime_seconds):>9} {_megabytes(shown.memory_bytes):>9}  {shown.url or ''}".rstrip()
        for shown in found.processes
    ]
    is_all = found.phase != "ready" or all(process.ready for process in found.processes)
    phase = found.phase if is_all else "not all of it is ready, `roundlog doctor` says what to do"
    return "\n".join([*lines, f"{phase}; data in {found.data}"])


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _megabytes(size: int | None) -> str:
    return "-" if size is None else f"{size / 2**20:.0f} MB"
