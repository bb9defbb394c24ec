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
from services.results.domain.sheet.states import Final, State, Voided
from services.results.projection import Projection, RoundRow, SheetRow, ToCountRow
from services.results.streams import GameHandler, PenaltyHandler, RoundHandler
from services.results.tournaments import Tournaments
from shared.background import Work
from shared.commands.handler import SERVICE, Origin
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
                also=[self.games.standing(game, require_settled) for game in games],
            )
        except Refusal as moved:  # somebody was faster; the next look at the log sees it
            logger.info("round %s is not complete after all: %s", identity, moved)

    async def _count(self, row: ToCountRow) -> None:
        known = await self.tournaments.of(row.tournament)
        played = await self.projection.defaulted(row.tournament, known.stages())
        state, _ = await self.penalties.load(row.tournament)
        at_fault = {entrant for sheet in played for entrant in entrants_at_fault(sheet)}
        for entrant in sorted(at_fault | state.by_defaults):
            theirs = [sheet for sheet in played if entrant in entrants_at_fault(sheet)]
            lost = await self._lost(state, entrant, theirs)
            counting = [sheet for sheet in theirs if sheet.game not in lost]
            has_returned = entrant in known.started.returned
            excused = state.excused(entrant, has_returned=has_returned)
            count = counted(row.tournament, entrant, counting, known.rules().results.expulsions, excused)
            await self.penalties.handle(
                row.tournament,
                replace(count, lost=lost, has_returned=has_returned),
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


def require_settled(game: State) -> None:
    if not isinstance(game, Final | Voided):
        raise NotSettled("A game has no result.")


def counted(
    tournament: str,
    entrant: str,
    sheets: Sequence[SheetRow],
    expulsions: Sequence[Expulsion],
    excused: Sequence[str] = (),
) -> penalties.CountDefaults:
    """By which clause these games expel, if by any; it is due after the round of the game that made them enough. Where some
    are excused that is a further one, if there is any."""
    in_order = sorted(sheets, key=lambda sheet: sheet.game not in excused)
    found = [
        (expulsion.rule_id or "", counting[: max(expulsion.count, 1 + sum(one.game in excused for one in counting))])
        for expulsion in expulsions
        for counting in [[sheet for sheet in in_order if counts(expulsion, sheet, entrant)]]
        if len(counting) >= expulsion.count
    ]
    if not found:
        return penalties.CountDefaults(tournament=tournament, entrant=entrant, stage="", round=0, games=(), clause=None)
    clause, enough = next((one for one in found if one[1][-1].game not in excused), found[0])
    return penalties.CountDefaults(
        tournament=tournament,
        entrant=entrant,
        stage=enough[-1].stage,
        round=enough[-1].round,
        games=tuple([sheet.game for sheet in enough]),
        clause=clause,
    )


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
