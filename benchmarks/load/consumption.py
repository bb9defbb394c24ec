"""What each process of the platform takes: seconds of a core, and memory."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import psutil

from shared.values import Value

PAUSE = 10.0  # seconds between two looks


class Used(Value):
    seconds: float  # of a core, since it was started
    megabytes: float  # its own, and its part of what it shares with others


class Consumption:
    """Of processes by the names that they are known by: of servers with all that they have started, of guests alone."""

    def __init__(self, servers: Mapping[str, int], guests: Mapping[str, int]) -> None:
        self._servers, self._guests = servers, guests
        self.looks: list[Mapping[str, Used]] = []

    def look(self) -> None:
        servers = {name: used(process, *children(process)) for name, process in self._servers.items()}
        self.looks.append(servers | {name: used(process) for name, process in self._guests.items()})

    async def watch(self) -> None:
        """Beside those who ask: to add up the memory of a server with many processes takes a while."""
        while True:
            await asyncio.sleep(PAUSE)
            await asyncio.to_thread(self.look)

    def rows(self, seconds: float) -> Iterator[Sequence[str]]:
        """Between the first look and the last one."""
        first, last = self.looks[0], self.looks[-1]
        for name in first:
            taken = last[name].seconds - first[name].seconds
            most = max(look[name].megabytes for look in self.looks)
            figures = (first[name].megabytes, most, last[name].megabytes)
            yield name, f"{taken / seconds:.2f}", *(f"{one:.0f}" for one in figures)


def children(process: int) -> Iterator[int]:
    with suppress(psutil.NoSuchProcess):
        yield from (one.pid for one in psutil.Process(process).children(recursive=True))


def used(*processes: int) -> Used:
    seconds, megabytes = 0.0, 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            one = psutil.Process(process)
            seconds += sum(one.cpu_times()[:4])  # with those of children that have ended
            megabytes += one.memory_full_info().pss / 2**20
    return Used(seconds=seconds, megabytes=megabytes)
