"""One NATS server with JetStream in one folder."""

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deploy.local import binaries, condition, files, http
from deploy.local.condition import Condition
from deploy.local.errors import DiedAtStart
from deploy.local.ports import LOOPBACK, PortTaken, any_free, holder
from deploy.local.spawn import Child, Program, Spawned, nobody, spawn_ready

USER = "roundlog"


@dataclass(frozen=True, kw_only=True)
class Broker:
    folder: Path
    log: Path
    port: int
    monitoring_port: int
    password: str = field(repr=False)
    settings: Mapping[str, str] = field(default_factory=dict[str, str])  # further lines of its configuration
    descriptors: tuple[int, ...] = ()

    @property
    def url(self) -> str:
        return f"nats://{USER}:{self.password}@{LOOPBACK}:{self.port}"


async def start(broker: Broker, spawned: Spawned = nobody) -> Child:
    broker.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    files.write(broker.folder / "nats.conf", _configuration(broker))
    try:
        return await spawn_ready(_server(broker), lambda: ready(broker), spawned)
    except DiedAtStart as died:
        for port in (broker.port, broker.monitoring_port):
            if f":{port}: bind: address already in use" in died.log:
                raise PortTaken(port, holder(port)) from died
        raise


async def ready(broker: Broker) -> bool:
    """Its streams are restored, and it is ours: another program on the port would not know the password."""
    return await _takes_password(broker) and await http.status(broker.monitoring_port, "/healthz") == http.OK


async def ask(broker: Broker) -> Condition:
    return condition.of(await _takes_password(broker))


async def _takes_password(broker: Broker) -> bool:
    login = json.dumps({"user": USER, "pass": broker.password, "verbose": False, "pedantic": False})
    try:
        async with asyncio.timeout(2):
            reading, writing = await asyncio.open_connection(LOOPBACK, broker.port)
            try:
                await reading.readline()
                writing.write(f"CONNECT {login}\r\nPING\r\n".encode())
                return (await reading.readline()).startswith(b"PONG")
            finally:
                writing.close()
    except (OSError, TimeoutError):
        return False


def _configuration(broker: Broker) -> str:
    wanted = {
        "server_name": "roundlog",
        "listen": f'"{LOOPBACK}:{broker.port}"',
        "http": f'"{LOOPBACK}:{broker.monitoring_port}"',
        "authorization": f'{{ user: {USER}, password: "{broker.password}" }}',
        "jetstream": f"{{ store_dir: {json.dumps(str(broker.folder / 'jetstream'))} }}",
    } | dict(broker.settings)
    return "".join(f"{name}: {value}\n" for name, value in wanted.items())


def _server(broker: Broker) -> Program:
    return Program(
        name="nats",
        command=(str(binaries.nats()), f"--config={broker.folder / 'nats.conf'}"),
        log=broker.log,
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, 5),),
        descriptors=broker.descriptors,
    )


class Server:
    """A NATS server for tests: it can be killed and started again on the same port."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.url = broker.url
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        if self._child is None:
            raise RuntimeError("It does not run.")
        return self._child.pid

    async def start(self) -> None:
        self._child = await start(self.broker)

    async def kill(self) -> None:
        if self._child is not None:
            await self._child.end(())

    async def stop(self) -> None:
        if self._child is not None:
            await self._child.end()


@asynccontextmanager
async def running(
    folder: Path, *, port: int | None = None, settings: Mapping[str, str] | None = None
) -> AsyncGenerator[Server]:
    """A server in `folder`, on a free port if none is asked for; stopped at the end, whatever happened to it."""
    server = await _started(folder.resolve(), port, settings or {})
    try:
        yield server
    finally:
        await server.stop()


async def _started(folder: Path, port: int | None, settings: Mapping[str, str]) -> Server:
    while True:
        server = Server(
            Broker(
                folder=folder / "nats",
                log=folder / "nats.log",
                port=port or any_free(),
                monitoring_port=any_free(),
                password="roundlog",  # noqa: S106 - a test's own server on loopback
                settings=settings,
            )
        )
        try:
            await server.start()
        except PortTaken as taken:
            if taken.port == port:
                raise
        else:
            return server
