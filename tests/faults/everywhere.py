"""The campaign against a platform in pieces: faults everywhere at once while tournaments are played, and what a checker finds after it."""

import asyncio
import functools
import json
import random
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from deploy import SERVICES, tokens
from deploy.demo.client import Services
from tests.faults.damaging import damage
from tests.faults.journal import Journal, Noted
from tests.faults.load import Load
from tests.faults.pieces import Pieces
from tests.faults.striking import Strikes
from tests.patience import PATIENCE

ANSWERED_WITHIN = 12.0  # seconds; then a caller asks again
SIGNED_IN_FOR = 1000.0  # hours, whatever happens to the clock


@dataclass(kw_only=True)
class Everywhere:
    folder: Path
    seed: str
    disks: list[Path]
    say: Callable[[str], None]
    at_once: int
    rounds: int
    pieces: Pieces = field(init=False)

    def __post_init__(self) -> None:
        self.pieces = Pieces(folder=self.folder, chance=random.Random(f"{self.seed} wires"))

    async def run(self, *, seconds: float, ways: int, processes: int) -> dict[str, Any]:
        """Answers what was done, what was asked, and what the checker says of it."""
        journal = Journal(self.folder / "journal.jsonl")
        load = Load(
            lambda: self._connected(journal),
            seed=self.seed,
            at_once=self.at_once,
            rounds=self.rounds,
            patience=seconds + 3 * PATIENCE,  # of whoever may wait until all faults are over
        )
        strikes = Strikes(pieces=self.pieces, seed=self.seed, disks=self.disks)
        async with self.pieces.running():
            lanes = strikes.lanes(ways=ways, processes=processes)
            began = time.monotonic()
            playing = asyncio.create_task(load.play())

            def enough() -> bool:
                return playing.done() or time.monotonic() - began > seconds

            def struck(what: str, how: str) -> None:
                strikes.counted[what] += 1
                self.say(f"{strikes.counted.total():4} {time.monotonic() - began:4.0f} s  {what}: {how}")

            await asyncio.gather(*(lane.run(enough, struck) for lane in lanes))
            lasted = time.monotonic() - began
            load.finish()
            async with asyncio.timeout(3 * PATIENCE):
                await playing
                await self.pieces.ready()
            journal.close()
            verdicts = await self._checked()
            await damage(self.pieces, self.folder / "journal.jsonl")
            noticed = (await self._checked())["verdicts"]
        return {
            "seed": self.seed,
            "seconds": round(lasted, 1),
            "faults": strikes.counted.total(),
            "faults_by_kind": dict(sorted(strikes.counted.items())),
            "requests_doubled": sum(wire.doubled for wire in self.pieces.wires.values()),
            "answers_lost": sum(wire.unanswered for wire in self.pieces.wires.values()),
            "starts": {name: piece.starts for name, piece in self.pieces.pieces.items()},
            "statuses": dict(sorted(journal.statuses.items())),
            **verdicts,
            "damage_unnoticed": [kind for kind, several in noticed.items() if not several],
        }

    async def _checked(self) -> dict[str, Any]:
        places = self.folder / "places.json"
        places.write_text(
            json.dumps(
                {
                    "journal": str(self.folder / "journal.jsonl"),
                    "logs": str(self.folder / "logs"),
                    "front": self.pieces.front,
                    "databases": {service: self.pieces.database(service) for service in SERVICES},
                    "brokers": {service: self.pieces.broker(service) for service in SERVICES},
                }
            )
        )
        checker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.checker", str(places), stdout=subprocess.PIPE
        )
        said, _ = await checker.communicate()
        return json.loads(said)

    @asynccontextmanager
    async def _connected(self, journal: Journal) -> AsyncGenerator[Services]:
        @functools.cache
        def token(subject: str) -> str:
            return tokens.signed(self.folder / "keys", subject, hours=SIGNED_IN_FOR)

        urls = {service: f"{self.pieces.front}/{service}" for service in SERVICES}
        transport = Noted(httpx.AsyncHTTPTransport(), journal)
        async with httpx.AsyncClient(timeout=ANSWERED_WITHIN, transport=transport) as client:
            yield Services(client=client, urls=urls, token=token)
