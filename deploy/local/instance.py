"""The whole platform on this machine: started in order, stopped in the opposite order."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial

import psutil

from deploy import SERVICES, tokens
from deploy.local import external, folder, lock, nats, ports, postgres, service, state
from deploy.local.cluster import Cluster
from deploy.local.condition import Condition
from deploy.local.folder import Folder
from deploy.local.journal import Journal
from deploy.local.keeper import Keeper
from deploy.local.nats import Broker
from deploy.local.options import Options
from deploy.local.ports import Claimed
from deploy.local.spawn import Child, Spawned
from deploy.local.state import Phase, State

SWEEP_PATIENCE = 2.0
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
        self._ports: Claimed | None = None

    async def start(self) -> State:
        folder.prepare(self._folder)
        self._held = held = await lock.take(self._folder, self._journal.say)
        self._record()
        passwords = folder.open_up(self._folder)
        self._journal.keep_in(self._folder.log("launcher"))
        self._ports = claimed = ports.claim(self._options.base_port, self._journal.say)
        self._record()
        cluster = self._cluster(claimed, held, passwords["postgres"])
        broker = self._broker(claimed, held, folder.of_broker(passwords))
        if self._options.database_url is None:
            self._keep("postgres", partial(postgres.start, cluster), partial(postgres.ask, cluster.url))
        if self._options.nats_url is None:
            self._keep("nats", partial(nats.start, broker), partial(nats.ask, broker))
        await self._all_ready()
        databases = await self._prepare(self._options.database_url, cluster, passwords)
        brokers = broker.urls
        if self._options.nats_url is not None:
            own = folder.of_broker(passwords)
            brokers = await external.require_nats(self._options.nats_url, own, self._folder.secrets)
        for name in SERVICES:
            running = service.Service(
                name=name,
                listening=claimed.listening[name],
                log=self._folder.log(name),
                database_url=databases[name],
                nats_url=brokers[name],
                held=held,
                keys=tokens.environment(self._folder.path, name),
            )
            self._keep(name, partial(service.start, running, self._journal.say), partial(service.ask, running))
        await self._all_ready()
        return self._enter("ready")

    async def _prepare(self, elsewhere: str | None, own: Cluster, passwords: Mapping[str, str]) -> dict[str, str]:
        if elsewhere is not None:
            return await external.prepare(elsewhere, passwords, self._journal.say)
        return await external.prepare(own.url, passwords, self._journal.say, patience=RESTART_PATIENCE)

    async def stop(self) -> None:
        """Servers last: what the services still write while they drain must find them."""
        self._enter("stopping")
        self._wake()
        await asyncio.gather(*(keeper.end() for name, keeper in self.keepers.items() if name in SERVICES))
        for name in ("nats", "postgres"):
            if keeper := self.keepers.get(name):
                await keeper.end()
        if self._held is not None:
            await self._sweep()
        self._enter("stopped")

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

    async def _sweep(self) -> None:
        """What a killed server left behind is ours to end."""
        give_up = time.monotonic() + SWEEP_PATIENCE
        while left := list(lock.holders(self._folder.lock)):
            if time.monotonic() > give_up:
                for process in left:
                    with suppress(psutil.Error):
                        process.kill()
            await asyncio.sleep(0.02)

    def _keep(
        self, name: str, start: Callable[[Spawned], Awaitable[Child]], ask: Callable[[], Awaitable[Condition]]
    ) -> None:
        self.keepers[name] = Keeper(name, start, ask, say=self._journal.say, changed=self._record)

    def _cluster(self, claimed: Claimed, held: int, password: str) -> Cluster:
        return Cluster(
            folder=self._folder.path / "postgres",
            log=self._folder.log("postgres"),
            port=ports.of("postgres", claimed.base),
            password=password,
            descriptors=(held,),
        )

    def _broker(self, claimed: Claimed, held: int, passwords: Mapping[str, str]) -> Broker:
        return Broker(
            folder=self._folder.path / "nats",
            log=self._folder.log("nats"),
            port=ports.of("nats", claimed.base),
            passwords=passwords,
            descriptors=(held,),
        )

    def _enter(self, phase: Phase) -> State:
        self._phase = phase
        return self._record()

    def _record(self) -> State:
        """Only what holds the folder may say what runs in it."""
        recorded = self._state()
        if self._held is not None:
            try:
                state.write(self._folder.state, recorded)
            except OSError as refused:
                self._journal.say(f"{self._folder.state} cannot be written: {refused.strerror}")
        return recorded

    def _state(self) -> State:
        started = {name: keeper.child for name, keeper in self.keepers.items() if keeper.child}
        processes = [state.recorded(name, child.pid) for name, child in started.items() if not child.ended]
        urls = {"postgres": self._options.database_url, "nats": self._options.nats_url}
        return State(
            phase=self._phase,
            base_port=self._ports.base if self._ports else None,
            launcher=self._launcher,
            processes=tuple(process for process in processes if process),
            elsewhere={name: external.place(url) for name, url in urls.items() if url},
        )
