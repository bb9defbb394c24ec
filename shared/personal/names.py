"""What persons, entrants and teams are called. Names never stand in a log; this table of them can be erased.

Registration writes it, and tells the others (`shared/personal/name_stream.py`). So a name that was given at registration is
known elsewhere a moment later, and one that was erased is gone everywhere.
"""

import re
import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from shared.cache import LruCache
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.notify import Bell

REMEMBERED = 2.0  # seconds
MOST_REMEMBERED = 50_000  # names, and as many in answers
IDS = re.compile(r"[0-9A-Za-z-]{1,64}")  # as they can stand in a subject of the broker

# A statement of its own: what follows sees everything that was committed under a smaller revision.
LOCK = "select from names.head for update"
KEEP = """
  with changed as (
    select given.id, given.name, known.id is null as is_new, row_number() over (order by given.id) as nth
    from unnest($1::text[], $2::text[]) given(id, name) left join names.names known using (id)
    where given.name is distinct from known.name
  ), kept as (
    insert into names.names (id, name, revision)
    select id, name, head.revision + nth from changed, names.head
    on conflict (id) do update set name = excluded.name, revision = excluded.revision
  )
  update names.head set revision = head.revision + added.changes, names = head.names + added.names
  from (select count(*) as changes, count(*) filter (where is_new) as names from changed) added
"""
# Moved by every change, and by nothing else.
REVISION = "select max(revision) from names.names"
OF = "select id, name from names.names where id = any($1) and name is not null"


async def keep(connection: Connection, names: Mapping[str, str | None]) -> None:
    """Of registration: give names, or erase them by none, within the transaction that is open."""
    if unusable := [identity for identity in names if not IDS.fullmatch(identity)]:
        raise ValueError(f"{unusable[0]!r} is no id of ours")
    await connection.execute(LOCK)
    await connection.execute(KEEP, list(names), list(names.values()))


def called(names: Mapping[str, str | None]) -> Mapping[str, str]:
    return {identity: name for identity, name in names.items() if name is not None}


class Names:
    """What is remembered holds as long as no name has changed at all, which is looked up again after a moment."""

    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self._bell = Bell(database, "names")
        self._revision: int | None = None
        self._until = 0.0  # when it has to be looked up again
        self._since = object()  # another one whenever what was remembered is forgotten
        self._known: dict[str, str | None] = {}
        self._answers = LruCache[frozenset[str], Mapping[str, str]](MOST_REMEMBERED, weigh=lambda names: 1 + len(names))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with (
            self._database.running(),
            self._bell.running(),
        ):
            yield

    async def in_full(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Of those that have one: who has none, or whose name was erased, is missing. Not for answers, which show what
        `shared/personal/shown_names.py` lets those see who ask."""
        wanted = frozenset(ids)
        if time.monotonic() >= self._until:
            await self._look()
        answer = self._answers.get(wanted)
        if answer is None:
            since = self._since
            known = {identity: self._known[identity] for identity in wanted if identity in self._known}
            if missing := list(wanted - known.keys()):
                known |= await self._load(missing)
            answer = called(known)
            if since is self._since:
                self._answers.put(wanted, answer)
        return answer

    async def keep(self, names: Mapping[str, str | None]) -> None:
        """Of registration: give names, or erase them by none. Before the event that makes the id known, not after it:
        a name that nobody asks for harms less than somebody without one."""
        async with self._database.transaction() as connection:
            await keep(connection, names)
        self.have_changed()

    def have_changed(self) -> None:
        """In the table, whoever has changed them there."""
        self.forget()
        self._bell.ring()

    def forget(self) -> None:
        """What is remembered for a moment: the table says something else."""
        self._since = object()
        self._known.clear()
        self._answers.clear()

    async def erase(self, ids: Iterable[str]) -> None:
        await self.keep(dict.fromkeys(ids))

    async def _look(self) -> None:
        until = time.monotonic() + REMEMBERED
        revision: int | None = await self._database.fetchval(REVISION)
        if revision != self._revision:
            self._revision = revision
            self.forget()
        self._until = until

    async def _load(self, ids: list[str]) -> Mapping[str, str | None]:
        """Nothing stays of what was read before something was forgotten."""
        since = self._since
        rows = await self._database.fetch(OF, [identity for identity in ids if IDS.fullmatch(identity)])
        loaded: dict[str, str | None] = dict.fromkeys(ids) | {row["id"]: row["name"] for row in rows}
        if since is self._since:
            if len(self._known) + len(loaded) > MOST_REMEMBERED:
                self._known.clear()
            self._known.update(loaded)
        return loaded
