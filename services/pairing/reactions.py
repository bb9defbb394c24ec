"""What follows here from what neighbours have said."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.pairing.domain.round import AcceptRecall, AcceptRepair, RefuseRecall, RefuseRepair, identity
from services.pairing.tournaments import RoundHandler
from shared import contracts
from shared.access import grants
from shared.contracts.results import RecallAccepted, RecallRefused, RepairAccepted, RepairRefused
from shared.log.connection import Connection
from shared.lots.drawing import Lots
from shared.messaging.reactions import Received, follow
from shared.personal import erasure

type AnswerHeard = RecallAccepted | RecallRefused | RepairAccepted | RepairRefused
type AnswerOrder = AcceptRecall | RefuseRecall | AcceptRepair | RefuseRepair


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    rounds: RoundHandler
    lots: Lots

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> None:
        await grants.react(connection, received)
        await erasure.react(connection, received)
        for event in received:
            await self.lots.react(connection, event)
            match contracts.decode(event.source, event.type, event.message):
                case RecallAccepted() as told:
                    await self._answer(connection, event, told, AcceptRecall(recall=told.recall))
                case RecallRefused() as told:
                    refused = RefuseRecall(recall=told.recall, game=told.game)
                    await self._answer(connection, event, told, refused)
                case RepairAccepted() as told:
                    await self._answer(connection, event, told, AcceptRepair(repair=told.repair))
                case RepairRefused() as told:
                    refused = RefuseRepair(repair=told.repair, game=told.game)
                    await self._answer(connection, event, told, refused)
                case _:
                    pass

    async def _answer(self, connection: Connection, event: Received, told: AnswerHeard, answer: AnswerOrder) -> None:
        named = identity(told.tournament, told.stage, told.round)
        await follow(self.rounds, connection, event, named, answer, scope=told.tournament)
