"""A service's own database, asked now and then over a few connections: what lies in its inbox or beside its log."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

import asyncpg

from shared.log.connection import Connection
from shared.log.postgres import PASSING, Pool, as_it_is
from shared.refusals import Unavailable

PATIENCE = 5.0  # seconds
MOST = 8  # connections
STATEMENTS = 500  # that a connection remembers: it is asked everything
NOTHING_SET: Mapping[str, str] = {}


class PoolKind(NamedTuple):
    url: str
    connections: int
    patience: float
    settings: frozenset[tuple[str, str]]


class Database:
    """All of a process that say nothing else share a few connections: it is the server that pays for each that there is.
    So nobody asks another one while they hold a transaction open. `settings` are those of the server that connections begin with."""

    def __init__(
        self,
        url: str,
        *,
        connections: int = MOST,
        patience: float = PATIENCE,
        settings: Mapping[str, str] = NOTHING_SET,
    ) -> None:
        self._kind = PoolKind(url, connections, patience, frozenset(settings.items()))
        self._pool: Pool | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with shared_pool(self._kind) as self._pool:
            yield
        self._pool = None

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        with unavailable():
            async with self._running().acquire() as connection, connection.transaction():
                yield connection  # pyright: ignore[reportReturnType] - the pool's proxy behaves as the connection

    async def fetch(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        with unavailable():
            return await self._running().fetch(query, *arguments)

    async def fetchval(self, query: str, *arguments: object) -> Any:
        with unavailable():
            return await self._running().fetchval(query, *arguments)

    async def execute(self, statement: str, *arguments: object) -> None:
        with unavailable():
            await self._running().execute(statement, *arguments)

    def _running(self) -> Pool:
        if self._pool is None:
            raise Unavailable("the service is not running")
        return self._pool


@contextmanager
def unavailable() -> Generator[None]:
    try:
        yield
    except PASSING as error:
        raise Unavailable("the database does not answer") from error


class SharedPool:
    def __init__(self, kind: PoolKind) -> None:
        self.users = 0
        self.pool = asyncpg.create_pool(
            kind.url,
            connection_class=Connection,
            min_size=0,
            max_size=kind.connections,
            timeout=kind.patience,
            command_timeout=kind.patience,
            statement_cache_size=STATEMENTS,
            reset=as_it_is,
            server_settings=dict(kind.settings),
        )


pools: dict[tuple[PoolKind, asyncio.AbstractEventLoop], SharedPool] = {}


@asynccontextmanager
async def shared_pool(kind: PoolKind) -> AsyncGenerator[Pool]:
    """It is open as long as somebody uses it."""
    place = kind, asyncio.get_running_loop()
    if place not in pools:
        pools[place] = SharedPool(kind)
    shared = pools[place]
    shared.users += 1
    try:
        yield await shared.pool
    finally:
        shared.users -= 1
        if not shared.users:
            del pools[place]
            await shared.pool.close()
