"""Games of who is not there: lost before they begin, where the rules say by which ending.

It follows when a game is opened for somebody who has left or will be absent, and when registration says so of somebody
whose game is open. A game that was begun, or reported, is for an official.
"""

from collections.abc import AsyncGenerator, Iterable, Iterator
from itertools import count

from services.results.domain import rounds
from services.results.domain.game import GAME
from services.results.domain.running import is_untouched
from services.results.domain.states import Pending, Postponed
from services.results.streams import GameHandler
from services.results.together import load, together
from services.results.tournaments import Known, Tournaments
from shared.commands.handler import Origin
from shared.commands.transactional import append_within
from shared.contracts.pairing import RepairAsked, RoundPublished
from shared.contracts.registration import EntrantAbsent, EntrantLeft
from shared.log.postgres import Connection
from shared.tournament.stages import away_from
from shared.values import Value


class Away(Value):
    games: GameHandler
    tournaments: Tournaments

    async def opened(self, connection: Connection, told: RoundPublished | RepairAsked, origin: Origin) -> None:
        cup = await self.tournaments.now(told.tournament)
        if cup.facts is None:
            return
        not_there = away_from(cup.facts, told.stage, told.round)
        games = [one.game for one in told.games if not not_there.isdisjoint(one.seats)]
        await self._default(connection, cup, games, origin)

    async def told(self, connection: Connection, told: EntrantLeft | EntrantAbsent, origin: Origin) -> None:
        cup = await self.tournaments.now(told.tournament)
        if cup.facts is None:
            return
        async for games in published(connection, cup, told):
            await self._default(connection, cup, games, origin)

    async def _default(self, connection: Connection, cup: Known, games: Iterable[str], origin: Origin) -> None:
        defaults = [
            self.games.follow_up(game, lost, on=(state, version), scope=state.sheet.tournament, origin=origin)
            for game, (state, version) in (await load(connection, GAME, games)).items()
            if isinstance(state, Pending | Postponed) and is_untouched(state)
            for lost in [cup.default(state.sheet.stage, state.sheet.round, state.sheet.seats)]
            if lost is not None
        ]
        if defaults:
            await append_within(connection, [together(defaults)])


async def published(
    connection: Connection, cup: Known, told: EntrantLeft | EntrantAbsent
) -> AsyncGenerator[tuple[str, ...]]:
    """The games of each round that they miss and that is published."""
    for stage, numbers in missed(cup, told):
        for number in numbers:
            identity = rounds.identity(told.tournament, stage, number)
            state, _ = (await load(connection, rounds.ROUND, [identity]))[identity]
            if not (games := rounds.games_of(state)):
                break
            yield games


def missed(cup: Known, told: EntrantLeft | EntrantAbsent) -> Iterator[tuple[str, Iterable[int]]]:
    """The rounds, stage by stage."""
    match told:
        case EntrantAbsent():
            yield told.stage, [told.round]
        case EntrantLeft():
            yield told.stage, count(told.after_round + 1)
            stages = [stage.id for stage in cup.rules().stages]
            yield from ((stage, count(1)) for stage in stages[stages.index(told.stage) + 1 :])
