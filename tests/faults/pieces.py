"""A platform in pieces, as it runs on several machines: two copies of each service, three brokers, a PostgreSQL with a synchronous
standby, and the proxy, each kept running, with a wire between all that talk to each other.
"""

import asyncio
import json
import random
import shutil
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import asyncpg
import nats.errors
import psutil

from deploy import SERVICES, accounts, databases, signing, tokens
from deploy.local import binaries, postgres, proxy
from deploy.local import nats as brokers
from deploy.local.errors import CannotRun
from deploy.local.instance import Service, start_service
from deploy.local.ports import LOOPBACK, any_free, listen
from deploy.local.postgres import Cluster
from deploy.local.processes import Child, Program, Spawned, spawn, spawn_ready
from shared import files
from tests.databases import FAST
from tests.faults.stepped import SteppedForks
from tests.faults.wire import Wire
from tests.patience import PATIENCE

COPIES = 2
NODES = 3
SEATS = ("a", "b")  # of PostgreSQL: one has the primary, the other one the standby
PASSWORD = "roundlog"  # noqa: S105 - servers of a test, on loopback, for as long as it runs
OF_SERVICES: dict[str, str] = dict.fromkeys(SERVICES, PASSWORD)
KEPT_WAL = {
    "max_wal_size": "192MB",
    "min_wal_size": "32MB",
    "wal_keep_size": "128MB",
    "wal_receiver_timeout": "10s",
} | {"wal_retrieve_retry_interval": "200ms"}
MANY = {"max_connections": "600"}  # of eight copies, also of those that were cut off and have not been missed yet
BACK_AFTER = 0.1  # seconds, as a supervisor needs
ALONE = "alter system set synchronous_standby_names = ''"
TOGETHER = "alter system reset synchronous_standby_names"
CAUGHT_UP = "select from pg_stat_replication where sync_state = 'sync' and flush_lsn >= $1::text::pg_lsn"
ADMINISTRATED = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)


@dataclass(kw_only=True)
class Piece:
    """A process that is started again whenever it ends."""

    name: str
    start: Callable[[Spawned], Awaitable[Child]]
    starts: int = 0
    child: Child | None = None
    is_ready: bool = False
    _keeping: asyncio.Task[None] | None = None

    def keep(self) -> None:
        self._keeping = asyncio.create_task(self._keep(), name=self.name)

    @property
    def lives(self) -> bool:
        return self.child is not None and not self.child.ended

    @property
    def process(self) -> psutil.Process | None:
        if self.child is None or self.child.ended:
            return None
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.child.pid)
        return None

    async def ready(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while not self.is_ready:
                if self._keeping and self._keeping.done():
                    self._keeping.result()
                await asyncio.sleep(0.05)

    async def end(self, how: Callable[[Child], Awaitable[object]] = Child.end) -> None:
        """It is not started again."""
        child = self.child
        if self._keeping is not None:
            self._keeping.cancel()
            if child is not None and not child.ended:
                await how(child)
            await asyncio.gather(self._keeping, return_exceptions=True)

    async def _keep(self) -> None:
        while True:
            with suppress(CannotRun, OSError):
                child = await self.start(self._spawned)
                self.is_ready = True
                await child.wait()
            self.is_ready = False
            await asyncio.sleep(BACK_AFTER)

    def _spawned(self, child: Child) -> None:
        self.starts += 1
        self.child = child


@dataclass(kw_only=True)
class Pieces:
    folder: Path
    chance: random.Random
    wires: dict[str, Wire] = field(default_factory=dict[str, Wire])
    pieces: dict[str, Piece] = field(default_factory=dict[str, Piece])
    primary: str = SEATS[0]
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while the databases change their seats
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _ports: dict[str, int] = field(default_factory=dict[str, int])
    _reserved: list[socket.socket] = field(default_factory=list[socket.socket])
    _forks: SteppedForks | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        try:
            await self._start()
            yield
        finally:
            await self._stop()

    # Where everything is

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    @property
    def front(self) -> str:
        return f"http://{LOOPBACK}:{self._port('front')}"

    def other(self, seat: str) -> str:
        return SEATS[1 - SEATS.index(seat)]

    def cluster(self, seat: str) -> Cluster:
        primary = (
            f"host={LOOPBACK} port={self._port('replication')} user=postgres password={PASSWORD} connect_timeout=5"
        )
        settings = (
            KEPT_WAL
            | MANY
            | FAST
            | {
                "fsync": "on",
                "primary_conninfo": primary,
                "cluster_name": f"seat_{seat}",
                "synchronous_standby_names": "*",
            }
        )
        return Cluster(
            folder=self.folder / seat / "postgres",
            log=self.folder / "logs" / f"postgres-{seat}.log",
            port=self._port(f"seat {seat}"),
            password=PASSWORD,
            settings=settings,
        )

    @property
    def server(self) -> str:
        """As its administrator, past the wires."""
        return self.cluster(self.primary).url

    def database(self, service: str) -> str:
        return databases.at(self.server, database=databases.name(service))

    def broker(self, service: str) -> list[str]:
        """As the service itself, past the wires."""
        own = (f"nats://{LOOPBACK}:{self._port(f'node {node}')}" for node in range(NODES))
        return [accounts.own_url(url, service, PASSWORD) for url in own]

    def copy(self, service: str, number: int) -> Piece:
        return self.pieces[f"{service} {number}"]

    def _port(self, name: str) -> int:
        """Kept bound until it is used would be refused to others; the few that are asked for are noted down instead."""
        while name not in self._ports:
            port = any_free()
            if port not in self._ports.values():
                self._ports[name] = port
        return self._ports[name]

    # Starting

    async def _start(self) -> None:
        (self.folder / "logs").mkdir(parents=True, exist_ok=True)
        self._forks = SteppedForks(self.folder / "logs" / "services.log", self.clock)
        await self._forks.load()
        for name, leads_to, speaks_http in self._ways():
            wire = Wire(
                name=name, port=self._port(name), leads_to=leads_to, chance=self.chance, speaks_http=speaks_http
            )
            self.wires[name] = wire
            await self._stack.enter_async_context(wire.running())
        for node in range(NODES):
            self._keep(f"node {node}", partial(self._start_node, node))
        self._keep(f"seat {self.primary}", partial(self._start_seat, self.primary))
        await self.pieces[f"seat {self.primary}"].ready()
        await self._alter(ALONE)
        await databases.prepare(self.server, OF_SERVICES)
        await self.seat_a_standby()
        await self._alter(TOGETHER)
        for node in range(NODES):
            await self.pieces[f"node {node}"].ready()
        for service in SERVICES:
            for number in range(COPIES):
                self._keep(f"{service} {number}", partial(self._start_copy, service, number, self._listening()))
        front = proxy.Proxy(
            listening=self._listening(),
            services={service: [self._port(f"to {service}")] for service in SERVICES},
            folder=self.folder / "proxy",
            log=self.folder / "logs" / "proxy.log",
        )
        self._ports["proxy"] = front.port
        self._keep("proxy", partial(proxy.start, front))
        await self.ready()

    def _listening(self) -> socket.socket:
        self._reserved.append(listening := listen(0))
        return listening

    async def ready(self) -> None:
        await asyncio.gather(*(piece.ready() for piece in self.pieces.values()))

    def _keep(self, name: str, start: Callable[[Spawned], Awaitable[Child]]) -> None:
        self.pieces[name] = Piece(name=name, start=start)
        self.pieces[name].keep()

    def _ways(self) -> list[tuple[str, Callable[[], list[int]], bool]]:
        """Between whom there is a wire."""
        return [
            ("front", lambda: [self._port("proxy")], True),
            *((f"to {service}", partial(self._copies_of, service), True) for service in SERVICES),
            *((f"{service} to postgres", lambda: [self._port(f"seat {self.primary}")], False) for service in SERVICES),
            ("replication", lambda: [self._port(f"seat {self.primary}")], False),
            *((f"to node {node}", partial(self._ports_of, f"node {node}"), False) for node in range(NODES)),
            *((f"route to node {node}", partial(self._ports_of, f"route {node}"), False) for node in range(NODES)),
        ]

    def _ports_of(self, name: str) -> list[int]:
        return [self._port(name)]

    def _copies_of(self, service: str) -> list[int]:
        """Those that live, as a cluster or a proxy in front of copies sends nothing to others."""
        names = [f"{service} {number}" for number in range(COPIES)]
        return [self._port(name) for name in names if name in self.pieces and self.pieces[name].lives]

    async def _start_copy(self, service: str, number: int, listening: socket.socket, spawned: Spawned) -> Child:
        name = f"{service} {number}"
        self._ports[name] = listening.getsockname()[1]
        told = tokens.environment(self.folder, service, self.front) | {
            "ROUNDLOG_STREAM_COPIES": str(NODES),
            "ROUNDLOG_PROXIES": LOOPBACK,
        }
        if number == 0:  # one copy signs
            told |= signing.environment(self.folder, service)
        database = databases.at(self.server, database=databases.name(service))
        own = databases.own_url(database, service, PASSWORD).replace(
            f":{self._port(f'seat {self.primary}')}/", f":{self._port(f'{service} to postgres')}/"
        )
        node = f"nats://{LOOPBACK}:{self._port(f'to node {number}')}"
        copy = Service(
            name=service,
            listening=listening,
            log=self.folder / "logs" / f"{service}-{number}.log",
            database_url=own,
            nats_url=accounts.own_url(node, service, PASSWORD),
            held=listening.fileno(),
            keys=told,
            forks=self._forks,
        )
        return await start_service(copy, silent, spawned)

    async def _start_node(self, node: int, spawned: Spawned) -> Child:
        folder = self.folder / f"node-{node}"
        folder.mkdir(exist_ok=True)
        others = [f"nats-route://{LOOPBACK}:{self._port(f'route to node {other}')}" for other in range(NODES)]
        cluster = {
            "name": "roundlog",
            "listen": f"{LOOPBACK}:{self._port(f'route {node}')}",
            "advertise": f"{LOOPBACK}:{self._port(f'route to node {node}')}",
            "routes": [url for other, url in enumerate(others) if other != node],
        }
        lines = [
            f"server_name: node-{node}",
            f'listen: "{LOOPBACK}:{self._port(f"node {node}")}"',
            f'client_advertise: "{LOOPBACK}:{self._port(f"to node {node}")}"',
            f"jetstream: {{ store_dir: {json.dumps(str(folder / 'jetstream'))}, max_file_store: 16GB }}",  # whatever the disk has
            f"cluster: {json.dumps(cluster)}",
            'include "accounts.conf"',
        ]
        files.write(folder / "passwords.conf", accounts.passwords(OF_SERVICES))
        files.write(folder / "accounts.conf", accounts.written())
        files.write(folder / "nats.conf", "\n".join(lines) + "\n")
        program = Program(
            name=f"node {node}",
            command=(str(binaries.nats()), f"--config={folder / 'nats.conf'}"),
            log=self.folder / "logs" / f"node-{node}.log",
            death_signal=signal.SIGKILL,
            endings=((signal.SIGTERM, 5),),
        )
        url = self.broker(SERVICES[0])[node]
        return await spawn_ready(program, lambda: answers(url), spawned)

    async def _start_seat(self, seat: str, spawned: Spawned) -> Child:
        return await postgres.start(self.cluster(seat), spawned)

    # PostgreSQL: who is the primary

    async def seat_a_standby(self) -> None:
        """A new copy of the primary on the other seat, on whose disk everything is before it is acknowledged."""
        seat = self.other(self.primary)
        cluster = self.cluster(seat)
        name = f"seat {seat}"
        if name in self.pieces:
            await self.pieces[name].end()
        while True:
            if cluster.folder.exists():
                shutil.rmtree(cluster.folder)
            if await self._copy(cluster):
                break
            await asyncio.sleep(0.5)
        (cluster.folder / "standby.signal").touch()
        (cluster.folder / "postgresql.auto.conf").write_text(
            "", encoding="ascii"
        )  # when its time comes it is never alone
        self._keep(name, partial(self._start_seat, seat))
        await self.pieces[name].ready()

    async def _copy(self, cluster: Cluster) -> bool:
        primary = self.cluster(self.primary)
        program = Program(
            name="copy",
            command=(
                str(binaries.postgres("pg_basebackup")),
                *f"--host={LOOPBACK} --port={primary.port} --username=postgres --no-password".split(),
                *f"--pgdata={cluster.folder} --checkpoint=fast --no-sync --no-manifest".split(),
            ),
            log=cluster.log,
            death_signal=signal.SIGKILL,
            endings=(),
            environment={"PGPASSWORD": PASSWORD, "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
            refuses_root=True,
        )
        copying = await spawn(program)
        try:
            return await copying.wait() == 0
        finally:
            await copying.end()

    async def is_caught_up(self) -> bool:
        """Whether the standby has all that anybody can have seen of the primary."""
        with suppress(*ADMINISTRATED):
            async with asyncio.timeout(5), databases.connection(self.server) as admin:
                written = await admin.fetchval("select pg_current_wal_flush_lsn()::text")
                while not await admin.fetch(CAUGHT_UP, written):
                    await asyncio.sleep(0.05)
                return True
        return False

    async def _alter(self, setting: str) -> None:
        async with databases.connection(self.server) as admin:
            await admin.execute(setting)
            await admin.execute("select pg_reload_conf()")

    async def fail_over(self) -> None:
        """The primary dies for good, and the standby takes its place; then it gets a standby of its own."""
        lost, taken = self.primary, self.other(self.primary)
        async with asyncio.timeout(PATIENCE):
            while not await self.is_caught_up():
                await asyncio.sleep(0.1)
        await self.pieces[f"seat {lost}"].end(postgres.kill_family)
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(*ADMINISTRATED):
                    async with databases.connection(self.cluster(taken).url) as standby:
                        if await standby.fetchval("select pg_promote(true, 60)"):
                            break
                await asyncio.sleep(0.1)
        self.primary = taken
        for name, wire in self.wires.items():
            if name.endswith("to postgres") or name == "replication":
                wire.cut()
        await self.seat_a_standby()

    # Ending

    async def _stop(self) -> None:
        await asyncio.gather(*(piece.end() for name, piece in self.pieces.items() if not name.startswith("seat")))
        if self._forks is not None:
            await self._forks.end()
        await asyncio.gather(
            *(piece.end(postgres.kill_family) for name, piece in self.pieces.items() if name.startswith("seat"))
        )
        await self._stack.aclose()
        for listening in self._reserved:
            listening.close()


def silent(_: str) -> None:
    """What a launcher would tell whoever has started it."""


async def answers(url: str) -> bool:
    """Whether a broker lets its users in; alone it could do no more."""
    try:
        async with brokers.connected(url):
            return True
    except (OSError, nats.errors.Error):
        return False
