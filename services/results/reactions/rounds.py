"""What follows when pairing publishes a round, or asks to have it back or some tables changed: one append for all.

The effect happens in the transaction that marks the message as done. So it happens once, and streams are read on its
connection, where also what an earlier message of the same transaction has written is seen.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from services.results.domain import rounds
from services.results.domain.sheet import lifecycle, orders
from services.results.domain.sheet.decider import GAME
from services.results.reactions.absences import Absences
from services.results.streams import GameHandler, RoundHandler, load, together
from services.results.tournaments import Tournaments
from shared.access import grants
from shared.commands.handler import Origin, StreamAppend
from shared.commands.transactional import append_within
from shared.contracts import decode
from shared.contracts.pairing import RecallAsked, RepairAsked, RoundPublished
from shared.contracts.parts import PlannedGame
from shared.contracts.registration import EntrantAbsent, EntrantLeft
from shared.log.connection import Connection
from shared.lots.drawing import Lots
from shared.messaging.reactions import Committed, Received
from shared.messaging.reactions import origin as caused_by
from shared.personal import erasure

WANTED = {
    ("pairing", RoundPublished.__name__),
    ("pairing", RecallAsked.__name__),
    ("pairing", RepairAsked.__name__),
    ("registration", EntrantLeft.__name__),
    ("registration", EntrantAbsent.__name__),
}

MOST_KEPT = 10_000  # sheets of one transaction, which after an outage may open the rounds of weeks

type RoundCommand = rounds.Command
type OfRound = RoundPublished | RecallAsked | RepairAsked


@dataclass(frozen=True, kw_only=True, eq=False)
class Reaction:
    games: GameHandler
    rounds: RoundHandler
    lots: Lots
    tournaments: Tournaments
    absences: Absences

    async def __call__(self, connection: Connection, received: Sequence[Received]) -> Committed:
        await grants.react(connection, received)
        await erasure.react(connection, received)
        sheets = deque[StreamAppend](maxlen=MOST_KEPT)
        for message in received:
            await self.lots.react(connection, message)
            if (message.source, message.type) in WANTED:
                sheets.extend(await self._follow(connection, message))
        return partial(self._committed, sheets, {message.scope for message in received})

    def _committed(self, sheets: Sequence[StreamAppend], heard_of: Iterable[str]) -> None:
        self.games.appended(sheets)
        self.tournaments.have_changed(heard_of)

    async def _follow(self, connection: Connection, message: Received) -> Sequence[StreamAppend]:
        """Answers what was appended to sheets: the first report of a game finds its sheet in memory."""
        origin = caused_by(message)
        match decode(message.source, message.type, message.message):
            case RoundPublished() as told:
                return await self._open(connection, told, origin)
            case RecallAsked() as told:
                return await self._close(connection, told, origin)
            case RepairAsked() as told:
                return await self._repair(connection, told, origin)
            case EntrantLeft() | EntrantAbsent() as told:
                return await self.absences.told(connection, told, origin)
            case _:
                return []

    async def _open(self, connection: Connection, told: RoundPublished, origin: Origin) -> list[StreamAppend]:
        opening = rounds.OpenRound(
            tournament=told.tournament,
            stage=told.stage,
            round=told.round,
            games=tuple(game.game for game in told.games),
            publication=origin.causation or "",
        )
        opened = await self._on_round(connection, told, opening, origin)
        if not opened.events:
            return []
        known = await load(connection, GAME, [game.game for game in told.games])
        sheets = [
            self.games.follow_up(
                game.game, sheet_of(game, told), on=known[game.game], scope=told.tournament, origin=origin
            )
            for game in told.games
        ]
        await append_within(connection, [together([opened, *sheets])])
        return [*sheets, *await self.absences.opened(connection, told, origin)]

    async def _close(self, connection: Connection, told: RecallAsked, origin: Origin) -> list[StreamAppend]:
        closing = orders.CloseSheet(recall=told.recall)
        return await self._answer(connection, told, dict.fromkeys(told.games, closing), origin)

    async def _repair(self, connection: Connection, told: RepairAsked, origin: Origin) -> list[StreamAppend]:
        anew = {game.game: orders.ReseatSheet(repair=told.repair, opening=sheet_of(game, told)) for game in told.games}
        sheets = await self._answer(connection, told, anew, origin)
        return [*sheets, *await self.absences.opened(connection, told, origin)] if sheets else []

    async def _answer(
        self,
        connection: Connection,
        told: RecallAsked | RepairAsked,
        wanted: Mapping[str, orders.CloseSheet | orders.ReseatSheet],
        origin: Origin,
    ) -> list[StreamAppend]:
        """What is wanted happens to all of these sheets, or where a game has begun to none: answers what was appended to them."""
        known = await load(connection, GAME, wanted)
        begun = next((game for game in wanted if lifecycle.has_begun(known[game][0])), None)
        answered = await self._on_round(connection, told, answer_to(told, begun), origin)
        if not answered.events:
            return []
        sheets = [
            self.games.follow_up(game, order, on=known[game], scope=told.tournament, origin=origin)
            for game, order in wanted.items()
            if begun is None
        ]
        await append_within(connection, [together([answered, *sheets])])
        return sheets

    async def _on_round(
        self, connection: Connection, told: OfRound, command: RoundCommand, origin: Origin
    ) -> StreamAppend:
        identity = rounds.identity(told.tournament, told.stage, told.round)
        known = await load(connection, rounds.ROUND, [identity])
        return self.rounds.follow_up(identity, command, on=known[identity], scope=told.tournament, origin=origin)


def answer_to(told: RecallAsked | RepairAsked, begun: str | None) -> rounds.AnswerRecall | rounds.AnswerRepair:
    tournament, stage, number = told.tournament, told.stage, told.round
    match told:
        case RecallAsked(recall=recall):
            return rounds.AnswerRecall(tournament=tournament, stage=stage, round=number, recall=recall, begun=begun)
        case RepairAsked(repair=repair):
            return rounds.AnswerRepair(tournament=tournament, stage=stage, round=number, repair=repair, begun=begun)


def sheet_of(game: PlannedGame, told: RoundPublished | RepairAsked) -> orders.OpenSheet:
    return orders.OpenSheet(
        game=game.game,
        tournament=told.tournament,
        stage=told.stage,
        round=told.round,
        table=game.table,
        seats=game.seats,
        first=game.first,
        option=game.option,
        group=game.group,
        match=game.match,
        number=game.number,
        starts_at=told.starts_at,
    )
