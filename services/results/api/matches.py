"""A match of several games, of which the last may be one too many."""

from services.results.api.place import Place
from services.results.domain.states import Final
from services.results.streams import GameHandler
from services.results.tournaments import Known
from services.results.views import Views
from shared.numbers import exact
from shared.tournament.brackets import MatchGames, winner_of
from shared.tournament.facts import Game, Result


async def is_surplus(games: GameHandler, views: Views, place: Place, known: Known) -> bool:
    """Whether the games before this one have decided its match."""
    best_of = known.games_of(place.stage, place.match)
    if place.match is None or place.number is None or not 1 < place.number <= best_of:
        return False
    before: list[Game] = []
    results: list[Result] = []
    for game in await views.of_match(place.tournament, place.stage, place.match, before=place.number):
        state, _ = await games.load(game)
        if isinstance(state, Final):
            before.append(Game(id=game, table=state.sheet.table, seats=state.sheet.seats))
            results.append(
                Result(
                    scores=tuple(map(exact, state.result.scores)),
                    points=tuple(map(exact, state.result.points)),
                    winner=state.result.winner,
                )
            )
    if not before:
        return False
    playing = MatchGames(games=tuple(before), results=tuple(results))
    return winner_of(playing, known.settings(place.stage).contest, best_of, ()) is not None
