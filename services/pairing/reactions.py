"""What follows here from what neighbours have said."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.pairing.domain.round import facts, orders, states
from services.pairing.domain.round.decisions import identity
from shared import contracts
from shared.access import grants
from shared.commands.handler import Handler
from shared.contracts.registration import TournamentCompleted
from shared.contracts.results import RecallAccepted, RecallRefused, RepairAccepted, RepairRefused
from shared.log.postgres import Connection
from shared.lots.drawing import Lots
from shared.messaging.reactions import Received, follow
from shared.personal import erasure

type Rounds = Handler[states.State, orders.Command, facts.Event]
type Answered = RecallAccepted | RecallRefused | RepairAccepted | RepairRefused
type Answer = orders.AcceptRecall | orders.RefuseRecall | orders.AcceptRepair | orders.RefuseRepair


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    rounds: Rounds
    lots: Lots

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> None:
        await grants.react(connection, received)
        await erasure.react(connection, received)
        for event in received:
            match contracts.decode(event.source, event.type, event.message):
                case RecallAccepted() as told:
                    await self._answer(connection, event, told, orders.AcceptRecall(recall=told.recall))
                case RecallRefused() as told:
                    refused = orders.RefuseRecall(recall=told.recall, game=told.game)
                    await self._answer(connection, event, told, refused)
                case RepairAccepted() as told:
                    await self._answer(connection, event, told, orders.AcceptRepair(repair=told.repair))
                case RepairRefused() as told:
                    refused = orders.RefuseRepair(repair=told.repair, game=told.game)
                    await self._answer(connection, event, told, refused)
                case TournamentCompleted() as told:
                    await self.lots.reveal(connection, told.tournament, event)
                case _:
                    pass

    async def _answer(self, connection: Connection, event: Received, told: Answered, answer: Answer) -> None:
        named = identity(told.tournament, told.stage, told.round)
        await follow(self.rounds, connection, event, named, answer, scope=told.tournament)
