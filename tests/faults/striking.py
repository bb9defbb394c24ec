"""What is done to a platform in pieces, drawn by chance: to its processes, to the ways between them, to disks, streams and clocks."""

# nats-py annotates its functions in parts only.
import asyncio
import functools
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import nats
import nats.errors
import psutil
from nats.js import JetStreamContext

from deploy import SERVICES
from shared.messaging.broker import login
from tests.faults.campaign import Deck
from tests.faults.pieces import COPIES, NODES, SEATS, Pieces
from tests.faults.stepped import step
from tests.faults.wire import Wire

type Fault = Callable[[], Awaitable[str]]

SHORTEST, LONGEST = 0.1, 4.0  # seconds that most faults last
REPEATED = 40  # messages of a stream, at most
FORWARD, BACK = 600.0, 2.0  # seconds that the clock is set; tokens bear five of them backwards
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGQUIT)


@dataclass(kw_only=True)
class Lane:
    """Faults that come one after another; several lanes strike at once."""

    name: str
    chance: random.Random
    faults: Sequence[Fault]
    rest: float  # seconds at most between two of them

    async def run(self, until: Callable[[], bool], struck: Callable[[str, str], None]) -> None:
        deck = Deck(self.faults, self.chance)
        while not until():
            await asyncio.sleep(self.chance.uniform(0, self.rest))
            fault = deck.draw()
            struck(fault.__name__.strip("_").replace("_", " "), await fault())


@dataclass(kw_only=True)
class Strikes:
    """All that can be done, by chance of its own for each lane."""

    pieces: Pieces
    seed: str
    disks: Sequence[Path]  # that are small enough to be filled
    counted: Counter[str] = field(default_factory=Counter[str])
    offset: float = 0.0

    def lanes(self, *, ways: int, processes: int) -> list[Lane]:
        return [
            *(self._on_ways(f"ways {number}") for number in range(ways)),
            *(self._on_processes(f"processes {number}") for number in range(processes)),
            self._on_databases("databases"),
            self._on_the_rest("rest"),
        ]

    def _on_ways(self, name: str) -> Lane:
        chance = random.Random(f"{self.seed} {name}")
        wires = Deck(sorted(self.pieces.wires), chance)
        spoken = Deck(sorted(name for name, wire in self.pieces.wires.items() if wire.speaks_http), chance)

        def drawn() -> Wire:
            return self.pieces.wires[wires.draw()]

        async def for_a_while(wire: Wire, what: AbstractContextManager[None]) -> str:
            seconds = lasting(chance)
            with what:
                await asyncio.sleep(seconds)
            return f"{wire.name}, {seconds:.1f} s"

        async def connections_cut() -> str:
            wire = drawn()
            return f"{wire.name}, {wire.cut()} of them"

        async def torn_in_the_middle() -> str:
            wire = drawn()
            wire.tear()
            return wire.name

        async def refused() -> str:
            wire = drawn()
            return await for_a_while(wire, wire.refusing())

        async def held_back() -> str:
            wire = drawn()
            return await for_a_while(wire, wire.holding())

        async def delayed() -> str:
            wire = drawn()
            seconds = 0.01 * 50 ** chance.random()
            return f"{await for_a_while(wire, wire.delaying(seconds))}, each {seconds:.2f} s"

        async def answers_lost() -> str:
            wire = self.pieces.wires[spoken.draw()]
            return await for_a_while(wire, wire.losing_answers())

        async def requests_doubled() -> str:
            wire = self.pieces.wires[spoken.draw()]
            return await for_a_while(wire, wire.doubling())

        return Lane(
            name=name,
            chance=chance,
            faults=(
                connections_cut,
                connections_cut,
                torn_in_the_middle,
                torn_in_the_middle,
                refused,
                held_back,
                delayed,
                delayed,
                answers_lost,
                requests_doubled,
            ),
            rest=1.0,
        )

    def _on_processes(self, name: str) -> Lane:
        chance = random.Random(f"{self.seed} {name}")
        copies = [f"{service} {number}" for service in SERVICES for number in range(COPIES)]
        nodes = [f"node {node}" for node in range(NODES)]
        victims = Deck((*copies, *nodes, "proxy"), chance)
        signals = Deck(SIGNALS, chance)

        async def killed() -> str:
            victim, sent = victims.draw(), signals.draw()
            return f"{victim} {sent.name}" if self._send(victim, sent) else f"{victim} was not there"

        async def paused() -> str:
            victim, seconds = victims.draw(), lasting(chance)
            return f"{victim}, {await self._hold([self.pieces.pieces[victim].process], seconds)}"

        async def restarted() -> str:
            """As for a new version: asked to end, and waited for until it is back."""
            victim = victims.draw()
            piece = self.pieces.pieces[victim]
            before = piece.starts
            self._send(victim, signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(15):
                    while piece.starts == before or not piece.is_ready:
                        await asyncio.sleep(0.1)
            return victim

        async def killed_while_starting() -> str:
            victim = victims.draw()
            self._send(victim, signal.SIGKILL)
            await asyncio.sleep(chance.uniform(0.1, 1.5))
            self._send(victim, signal.SIGKILL)
            return victim

        return Lane(
            name=name,
            chance=chance,
            faults=(killed, killed, paused, paused, restarted, killed_while_starting),
            rest=1.5,
        )

    def _on_databases(self, name: str) -> Lane:  # noqa: C901 - each fault is a few lines of its own
        chance = random.Random(f"{self.seed} {name}")

        def primary() -> str:
            return f"seat {self.pieces.primary}"

        def standby() -> str:
            return f"seat {self.pieces.other(self.pieces.primary)}"

        def backend() -> psutil.Process | None:
            with suppress(psutil.NoSuchProcess, IndexError):
                if server := self.pieces.pieces[primary()].process:
                    return chance.choice(sorted(server.children(), key=lambda process: process.pid))
            return None

        async def primary_killed() -> str:
            return primary() if self._send(primary(), chance.choice((signal.SIGKILL, signal.SIGQUIT))) else "not there"

        async def primary_restarted() -> str:
            return primary() if self._send(primary(), signal.SIGINT) else "not there"

        async def primary_paused() -> str:
            return await self._hold([self.pieces.pieces[primary()].process], lasting(chance))

        async def standby_killed() -> str:
            return standby() if self._send(standby(), signal.SIGKILL) else "not there"

        async def standby_paused() -> str:
            server = self.pieces.pieces[standby()].process
            family: list[psutil.Process] = []
            with suppress(psutil.NoSuchProcess):
                family = server.children() if server else []
            return await self._hold(family, lasting(chance))

        async def backend_killed() -> str:
            if victim := backend():
                with suppress(psutil.NoSuchProcess):
                    victim.kill()
            return "one of the primary"

        async def backend_paused() -> str:
            return await self._hold([backend()], lasting(chance))

        async def failed_over() -> str:
            began = time.monotonic()
            async with self.pieces.changing:
                await self.pieces.fail_over()
            return f"to {primary()}, with a standby again after {time.monotonic() - began:.1f} s"

        async def slow_disk() -> str:
            """A commit is answered when the standby has it on disk: so long as that takes, so long takes every commit."""
            seconds, each = lasting(chance), chance.uniform(0.05, 0.5)
            with self.pieces.wires["replication"].delaying(each):
                await asyncio.sleep(seconds)
            return f"{seconds:.1f} s, each commit takes {2 * each:.2f} s"

        return Lane(
            name=name,
            chance=chance,
            faults=(
                primary_killed,
                primary_restarted,
                primary_paused,
                standby_killed,
                standby_paused,
                backend_killed,
                backend_paused,
                failed_over,
                slow_disk,
            ),
            rest=20.0,
        )

    def _on_the_rest(self, name: str) -> Lane:
        chance = random.Random(f"{self.seed} {name}")
        services = Deck(SERVICES, chance)
        disks = Deck(self.disks, chance)

        async def stream_purged() -> str:
            return await self._at_the_broker(services.draw(), self._purge)

        async def stream_deleted() -> str:
            return await self._at_the_broker(services.draw(), self._delete)

        async def messages_repeated_out_of_order() -> str:
            return await self._at_the_broker(services.draw(), functools.partial(self._repeat, chance))

        async def clock_set_forward() -> str:
            return self._step(chance.uniform(1, FORWARD))

        async def clock_set_back() -> str:
            return self._step(-chance.uniform(0.5, BACK))

        async def disk_full() -> str:
            disk, seconds = disks.draw(), lasting(chance)
            filling = disk / "filling"
            try:
                await asyncio.to_thread(fill, filling)
                await asyncio.sleep(seconds)
            finally:
                filling.unlink(missing_ok=True)
            if disk.name.startswith(
                "node"
            ):  # a broker stores nothing more until it is started again, and says so to who asks
                self._send(disk.name.replace("-", " "), signal.SIGTERM)
            return f"{disk.name}, {seconds:.1f} s"

        full = (disk_full, disk_full, disk_full) if self.disks else ()
        return Lane(
            name=name,
            chance=chance,
            faults=(
                stream_purged,
                stream_purged,
                stream_deleted,
                messages_repeated_out_of_order,
                messages_repeated_out_of_order,
                clock_set_forward,
                clock_set_back,
                *full,
            ),
            rest=3.0,
        )

    def _send(self, victim: str, sent: signal.Signals) -> bool:
        process = self.pieces.pieces[victim].process
        if process is None:
            return False
        with suppress(psutil.NoSuchProcess):
            process.send_signal(sent)
        return True

    async def _hold(self, victims: Sequence[psutil.Process | None], seconds: float) -> str:
        there = [victim for victim in victims if victim is not None]
        for victim in there:
            with suppress(psutil.NoSuchProcess):
                victim.suspend()
        await asyncio.sleep(seconds)
        for victim in there:
            with suppress(psutil.NoSuchProcess):
                victim.resume()
        return f"{seconds:.1f} s" if there else "was not there"

    def _step(self, seconds: float) -> str:
        self.offset += seconds
        step(self.pieces.clock, self.offset)
        return f"by {seconds:+.1f} s, it is wrong by {self.offset:+.1f} s"

    async def _at_the_broker(self, service: str, act: Callable[[JetStreamContext, str], Awaitable[str]]) -> str:
        """With the rights of the service, by whichever node can be reached."""
        failed: Exception | None = None
        for url in self.pieces.broker(service):
            try:
                client = await nats.connect(
                    **login(url),
                    allow_reconnect=False,
                    connect_timeout=2,
                    error_cb=say_nothing,
                    max_reconnect_attempts=1,
                )
                try:
                    return f"{service}: {await act(client.jetstream(timeout=3), f'roundlog-{service}')}"
                finally:
                    await client.close()
            except (OSError, nats.errors.Error) as error:
                failed = error
        return f"{service}: the broker did not do it, {failed!r}"

    async def _purge(self, jetstream: JetStreamContext, stream: str) -> str:
        before = (await jetstream.stream_info(stream)).state.messages
        await jetstream.purge_stream(stream)
        return f"{before} messages"

    async def _delete(self, jetstream: JetStreamContext, stream: str) -> str:
        await jetstream.delete_stream(stream)
        return "whole"

    async def _repeat(self, chance: random.Random, jetstream: JetStreamContext, stream: str) -> str:
        state = (await jetstream.stream_info(stream)).state
        first = max(state.first_seq, state.last_seq - REPEATED + 1)
        numbers = range(first, state.last_seq + 1) if state.messages else ()
        messages = [await jetstream.get_msg(stream, number) for number in numbers]
        chance.shuffle(messages)
        for message in messages:
            await jetstream.publish(message.subject or "", message.data or b"", headers=message.headers)
        return f"{len(messages)} messages"


def lasting(chance: random.Random) -> float:
    return SHORTEST * (LONGEST / SHORTEST) ** chance.random()


def fill(file: Path) -> None:
    """All that is left on its disk."""
    free = os.statvfs(file.parent)
    with file.open("wb") as filling:
        left = free.f_bavail * free.f_frsize
        while left > 0:
            try:
                os.posix_fallocate(filling.fileno(), filling.seek(0, os.SEEK_END), left)
            except OSError:
                left //= 2
            else:
                free = os.statvfs(file.parent)
                left = free.f_bavail * free.f_frsize


async def say_nothing(_: Exception) -> None:
    """Whoever asks is told by what is raised."""


PLACES = (*SEATS, *(f"node-{node}" for node in range(NODES)), "signing")  # in the folder, each a disk of its own
