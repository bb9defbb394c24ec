"""The secrets from which lots are drawn, one a tournament. They are kept beside the log until all is over."""

from collections.abc import Callable
from secrets import token_bytes

from shared.log.connection import Connection
from shared.log.database import Database

type NewSeed = Callable[[], bytes]

BYTES = 32

MAKE = "insert into beside.seeds (tournament, seed) values ($1, $2) on conflict do nothing"
SEED = "select seed from beside.seeds where tournament = $1"


def new_seed() -> bytes:
    return token_bytes(BYTES)


class Seeds:
    def __init__(self, database: str, *, new_seed: NewSeed = new_seed) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self.new = new_seed

    async def of(self, tournament: str) -> bytes:
        """Made when it is first needed; whoever else needs it at the same time gets the same."""
        seed = await self._database.fetchval(SEED, tournament)
        if seed is None:
            await self._database.execute(MAKE, tournament, self.new())
            seed = await self._database.fetchval(SEED, tournament)
        return seed


async def known(connection: Connection, tournament: str) -> bytes | None:
    """The one that there is, within a transaction that is open."""
    return await connection.fetchval(SEED, tournament)


async def made(connection: Connection, tournament: str, seeds: Seeds) -> bytes:
    """The seed of a tournament, made if it has none, within a transaction that is open."""
    await connection.execute(MAKE, tournament, seeds.new())
    return await connection.fetchval(SEED, tournament)
