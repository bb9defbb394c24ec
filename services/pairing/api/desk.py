"""What the operations of pairing work with, put together in `app.py`, and who may use it."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from msgspec.structs import replace

from services.pairing.api.bodies import ReasonGiven
from services.pairing.api.situation import Situation, Situations
from services.pairing.domain import rooms, stage
from services.pairing.domain.round import facts as happened
from services.pairing.domain.round import orders, states
from services.pairing.domain.sheet import Alternative, Breach, Drafted, Reason, Sheet
from shared.access.policy import ANYBODY, Policy, roles
from shared.access.roles import Role
from shared.clock import Now
from shared.commands.handler import Beside, Handler
from shared.http.door import Act
from shared.ids import NewId
from shared.lots.drawing import Lots
from shared.lots.stream import Lot
from shared.personal.notes import Notes
from shared.tournament.facts import Facts
from shared.workers import Workers

type Rounds = Handler[states.State, orders.Command, happened.Event]
type Stages = Handler[stage.State, stage.Command, stage.Event]
type Rooms = Handler[rooms.Rooms, rooms.NameRooms, rooms.RoomsNamed]
type Draw = Callable[[str, Iterable[str]], list[str]]
type PairRound = Callable[[Facts, str, Draw], tuple[Drafted, tuple[Lot, ...]]]
type MakeByHand = Callable[[Facts, str], Drafted | None]
type CheckSheet = Callable[[Facts, str, int, Sheet], tuple[Breach, ...]]
type Compare = Callable[[Facts, str, Sequence[str], Draw], Alternative]

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
    "repairTables": PAIR,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Desk:
    rounds: Rounds
    stages: Stages
    rooms: Rooms
    lots: Lots
    situations: Situations
    notes: Notes
    pair: PairRound
    without_pairing: MakeByHand
    check: CheckSheet
    compare: Compare
    workers: Workers  # where rounds are paired: a large field takes seconds
    now: Now
    new_id: NewId

    async def pairing(self, situation: Situation, stage_id: str, act: Act) -> tuple[Drafted, Beside]:
        """The pairing of the next round, and the lots that were drawn for it. Their secret is fixed before."""
        drawing = await self.lots.begin(situation.tournament, act.origin)
        drafted, drawn = await self.workers.compute(self.pair, situation.facts, stage_id, drawing.elsewhere)
        drawing.drawn.extend(drawn)
        return replace(drafted, inputs=str(situation.inputs)), drawing.recorded()

    async def by_hand(self, situation: Situation, stage_id: str) -> Drafted | None:
        """Where the rules leave no pairing: what officials begin with."""
        drafted = await self.workers.compute(self.without_pairing, situation.facts, stage_id)
        return drafted and replace(drafted, inputs=str(situation.inputs))

    async def compared(self, facts: Facts, tournament: str, stage_id: str, entrants: Sequence[str]) -> Alternative:
        """What if two met, or did not, or one met somebody else; without any the next best pairing."""
        draw = await self.lots.tried(tournament)
        return await self.workers.compute(self.compare, facts, stage_id, entrants, draw)

    @asynccontextmanager
    async def explained(self, scope: str, given: ReasonGiven | None, act: Act) -> AsyncGenerator[Reason | None]:
        """A reason as events know it."""
        words = given.words if given else None
        async with self.notes.kept(scope, words, act.key) as note:
            yield given and Reason(code=given.code, note=note)
