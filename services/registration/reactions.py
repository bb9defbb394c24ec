"""What follows here from what neighbours say: whoever has to be expelled by the rules is, and is not when that was
wrong; the ratings that standings publishes are those by which tournaments seed; and whoever is qualified, in a tournament or
in a season, comes to the next tournament.

The effect happens in the transaction that marks the message as done.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from services.registration.domain import ratings
from services.registration.domain.ratings import TakeOverRatings
from services.registration.domain.seasons import NoteQualification
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament.levels import NoteOrder
from services.registration.domain.tournament.presence import ExpelByRule, LiftExpulsion
from services.registration.next_levels import Levels, called_as_before
from services.registration.streams import announced
from shared.commands.handler import Handler
from shared.contracts import decode
from shared.contracts.results import ExpulsionDue, ExpulsionLapsed
from shared.contracts.standings import QualificationPublished, Qualified, RatingListPublished
from shared.log.connection import Connection
from shared.messaging.reactions import Received, follow
from shared.personal import names
from shared.personal.names import Names


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    tournaments: Handler[tournament.State, tournament.Command, tournament.Event]
    lists: Handler[ratings.Ratings, ratings.Command, ratings.Event]
    levels: Levels
    names: Names

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> None:
        for event in received:
            match decode(event.source, event.type, event.message):
                case ExpulsionDue() as told:
                    order = ExpelByRule(
                        entrant=told.entrant,
                        stage=told.stage,
                        after_round=told.round,
                        clause=told.clause,
                        by_official=told.by_official,
                    )
                    await follow(self.tournaments, connection, event, told.tournament, order, scope=told.tournament)
                case ExpulsionLapsed() as told:
                    lifted = LiftExpulsion(entrant=told.entrant)
                    await follow(self.tournaments, connection, event, told.tournament, lifted, scope=told.tournament)
                case RatingListPublished() as told:
                    await self._take_over(connection, event, told)
                case Qualified() as told:
                    await self._note(connection, event, told)
                case QualificationPublished() as told:
                    await self._note_season(connection, event, told)
                case _:
                    pass

    async def _note(self, connection: Connection, event: Received, told: Qualified) -> None:
        """Whoever gets no place in the first of the next tournaments may have one in the second."""
        order = msgspec.convert(told, NoteOrder, from_attributes=True)
        await follow(self.tournaments, connection, event, told.tournament, order, scope=told.tournament)
        levels = self.levels.within(connection)
        plan = (await announced(levels.tournaments, told.tournament)).plan
        await self._lead_on(connection, event, levels, plan.next_level, plan.otherwise)

    async def _note_season(self, connection: Connection, event: Received, told: QualificationPublished) -> None:
        order = msgspec.convert(told, NoteQualification, from_attributes=True)
        await follow(self.levels.seasons, connection, event, told.federation, order, scope=told.season)
        levels = self.levels.within(connection)
        season = await levels.origin(told.season, told.federation)
        await self._lead_on(connection, event, levels, season.next_level, season.otherwise)

    async def _lead_on(self, connection: Connection, event: Received, levels: Levels, *further: str | None) -> None:
        for following in further:
            if following is not None:
                await self._take_in(connection, event, levels, following)

    async def _take_in(self, connection: Connection, event: Received, levels: Levels, following: str) -> None:
        order = await levels.coming(event.scope, following)
        if order is None:
            return
        entered, claims = await levels.claims(order, following)
        plan = (await announced(levels.tournaments, following)).plan
        if claims is not None:
            await follow(levels.judge.series, connection, event, plan.series_id, claims, scope=plan.federation)
        await follow(self.tournaments, connection, event, following, order, scope=following)
        if called := await called_as_before(self.names, order, entered):
            await names.keep(connection, called)

    async def _take_over(self, connection: Connection, event: Received, told: RatingListPublished) -> None:
        order = msgspec.convert(told, TakeOverRatings, from_attributes=True)
        identity = f"{told.federation}.{told.list}"
        await follow(self.lists, connection, event, identity, order, scope=told.federation)
