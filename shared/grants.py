"""Who may act as what, and where. Registration decides it; every service keeps this table of it and asks only that.

The table is one more effect of public events: registration fills it from its own log, the others from their inbox.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from shared.contracts import decode
from shared.contracts.registration import OfficialAppointed, OfficialDismissed
from shared.event_store import Unavailable
from shared.postgres import PASSING, Connection, Pool
from shared.reactions import Received
from shared.roles import Role

REMEMBERED = 1.0  # seconds
MOST_REMEMBERED = 10_000
CONNECTIONS = 2
PATIENCE = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    subject: str
    role: Role
    scope: str


type Event = OfficialAppointed | OfficialDismissed

EVENTS: tuple[type[Event], ...] = (OfficialAppointed, OfficialDismissed)


ADD = """
  insert into inbox.grants (subject, role, scope) select * from unnest($1::text[], $2::text[], $3::text[])
  on conflict do nothing
"""
REMOVE = """
  delete from inbox.grants g using unnest($1::text[], $2::text[], $3::text[]) gone(subject, role, scope)
  where (g.subject, g.role, g.scope) = (gone.subject, gone.role, gone.scope)
"""
OF = "select role, scope from inbox.grants where subject = $1"


async def apply(connection: Connection, events: Sequence[Event]) -> None:
    """Let appointments and dismissals take effect, in their order and within the transaction that is open."""
    if not events:
        return
    last = {(event.subject, event.role, event.scope): type(event) for event in events}
    for kind, statement in ((OfficialAppointed, ADD), (OfficialDismissed, REMOVE)):
        if found := [grant for grant, happened in last.items() if happened is kind]:
            await connection.execute(statement, *map(list, zip(*found, strict=True)))


async def react(connection: Connection, received: Sequence[Received]) -> None:
    """The same out of an inbox, where much else is said too."""
    told = [decode(event.source, event.type, event.message) for event in received]
    await apply(connection, [event for event in told if isinstance(event, EVENTS)])


class Grants:
    """Answers what somebody may be, and remembers it for a moment."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._pool: Pool | None = None
        self._loading: dict[str, asyncio.Task[frozenset[Grant]]] = {}
        self._known: dict[str, tuple[frozenset[Grant], float]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(
            self._database, min_size=0, max_size=CONNECTIONS, timeout=PATIENCE, command_timeout=PATIENCE
        ) as self._pool:
            yield
        self._pool = None

    async def of(self, subject: str) -> frozenset[Grant]:
        known, until = self._known.get(subject, (frozenset[Grant](), 0.0))
        if time.monotonic() < until:
            return known
        if (loading := self._loading.get(subject)) is None:  # one asks for all who wait
            loading = self._loading[subject] = asyncio.create_task(self.of_now(subject))
            loading.add_done_callback(lambda _: self._loading.pop(subject, None))
        return await asyncio.shield(loading)

    async def of_now(self, subject: str) -> frozenset[Grant]:
        """Without what is remembered: nobody is refused for an appointment that is a moment old."""
        grants = frozenset(Grant(subject=subject, role=role, scope=scope) for role, scope in await self._load(subject))
        while len(self._known) >= MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[subject] = grants, time.monotonic() + REMEMBERED
        return grants

    async def _load(self, subject: str) -> list[tuple[Role, str]]:
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            rows = await self._pool.fetch(OF, subject)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        return [(Role(row["role"]), row["scope"]) for row in rows if row["role"] in Role]
