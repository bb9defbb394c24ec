"""What follows of itself from results: a round is complete, or an entrant has to be expelled.

It looks at the read model whenever that moves. The commands are such that repeating them changes nothing, so a crash
between two of them, or a second copy of the service, does no harm: what has not followed yet is still in the tables.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import msgspec
from msgspec.structs import replace

from services.results.domain import penalties, rounds
from services.results.domain.penalties import PenaltiesState
from services.results.domain.sheet.states import Final, Voided
from services.results.projection import Projection, RoundRow, SheetRow, ToCountRow
from services.results.streams import GameHandler, PenaltyHandler, RoundHandler
from services.results.tournaments import Tournaments
from shared.background import Work
from shared.commands.handler import SERVICE, ActPart, Origin, StreamAppend
from shared.refusals import Conflict, Refusal, Unavailable
from shared.rulesets.play import Expulsion
from shared.rulesets.stored import NewerRuleset

ORIGIN = Origin(actor="results", role=SERVICE, operation="consequence")  # nobody asked for it
PAUSE = 1.0  # seconds before it is tried again
BREATH = 0.25  # seconds between two looks

logger = logging.getLogger(__name__)


class NotSettled(Conflict):
    """A game has moved since it was counted."""


@dataclass(kw_only=True)
class Consequences:
    projection: Projection
    tournaments: Tournaments
    games: GameHandler
    rounds: RoundHandler
    penalties: PenaltyHandler

    def __post_init__(self) -> None:
        working = Work("what follows from results", self._work)
        self.running, self.check = working.running, working.check

    async def _work(self) -> NoReturn:
        while True:
            moved = self.projection.model.next_move()
            try:
                await self._draw()
            except Unavailable as error:
                logger.warning("what follows from results has to wait: %s", error)
                await asyncio.sleep(PAUSE)
            else:
                await asyncio.sleep(BREATH)
                await moved.wait()

    async def _draw(self) -> None:
        for row in await self.projection.finished():
            await self._complete(row)
        not_yet: Unavailable | NewerRuleset | None = None
        for row in await self.projection.to_count():
            try:
                await self._count(row)
            except (Unavailable, NewerRuleset) as error:  # of one tournament, which keeps no other from being counted
                not_yet = error
        if not_yet is not None:
            raise Unavailable(f"{not_yet}") from not_yet

    async def _complete(self, row: RoundRow) -> None:
        """Only if none of its games has moved since: their versions are part of the append."""
        identity = rounds.identity(row.tournament, row.stage, row.round)
        state, _ = await self.rounds.load(identity)
        games = rounds.games_of(state)
        try:
            await self.rounds.handle(
                identity,
                rounds.CompleteRound(games=frozenset(games)),
                scope=row.tournament,
                origin=ORIGIN,
                respond=lambda _, __: b"",
                also=[self._settled(game) for game in games],
            )
        except Refusal as moved:  # somebody was faster; the next look at the log sees it
            logger.info("round %s is not complete after all: %s", identity, moved)

    def _settled(self, game: str) -> ActPart:
        async def stands() -> StreamAppend:
            state, version = await self.games.load(game)
            if not isinstance(state, Final | Voided):
                raise NotSettled(f"Game {game} has no result.")
            return StreamAppend(stream=self.games.decider.stream(game), version=version, events=())

        return stands

    async def _count(self, row: ToCountRow) -> None:
        known = await self.tournaments.of(row.tournament)
        played = await self.projection.defaulted(row.tournament, known.stages())
        state, _ = await self.penalties.load(row.tournament)
        at_fault = {entrant for sheet in played for entrant in entrants_at_fault(sheet)}
        for entrant in sorted(at_fault | state.by_defaults):
            theirs = [sheet for sheet in played if entrant in entrants_at_fault(sheet)]
            lost = await self._lost(state, entrant, theirs)
            counting = [sheet for sheet in theirs if sheet.game not in lost]
            count = counted(row.tournament, entrant, counting, known.rules().results.expulsions)
            await self.penalties.handle(
                row.tournament,
                replace(count, lost=lost),
                scope=row.tournament,
                origin=ORIGIN,
                respond=lambda _, __: b"",
            )
        await self.projection.counted(row)

    async def _lost(self, state: PenaltiesState, entrant: str, sheets: Sequence[SheetRow]) -> tuple[str, ...]:
        """Games that somebody lost unplayed because of an expulsion, which are no ground for it, nor for another one."""
        if entrant in state.by_defaults:
            grounds = state.due_for[entrant]
            several = [sheet.game for sheet in sheets if sheet.game not in grounds]
        else:
            several = [sheet.game for sheet in sheets if sheet.game in state.lost.get(entrant, ())]
        return tuple([game for game in several if await self._is_unplayed(game)])

    async def _is_unplayed(self, game: str) -> bool:
        state, _ = await self.games.load(game)
        return isinstance(state, Final) and state.unplayed


def counted(
    tournament: str, entrant: str, sheets: Sequence[SheetRow], expulsions: Sequence[Expulsion]
) -> penalties.CountDefaults:
    """By which clause these games expel, if by any; it is due after the round of the game that made them enough."""
    for expulsion in expulsions:
        counting = [sheet for sheet in sheets if counts(expulsion, sheet, entrant)][: expulsion.count]
        if len(counting) == expulsion.count:
            return penalties.CountDefaults(
                tournament=tournament,
                entrant=entrant,
                stage=counting[-1].stage,
                round=counting[-1].round,
                games=tuple(sheet.game for sheet in counting),
                clause=expulsion.rule_id or "",
            )
    return penalties.CountDefaults(tournament=tournament, entrant=entrant, stage="", round=0, games=(), clause=None)


def counts(expulsion: Expulsion, sheet: SheetRow, entrant: str) -> bool:
    """Some endings count only for who has not made a single move."""
    return sheet.ending in expulsion.of or (
        sheet.ending in expulsion.unmoved and entrant in entrants_of(sheet, sheet.unmoved)
    )


def entrants_at_fault(sheet: SheetRow) -> list[str]:
    return entrants_of(sheet, sheet.at_fault)


def entrants_of(sheet: SheetRow, seats: str) -> list[str]:
    """Logs from before know seats that have not moved and that the table does not have."""
    entrants: list[str] = msgspec.json.decode(sheet.seats)
    named: list[int] = msgspec.json.decode(seats)
    return [entrants[seat] for seat in named if seat < len(entrants)]
