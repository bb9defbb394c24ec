"""One Caddy in front of the services, which makes them one origin, by the very file that runs in containers."""

import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.local import binaries, health
from deploy.local.health import Condition
from deploy.local.options import ROOT
from deploy.local.ports import LOOPBACK
from deploy.local.processes import Child, Program, Spawned, inherited, nobody, spawn_ready
from deploy.serve import DRAIN_SECONDS
from shared.values import Value

CONFIGURATION = ROOT / "deploy/Caddyfile"
PAGES = ROOT / "clients/web/dist"  # built by `make setup`

# Whoever connects straight to a service comes from 127.0.0.1, and is not to be believed for whom they ask. Only Linux
# has the other addresses of its loopback without being asked.
ADDRESS = "127.30.77.2" if sys.platform == "linux" else LOOPBACK


class Proxy(Value):
    listening: socket.socket
    services: Mapping[str, Sequence[int]]  # the ports of their copies
    folder: Path
    log: Path
    descriptors: tuple[int, ...] = ()

    @property
    def port(self) -> int:
        _, port = self.listening.getsockname()
        return int(port)


async def start(proxy: Proxy, spawned: Spawned = nobody) -> Child:
    proxy.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return await spawn_ready(program(proxy), lambda: answers(proxy.port), spawned)


async def answers(port: int) -> bool:
    return await health.answer_status(port, "/healthz") == health.OK


async def ask(proxy: Proxy) -> Condition:
    return health.condition_of(await answers(proxy.port))


def program(proxy: Proxy) -> Program:
    descriptor = proxy.listening.fileno()
    return Program(
        name="proxy",
        command=(str(binaries.caddy()), "run", f"--config={CONFIGURATION}", "--adapter=caddyfile"),
        log=proxy.log,
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, DRAIN_SECONDS + 2),),
        environment=environment(proxy, descriptor),
        descriptors=(*proxy.descriptors, descriptor),
    )


def upstream(service: str) -> str:
    """The variable that names all copies of a service to the proxy."""
    return f"ROUNDLOG_{service.upper()}"


def has_copies(service: str) -> bool:
    return len(named(service)) > 1


def named(service: str) -> list[str]:
    """Where its copies are, the first one included, if somebody has said so."""
    return os.environ.get(upstream(service), "").split()


def environment(proxy: Proxy, descriptor: int) -> dict[str, str]:
    """It is told where everything is, and keeps what it writes for itself in its own folder.

    Whoever runs further copies of a service names all of them.
    """
    upstreams = {
        upstream(name): " ".join(f"{LOOPBACK}:{port}" for port in ports) for name, ports in proxy.services.items()
    }
    as_named = {name: os.environ[name] for name in upstreams if os.environ.get(name)}
    own = {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}
    here = {"ROUNDLOG_PROXY_LISTEN": f"fd/{descriptor}", "ROUNDLOG_PROXY_FROM": ADDRESS, "ROUNDLOG_PAGES": str(PAGES)}
    return inherited() | dict.fromkeys(own, str(proxy.folder)) | upstreams | as_named | here
