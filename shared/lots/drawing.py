"""Drawing lots in a service: from its secret for the tournament, which is fixed before the first and shown in the end.

drawing = await lots.begin(tournament, origin)
order = drawing.draw("first round", entrants)
… handle(…, beside=[drawing.recorded()])
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from shared.commands.handler import Beside, Handler, Origin
from shared.log.connection import Connection
from shared.lots import formula, secrets, stream
from shared.lots.secrets import Seeds
from shared.lots.stream import CommitSeed, Lot, RecordLots, RevealSeed
from shared.messaging.reactions import Received, follow

type LotsHandler = Handler[stream.State, stream.Command, stream.Event]


@dataclass(frozen=True, kw_only=True, eq=False)
class Lots:
    handler: LotsHandler
    seeds: Seeds

    async def begin(self, tournament: str, origin: Origin) -> "Drawing":
        """Before anything is drawn, everybody is told the hash of what it follows from."""
        seed = await self.seeds.of(tournament)
        commit = CommitSeed(tournament=tournament, commitment=formula.commitment(seed))
        await self.handler.handle(tournament, commit, scope=tournament, origin=origin, respond=nobody_asked)
        return Drawing(tournament=tournament, origin=origin, seed=seed, handler=self.handler)

    async def reveal(self, connection: Connection, tournament: str, event: Received) -> None:
        """Whatever was drawn can now be drawn again by everybody. Part of the transaction that is open."""
        if seed := await secrets.known(connection, tournament):
            command = RevealSeed(tournament=tournament, seed=seed.hex())
            await follow(self.handler, connection, event, tournament, command, scope=tournament)

    async def revealed(self, tournament: str, origin: Origin) -> list[Beside]:
        """The same beside an act of this service, if anything was drawn here."""
        state, _ = await self.handler.load(tournament)
        if isinstance(state, stream.Unfixed):
            return []
        command = RevealSeed(tournament=tournament, seed=(await self.seeds.of(tournament)).hex())
        return [self.handler.part(tournament, command, scope=tournament, origin=origin)]

    async def key(self, tournament: str, *, is_trusted: bool) -> str | None:
        """What all lots of a tournament follow from, in hexadecimal; before it is revealed only for who is trusted with it."""
        state, _ = await self.handler.load(tournament)
        match state:
            case stream.Unfixed():
                return None
            case stream.SeedFixed():
                return (await self.seeds.of(tournament)).hex() if is_trusted else None
            case stream.Revealed():
                return (await self.seeds.of(tournament)).hex()

    async def tried(self, tournament: str) -> Callable[[str, Iterable[str]], list[str]]:
        """How lots would fall. What nobody decides by is not recorded."""
        return partial(formula.draw, await self.seeds.of(tournament))


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawing:
    """The lots of one act."""

    tournament: str
    origin: Origin
    seed: bytes = field(repr=False)
    handler: LotsHandler
    drawn: list[Lot] = field(default_factory=list[Lot])

    def draw(self, purpose: str, identities: Iterable[str]) -> list[str]:
        order = formula.draw(self.seed, purpose, identities)
        self.drawn.append(Lot(purpose=purpose, order=tuple(order)))
        return order

    @property
    def elsewhere(self) -> Callable[[str, Iterable[str]], list[str]]:
        """To draw with in another process. What is drawn there is still to be noted in `drawn`."""
        return partial(formula.draw, self.seed)

    def recorded(self) -> Beside:
        """What was drawn, to be written down together with what was drawn for."""
        record = RecordLots(tournament=self.tournament, lots=tuple(self.drawn))
        return self.handler.part(self.tournament, record, scope=self.tournament, origin=self.origin)


def nobody_asked(_: object, __: int) -> bytes:
    return b""
