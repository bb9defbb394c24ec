"""Goes on behind the log of a service, and remembers in its database how far: what follows there, follows once."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import override

import asyncpg

from shared.background import say_of_failure
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.store import PAGE, EventStore, Head, Recorded
from shared.refusals import Unavailable

PATIENCE = 2.0  # seconds without a move, after which whoever waits is told to come again
MOST = 10.0  # seconds that anybody waits, where it does move
LONGEST = 60.0  # seconds that a statement may take
PAUSE = 1.0  # seconds before it goes on after its database failed
BREATH = 0.1  # seconds in which events gather when much happens: a page of many costs little more than one of few

LOCK = "select pg_advisory_xact_lock(hashtext('views'))"
PROGRESS = """
  create table if not exists views.progress (
    name text primary key, version int not null, position bigint not null)
"""
HOW_FAR = "select version, position from views.progress where name = $1 for update"
BEGIN = """
  insert into views.progress values ($1, $2, 0)
  on conflict (name) do update set version = excluded.version, position = 0
"""
ADVANCE = "update views.progress set position = $2 where name = $1"

logger = logging.getLogger(__name__)


class MadeByNewerVersion(Exception):
    """A newer version of the service does this: this one must not."""


class LogFollower(ABC):
    """Takes the log page by page. Raise `version` when what follows changes: then it begins anew."""

    def __init__(self, *, name: str, version: int, store: EventStore) -> None:
        self._name = name
        self._version = version
        self._store = store
        self._following: asyncio.Task[None] | None = None
        self._position = 0
        self._moved = asyncio.Event()
        self._begun = asyncio.Event()
        self._wanted = asyncio.Event()  # somebody waits for what is not shown yet

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        self._following = asyncio.create_task(self._follow(), name=f"following {self._name}")
        say_of_failure(self._following, f"{self._name} follows the log no more")
        try:
            yield
        finally:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def check(self) -> None:
        """Raise when it follows the log no more: only a person can mend that."""
        if self._following and self._following.done():
            raise Unavailable(f"{self._name} follows the log no more: {self._following.exception()!r}")

    async def reached(self, head: Head, *, patience: float | None = None) -> None:
        """Wait until it shows everything up to a position, as long as it moves within so many seconds; it takes no breath then."""
        while self._position < head.position:
            self._wanted.set()
            async with asyncio.timeout(patience):
                await self._moved.wait()

    def has_reached(self, position: int) -> bool:
        return self._position >= position

    async def caught_up(self) -> None:
        """Wait until it shows what is in the log by now, as long as it goes on, but not for long.

        Whoever came again instead would wait for what was written meanwhile, too, and under a steady load perhaps for ever.
        """
        head = await self._store.head()
        if self._position < head.position:
            await self.check()
        try:
            async with asyncio.timeout(MOST):
                await self.reached(head, patience=PATIENCE)
        except TimeoutError as error:
            raise Unavailable("what was written last is not shown yet") from error

    def next_move(self) -> asyncio.Event:
        """Taken before looking, so that whatever is shown from then on has set it."""
        return self._moved

    def _move(self, position: int) -> None:
        self._position = position
        self._begun.set()
        self._wanted.clear()
        self._moved.set()
        self._moved = asyncio.Event()

    async def _follow(self) -> None:
        while True:
            try:
                self._move(await self._begin())
                last = 0.0
                async for page in self._store.follow(after=self._position):
                    await self._take(page)
                    self._move(page[-1].position)
                    if time.monotonic() - last < self._breath and len(page) < PAGE:
                        await self._breathe()
                    last = time.monotonic()
            except Unavailable as error:
                logger.warning("%s: %r", self._name, error.__cause__ or error)
                await asyncio.sleep(PAUSE)

    @property
    def _breath(self) -> float:
        return BREATH

    async def _breathe(self) -> None:
        """Only between pages that follow each other quickly: what comes alone is taken when it comes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._breath):
                await self._wanted.wait()

    def _is_kept(self, version: int) -> bool:
        """Whether what was kept so far is as this version would have it."""
        if version > self._version:
            raise MadeByNewerVersion(f"a newer service keeps it, in version {version}")
        return version == self._version

    def _require_kept(self, version: int) -> None:
        """Once it has begun, only a newer version takes it over."""
        if version != self._version:
            raise MadeByNewerVersion(f"a newer service keeps it, in version {version}")

    @abstractmethod
    async def _begin(self) -> int:
        """Where to go on; from the start when it was done another way. `Unavailable` while the database is away."""

    @abstractmethod
    async def _take(self, page: Sequence[Recorded]) -> None:
        """What follows from what is new of a page: another copy of the service may have been faster."""


class LogEffects(LogFollower):
    """What follows goes into tables that somebody else keeps, by plain statements. `apply` may answer what is to be done
    once they are committed."""

    def __init__(
        self,
        *,
        name: str,
        version: int,
        apply: Callable[[Connection, Sequence[Recorded]], Awaitable[Callable[[], None] | None]],
        store: EventStore,
        database: str,
    ) -> None:
        super().__init__(name=name, version=version, store=store)
        self._apply = apply
        self._database = Database(database, connections=1, patience=LONGEST)

    @override
    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with self._database.running(), super().running():
            yield

    @override
    async def _begin(self) -> int:
        with again_later():
            async with self._database.transaction() as connection:
                await connection.execute(LOCK)
                await connection.execute(PROGRESS)
                progress = await connection.fetchrow(HOW_FAR, self._name)
                if progress and self._is_kept(progress["version"]):
                    return progress["position"]
                await connection.execute(BEGIN, self._name, self._version)
                return 0

    @override
    async def _take(self, page: Sequence[Recorded]) -> None:
        committed: Callable[[], None] | None = None
        with again_later():
            async with self._database.transaction() as connection:
                (progress,) = await connection.fetch(HOW_FAR, self._name)
                self._require_kept(progress["version"])
                if new := [recorded for recorded in page if recorded.position > progress["position"]]:
                    committed = await self._apply(connection, new)
                    await connection.execute(ADVANCE, self._name, new[-1].position)
        if committed:
            committed()


@contextmanager
def again_later() -> Generator[None]:
    """What stood in the way of a transaction is gone when it is repeated."""
    try:
        yield
    except asyncpg.TransactionRollbackError as error:
        raise Unavailable("the database has other things to do") from error
