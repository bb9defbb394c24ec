"""What the operations of pairing work with, put together in `app.py`, and who may use it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from services.pairing.api.bodies import ReasonGiven
from services.pairing.api.situation import Situation, Situations
from services.pairing.domain import stage
from services.pairing.domain.round import facts as happened
from services.pairing.domain.round import orders, states
from services.pairing.domain.sheet import Alternative, Breach, Drafted, Reason, Sheet
from shared import drawing, lots
from shared.act import Act
from shared.clock import Now
from shared.decider import Refusal
from shared.drawing import CommitSeed, Lot, RecordLots
from shared.handle import Beside, Handler
from shared.ids import NewId
from shared.notes import Notes
from shared.policy import ANYBODY, Policy, roles
from shared.roles import Role
from shared.seeds import Seeds
from shared.tournament.facts import Facts

type Rounds = Handler[states.State, orders.Command, happened.Event]
type Stages = Handler[stage.State, stage.Command, stage.Event]
type Lots = Handler[drawing.State, drawing.Command, drawing.Event]
type Draw = Callable[[str, Iterable[str]], list[str]]
type PairRound = Callable[[Facts, str, Draw], Drafted]
type CheckSheet = Callable[[Facts, str, int, Sheet], tuple[Breach, ...]]
type Compare = Callable[[Facts, str, str, str, Draw], Alternative]

PAIR = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
SEE_DRAFTS = roles(
    Role.DIRECTOR, Role.ARBITER, Role.COUNCIL, Role.COORDINATOR, Role.AUDITOR, scope="tournament_id", operators=True
)
SEE = ANYBODY
ACTIONS: dict[str, Policy] = {
    "draftRound": PAIR,
    "overridePairing": PAIR,
    "confirmRound": PAIR,
    "publishRound": PAIR,
    "recallRound": PAIR,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Desk:
    rounds: Rounds
    stages: Stages
    lots: Lots
    situations: Situations
    seeds: Seeds
    notes: Notes
    pair: PairRound
    check: CheckSheet
    compare: Compare
    now: Now
    new_id: NewId

    async def pairing(self, situation: Situation, stage_id: str, act: Act) -> tuple[Drafted, Beside]:
        """The pairing of the next round, and the lots that were drawn for it. Their secret is fixed before."""
        tournament = situation.tournament
        seed = await self.seeds.of(tournament)
        commit = CommitSeed(tournament=tournament, commitment=lots.commitment(seed))
        await self.lots.handle(tournament, commit, scope=tournament, origin=act.origin, respond=lambda _, __: b"")
        drawn: list[Lot] = []

        def draw(purpose: str, identities: Iterable[str]) -> list[str]:
            order = lots.draw(seed, purpose, identities)
            drawn.append(Lot(purpose=purpose, order=tuple(order)))
            return order

        drafted = replace(
            await asyncio.to_thread(self.pair, situation.facts, stage_id, draw), inputs=str(situation.inputs)
        )
        record = RecordLots(tournament=tournament, lots=tuple(drawn))
        return drafted, self.lots.part(tournament, record, scope=tournament, origin=act.origin)

    async def compared(self, facts: Facts, tournament: str, stage_id: str, one: str, other: str) -> Alternative:
        """What if two met, or did not. Nothing is decided by it, so no lot is recorded."""
        seed = await self.seeds.of(tournament)
        return await asyncio.to_thread(self.compare, facts, stage_id, one, other, partial(lots.draw, seed))

    @asynccontextmanager
    async def explained(self, scope: str, given: ReasonGiven | None, act: Act) -> AsyncGenerator[Reason | None]:
        """A reason as events know it. Its words are kept before the act happens, and go when it is refused."""
        if given is None or given.words is None:
            yield given and Reason(code=given.code)
            return
        note = act.key.key.hex()[:32] if act.key else str(self.new_id())
        await self.notes.keep(scope, note, given.words)
        try:
            yield Reason(code=given.code, note=note)
        except Refusal:
            await self.notes.erase(scope, note)
            raise
