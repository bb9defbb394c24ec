"""The secrets from which lots are drawn, one a tournament. They are kept beside the log until all is over."""

from secrets import token_bytes

from shared.log.connection import Connection
from shared.log.database import Database

BYTES = 32

MAKE = "insert into beside.seeds (tournament, seed) values ($1, $2) on conflict do nothing"
SEED = "select seed from beside.seeds where tournament = $1"


class Seeds:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def of(self, tournament: str) -> bytes:
        """Made when it is first needed; whoever else needs it at the same time gets the same."""
        seed = await self._database.fetchval(SEED, tournament)
        if seed is None:
            await self._database.execute(MAKE, tournament, token_bytes(BYTES))
            seed = await self._database.fetchval(SEED, tournament)
        return seed


async def known(connection: Connection, tournament: str) -> bytes | None:
    """The one that there is, within a transaction that is open."""
    return await connection.fetchval(SEED, tournament)


async def made(connection: Connection, tournament: str) -> bytes:
    """The seed of a tournament, made if it has none, within a transaction that is open."""
    await connection.execute(MAKE, tournament, token_bytes(BYTES))
    return await connection.fetchval(SEED, tournament)
