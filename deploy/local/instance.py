"""The whole platform on this machine: started in order, stopped in the opposite order."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import psutil
from nats import errors as nats_errors

from deploy import SERVICES, databases, signing, tokens
from deploy.local import folder, health, lock, nats, ports, postgres, proxy, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.forks import ForkServer, can_fork
from deploy.local.health import Condition
from deploy.local.keeper import Keeper, nothing
from deploy.local.logs import Journal
from deploy.local.nats import NatsFiles
from deploy.local.options import ROOT, Options
from deploy.local.ports import ClaimedPorts
from deploy.local.postgres import Cluster
from deploy.local.processes import Child, Program, Spawned, inherited, nobody, spawn, spawn_ready, until_gone
from deploy.local.proxy import Proxy
from deploy.local.state import Phase, RunState
from deploy.serve import DRAIN_SECONDS
from shared.log.notify import BROKEN

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
    keys: dict[str, str] = field(default_factory=dict[str, str])  # where its own are, and those of who signs tokens
    forks: ForkServer | None = None  # without one it is started by itself

    @property
    def port(self) -> int:
        _, port = self.listening.getsockname()
        return int(port)

    def send_callers_on(self) -> None:
        """To a copy that the proxy knows, while this one is away. Without one they wait here."""
        if proxy.has_copies(self.name):
            ports.listen_no_more(self.listening)


async def start_service(service: Service, say: Callable[[str], None], spawned: Spawned = nobody) -> Child:
    """Return when it is ready; or merely alive after a long time, since a parked tournament must not stop the rest."""
    began = time.monotonic()

    async def ready() -> bool:
        if await health.answer_status(service.port, "/readyz") == health.OK:
            return True
        if time.monotonic() - began < READY_PATIENCE or not await _serves(service):
            return False
        say(f"  {service.name:13} runs, but is not ready: http://127.0.0.1:{service.port}/readyz says why")
        return True

    async def start(program: Program) -> Child:
        if service.forks is None:
            return await spawn(program)
        return await service.forks.spawn(service.name, program, service.listening)

    return await spawn_ready(_program(service), ready, spawned, patience=PATIENCE, start=start)


async def ask_service(service: Service) -> Condition:
    """Whether it serves. One that is not ready, as with a parked tournament, would not be after another start either."""
    return health.condition_of(await _serves(service))


async def _serves(service: Service) -> bool:
    return await health.answer_status(service.port, "/healthz") == health.OK


def _program(service: Service) -> Program:
    descriptor = service.listening.fileno()
    return Program(
        name=service.name,
        command=(sys.executable, "-m", "deploy.serve", service.name, f"--fd={descriptor}"),
        log=service.log,
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, DRAIN_SECONDS + 2),),
        environment=told(service.database_url, service.nats_url, service.keys),
        descriptors=(service.held, descriptor),
        working_folder=ROOT,  # found first by `python -m`, whatever folder the launcher was started in
    )


def told(database_url: str, nats_url: str, keys: Mapping[str, str]) -> dict[str, str]:
    """What a service of a local run finds in its environment."""
    return (
        inherited()
        | {"ROUNDLOG_DATABASE_URL": database_url, "ROUNDLOG_NATS_URL": nats_url}
        | {"ROUNDLOG_PROXIES": f"{os.environ.get('ROUNDLOG_PROXIES', '')} {proxy.ADDRESS}".strip()}
        | dict(keys)
    )


def own_keys(folder: Path, service: str, base_port: int) -> dict[str, str]:
    return tokens.environment(folder, service, state.origin(base_port)) | signing.environment(folder, service)


ELSEWHERE_PATIENCE = 5.0
NATS_PORT = 4222
POSTGRES_PORT = 5432
PASSING = ("08", "57")  # classes of SQLSTATE: connection lost, server stopping or starting


def address_of(url: str) -> str:
    """Host and port, without the password."""
    parts = urlsplit(url)
    default = NATS_PORT if parts.scheme in {"nats", "tls", "ws", "wss"} else POSTGRES_PORT
    return f"{parts.hostname or 'localhost'}:{parts.port or default}"


async def prepare_databases(
    server: str, passwords: Mapping[str, str], say: Callable[[str], None], *, patience: float = ELSEWHERE_PATIENCE
) -> dict[str, str]:
    """Prepare the databases; a server that is lost in the middle is waited for."""
    began = time.monotonic()
    while True:
        try:
            prepared = await databases.prepare(server, passwords)
        except databases.DatabaseRefused as refused:
            raise CannotRun(str(refused)) from refused
        except BROKEN as failed:
            if not _passes(failed) or time.monotonic() - began > patience:
                raise CannotRun(f"The databases at {address_of(server)} cannot be prepared: {failed}") from failed
            await asyncio.sleep(0.25)
        else:
            say(f"  {'databases':13} ready after {time.monotonic() - began:.1f} s")
            return prepared


def _passes(failed: Exception) -> bool:
    if isinstance(failed, asyncpg.PostgresError):
        return (failed.sqlstate or "").startswith(PASSING)
    return True


async def require_nats(server: str, passwords: Mapping[str, str], secrets: Path) -> dict[str, str]:
    """The URL for each service, which has an account there."""
    if "@" in urlsplit(server).netloc:
        raise CannotRun(
            "ROUNDLOG_NATS_URL may say only where the broker is, as in nats://localhost:4222: "
            "each service has a user and a password of its own there."
        )
    urls = nats.own_urls(server, passwords)
    for service, url in urls.items():
        try:
            await nats.require_account(url)
        except (OSError, nats_errors.Error) as failed:
            if "authorization violation" in str(failed).lower():
                raise CannotRun(
                    f"The NATS server at {address_of(url)} refuses the user {service}: it needs the accounts of "
                    f"deploy/accounts.conf, with the passwords that {secrets} has as nats-{service} and so on."
                ) from failed
            raise CannotRun(
                f"No NATS server with JetStream answers at {address_of(url)} ({failed or 'no answer in time'}): "
                "start it, or unset ROUNDLOG_NATS_URL."
            ) from failed
    return urls


@dataclass(frozen=True, kw_only=True)
class ForeignServers:
    """URLs of servers that are not started here, by service; none of a kind that is."""

    databases: Mapping[str, str] = field(repr=False)
    brokers: Mapping[str, str] = field(repr=False)


SWEEP_PATIENCE = 2.0  # for what a killed server left behind
RESTART_PATIENCE = 60.0


class Instance:
    def __init__(self, options: Options, journal: Journal) -> None:
        self.keepers: dict[str, Keeper] = {}
        self._options = options
        self._folder = Folder(path=options.folder)
        self._journal = journal
        self._launcher = state.myself("launcher")
        self._phase: Phase = "starting"
        self._held: int | None = None
        self._is_first = False  # whether nobody ever had this folder, and nothing was ready in it yet
        self._ports: ClaimedPorts | None = None
        self._forks: ForkServer | None = None

    async def start(self) -> RunState:
        self._is_first = folder.prepare(self._folder)
        self._held = held = await lock.take(self._folder, self._journal.say)
        self._record()
        passwords = folder.open_up(self._folder)
        if self._options.database_url is None:
            folder.require_kept_together(self._folder)
        signing.deployment(self._folder.path)  # before the first database, so a missing name beside one was taken away
        self._journal.keep_in(self._folder.log("launcher"))
        self._ports = claimed = ports.claim(self._options.base_port, self._journal.say)
        self._record()
        elsewhere = await self._require_elsewhere(passwords)  # or what is started here would be started in vain
        if can_fork():
            self._forks = ForkServer(self._folder.log("services"), (held,))
            await self._forks.load()  # while the servers start
        cluster = self._cluster(claimed, held, passwords["postgres"])
        broker = self._broker(claimed, held, folder.of_broker(passwords))
        if self._options.database_url is None:
            self._keep("postgres", partial(postgres.start, cluster), partial(postgres.ask, cluster.url))
        if self._options.nats_url is None:
            self._keep("nats", partial(nats.start, broker), partial(nats.ask, broker))
        await self._all_ready()
        databases = elsewhere.databases or await prepare_databases(
            cluster.url, passwords, self._journal.say, patience=RESTART_PATIENCE
        )
        brokers = elsewhere.brokers or broker.urls
        for name in SERVICES:
            running = Service(
                name=name,
                listening=claimed.listening[name],
                log=self._folder.log(name),
                database_url=databases[name],
                nats_url=brokers[name],
                held=held,
                keys=own_keys(self._folder.path, name, claimed.base),
                forks=self._forks,
            )
            start, ask = partial(start_service, running, self._journal.say), partial(ask_service, running)
            self._keep(name, start, ask, ended=running.send_callers_on)
        front = self._front(claimed, held)
        self._keep("proxy", partial(proxy.start, front), partial(proxy.ask, front))
        await self._all_ready()
        self._is_first = False
        return self._enter("ready")

    async def _require_elsewhere(self, passwords: Mapping[str, str]) -> ForeignServers:
        brokers: Mapping[str, str] = {}
        databases: Mapping[str, str] = {}
        if self._options.nats_url is not None:
            own = folder.of_broker(passwords)
            brokers = await require_nats(self._options.nats_url, own, self._folder.secrets)
        if self._options.database_url is not None:
            databases = await prepare_databases(self._options.database_url, passwords, self._journal.say)
        return ForeignServers(databases=databases, brokers=brokers)

    async def stop(self) -> None:
        """Servers last: what the services still write while they drain must find them. The proxy ends with the services,
        whose streams it would otherwise wait for."""
        self._enter("stopping")
        self._wake()
        await asyncio.gather(*(keeper.end() for name, keeper in self.keepers.items() if name in ports.LISTENED))
        if self._forks is not None:
            await self._forks.end()
        for name in ("nats", "postgres"):
            if keeper := self.keepers.get(name):
                await keeper.end()
        if self._held is not None:
            await until_gone(lambda: list(lock.holders(self._folder.lock)), patience=SWEEP_PATIENCE)
        self._enter("stopped")

    def forget(self, failure: Exception) -> None:
        """After a first start that has failed nothing is in its folder that anybody would miss, but a log that they are
        told to look into."""
        if self._is_first and str(self._folder.logs) not in str(failure):
            self._journal.leave()
            with suppress(OSError):
                folder.remove(self._folder)

    async def stop_at_once(self) -> None:
        await asyncio.gather(*(keeper.end_at_once() for keeper in self.keepers.values()))

    def _wake(self) -> None:
        """A process that somebody stopped, such as a backend of PostgreSQL, would not hear that it is to end."""
        if self._held is not None:
            for process in lock.holders(self._folder.lock):
                with suppress(psutil.Error):
                    process.resume()

    async def _all_ready(self) -> None:
        await asyncio.gather(*(keeper.ready() for keeper in self.keepers.values()))

    def _keep(
        self,
        name: str,
        start: Callable[[Spawned], Awaitable[Child]],
        ask: Callable[[], Awaitable[Condition]],
        ended: Callable[[], None] = nothing,
    ) -> None:
        self.keepers[name] = Keeper(name, start, ask, say=self._journal.say, changed=self._record, ended=ended)

    def _cluster(self, claimed: ClaimedPorts, held: int, password: str) -> Cluster:
        return Cluster(
            folder=self._folder.path / "postgres",
            log=self._folder.log("postgres"),
            port=ports.of("postgres", claimed.base),
            password=password,
            descriptors=(held,),
        )

    def _broker(self, claimed: ClaimedPorts, held: int, passwords: Mapping[str, str]) -> NatsFiles:
        return NatsFiles(
            folder=self._folder.path / "nats",
            log=self._folder.log("nats"),
            port=ports.of("nats", claimed.base),
            passwords=passwords,
            descriptors=(held,),
        )

    def _front(self, claimed: ClaimedPorts, held: int) -> Proxy:
        return Proxy(
            listening=claimed.listening["proxy"],
            services={name: [ports.of(name, claimed.base)] for name in SERVICES},
            folder=self._folder.path / "proxy",
            log=self._folder.log("proxy"),
            descriptors=(held,),
        )

    def _enter(self, phase: Phase) -> RunState:
        self._phase = phase
        return self._record()

    def _record(self) -> RunState:
        """Only what holds the folder may say what runs in it."""
        recorded = self._state()
        if self._held is not None:
            try:
                state.write(self._folder.state, recorded)
            except OSError as refused:
                self._journal.say(f"{self._folder.state} cannot be written: {refused.strerror}")
        return recorded

    def _state(self) -> RunState:
        started = {name: keeper.child for name, keeper in self.keepers.items() if keeper.child}
        processes = [state.recorded(name, child.pid) for name, child in started.items() if not child.ended]
        urls = {"postgres": self._options.database_url, "nats": self._options.nats_url}
        return RunState(
            phase=self._phase,
            base_port=self._ports.base if self._ports else None,
            launcher=self._launcher,
            processes=tuple(process for process in processes if process),
            elsewhere={name: address_of(url) for name, url in urls.items() if url},
            copies=tuple(self._copies()),
        )

    def _copies(self) -> Iterator[str]:
        """By their ports, since they are on this machine; the first of each service is the launcher's own."""
        for name in SERVICES:
            for address in proxy.named(name):
                host, _, port = address.rpartition(":")
                if host == ports.LOOPBACK and self._ports and port != f"{ports.of(name, self._ports.base)}":
                    yield f"{name}:{port}"
