"""What follows here from what neighbours have said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from services.pairing.domain.round import facts, orders, states
from services.pairing.domain.round.decisions import identity
from shared import contracts, drawing, grants, seeds
from shared.contracts.registration import TournamentCompleted
from shared.contracts.results import RecallAccepted, RecallRefused
from shared.drawing import RevealSeed
from shared.envelope import Message
from shared.handle import Handler, Origin
from shared.postgres import Connection
from shared.reactions import Received
from shared.within import Within

MESSAGE = msgspec.json.Decoder(Message)

type Rounds = Handler[states.State, orders.Command, facts.Event]
type Lots = Handler[drawing.State, drawing.Command, drawing.Event]
type Answer = orders.AcceptRecall | orders.RefuseRecall


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    rounds: Rounds
    lots: Lots

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> None:
        await grants.react(connection, received)
        for event in received:
            match contracts.decode(event.source, event.type, event.message):
                case RecallAccepted() as told:
                    await self._answer(connection, event, told, orders.AcceptRecall(recall=told.recall))
                case RecallRefused() as told:
                    refused = orders.RefuseRecall(recall=told.recall, game=told.game)
                    await self._answer(connection, event, told, refused)
                case TournamentCompleted() as told:
                    await self._reveal(connection, event, told.tournament)
                case _:
                    pass

    async def _answer(
        self, connection: Connection, event: Received, told: RecallAccepted | RecallRefused, answer: Answer
    ) -> None:
        await replace(self.rounds, store=Within(connection)).handle(
            identity(told.tournament, told.stage, told.round),
            answer,
            scope=told.tournament,
            origin=origin(event),
            respond=nobody_asked,
        )

    async def _reveal(self, connection: Connection, event: Received, tournament: str) -> None:
        """Whatever was drawn can now be drawn again by everybody."""
        if seed := await seeds.known(connection, tournament):
            await replace(self.lots, store=Within(connection)).handle(
                tournament,
                RevealSeed(tournament=tournament, seed=seed.hex()),
                scope=tournament,
                origin=origin(event),
                respond=nobody_asked,
            )


def origin(event: Received) -> Origin:
    message = MESSAGE.decode(event.message)
    return Origin(actor=event.source, causation=str(message.id), trace=message.trace)


def nobody_asked(_: object, __: int) -> bytes:
    return b""
