"""Kills processes at random moments, and looks whether anything was lost, left or damaged."""

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import psutil

from deploy import databases
from deploy.local import folder as folders
from deploy.local import ports
from deploy.local.folder import Folder
from tests.faults.load import Load, listed
from tests.integration.launching import Platform, free_base, until

type Moment = Literal["while starting", "while running", "while stopping"]

MOMENTS: tuple[Moment, ...] = ("while starting", "while running", "while running", "while stopping")
VICTIMS = ("launcher", "registration", "pairing", "results", "standings", "postgres", "nats", "backend")
READY_WITHIN = 45.0
GONE_WITHIN = 10.0


class Campaign:
    """One platform, its load, and what is done to it."""

    def __init__(self, folder: Path, *, chance: random.Random, unprivileged: bool, say: Callable[[str], None]) -> None:
        self.platform = Platform(folder=Folder(path=folder / "data"), base_port=free_base(), unprivileged=unprivileged)
        self._chance = chance
        self._say = say
        self._load = Load(
            self.platform.url("registration"),
            "unprivileged" if unprivileged else "direct",
            keys=self.platform.folder.path / "keys",
        )
        self._terminal = folder / "terminal.log"
        self._launcher: subprocess.Popen[bytes] | None = None
        self._down = True  # because it was killed, or asked to stop

    def run(self, times: int) -> None:
        self._load.start()
        for time_number in range(1, times + 1):
            moment = self._chance.choice(MOMENTS)
            self._say(f"{time_number:3} {moment:14} {self._strike(moment)}")
        self._require_running()
        self._load.finish(READY_WITHIN)
        self._check()
        self._stop()
        self._say(f"    {len(self._load.acknowledged)} federations, each there once; the logs have no gaps")

    def _strike(self, moment: Moment) -> str:
        match moment:
            case "while starting":
                self._stop()
                self._start()
                struck = self._kill_anything_within(4.0)
            case "while running":
                self._require_running()
                time.sleep(self._chance.uniform(0, 1))
                struck = self._kill(self._victim())
            case "while stopping":
                self._require_running()
                self._ask_to_stop()
                struck = self._kill_anything_within(0.3)
        began = time.monotonic()
        if self._down:
            self._stop()
            return f"{struck}: all gone after {time.monotonic() - began:.1f} s"
        self._require_running()
        return f"{struck}: ready after {time.monotonic() - began:.1f} s"

    def _victim(self) -> psutil.Process:
        name = self._chance.choice(VICTIMS)
        if name == "backend":
            return psutil.Process(self._chance.choice(self.platform.backends()))
        return psutil.Process(self.platform.pid(name))

    def _kill_anything_within(self, seconds: float) -> str:
        time.sleep(self._chance.uniform(0, seconds))
        if not (alive := self.platform.left()):
            return "nothing was there"
        return self._kill(self._chance.choice(sorted(alive, key=lambda process: process.pid)))

    def _kill(self, victim: psutil.Process) -> str:
        name = described(victim)
        if self._launcher is not None and self._launcher.pid == victim.pid:
            self._down = True
        with suppress(psutil.NoSuchProcess):
            victim.kill()
        return name

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
        until(self._is_ready, READY_WITHIN)

    def _is_ready(self) -> bool:
        assert self._launcher is not None
        assert self._launcher.poll() is None, self._terminal.read_text()[-2000:]
        return self.platform.is_ready()

    def _ask_to_stop(self) -> None:
        self._down = True
        if self._launcher is not None:
            self._launcher.terminate()

    def _stop(self) -> None:
        self._ask_to_stop()
        if self._launcher is not None:
            self._launcher.wait(GONE_WITHIN * 3)
            until(lambda: not self.platform.left(), GONE_WITHIN)

    def _check(self) -> None:
        url = self.platform.url("registration")
        until(lambda: len(listed(url)) >= len(self._load.acknowledged), READY_WITHIN)
        assert sorted(listed(url)) == sorted(self._load.acknowledged.items())
        asyncio.run(require_gapless(self.platform))


async def require_gapless(platform: Platform) -> None:
    password = folders.passwords(platform.folder)["postgres"]
    server = f"postgresql://postgres:{password}@127.0.0.1:{ports.of('postgres', platform.base_port)}/postgres"
    for service in ports.SERVICES:
        async with databases.connection(databases.at(server, database=databases.name(service))) as database:
            found = await database.fetchrow("""
                select count(*), coalesce(max(position), 0) as last, count(public) as spoken,
                  coalesce(max(public), 0) as last_spoken from log.log
            """)
            assert found is not None
            assert found["count"] == found["last"], service
            assert found["spoken"] == found["last_spoken"], service


def described(process: psutil.Process) -> str:
    with suppress(psutil.NoSuchProcess):
        return f"{process.name()} (process {process.pid})"
    return f"process {process.pid}"


def ways() -> tuple[bool, ...]:
    """As root the platform is run both directly and without root's rights; anybody else has but one way."""
    return (False, True) if os.geteuid() == 0 else (False,)


@contextmanager
def campaign(
    folder: Path, *, chance: random.Random, unprivileged: bool, say: Callable[[str], None]
) -> Generator[Campaign]:
    running = Campaign(folder, chance=chance, unprivileged=unprivileged, say=say)
    try:
        yield running
    finally:
        running.platform.clear()
