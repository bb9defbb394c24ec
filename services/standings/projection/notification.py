"""Who listens to a table is woken when it has changed, in whichever process it was made.

Told after the commit, as by every bell here (`shared/log/notify.py`), and by tournament, so that nobody looks in vain for
what happens elsewhere. A ring may be lost with the process that owed it: now and then everybody is woken.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

import asyncpg

from shared.background import Work
from shared.http.live_streams import ScopeNotifier
from shared.log.notify import BROKEN, HEARTBEAT, close

CHANNEL = "tables"
EVERYBODY = ""
NOW_AND_THEN = 5.0  # seconds
AT_ONCE = 50  # tournaments in one notification, which is bounded in size

TELL = "select pg_notify($1, $2)"

logger = logging.getLogger(__name__)


class TableNotification(ScopeNotifier):
    """The part of the service that wakes those who listen to tables here, and tells the other copies to do the same."""

    def __init__(self, database: str, *, others: Callable[[str | None], None] = lambda _: None) -> None:
        """`others` hears of each tournament that somebody else may have changed, or that anything may have been."""
        super().__init__()
        self._database = database
        self._others = others
        self._owed: set[str] = set()
        self._owes = asyncio.Event()
        working = Work("waking of listeners to tables", self._work)
        self.running, self.check = working.running, working.check

    def have_changed(self, tournaments: Iterable[str]) -> None:
        """Their tables are made here, and committed."""
        for tournament in tournaments:
            self.ring(tournament)
            self._owed.add(tournament)
        self._owes.set()

    async def _work(self) -> NoReturn:
        while True:
            try:
                connection = await asyncpg.connect(self._database, server_settings={"synchronous_commit": "off"})
                try:
                    await connection.add_listener(CHANNEL, self._hear)
                    while True:  # at first, too: others may have told something while nobody heard it here
                        self._ring_for_all()
                        await self._tell(connection)
                finally:
                    await close(connection)
            except BROKEN as error:
                logger.warning("waking listeners to tables: %r", error)
                await asyncio.sleep(HEARTBEAT)

    async def _tell(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        """What changes here, until it is time to wake everybody again, however much that is."""
        clock = asyncio.get_running_loop().time
        again = clock() + NOW_AND_THEN
        while clock() < again:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(again):
                    await self._owes.wait()
            self._owes.clear()
            while self._owed:
                some = [self._owed.pop() for _ in range(min(AT_ONCE, len(self._owed)))]
                await connection.execute(TELL, CHANNEL, " ".join(some))

    def _hear(self, connection: object, pid: int, _: str, tournaments: object) -> None:
        own = connection.get_server_pid() if isinstance(connection, asyncpg.Connection) else None
        if pid == own:  # they are woken already
            return
        if tournaments == EVERYBODY:
            self._ring_for_all()
        for tournament in str(tournaments).split():
            self._others(tournament)
            self.ring(tournament)

    def _ring_for_all(self) -> None:
        self._others(None)
        self.ring_all()
