"""Seals what is over: of a tournament that is completed or cancelled, of a stage or a season that is closed, and once more
whenever something happens behind that.

It follows the log, so nothing that is written waits for it. Before it seals it holds the records of the scope against their
columns, and against the tree that was kept when they were new: a seal over something that was changed would vouch for it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_store
from typing import override

from shared.commands.handler import Handler, Origin
from shared.commands.transactional import Within, noting_appends
from shared.log.connection import Connection
from shared.log.envelope import is_as_recorded
from shared.log.follower import LogEffects
from shared.log.rows import recorded
from shared.log.store import PAGE, Appended, EventStore, Recorded
from shared.proof.leaves import log_leaf
from shared.proof.tiles import WIDTH
from shared.proof.tree import HASH, root_over
from shared.seals import stream
from shared.seals.stream import SEALS, ScopeSealed, SealScope

type SealHandler = Handler[stream.State, SealScope, ScopeSealed]

NAME, VERSION = "seals", 1
ACTOR = "log"  # nobody asked for it
SEAL = ScopeSealed.__name__

# Behind these a scope is over, so that whatever still happens there is sealed as well.
OVER = frozenset({"TournamentCompleted", "TournamentCancelled", "LotSeedRevealed", "SeasonTablePublished"})
CLOSING = OVER | {"StageClosed", "RatingListPublished", "QualificationPublished"}

OF_SCOPE = """
  select position, public, id, stream, version, type, scope, record, message from log.log
  where scope = $1 and position > $2 and position <= $3 order by position limit $4
"""
ONES_OVER = "select distinct scope from log.log where scope = any($1) and type = any($2) and position <= $3"
SEALED = "select stream from log.log where stream = any($1) and version = 1"
TILES = "select number, hashes from proof.tiles where tree = 'log' and level = 0 and number = any($1)"
AT_ONCE = 2_000  # records
GATHER = 0.5  # seconds: a seal is in no hurry, and one of many events costs as much as one of few


class SealRefused(Exception):
    """What is to be sealed is not what it was. Nothing more is sealed until an operator has looked at it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sealing:
    seals: SealHandler
    committed: Callable[[Sequence[Appended]], None]

    async def __call__(self, connection: Connection, page: Sequence[Recorded]) -> Callable[[], None] | None:
        upto = page[-1].position
        scopes = await self._to_seal(connection, page)
        if not scopes:
            return None
        with noting_appends() as written:
            for scope in scopes:
                await self._seal(connection, scope, upto)
        return lambda: self.committed(written)

    async def _to_seal(self, connection: Connection, page: Sequence[Recorded]) -> list[str]:
        happened = [one.event for one in page if one.event.type != SEAL]
        closed = {event.scope for event in happened if event.type in CLOSING}
        others = {event.scope for event in happened} - closed
        if others:
            named = {SEALS.stream(scope): scope for scope in others}
            sealed = [named[row["stream"]] for row in await connection.fetch(SEALED, list(named))]
            if sealed:
                over = await connection.fetch(ONES_OVER, sealed, list(OVER), page[-1].position)
                closed |= {row["scope"] for row in over}
        return sorted(closed)

    async def _seal(self, connection: Connection, scope: str, upto: int) -> None:
        leaves, after = list[bytes](), 0
        while rows := await connection.fetch(OF_SCOPE, scope, after, upto, AT_ONCE):
            found = [recorded(row) for row in rows]
            leaves += await leaves_of(connection, found)
            after = found[-1].position
        order = SealScope(scope=scope, upto=upto, count=len(leaves), root=root_over(leaves).hex())
        await with_store(self.seals, store=Within(connection)).handle(
            scope, order, scope=scope, origin=Origin(actor=ACTOR), respond=lambda _state, _version: b""
        )


async def leaves_of(connection: Connection, found: Sequence[Recorded]) -> list[bytes]:
    """The leaf of each, unless one is not what its columns say, or what the tree has kept of it."""
    tiles = await connection.fetch(TILES, sorted({(one.position - 1) // WIDTH for one in found}))
    kept: Mapping[int, bytes] = {row["number"]: row["hashes"] for row in tiles}
    leaves = [log_leaf(one.event.record, one.event.message) for one in found]
    for one, leaf in zip(found, leaves, strict=True):
        number, place = divmod(one.position - 1, WIDTH)
        was = kept.get(number, b"")[place * HASH : (place + 1) * HASH]  # nothing where the tree is not so far yet
        if not is_as_recorded(one.event) or was not in {b"", leaf}:
            raise SealRefused(f"event {one.position} is not what it was when it was written: nothing is sealed over it")
    return leaves


class Sealer(LogEffects):
    """One copy of a service seals, whichever takes a page first."""

    def __init__(
        self,
        *,
        seals: SealHandler,
        committed: Callable[[Sequence[Appended]], None],
        store: EventStore,
        database: str,
    ) -> None:
        sealing = Sealing(seals=seals, committed=committed)
        super().__init__(name=NAME, version=VERSION, apply=sealing, store=store, database=database)

    @override
    async def _take(self, page: Sequence[Recorded]) -> None:
        await super()._take(page)
        if len(page) < PAGE:
            await asyncio.sleep(GATHER)
