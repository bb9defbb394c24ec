"""What the engines make of all that is known, as the draft of a round. It is computed beside: a large field takes seconds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from services.pairing import engines
from services.pairing.domain.round_sheet import Drafted, RoundSheet
from services.pairing.tournaments import KnownTournament
from shared.commands.handler import ActPart
from shared.http.authorization import Act
from shared.lots.drawing import Lots
from shared.lots.stream import Lot
from shared.numbers import stored
from shared.program import made_by
from shared.tournament.facts import Facts
from shared.workers import Workers


@dataclass(frozen=True, kw_only=True, eq=False)
class Drafting:
    lots: Lots
    workers: Workers

    async def next_round(self, known: KnownTournament, stage: str, act: Act) -> tuple[Drafted, ActPart]:
        """The draft of the next round, and the lots that were drawn for it. Their secret is fixed before."""
        drawing = await self.lots.begin(known.id, act.origin)
        drafted, drawn = await self.workers.compute(pair, known.facts, stage, drawing.elsewhere)
        drawing.drawn.extend(drawn)
        explanation = (*drafted.explanation, *drawing.explained())
        return replace(drafted, inputs=str(known.inputs), explanation=explanation), drawing.recorded()

    async def tried(self, known: KnownTournament, stage: str) -> tuple[Drafted, bool]:
        """How the draft of the next round would look, and whether it may be shown: a lot is not looked at before it is drawn."""
        drafted, drawn = await self.workers.compute(pair, known.facts, stage, await self.lots.tried(known.id))
        return replace(drafted, inputs=str(known.inputs)), await self.lots.are_drawn(known.id, drawn)

    async def by_hand(self, known: KnownTournament, stage: str) -> Drafted | None:
        """Where the rules leave no pairing: what officials begin with, a sheet on which everybody waits for a table."""
        found = await self.workers.compute(engines.without_pairing, known.facts, stage)
        return found and replace(drafted_of(found), inputs=str(known.inputs))

    async def compared(self, facts: Facts, tournament: str, stage: str, entrants: Sequence[str]) -> engines.Alternative:
        """What if two met, or did not, or one met somebody else; without any the next best pairing."""
        draw = await self.lots.tried(tournament)
        return await self.workers.compute(engines.alternative, facts, stage, *entrants, lots=draw)


def pair(facts: Facts, stage: str, draw: engines.DrawLots) -> tuple[Drafted, tuple[Lot, ...]]:
    """The next round of a stage, with the lots that were drawn for it; what it rests on is for whoever knows it."""
    drawn: list[Lot] = []

    def noted(purpose: str, identities: Iterable[str]) -> list[str]:
        order = draw(purpose, identities)
        drawn.append(Lot(purpose=purpose, order=tuple(order)))
        return order

    return drafted_of(engines.pair(facts, stage, lots=noted)), tuple(drawn)


def drafted_of(made: engines.PairedRound) -> Drafted:
    sheet = RoundSheet(
        tables=made.pairs,
        byes=made.byes,
        requested_byes={entrant: stored(points) for entrant, points in made.requested_byes.items()},
        missing=made.missing,
    )
    return Drafted(
        sheet=sheet,
        method=made.method,
        explanation=made.explanation,
        inputs="",
        cost=made.cost,
        components=made.components if made.cost is not None else (),
        proved=made.proved,
        program=made_by(f"pairing/{made.method}"),
    )
