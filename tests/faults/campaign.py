"""Kills and pauses processes at random moments while tournaments are played, and looks whether anything was lost.

A seed repeats what is done to whom and for how long, and what is played; the moments depend on the machine.
"""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import httpx
import psutil
from anyio.from_thread import start_blocking_portal

from deploy import SERVICES, databases
from deploy.demo.play import connected
from deploy.local import operations, ports
from deploy.local.folder import Folder
from tests.e2e.auditing import require_whole
from tests.faults.load import Load
from tests.faults.words import faults_in
from tests.integration.launching import Platform, free_base, until
from tests.patience import PATIENCE

type Strike = Literal["kill", "pause", "sleep", "while starting", "while stopping"]

STRIKES: tuple[Strike, ...] = (
    "kill",
    "kill",
    "kill",
    "pause",
    "pause",
    "pause",
    "sleep",
    "while starting",
    "while stopping",
)
VICTIMS = (
    "launcher",
    "registration",
    "pairing",
    "results",
    "standings",
    "postgres",
    "nats",
    "proxy",
    "backend",
    "backend",
)
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)
SHORTEST, LONGEST = 0.1, 8.0  # seconds of a pause
REST = 2.0  # seconds at most between two strikes
CLOSED = "select source as name, stopped as why from inbox.sources where stopped is not null"
PARKED = "select scope as name, problem as why from inbox.scopes where parked is not null"


class Deck[Card]:
    """Each card once before one comes again."""

    def __init__(self, cards: Sequence[Card], chance: random.Random) -> None:
        self._cards, self._chance, self._left = cards, chance, list[Card]()

    def draw(self) -> Card:
        self._left = self._left or self._chance.sample(self._cards, len(self._cards))
        return self._left.pop()


class Campaign:
    """One platform, its load, and what is done to it."""

    def __init__(
        self, folder: Path, *, seed: str, unprivileged: bool, say: Callable[[str], None], at_once: int
    ) -> None:
        self.platform = Platform(folder=Folder(path=folder / "data"), base_port=free_base(), unprivileged=unprivileged)
        self._chance = random.Random(seed)
        self._killed, self._paused = Deck(VICTIMS, self._chance), Deck(VICTIMS, self._chance)
        self._signals = Deck(SIGNALS, self._chance)
        self._say = say
        urls = {service: self.platform.url(service) for service in SERVICES}
        self._load = Load(lambda: connected(urls, self.platform.folder), seed=seed, at_once=at_once)
        self._terminal = folder / "terminal.log"
        self._launcher: subprocess.Popen[bytes] | None = None
        self._down = True  # because it was killed, or asked to stop

    def run(self, *, seconds: float, strikes: Sequence[Strike] = STRIKES) -> None:
        """At least until each of the strikes has come once."""
        self._require_running()
        with start_blocking_portal() as portal:
            playing = portal.start_task_soon(self._load.play)
            deck, began, number = Deck(strikes, self._chance), time.monotonic(), 0
            while (time.monotonic() - began < seconds or number < len(strikes)) and not playing.done():
                time.sleep(self._chance.uniform(0, REST))
                number += 1
                at = time.monotonic() - began
                self._say(f"{number:3} {at:4.0f} s  {self._strike(deck.draw())}")
            self._load.finish()
            self._require_running()
            playing.result(3 * PATIENCE)
        self._require_running()
        self._check()
        self._stop()

    def _strike(self, strike: Strike) -> str:
        match strike:
            case "kill":
                self._require_running()
                return self._and_then(self._kill(self._killed.draw(), self._signals.draw()))
            case "pause":
                return self._pause(self._paused.draw())
            case "sleep":
                return f"everything {self._hold(self.platform.left())}"
            case "while starting":
                self._stop()
                self._start()
                return self._and_then(f"while starting, {self._kill_anything_within(4.0)}")
            case "while stopping":
                self._require_running()
                self._ask_to_stop()
                return self._and_then(f"while stopping, {self._kill_anything_within(0.3)}")

    def _and_then(self, struck: str) -> str:
        began = time.monotonic()
        if self._down:
            self._stop()
            gone = f", all gone after {time.monotonic() - began:.1f} s"
        else:
            gone = ""
        self._require_running()
        return f"{struck}{gone}, ready after {time.monotonic() - began:.1f} s"

    def _victim(self, name: str) -> psutil.Process | None:
        with suppress(psutil.NoSuchProcess, StopIteration, IndexError):
            if name == "backend":
                return psutil.Process(self._chance.choice(sorted(self.platform.backends())))
            return psutil.Process(self.platform.pid(name))
        return None

    def _kill(self, name: str, sent: signal.Signals) -> str:
        if (victim := self._victim(name)) is None:
            return f"{name} was not there"
        if name == "launcher":
            self._down = True
            sent = signal.SIGTERM if sent == signal.SIGHUP else sent  # which it does not hear under nohup
        with suppress(psutil.NoSuchProcess):
            victim.send_signal(sent)
        return f"{name} ({victim.pid}) {sent.name}"

    def _pause(self, name: str) -> str:
        victim = self._victim(name)
        return f"{name} was not there" if victim is None else f"{name} ({victim.pid}) {self._hold([victim])}"

    def _hold(self, victims: Sequence[psutil.Process]) -> str:
        seconds = SHORTEST * (LONGEST / SHORTEST) ** self._chance.random()
        for victim in victims:
            with suppress(psutil.NoSuchProcess):
                victim.suspend()
        time.sleep(seconds)
        for victim in victims:
            with suppress(psutil.NoSuchProcess):
                victim.resume()
        return f"paused for {seconds:.1f} s"

    def _kill_anything_within(self, seconds: float) -> str:
        time.sleep(self._chance.uniform(0, seconds))
        if not (alive := self.platform.left()):
            return "nothing was there"
        victim = self._chance.choice(sorted(alive, key=lambda process: process.pid))
        name = described(victim)
        if self._launcher is not None and self._launcher.pid == victim.pid:
            self._down = True
        with suppress(psutil.NoSuchProcess):
            victim.kill()
        return f"{name} SIGKILL"

    def _start(self) -> None:
        with self._terminal.open("ab") as terminal:
            command = self.platform.command("up", f"--base-port={self.platform.base_port}")
            self._launcher = subprocess.Popen(  # noqa: S603 - our own command
                command, stdout=terminal, stderr=terminal, start_new_session=True, env=self.platform.environ()
            )
        self._down = False

    def _require_running(self) -> None:
        """Whatever else was killed comes back by itself: only a launcher may need to be started again."""
        if self._down:
            self._start()
        try:
            until(self._is_ready)
        except AssertionError:
            self._say(f"not ready: {self._unready()}")
            raise

    def _is_ready(self) -> bool:
        assert self._launcher is not None
        assert self._launcher.poll() is None, self._terminal.read_text()[-2000:]
        return self.platform.is_ready()

    def _unready(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in ports.SERVICES:
            try:
                found[name] = httpx.get(f"{self.platform.url(name)}/readyz").text
            except httpx.TransportError as error:
                found[name] = repr(error)
        return found

    def _ask_to_stop(self) -> None:
        self._down = True
        if self._launcher is not None:
            self._launcher.terminate()

    def _stop(self) -> None:
        self._ask_to_stop()
        if self._launcher is not None:
            self._launcher.wait(PATIENCE)
            until(self.platform.is_gone)

    def _check(self) -> None:
        records = self._load.records
        require_whole(self.platform, records)
        asyncio.run(require_open(self.platform))
        require_no_fault_of_ours(self.platform)
        reports = sum(len(record.posts) for record in records.values())
        self._say(f"    {len(records)} tournaments, {reports} reports, each there once; every table as it should be")


async def require_open(platform: Platform) -> None:
    """No inbox has stopped, and nothing waits for an operator."""
    for service, url in operations.find_addresses(platform.folder).databases.items():
        async with databases.connection(url) as database:
            found = [tuple(row) for query in (CLOSED, PARKED) for row in await database.fetch(query)]
            assert not found, (service, found)


def require_no_fault_of_ours(platform: Platform) -> None:
    for name in ports.SERVICES:
        for log in platform.folder.log(name).parent.glob(f"{name}.log*"):
            faults = faults_in(log)
            assert not faults, (name, faults[:3])


def described(process: psutil.Process) -> str:
    with suppress(psutil.NoSuchProcess):
        return f"{process.name()} ({process.pid})"
    return f"process {process.pid}"


def ways() -> tuple[bool, ...]:
    """As root the platform is run both directly and without root's rights; anybody else has but one way."""
    return (False, True) if os.geteuid() == 0 else (False,)


@contextmanager
def campaign(
    folder: Path, *, seed: str, unprivileged: bool, say: Callable[[str], None], at_once: int = 2
) -> Generator[Campaign]:
    """While so many tournaments are played `at_once`."""
    running = Campaign(folder, seed=seed, unprivileged=unprivileged, say=say, at_once=at_once)
    try:
        yield running
    finally:
        running.platform.clear()
