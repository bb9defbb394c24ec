"""What follows here from what neighbours and we have said: tables, differences between them, and open secrets."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from services.standings.corrections import Corrections
from services.standings.domain import qualifying
from services.standings.domain.qualifying import qualified
from services.standings.projection.table_store import TableStore
from services.standings.sealing import TableSealing
from shared import contracts
from shared.access import grants
from shared.commands.handler import Handler
from shared.contracts.registration import TournamentCompleted
from shared.contracts.results import RoundCompleted
from shared.log.connection import Connection
from shared.log.store import Recorded
from shared.lots.drawing import Lots
from shared.messaging import history
from shared.messaging.reactions import Batch, Committed, Received, ReceivedAtOnce, follow
from shared.personal import erasure

COMPLETED = TournamentCompleted.__name__
ROUND_COMPLETED = RoundCompleted.__name__


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    """What follows from neighbours' messages: one table for each stage, however many events of it have come."""

    tables: TableStore
    lots: Lots
    corrections: Corrections
    qualifying: Handler[qualifying.State, qualifying.NameQualified, qualifying.Qualified]
    sealing: TableSealing

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> Committed:
        await grants.react(connection, received)
        await erasure.react(connection, received)
        committed = await self.tables.refresh(connection, {event.scope for event in received})
        await self.corrections.note(connection, received)
        for event in received:
            await self.lots.react(connection, event)
            if event.type == ROUND_COMPLETED:
                await self._seal(connection, event)
            if event.type == COMPLETED:
                await self._end(connection, event)
        return committed

    async def at_once(self, connection: Connection, batch: Batch) -> ReceivedAtOnce | None:
        """Nearly all that comes while rounds are played moves tables and does nothing else."""
        if any(one.type == ROUND_COMPLETED or self.corrections.cause(batch.source, one) for one in batch.said):
            return None
        return await self.tables.receive(connection, batch)

    async def _seal(self, connection: Connection, event: Received) -> None:
        if isinstance(told := contracts.decode(event.source, event.type, event.message), RoundCompleted):
            await self.sealing.completed(connection, event, told)

    async def _end(self, connection: Connection, event: Received) -> None:
        """Who goes on is told also where the last stage was never closed, or somebody has left since. What may have been
        corrected since is sealed as it stands."""
        said = history.told(await history.behind(connection, self.corrections.service, {event.scope: history.NOTHING}))
        facts = await asyncio.to_thread(said.facts)
        if facts is None:
            return
        named = await asyncio.to_thread(qualified, event.scope, facts, str(said.inputs), is_over=True)
        if named is not None:
            await follow(self.qualifying, connection, event, event.scope, named, scope=event.scope)
        await self.sealing.over(connection, event, facts, str(said.inputs))


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnReaction:
    """What follows from our own events, which may move the same tables."""

    tables: TableStore

    async def __call__(self, connection: Connection, page: Sequence[Recorded]) -> Committed | None:
        scopes = {recorded.event.scope for recorded in page if recorded.public is not None}
        return await self.tables.refresh(connection, scopes) if scopes else None
