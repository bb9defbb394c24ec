"""What is told at once to whoever officiates, and to the captains at a table: also what neighbours are not told.

What somebody reports of a game, or says against it, is nobody's business but theirs who have to look at it. So it is in no
message, and told here without who reported: only for which entrant they spoke.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from services.results.domain.protests import PROTESTS, ProtestDecided, ProtestFiled, PublicVoteHeld
from services.results.domain.sheet import facts
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.states import UnknownSheet
from services.results.streams import GameHandler, ProtestHandler
from shared.contracts import decode
from shared.contracts.results import GameStarted, GameVoided, ResultReopened
from shared.http.live_api import LiveEvent, Tell, in_public, told_here
from shared.log.store import Recorded
from shared.numbers import Number
from shared.values import Value

type ToldAtOnce = (
    facts.ResultReported
    | facts.ReportWithdrawn
    | facts.ResultDisputed
    | facts.ComplaintMade
    | facts.ComplaintAnswered
    | facts.GamePostponed
    | facts.GameResumed
)
NOT_TOLD = (  # by what stands in no message; some of these are messages themselves
    facts.SheetOpened,
    facts.GameStarted,
    facts.ResultAgreed,
    facts.ResultDecided,
    facts.ResultCorrected,
    facts.GameVoided,
    facts.ReplayOrdered,
    facts.SheetClosed,
    facts.ChoiceMade,
    facts.LineUpGiven,
    facts.BoardsDrawn,
    facts.SeatsDrawn,
    facts.WishSaid,
    facts.ClockChanged,
)


class SheetNews(Value):
    """Something that a score sheet has on it now."""

    game: str
    tournament: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]
    status: str  # of the sheet, after it
    entrant: str | None = None  # for whom it was said; none: by a scorer or an official
    scores: tuple[Number, ...] | None = None  # that were reported, seat by seat
    points: tuple[Number, ...] | None = None
    upheld: bool | None = None  # of a complaint that was answered


class ProtestNews(Value):
    protest: str
    tournament: str
    entrant: str  # who has filed it
    game: str | None = None
    upheld: bool | None = None  # none as long as it waits


def telling(games: GameHandler, protests: ProtestHandler) -> Tell:
    in_messages = in_public("results")
    of_games, of_protests = f"{GAME.kind}-", f"{PROTESTS.kind}-"

    async def tell(recorded: Recorded) -> LiveEvent | None:
        event = recorded.event
        if event.message is not None:
            told = await in_messages(recorded)
            return told and await with_table(told, event.message)
        if event.stream.startswith(of_games):
            return await of_sheet(recorded)
        return await of_protest(recorded, protests) if event.stream.startswith(of_protests) else None

    async def with_table(told: LiveEvent, message: bytes) -> LiveEvent:
        """Who sits at the table of a game, of which a message says no more than the game."""
        match decode("results", told.type, message):
            case GameStarted() | ResultReopened() | GameVoided() as said:
                return replace(told, entrants=frozenset(await seats(said.game)))
            case _:
                return told

    async def seats(game: str) -> Sequence[str]:
        state, _ = await games.load(game)
        return () if isinstance(state, UnknownSheet) else state.sheet.seats

    async def of_sheet(recorded: Recorded) -> LiveEvent | None:
        event = GAME.read(recorded)
        if isinstance(event, NOT_TOLD):
            return None
        state, _ = await games.load(recorded.event.stream.removeprefix(of_games))
        if isinstance(state, UnknownSheet):
            return None
        sheet = state.sheet
        news = SheetNews(
            game=sheet.game,
            tournament=sheet.tournament,
            stage=sheet.stage,
            round=sheet.round,
            table=sheet.table,
            seats=sheet.seats,
            status="",
        )
        return told_here(recorded, on_sheet(event, news), entrants=frozenset(sheet.seats))

    return tell


def on_sheet(event: ToldAtOnce, news: SheetNews) -> SheetNews:
    match event:
        case facts.ResultReported():
            result = event.report.result
            by = event.report.by.entrant
            return replace(news, status=event.then, entrant=by, scores=result.scores, points=result.points)
        case facts.ReportWithdrawn():
            return replace(news, status=event.then, entrant=event.by.entrant)
        case facts.ResultDisputed():
            return replace(news, status="disputed", entrant=event.by.entrant)
        case facts.ComplaintMade():
            return replace(news, status="final", entrant=event.by.entrant)
        case facts.ComplaintAnswered():
            return replace(news, status="final", upheld=event.upheld)
        case facts.GamePostponed():
            return replace(news, status="postponed")
        case facts.GameResumed():
            return replace(news, status=event.then)


async def of_protest(recorded: Recorded, protests: ProtestHandler) -> LiveEvent | None:
    event = PROTESTS.read(recorded)
    match event:
        case ProtestFiled():
            entrant, game, upheld = event.entrant, event.game, None
        case ProtestDecided():
            state, _ = await protests.load(event.tournament)
            filed = state.protests[event.protest].filed
            entrant, game, upheld = filed.entrant, filed.game, event.upheld
        case PublicVoteHeld():
            return None
    news = ProtestNews(protest=event.protest, tournament=event.tournament, entrant=entrant, game=game, upheld=upheld)
    return told_here(recorded, news, entrants=frozenset({entrant}))
