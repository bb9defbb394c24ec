"""Starting, in seconds of a core: a service until it is ready, and a calculator on a small file.

Most of it is Python importing what a process needs. It is counted with what was compiled before, as `make setup` leaves it.
"""

import asyncio
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from urllib.error import URLError

import psutil

from benchmarks.between import make
from benchmarks.callers import NotAnswered
from benchmarks.table import Figure, print_figure, print_heading
from deploy import SERVICES
from deploy.databases import at, connection
from deploy.demo.cast import RULESET
from deploy.example import in_json
from deploy.local import nats, postgres
from deploy.serve import listening

SERVICE_BUDGET = 1.2  # seconds of a core
CALCULATOR_BUDGET = 0.5
TIMES = 3
ATTEMPTS = 600
PAUSE = 0.05


async def measure(folder: Path, *, quick: bool = False) -> list[Figure]:
    times = 1 if quick else TIMES
    print_heading("Starting: starts in a minute of a core, against the budget")
    place = folder / "start"
    place.mkdir()
    file = place / "small.json"
    file.write_bytes(in_json(RULESET))
    async with postgres.running(place) as server, nats.running(place) as broker:
        for name in SERVICES:
            await make(server.url, name)
            async with connection(at(server.url, database=name)) as database:
                await database.execute("create schema views")
        settings = {
            name: {"ROUNDLOG_DATABASE_URL": at(server.url, database=name), "ROUNDLOG_NATS_URL": broker.urls[name]}
            for name in SERVICES
        }
        return await asyncio.to_thread(lambda: [*of_services(settings, times), *of_calculators(file, times)])


def of_services(settings: Mapping[str, Mapping[str, str]], times: int) -> Iterator[Figure]:
    """Each started again while the others run: none is ready that cannot hear them."""
    running = {name: Started(name, told) for name, told in settings.items()}
    try:
        for one in running.values():
            one.wait_until_ready()
        for name, told in settings.items():
            took: list[float] = []
            for _ in range(times):
                running[name].process.kill()
                running[name] = Started(name, told)
                took.append(running[name].wait_until_ready())
            yield figure(f"{name} until it is ready", took, SERVICE_BUDGET)
    finally:
        for one in running.values():
            one.process.kill()


def of_calculators(file: Path, times: int) -> Iterator[Figure]:
    for command in ("rank", "pair"):
        took = [calculated(command, file) for _ in range(times + 1)][1:]  # the first compiles
        yield figure(f"roundlog {command} on a small file", took, CALCULATOR_BUDGET)


def figure(name: str, took: Sequence[float], budget: float) -> Figure:
    found = Figure(
        name=name, key=f"start: {name}", ours=[60 / one for one in took], limit=[60 / budget] * len(took), at_least=1.0
    )
    print_figure(found)
    return found


class Started:
    """A service as a process."""

    def __init__(self, name: str, told: Mapping[str, str]) -> None:
        with closing(listening(0, None)) as socket:
            descriptor, self._port = socket.fileno(), socket.getsockname()[1]
            self.process = psutil.Popen(
                [sys.executable, "-m", "deploy.serve", name, f"--fd={descriptor}"],
                env=os.environ | told,
                pass_fds=[descriptor],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def wait_until_ready(self) -> float:
        """Seconds of a core that it has taken until then."""
        for _ in range(ATTEMPTS):
            if self._is_ready():
                used = self.process.cpu_times()
                return used.user + used.system
            if self.process.poll() is not None:
                break
            time.sleep(PAUSE)
        raise NotAnswered("a service did not start")

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/readyz", timeout=5) as answer:
                return answer.status == HTTPStatus.OK
        except (URLError, TimeoutError):
            return False


def calculated(command: str, file: Path) -> float:
    words = [sys.executable, "-m", "deploy.cli", command, str(file)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own command
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise NotAnswered(f"roundlog {command} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime
