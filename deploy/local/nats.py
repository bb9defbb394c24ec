"""One NATS server with JetStream in one folder, and an account in it for each service."""

# nats-py annotates its functions in parts only.
# pyright: reportUnknownMemberType=false

import json
import shutil
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import nats.errors
from nats.aio.client import Client

from deploy import SERVICES, accounts
from deploy.local import binaries, health
from deploy.local.errors import DiedAtStart
from deploy.local.health import Condition
from deploy.local.killable import KillableServer, running_at
from deploy.local.ports import LOOPBACK, PortTaken, holder
from deploy.local.processes import Child, Program, Spawned, nobody, spawn_ready
from shared import files
from shared.messaging.broker import login

PATIENCE = 5  # seconds
OF_TESTS = {service: f"of-{service}" for service in SERVICES}  # whose servers are their own, on loopback
WITHOUT_ACCOUNT = "$G"  # the broker's own name for the streams of those who have no account


@dataclass(frozen=True, kw_only=True)
class NatsFiles:
    folder: Path
    log: Path
    port: int
    passwords: Mapping[str, str] = field(repr=False)  # by service
    settings: Mapping[str, str] = field(default_factory=dict[str, str])  # further lines of its configuration
    descriptors: tuple[int, ...] = ()

    @property
    def urls(self) -> dict[str, str]:
        """Of each service, as the user of its account."""
        return own_urls(f"nats://{LOOPBACK}:{self.port}", self.passwords)


def own_urls(server: str, passwords: Mapping[str, str]) -> dict[str, str]:
    return {service: accounts.own_url(server, service, password) for service, password in passwords.items()}


async def start(broker: NatsFiles, spawned: Spawned = nobody) -> Child:
    broker.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    forget_streams_without_account(broker)
    files.write(broker.folder / "passwords.conf", accounts.passwords(broker.passwords))
    files.write(broker.folder / "accounts.conf", accounts.written())
    files.write(broker.folder / "nats.conf", _configuration(broker))
    try:
        return await spawn_ready(_server(broker), lambda: ready(broker), spawned)
    except DiedAtStart as died:
        if f":{broker.port}: bind: address already in use" in died.log:
            raise PortTaken(broker.port, holder(broker.port)) from died
        raise


def forget_streams_without_account(broker: NatsFiles) -> None:
    """They have names in them, which nobody could erase any more. Their owners fill those of the accounts anew."""
    left = broker.folder / "jetstream" / "jetstream" / WITHOUT_ACCOUNT
    if left.exists():
        shutil.rmtree(left)


async def ready(broker: NatsFiles) -> bool:
    """It does its work, and it is ours: another program on the port would not know the password."""
    try:
        await require_account(next(iter(broker.urls.values())))
    except (OSError, nats.errors.Error):
        return False
    return True


async def ask(broker: NatsFiles) -> Condition:
    return health.condition_of(await ready(broker))


async def require_account(url: str) -> None:
    """Raise unless the broker answers the user of this URL for the streams of their account."""
    async with connected(url) as client:
        await client.jetstream(timeout=PATIENCE).account_info()


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[Client]:
    """For some questions; whoever is not there is not asked again."""
    client = Client()
    try:
        await client.connect(
            **login(url),
            connect_timeout=PATIENCE,
            allow_reconnect=False,  # and for a server that is not there at all:
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            error_cb=_say_nothing,
        )
        yield client
    finally:
        await client.close()


async def _say_nothing(_: Exception) -> None:
    """Whoever asks is told by what is raised."""


# A stream is made only where all that it may ever keep has room. Left alone, NATS counts on three quarters of what is free on
# the disk when it starts, and on a small one makes none.
MOST_STORED = "8GB"


def _configuration(broker: NatsFiles) -> str:
    wanted = {
        "server_name": "roundlog",
        "listen": f'"{LOOPBACK}:{broker.port}"',
        "jetstream": f"{{ store_dir: {json.dumps(str(broker.folder / 'jetstream'))}, max_file_store: {MOST_STORED} }}",
    } | dict(broker.settings)
    return "".join([*(f"{name}: {value}\n" for name, value in wanted.items()), 'include "accounts.conf"\n'])


def _server(broker: NatsFiles) -> Program:
    return Program(
        name="nats",
        command=(str(binaries.nats()), f"--config={broker.folder / 'nats.conf'}"),
        log=broker.log,
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, 5),),
        descriptors=broker.descriptors,
    )


class NatsServer(KillableServer):
    def __init__(self, broker: NatsFiles) -> None:
        super().__init__(partial(start, broker))
        self.broker = broker
        self.urls = broker.urls


def running(
    folder: Path,
    *,
    port: int | None = None,
    settings: Mapping[str, str] | None = None,
    passwords: Mapping[str, str] = OF_TESTS,
) -> AbstractAsyncContextManager[NatsServer]:
    """A server of tests in `folder`."""
    place = folder.resolve()

    def made_at(free: int) -> NatsServer:
        return NatsServer(
            NatsFiles(
                folder=place / "nats",
                log=place / "nats.log",
                port=free,
                passwords=passwords,
                settings=settings or {},
            )
        )

    return running_at(port, made_at)
