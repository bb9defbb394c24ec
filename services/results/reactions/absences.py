"""Gives the games of absent players their result, by which they are lost before they begin.

It follows when a game is opened for somebody who has left or will be absent, and when registration says so of somebody
whose game is open, or was lost by the other side so. A game that was begun, or reported, is for an official. Where only
the director decides about such an ending it is put on the sheet as a report, which waits for him.
"""

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from itertools import count

from services.results.domain import rounds
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.disputes import agree
from services.results.domain.sheet.lifecycle import has_begun
from services.results.domain.sheet.orders import DecideResult, ReportResult
from services.results.domain.sheet.states import Final, Pending, Postponed, Reported, Result, Speaker
from services.results.games.adjudication import AnyAccount
from services.results.games.verdict import UndecidedGame
from services.results.streams import GameHandler, load, together
from services.results.tournaments import KnownTournament, Tournaments
from shared.commands.handler import Origin, StreamAppend
from shared.commands.transactional import append_within
from shared.contracts.pairing import RepairAsked, RoundPublished
from shared.contracts.registration import EntrantAbsent, EntrantLeft
from shared.log.connection import Connection
from shared.numbers import stored
from shared.tournament.absent_players import away_from, ending_without
from shared.values import Value

REGISTRATION = "registration"


class Absences(Value):
    """Gives the games of who is not there their result."""

    games: GameHandler
    tournaments: Tournaments

    async def opened(
        self, connection: Connection, told: RoundPublished | RepairAsked, origin: Origin
    ) -> list[StreamAppend]:
        """Gives their result to the games of a round whose players are not there: answers what was appended."""
        known = await self.tournaments.within(connection, told.tournament)
        if known.facts is None:
            return []
        not_there = away_from(known.facts, told.stage, told.round)
        games = [one.game for one in told.games if not not_there.isdisjoint(one.seats)]
        return await self._default(connection, known, games, origin)

    async def told(
        self, connection: Connection, told: EntrantLeft | EntrantAbsent, origin: Origin
    ) -> list[StreamAppend]:
        """Gives their result to the published games of an entrant who has left, or is not there: answers what was appended."""
        known = await self.tournaments.within(connection, told.tournament)
        if known.facts is None:
            return []
        return [
            part
            async for games in published(connection, known, told)
            for part in await self._default(connection, known, games, origin)
        ]

    async def _default(
        self, connection: Connection, known: KnownTournament, games: Iterable[str], origin: Origin
    ) -> list[StreamAppend]:
        defaults = [
            self.games.follow_up(game, lost, on=(state, version), scope=state.sheet.tournament, origin=origin)
            for game, (state, version) in (await load(connection, GAME, games)).items()
            if isinstance(state, Pending | Postponed | Reported | Final) and not has_begun(state)
            for lost in [default_of(known, state.sheet.stage, state.sheet.round, state.sheet.seats)]
            if lost is not None and (not isinstance(state, Final) or takes_its_place(state, lost))
        ]
        if defaults:
            await append_within(connection, [together(defaults)])
        return defaults


def takes_its_place(state: Final, lost: DecideResult | ReportResult) -> bool:
    """Whether a game that was lost by who is not there is lost otherwise, since the other side is not there either. What
    somebody has complained about is for an official."""
    return isinstance(lost, DecideResult) and not state.complaints and not agree(state.result, lost.result)


def default_of(
    known: KnownTournament, stage: str, number: int, seats: Sequence[str]
) -> DecideResult | ReportResult | None:
    """What comes of a game before it is played, if somebody will not be there and the rules price that."""
    if stage not in known.stages():
        return None
    absent, rules = away_from(known.started, stage, number), known.settings(stage).results
    ending = ending_without(rules, seats, absent)
    if ending is None:
        return None
    end, by = ending
    said = AnyAccount(end=end, by=by)
    outcome = known.adjudicate(stage, said)
    if isinstance(outcome, UndecidedGame):
        raise TypeError(f"{said.end} gives no result")
    result = Result(
        scores=tuple(map(stored, outcome.scores)),
        points=tuple(map(stored, outcome.points)),
        end=outcome.end,
        by=outcome.by,
    )
    terms = known.terms(stage, None)
    if result.end in terms.for_director:
        return ReportResult(by=Speaker(person=REGISTRATION), result=result, unplayed=True, terms=terms)
    return DecideResult(by=REGISTRATION, result=result, reason="", unplayed=True)


async def published(
    connection: Connection, known: KnownTournament, told: EntrantLeft | EntrantAbsent
) -> AsyncGenerator[tuple[str, ...]]:
    """The games of each round that they miss and that is published."""
    for stage, numbers in missed(known, told):
        for number in numbers:
            identity = rounds.identity(told.tournament, stage, number)
            state, _ = (await load(connection, rounds.ROUND, [identity]))[identity]
            if not (games := rounds.games_of(state)):
                break
            yield games


def missed(known: KnownTournament, told: EntrantLeft | EntrantAbsent) -> Iterator[tuple[str, Iterable[int]]]:
    """The rounds, stage by stage."""
    match told:
        case EntrantAbsent():
            yield told.stage, [told.round]
        case EntrantLeft():
            yield told.stage, count(told.after_round + 1)
            stages = known.stages()
            yield from ((stage, count(1)) for stage in stages[stages.index(told.stage) + 1 :])
