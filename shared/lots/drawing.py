"""Drawing lots in a service: from its secret for the tournament, which is fixed when that is announced and shown in the end.

drawing = await lots.begin(tournament, origin)
order = drawing.draw("first round", entrants)
… handle(…, beside=[drawing.recorded()])

Where the tournament names a source, nothing is drawn before its value is written down (`LotsOpened` of registration).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from shared import contracts
from shared.commands.handler import ActPart, Handler, Origin, StreamAppend
from shared.contracts.registration import (
    LotSourceMoved,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
)
from shared.log.connection import Connection
from shared.lots import formula, secrets, stream
from shared.lots.explaining import how_to_draw_again
from shared.lots.formula import LotKey
from shared.lots.heard import LotsHeard
from shared.lots.known import LotsKnown, key_of
from shared.lots.secrets import Seeds
from shared.lots.stream import AnotherSeedCommitted, CommitSeed, Lot, RecordLots, RevealSeed
from shared.messaging.reactions import Received, follow
from shared.refusals import Conflict

type LotsHandler = Handler[stream.State, stream.Command, stream.Event]
type ByLot = Callable[[str, Iterable[str]], list[str]]

MOVING = frozenset(
    told.__name__ for told in (TournamentAnnounced, LotSourceMoved, TournamentCompleted, TournamentCancelled)
)


class LotsNotOpened(Conflict):
    """The value that they are mixed with is not written down yet."""


class SecretNotHeard(Conflict):
    """Whoever was not heard of before the value was known could have chosen a secret for it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lots:
    handler: LotsHandler
    seeds: Seeds
    heard: LotsHeard
    service: str

    def committing(self, tournament: str, source: str | None, origin: Origin) -> ActPart:
        """Everybody is told what is published of the secret, beside the act that announces the tournament or moves the source."""

        async def decided() -> StreamAppend:
            order = await self._commitment(tournament, source, await self.seeds.of(tournament))
            return await self.handler.part(tournament, order, scope=tournament, origin=origin)()

        return decided

    async def react(self, connection: Connection, event: Received) -> None:
        """What follows from the life of a tournament: its secret is made, and revealed. Part of the transaction that is open."""
        if event.source != "registration" or event.type not in MOVING:
            return
        match contracts.decode(event.source, event.type, event.message):
            case TournamentAnnounced() as told:
                await self._commit(connection, event, told.tournament, told.lot_source)
            case LotSourceMoved() as told:
                await self._commit(connection, event, told.tournament, told.source)
            case TournamentCompleted() | TournamentCancelled() as told:
                await self._reveal(connection, event, told.tournament)
            case _:
                pass

    async def begin(self, tournament: str, origin: Origin) -> "Drawing":
        """Where no source was named, everybody is told the hash of what is drawn from before anything is."""
        known = await self.heard.of(tournament)
        if known.source is None:
            order = CommitSeed(tournament=tournament, commitment=formula.commitment(await self.seeds.of(tournament)))
            await self.handler.handle(tournament, order, scope=tournament, origin=origin, respond=nobody_asked)
        draw = await self._drawn_by(tournament, known)
        return Drawing(tournament=tournament, origin=origin, known=known, by_lot=draw, handler=self.handler)

    async def tried(self, tournament: str) -> ByLot:
        """How lots would fall. What nobody decides by is not recorded."""
        return await self._drawn_by(tournament, await self.heard.of(tournament))

    async def are_drawn(self, tournament: str, lots: Iterable[Lot]) -> bool:
        """Whether all of these are recorded, so that whoever sees them now learns nothing before it was drawn."""
        state, _ = await self.handler.load(tournament)
        drawn = frozenset[Lot]() if isinstance(state, stream.Unfixed) else state.drawn
        return drawn.issuperset(lots)

    async def revealed(self, tournament: str, origin: Origin) -> list[ActPart]:
        """The secret, beside an act of this service, if there is one."""
        state, _ = await self.handler.load(tournament)
        if isinstance(state, stream.Unfixed):
            return []
        order = RevealSeed(tournament=tournament, seed=(await self.seeds.of(tournament)).hex())
        return [self.handler.part(tournament, order, scope=tournament, origin=origin)]

    async def are_shown(self, tournament: str) -> bool:
        """Whether everybody could compute what would be drawn."""
        state, _ = await self.handler.load(tournament)
        return isinstance(state, stream.Revealed)

    async def commitment(self, tournament: str) -> str | None:
        """What was published of the secret of this service."""
        state, _ = await self.handler.load(tournament)
        return None if isinstance(state, stream.Unfixed) else state.commitment

    async def known(self, tournament: str) -> LotsKnown:
        return await self.heard.of(tournament)

    async def key(self, tournament: str, *, is_trusted: bool) -> LotKey | None:
        """What all lots of a tournament follow from; before it is revealed only for who is trusted with it.

        There is none while nothing can be drawn.
        """
        state, _ = await self.handler.load(tournament)
        if isinstance(state, stream.Unfixed) or (isinstance(state, stream.SeedFixed) and not is_trusted):
            return None
        known = await self.heard.of(tournament)
        if known.source is not None and known.value is None:
            return None
        return key_of(tournament, await self.seeds.of(tournament), known)

    async def _drawn_by(self, tournament: str, known: LotsKnown) -> ByLot:
        """A rule that draws nothing asks nothing: the refusal waits for the first lot."""
        if known.source is None:
            return LotKey(key=await self.seeds.of(tournament)).draw
        if known.value is None:
            return partial(refused, LotsNotOpened(not_opened(known.source)))
        secret = await self.seeds.of(tournament)
        if formula.commitment(
            secret, service=self.service, tournament=tournament, source=known.source
        ) != known.commitments.get(self.service):
            return partial(refused, SecretNotHeard(not_heard(self.service)))
        state, _ = await self.handler.load(tournament)
        if isinstance(state, stream.Unfixed) or state.commitment != known.commitments[self.service]:
            return partial(refused, SecretNotHeard(not_heard(self.service)))
        return key_of(tournament, secret, known).draw

    async def _commit(self, connection: Connection, event: Received, tournament: str, source: str | None) -> None:
        order = await self._commitment(tournament, source, await secrets.made(connection, tournament))
        await follow(self.handler, connection, event, tournament, order, scope=tournament)

    async def _reveal(self, connection: Connection, event: Received, tournament: str) -> None:
        """Whatever was drawn can now be drawn again by everybody."""
        if secret := await secrets.known(connection, tournament):
            order = RevealSeed(tournament=tournament, seed=secret.hex())
            await follow(self.handler, connection, event, tournament, order, scope=tournament)

    async def _commitment(self, tournament: str, source: str | None, secret: bytes) -> CommitSeed:
        """To the secret that there is: another source is no reason for another one."""
        state, _ = await self.handler.load(tournament)
        if not isinstance(state, stream.Unfixed) and state.commitment != self._published(
            tournament, state.source, secret
        ):
            raise AnotherSeedCommitted("The lots here follow from another secret: restore it from the backup.")
        return CommitSeed(tournament=tournament, commitment=self._published(tournament, source, secret), source=source)

    def _published(self, tournament: str, source: str | None, secret: bytes) -> str:
        return formula.commitment(secret, service=self.service, tournament=tournament, source=source)


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawing:
    """The lots of one act."""

    tournament: str
    origin: Origin
    known: LotsKnown
    by_lot: ByLot = field(repr=False)
    handler: LotsHandler
    drawn: list[Lot] = field(default_factory=list[Lot])

    def draw(self, purpose: str, identities: Iterable[str]) -> list[str]:
        order = self.by_lot(purpose, identities)
        self.drawn.append(Lot(purpose=purpose, order=tuple(order)))
        return order

    @property
    def elsewhere(self) -> ByLot:
        """To draw with in another process. What is drawn there is still to be noted in `drawn`."""
        return self.by_lot

    def explained(self) -> list[str]:
        """How anybody draws these lots again."""
        return [*how_to_draw_again(self.known, self.handler.service, [lot.purpose for lot in self.drawn])]

    def recorded(self) -> ActPart:
        """What was drawn, to be written down together with what was drawn for."""
        record = RecordLots(tournament=self.tournament, lots=tuple(self.drawn))
        return self.handler.part(self.tournament, record, scope=self.tournament, origin=self.origin)


def refused(refusal: Conflict, _purpose: str, _identities: Iterable[str]) -> list[str]:
    raise refusal


def not_opened(source: str) -> str:
    return (
        f"The lots of this tournament follow from {source}, and nobody has written down its value: once the field is "
        "fixed, let the director open the lots in registration (open-lots), and then do this again."
    )


def not_heard(service: str) -> str:
    return (
        f"The secret that {service} has for the lots of this tournament is not the one that was heard of before its lots "
        "were opened: restore it from the backup. Until then draw in the hall, and write down what was drawn."
    )


def nobody_asked(_: object, __: int) -> bytes:
    return b""
