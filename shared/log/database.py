"""A service's own database, asked now and then over a few connections: what lies in its inbox or beside its log."""

from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg

from shared.log.connection import Connection
from shared.log.postgres import PASSING, Pool, as_it_is
from shared.refusals import Unavailable

PATIENCE = 5.0  # seconds


class Database:
    """`settings` are those of the server that its connections begin with."""

    def __init__(
        self,
        url: str,
        *,
        connections: int = 2,
        patience: float = PATIENCE,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._url = url
        self._connections = connections
        self._patience = patience
        self._settings = settings
        self._pool: Pool | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(
            self._url,
            connection_class=Connection,
            min_size=0,
            max_size=self._connections,
            timeout=self._patience,
            command_timeout=self._patience,
            reset=as_it_is,
            server_settings=dict(self._settings or {}),
        ) as self._pool:
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
