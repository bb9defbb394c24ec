"""What the operations of results work with, and the game that a request is about: fetched once, and then handed on."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from fastapi import Response
from msgspec.structs import replace

from services.results.api.games import views
from services.results.api.permissions import LOOK, TELL
from services.results.domain import rounds
from services.results.domain.sheet.facts import ResultCorrected
from services.results.domain.sheet.orders import Command
from services.results.domain.sheet.refusals import CitedRefusal, refused
from services.results.domain.sheet.states import Disputed, Final, GameTerms, KnownSheet, State, UnknownSheet
from services.results.projection import Projection
from services.results.streams import GameHandler, PenaltyHandler, ProtestHandler, RoundHandler
from services.results.tournaments import KnownTournament, Tournaments
from shared.access.asker import NOBODY, Asker, Concerned
from shared.cache import MOST_REMEMBERED, LruCache
from shared.commands.handler import ActPart
from shared.http.authorization import Act
from shared.http.moments import NotStarted
from shared.http.orders import run, with_json
from shared.ids import NewId
from shared.lots.drawing import Lots
from shared.lots.explaining import how_to_draw_again
from shared.numbers import exact
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown
from shared.refusals import NotFound
from shared.rulesets.settings import Settings
from shared.tournament.brackets import MatchGames, winner_of
from shared.tournament.facts import Game, Result
from shared.values import Value

AT_ONCE = 32  # reports, or sheets, of one request that are under way
NUMBER = re.compile(r"[0-9]{1,5}")  # of a round, or of a table


class GamePlace(Value):
    """Where a game belongs, for ever; who sits there may change until it has begun."""

    tournament: str
    stage: str
    round: int
    match: str | None
    number: int | None  # of the game inside its match


class TableOfRound(Value):
    """How people in the hall name a game. A round has one game at a table."""

    tournament: str
    stage: str
    round: int
    table: int


type NamedGame = str | TableOfRound  # by its id, or by where it is played


class TableUnknown(NotFound):
    """The round has no such table."""


class GamePlaces:
    """Finds where a game belongs; what was found once is remembered."""

    def __init__(self, games: GameHandler, tournaments: Tournaments, projection: Projection) -> None:
        self._games = games
        self._tournaments = tournaments
        self._projection = projection
        self._found = LruCache[str, GamePlace](MOST_REMEMBERED)

    async def of(self, game: str) -> GamePlace | None:
        if (known := self._found.get(game)) is not None:
            return known
        state = self._games.last_seen(game)
        if state is None:
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

    async def at(self, table: TableOfRound) -> str | None:
        """The game at a table. Of a round that was recalled only where there is no other."""
        place = table.tournament, table.stage, table.round
        found = await self._projection.at_table(place, table.table)
        if found is None:
            await self._projection.model.caught_up()  # the round may have been published a moment ago
            found = await self._projection.at_table(place, table.table)
        return found

    async def seated(self, named: Mapping[str, Any]) -> Concerned:
        """Who sits at the table that a path names."""
        stage, number, table = str(named.get("stage", "")), str(named.get("round", "")), str(named.get("table", ""))
        if not (NUMBER.fullmatch(number) and NUMBER.fullmatch(table)):
            return NOBODY
        tournament = str(named.get("tournament_id", ""))
        game = await self.at(TableOfRound(tournament=tournament, stage=stage, round=int(number), table=int(table)))
        return NOBODY if game is None else await self.table(game)

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
    is_by_table: bool = False  # whether the path has named it by its table

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
    names: NamesShown
    new_id: NewId

    async def requested(self, named: NamedGame, act: Act) -> RequestedGame:
        """Refused where the game does not belong to what the request is about."""
        game = await self.id_of(named)
        place = await self.places.of(game)
        if place is None or place.tournament != act.asker.scope:
            raise refused(UnknownSheet())
        known = await self.tournaments.of(place.tournament)
        return RequestedGame(id=game, place=place, known=known, is_by_table=isinstance(named, TableOfRound))

    async def id_of(self, named: NamedGame) -> str:
        if isinstance(named, str):
            return named
        if (game := await self.places.at(named)) is not None:
            return game
        row = await self.projection.round((named.tournament, named.stage, named.round))
        if row is None or row.recalled:
            raise rounds.RoundUnknown(
                f"Round {named.round} of stage {named.stage} is not published: look for those that are."
            )
        raise TableUnknown(
            f"Round {named.round} of stage {named.stage} has no table {named.table}: look at its {row.games} games."
        )

    async def run(self, game: RequestedGame, order: Command, act: Act, *, also: Sequence[ActPart] = ()) -> Response:
        """Carry out an order on the sheet of this game, and answer with the sheet. Whoever knows no more than the table is
        told who sits there: an answer is kept without names, so they come to it as it leaves."""
        try:
            response = await run(
                self.games,
                game.id,
                order,
                act,
                lambda state: views.sheet(state, act.asker, game.known),
                scope=game.place.tournament,
                also=also,
            )
        except CitedRefusal as refusal:
            cite(refusal, game.known, game.place.stage)
            raise
        if not game.is_by_table:
            return response
        told = await self.names.of_tournament(game.place.tournament)
        return with_json(response, views.with_names(bytes(response.body), told))

    async def besides(self, state: State, asker: Asker, tournament: str) -> views.ShownBesides:
        """What a look shows beside the sheet: names, and when and why its result was corrected."""
        told, drawn = await self.names.of_tournament(tournament), await self._drawn_again(state, tournament)
        if isinstance(state, Disputed) and asker.why_not(TELL, tournament) is None:
            notes = [one.reason for one in state.objections if one.reason is not None]
            return views.ShownBesides(told=told, words=await self.notes.read(tournament, notes), drawn=drawn)
        if not (isinstance(state, Final) and state.corrected):
            return views.ShownBesides(told=told, drawn=drawn)
        at = views.last_at(await self.games.recorded(state.sheet.game), ResultCorrected)
        note = state.correction if asker.why_not(LOOK, tournament) is None else None
        words = await self.notes.read(tournament, [note] if note else [])
        return views.ShownBesides(told=told, corrected_at=at, why_corrected=words.get(note or ""), drawn=drawn)

    async def _drawn_again(self, state: State, tournament: str) -> Sequence[str]:
        """How anybody draws again what a lot has decided at this table."""
        purposes = [] if isinstance(state, UnknownSheet) else views.lots_of(state)
        if not purposes:
            return ()
        known, key = await self.lots.known(tournament), await self.lots.key(tournament, is_trusted=False)
        return [*how_to_draw_again(known, "results", purposes, key)]

    async def sheet(self, game: str) -> KnownSheet:
        state, _ = await self.games.load(game)
        return views.require_known(state)

    async def terms(self, game: RequestedGame) -> GameTerms:
        terms = game.known.terms(game.place.stage, game.place.match)
        return replace(terms, surplus=True) if game.place.match and await self._is_surplus(game) else terms

    async def expelled(self, game: RequestedGame) -> frozenset[str]:
        """Persons of teams, who play no more in its tournament."""
        state, _ = await self.penalties.load(game.place.tournament)
        return frozenset(state.persons)

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

    def reopening(self, place: GamePlace, act: Act) -> ActPart:
        """The part of a replay by which a round that was complete is so no more."""
        identity = rounds.identity(place.tournament, place.stage, place.round)
        return self.rounds.part(identity, rounds.ReopenRound(), scope=place.tournament, origin=act.origin)


def require_started(known: KnownTournament) -> None:
    if known.facts is None:
        raise NotStarted("No tournament with this id is under way: registration starts it.")


@contextmanager
def citing(known: KnownTournament, stage: str | None = None) -> Generator[None]:
    """What is refused here names its rule, by those of a stage or of the whole tournament."""
    try:
        yield
    except CitedRefusal as refusal:
        cite(refusal, known, stage)
        raise


def cite(refusal: CitedRefusal, known: KnownTournament, stage: str | None) -> None:
    if known.facts is not None:
        results = known.rules().results if stage is None else known.settings(stage).results
        refusal.rule = results.rule_ids.get(refusal.about)


async def at_once[T](asked: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """All of it, so many at once."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def in_turn(one: Callable[[], Awaitable[T]]) -> T:
        async with turns:
            return await one()

    return await asyncio.gather(*map(in_turn, asked))
