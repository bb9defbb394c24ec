"""What the operations of results work with, and the game that a request is about: fetched once, and then handed on."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from fastapi import Response
from msgspec.structs import replace

from services.results.api.games import views
from services.results.domain import rounds
from services.results.domain.sheet.orders import Command
from services.results.domain.sheet.refusals import CitedRefusal, refused
from services.results.domain.sheet.states import Final, GameTerms, KnownSheet, UnknownSheet
from services.results.projection import Projection
from services.results.streams import GameHandler, PenaltyHandler, ProtestHandler, RoundHandler
from services.results.tournaments import KnownTournament, Tournaments
from shared.access.asker import NOBODY, Concerned
from shared.cache import MOST_REMEMBERED, LruCache
from shared.commands.handler import Beside
from shared.http.authorization import Act
from shared.http.orders import run
from shared.ids import NewId
from shared.lots.drawing import Lots
from shared.numbers import exact
from shared.personal.notes import Notes
from shared.rulesets.settings import Settings
from shared.tournament.brackets import MatchGames, winner_of
from shared.tournament.facts import Game, Result
from shared.values import Value


class GamePlace(Value):
    """Where a game belongs, for ever; who sits there may change until it has begun."""

    tournament: str
    stage: str
    round: int
    match: str | None
    number: int | None  # of the game inside its match


class GamePlaces:
    """Finds where a game belongs; what was found once is remembered."""

    def __init__(self, games: GameHandler, tournaments: Tournaments) -> None:
        self._games = games
        self._tournaments = tournaments
        self._found = LruCache[str, GamePlace](MOST_REMEMBERED)

    async def of(self, game: str) -> GamePlace | None:
        if (known := self._found.get(game)) is not None:
            return known
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return None
        sheet = state.sheet
        place = GamePlace(
            tournament=sheet.tournament,
            stage=sheet.stage,
            round=sheet.round,
            match=sheet.match,
            number=sheet.number,
        )
        self._found.put(game, place)
        return place

    async def tournament(self, game: str) -> str | None:
        place = await self.of(game)
        return place and place.tournament

    async def table(self, game: str) -> Concerned:
        """The entrants who sit there now, and the requirement that only they speak of the game."""
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return NOBODY
        sheet, known = state.sheet, await self._tournaments.of(state.sheet.tournament)
        rule = None if known.facts is None else known.settings(sheet.stage).results.rule_ids.get("sides")
        return Concerned(entrants=sheet.seats, rule=rule)


class RequestedGame(Value):
    """The game that a request is about: where it belongs, and what is known of its tournament."""

    id: str
    place: GamePlace
    known: KnownTournament

    @property
    def settings(self) -> Settings:
        """What holds in its stage."""
        return self.known.settings(self.place.stage)


class Context(Value):
    """What the operations work with. Wired in `app.py`."""

    games: GameHandler
    rounds: RoundHandler
    penalties: PenaltyHandler
    protests: ProtestHandler
    lots: Lots
    tournaments: Tournaments
    places: GamePlaces
    projection: Projection
    notes: Notes
    new_id: NewId

    async def requested(self, game: str, act: Act) -> RequestedGame:
        """Refused where the game does not belong to what the request is about."""
        place = await self.places.of(game)
        if place is None or place.tournament != act.asker.scope:
            raise refused(UnknownSheet())
        return RequestedGame(id=game, place=place, known=await self.tournaments.of(place.tournament))

    async def run(self, game: RequestedGame, order: Command, act: Act, *, beside: Sequence[Beside] = ()) -> Response:
        """Carry out an order on the sheet of this game, and answer with the sheet."""
        with citing(game.known, game.place.stage):
            return await run(
                self.games,
                game.id,
                order,
                act,
                lambda state: views.sheet(state, act.asker, game.known),
                scope=game.place.tournament,
                beside=beside,
            )

    async def sheet(self, game: str) -> KnownSheet:
        state, _ = await self.games.load(game)
        return views.require_known(state)

    async def terms(self, game: RequestedGame) -> GameTerms:
        terms = game.known.terms(game.place.stage, game.place.match)
        return replace(terms, surplus=True) if await self._is_surplus(game) else terms

    async def _is_surplus(self, game: RequestedGame) -> bool:
        """Whether the games before this one have decided its match."""
        place = game.place
        best_of = game.known.games_of(place.stage, place.match)
        if place.match is None or place.number is None or not 1 < place.number <= best_of:
            return False
        before: list[Game] = []
        results: list[Result] = []
        for name in await self.projection.of_match(place.tournament, place.stage, place.match, before=place.number):
            state, _ = await self.games.load(name)
            if isinstance(state, Final):
                before.append(Game(id=name, table=state.sheet.table, seats=state.sheet.seats))
                results.append(
                    Result(
                        scores=tuple(map(exact, state.result.scores)),
                        points=tuple(map(exact, state.result.points)),
                        winner=state.result.winner,
                    )
                )
        playing = MatchGames(games=tuple(before), results=tuple(results))
        return bool(before) and winner_of(playing, game.settings.contest, best_of, ()) is not None

    def reopening(self, place: GamePlace, act: Act) -> Beside:
        """The part of a replay by which a round that was complete is so no more."""
        identity = rounds.identity(place.tournament, place.stage, place.round)
        return self.rounds.part(identity, rounds.ReopenRound(), scope=place.tournament, origin=act.origin)


@contextmanager
def citing(known: KnownTournament, stage: str | None = None) -> Generator[None]:
    """What is refused here names its rule, by those of a stage or of the whole tournament."""
    try:
        yield
    except CitedRefusal as refusal:
        if known.facts is not None:
            results = known.rules().results if stage is None else known.settings(stage).results
            refusal.rule = results.rule_ids.get(refusal.about)
        raise
