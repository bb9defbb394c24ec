"""What follows here from what neighbours say: whoever has to be expelled by the rules is, and is not when that was
wrong; the ratings that standings publishes are those by which tournaments seed.

The effect happens in the transaction that marks the message as done.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.registration.domain import ratings, tournament
from services.registration.domain.ratings import TakeOverRatings
from services.registration.domain.tournament.orders import ExpelByRule, LiftExpulsion, RuleOrder
from shared.contracts import decode
from shared.contracts.results import ExpulsionDue, ExpulsionLapsed
from shared.contracts.standings import RatingListPublished
from shared.handle import Handler
from shared.postgres import Connection
from shared.reactions import Received
from shared.within import follow


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    tournaments: Handler[tournament.State, tournament.Command, tournament.Event]
    lists: Handler[ratings.Ratings, ratings.Command, ratings.Event]

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> None:
        for event in received:
            match decode(event.source, event.type, event.message):
                case ExpulsionDue() as told:
                    order = ExpelByRule(
                        entrant=told.entrant, stage=told.stage, after_round=told.round, clause=told.clause
                    )
                    await self._happen(connection, event, told.tournament, order)
                case ExpulsionLapsed() as told:
                    await self._happen(connection, event, told.tournament, LiftExpulsion(entrant=told.entrant))
                case RatingListPublished() as told:
                    await self._take_over(connection, event, told)
                case _:
                    pass

    async def _happen(self, connection: Connection, event: Received, identity: str, order: RuleOrder) -> None:
        await follow(self.tournaments, connection, event, identity, order, scope=identity)

    async def _take_over(self, connection: Connection, event: Received, told: RatingListPublished) -> None:
        order = TakeOverRatings(
            federation=told.federation, list=told.list, season=told.season, on=told.on, ratings=told.ratings
        )
        identity = f"{told.federation}.{told.list}"
        await follow(self.lists, connection, event, identity, order, scope=told.federation)
