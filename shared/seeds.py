"""The secrets from which lots are drawn, one a tournament. They are kept beside the log until all is over."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from secrets import token_bytes

import asyncpg

from shared.event_store import Unavailable
from shared.postgres import PASSING, Connection, Pool

type NewSeed = Callable[[], bytes]

BYTES = 32
PATIENCE = 5.0  # seconds

MAKE = "insert into beside.seeds (tournament, seed) values ($1, $2) on conflict do nothing"
SEED = "select seed from beside.seeds where tournament = $1"


def new_seed() -> bytes:
    return token_bytes(BYTES)


class Seeds:
    def __init__(self, database: str, *, new_seed: NewSeed = new_seed) -> None:
        self._database = database
        self._new_seed = new_seed
        self._pool: Pool | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(
            self._database, min_size=0, max_size=1, timeout=PATIENCE, command_timeout=PATIENCE
        ) as self._pool:
            yield
        self._pool = None

    async def of(self, tournament: str) -> bytes:
        """Made when it is first needed; whoever else needs it at the same time gets the same."""
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            seed = await self._pool.fetchval(SEED, tournament)
            if seed is None:
                await self._pool.execute(MAKE, tournament, self._new_seed())
                seed = await self._pool.fetchval(SEED, tournament)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        return seed


async def known(connection: Connection, tournament: str) -> bytes | None:
    """The one that there is, within a transaction that is open."""
    return await connection.fetchval(SEED, tournament)
