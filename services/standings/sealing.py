"""Seals tables: when a round is completed, when a stage is closed, and when the tournament is over.

The bytes are kept beside the log, under their hash, and can be made anew by whoever has the inputs.
"""

import asyncio
from dataclasses import dataclass

from services.standings.domain import sealed_tables
from services.standings.domain.sealed_tables import SealedTables, SealTable, TableSealed
from services.standings.domain.table import MAKING, Persons, Ranked, begun, ranked
from services.standings.projection import tables
from shared.commands.handler import ActPart, Handler, Origin, StreamAppend
from shared.contracts.results import RoundCompleted
from shared.log.connection import Connection
from shared.log.contents import Contents, digest_of, keep_within
from shared.messaging import history
from shared.messaging.reactions import Received, follow
from shared.program import made_by
from shared.tournament.facts import Facts

type SealedTablesHandler = Handler[SealedTables, SealTable, TableSealed]

NOBODY: Persons = {}
PROGRAM = f"standings/{MAKING}"


def told(_: TableSealed) -> None:
    """Whoever was told the table has it; the seal is for whoever reads records."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSealing:
    handler: SealedTablesHandler
    contents: Contents
    service: str

    async def completed(self, connection: Connection, event: Received, told: RoundCompleted) -> None:
        """The table that was made just now, or where another round is published already, that of the completed one."""
        rows = await connection.fetch(tables.READ, told.tournament, told.stage)
        if rows and (stored := tables.stored_table(rows[0])):
            table = stored.ranked
            if (table.round, table.complete) == (told.round, True):
                await self._seal(connection, event, told.tournament, told.stage, table, stored.inputs)
                return
        said = history.told(await history.behind(connection, self.service, {told.tournament: history.NOTHING}))
        facts = await asyncio.to_thread(said.facts)
        if facts is not None and (told.stage, told.round) in facts.rounds:
            table = await asyncio.to_thread(ranked, facts, NOBODY, told.stage, through=told.round)
            if table.complete:  # it may have been reopened since: then it is completed once more
                await self._seal(connection, event, told.tournament, told.stage, table, str(said.inputs))

    async def over(self, connection: Connection, event: Received, facts: Facts, inputs: str) -> None:
        """The last table of each stage."""
        for stage in begun(facts):
            table = await asyncio.to_thread(ranked, facts, NOBODY, stage)
            if table.round:
                await self._seal(connection, event, event.scope, stage, table, inputs)

    def part(self, tournament: str, stage: str, table: Ranked, inputs: str, origin: Origin) -> ActPart:
        """Seals a table in one transaction with an act of this service."""

        async def decided() -> StreamAppend:
            content = sealed_tables.content(tournament, stage, table)
            order = self._order(tournament, stage, table, inputs, await self.contents.keep(content))
            return await self.handler.part(tournament, order, scope=tournament, origin=origin)()

        return decided

    async def _seal(
        self, connection: Connection, event: Received, tournament: str, stage: str, table: Ranked, inputs: str
    ) -> None:
        content = sealed_tables.content(tournament, stage, table)
        await keep_within(connection, content)
        order = self._order(tournament, stage, table, inputs, digest_of(content))
        await follow(self.handler, connection, event, tournament, order, scope=tournament)

    def _order(self, tournament: str, stage: str, table: Ranked, inputs: str, digest: str) -> SealTable:
        return SealTable(
            tournament=tournament,
            stage=stage,
            round=table.round,
            inputs=inputs,
            table=digest,
            program=made_by(PROGRAM),
        )
