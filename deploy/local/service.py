"""One of the four services, as a process on a listening socket that the launcher keeps."""

import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local import condition, http
from deploy.local.condition import Condition
from deploy.local.options import ROOT
from deploy.local.spawn import Child, Program, Spawned, inherited, nobody, spawn_ready
from deploy.serve import DRAIN_SECONDS

PATIENCE = 60.0
READY_PATIENCE = 45.0


@dataclass(frozen=True, kw_only=True)
class Service:
    name: str
    listening: socket.socket
    log: Path
    database_url: str = field(repr=False)
    nats_url: str = field(repr=False)
    held: int
    keys: dict[str, str] = field(default_factory=dict[str, str])  # where those are who sign its callers' tokens

    @property
    def port(self) -> int:
        _, port = self.listening.getsockname()
        return int(port)


async def start(service: Service, say: Callable[[str], None], spawned: Spawned = nobody) -> Child:
    """Return when it is ready; or merely alive after a long time, since a parked tournament must not stop the rest."""
    began = time.monotonic()

    async def ready() -> bool:
        if await http.status(service.port, "/readyz") == http.OK:
            return True
        if time.monotonic() - began < READY_PATIENCE or not await _serves(service):
            return False
        say(f"  {service.name:13} runs, but is not ready: http://127.0.0.1:{service.port}/readyz says why")
        return True

    return await spawn_ready(_program(service), ready, spawned, patience=PATIENCE)


async def ask(service: Service) -> Condition:
    """Whether it serves. One that is not ready, as with a parked tournament, would not be after another start either."""
    return condition.of(await _serves(service))


async def _serves(service: Service) -> bool:
    return await http.status(service.port, "/healthz") == http.OK


def _program(service: Service) -> Program:
    descriptor = service.listening.fileno()
    return Program(
        name=service.name,
        command=(sys.executable, "-m", "deploy.serve", service.name, f"--fd={descriptor}"),
        log=service.log,
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, DRAIN_SECONDS + 2),),
        environment=inherited()
        | {"ROUNDLOG_DATABASE_URL": service.database_url, "ROUNDLOG_NATS_URL": service.nats_url}
        | service.keys,
        descriptors=(service.held, descriptor),
        working_folder=ROOT,  # found first by `python -m`, whatever folder the launcher was started in
    )
