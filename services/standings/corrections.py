"""Corrections that a neighbour has told of, and what they change in tables that people have read already."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from services.standings.domain import differences
from services.standings.domain.differences import NoteDifferences
from shared import contracts
from shared.commands.handler import Handler
from shared.contracts.parts import Cause
from shared.contracts.registration import EntrantChanged, EntrantLeft, EntrantReturned
from shared.contracts.results import (
    GameVoided,
    PenaltyImposed,
    PenaltyLifted,
    ResultCorrected,
    ResultFinal,
    ResultReopened,
)
from shared.log.connection import Connection
from shared.messaging import history
from shared.messaging.history import NOTHING, History, Inputs
from shared.messaging.reactions import Received, follow
from shared.messaging.subjects import PublicEvent

type IsPast = Callable[[str, str, int], bool]  # whether a tournament has published a later round of a stage

MAY_CORRECT = {
    kind.__name__
    for kind in (
        ResultFinal,
        ResultCorrected,
        ResultReopened,
        GameVoided,
        PenaltyImposed,
        PenaltyLifted,
        EntrantChanged,
        EntrantLeft,
        EntrantReturned,
    )
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Corrections:
    """Notes which tables, that were complete, have changed by what neighbours have told."""

    changes: Handler[differences.State, differences.Command, differences.Event]
    service: str
    is_past: IsPast

    async def note(self, connection: Connection, received: Sequence[Received]) -> None:
        """Tournament by tournament: what was known before these events is held against what is known with them."""
        causes: dict[str, list[Cause]] = {}
        for event in received:
            if (cause := self.cause(event.source, event)) is not None:
                causes.setdefault(event.scope, []).append(cause)
        for scope, several in causes.items():
            await self._compare(connection, [event for event in received if event.scope == scope], several)

    def cause(self, source: str, event: Received | PublicEvent) -> Cause | None:
        """Nothing where no table that was complete can change by it: most results are of the round that is played."""
        if event.type not in MAY_CORRECT:
            return None
        match told := contracts.decode(source, event.type, event.message):
            case ResultFinal() if not self.is_past(event.scope, told.stage, told.round):
                return None
            case ResultCorrected() | ResultFinal():
                return Cause(event=event.type, entrants=told.seats, game=told.game, round=told.round)
            case ResultReopened() | GameVoided():
                return Cause(event=event.type, game=told.game, round=told.round)
            case PenaltyImposed():
                return Cause(event=event.type, entrants=(told.entrant,), round=told.round)
            case EntrantChanged() | EntrantLeft() | EntrantReturned():
                return Cause(event=event.type, entrants=(told.entrant,))
            case PenaltyLifted():
                return Cause(event=event.type)
            case _:
                return None

    async def _compare(self, connection: Connection, received: Sequence[Received], causes: Sequence[Cause]) -> None:
        tournament = received[0].scope
        said = await history.behind(connection, self.service, {tournament: NOTHING})
        found = await asyncio.to_thread(differences_noted, tournament, history.told(said), received, causes)
        if found is not None:
            await follow(self.changes, connection, received[-1], tournament, found, scope=tournament)


def differences_noted(
    tournament: str, known: History, received: Sequence[Received], causes: Sequence[Cause]
) -> NoteDifferences | None:
    before, after = known.until(limit(known, received, first=True)), known.until(limit(known, received, first=False))
    was, now = before.facts(), after.facts()
    found = () if was is None or now is None else tuple(differences.differences(was, now))
    if not found:
        return None
    return NoteDifferences(
        tournament=tournament,
        before=str(before.inputs),
        after=str(after.inputs),
        causes=tuple(causes),
        differences=found,
    )


def limit(known: History, received: Iterable[Received], *, first: bool) -> Inputs:
    """How far each source is known without these events, or with them."""
    reached = {source: known.inputs.of(source) for source in history.SOURCES}
    for event in received:
        numbers = [one.number for one in received if one.source == event.source]
        reached[event.source] = min(numbers) - 1 if first else max(numbers)
    return Inputs(**reached)
